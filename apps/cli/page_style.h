#ifndef CLOAK_APPS_CLI_PAGE_STYLE_H_
#define CLOAK_APPS_CLI_PAGE_STYLE_H_

namespace cloak {

// Colours are variables, so that dark mode is one block and drawings follow.
inline constexpr char kPageStyle[] = R"css(
:root {
  color-scheme: light dark;
  --page: #fbfbfa; --card: #ffffff; --text: #1d2530; --soft: #5a6675;
  --line: #e2e5e9; --grid: #1d253014; --link: #1f5fa8;
  --mean: #12406f; --new: #cfe1f3; --function: #8fbbe4; --privacy: #f4bd74;
  --mark: #8a94a1;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14181d; --card: #1b2027; --text: #e4e8ed; --soft: #9aa6b4;
    --line: #2e353f; --grid: #ffffff14; --link: #82b6ee;
    --mean: #e9f2fc; --new: #21384f; --function: #2f618f; --privacy: #b9752a;
    --mark: #75808d;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; padding: 2.5rem 1.25rem 4rem; background: var(--page);
  color: var(--text); line-height: 1.55;
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans",
    sans-serif;
}
main { max-width: 58rem; margin: 0 auto; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .4rem; }
h2 { font-size: 1.2rem; margin: 2.6rem 0 .7rem; }
h3 { font-size: 1rem; margin: 0 0 .4rem; }
h1, h2, h3, td, th, p { overflow-wrap: anywhere; }
.lead { font-size: 1.1rem; color: var(--soft); margin: 0; }
.card {
  background: var(--card); border: 1px solid var(--line);
  border-radius: .7rem; padding: 1.1rem 1.25rem; margin: 0 0 1rem;
}
.promise { border-left: .3rem solid var(--privacy); }
.card > p { max-width: 46rem; }
.card > p:first-child { margin-top: 0; }
.card > :last-child { margin-bottom: 0; }
.figures {
  display: grid; gap: 1rem; margin: 1.6rem 0 1rem;
  grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr));
}
.figures .card { margin: 0; padding: .8rem 1rem; }
.figures dt { color: var(--soft); font-size: .85rem; }
.figures dd { margin: 0; font-size: 1.45rem; font-weight: 600; }
.plots {
  display: grid; gap: 1rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr));
}
.plots .card { margin: 0; }
figure { margin: 0; }
figcaption { color: var(--soft); font-size: .92rem; margin-top: .6rem; }
svg { display: block; width: 100%; height: auto; }
svg text { font-size: 13px; fill: var(--text); }
svg .tick { fill: var(--soft); }
svg .name { font-weight: 600; }
svg .mark-label { fill: var(--soft); font-size: 12px; stroke: var(--card);
  stroke-width: 3px; stroke-opacity: .7; paint-order: stroke; }
.new { fill: var(--new); background: var(--new); }
.function { fill: var(--function); background: var(--function); }
.privacy { fill: var(--privacy); background: var(--privacy); }
.mean { fill: none; stroke: var(--mean); stroke-width: 2.4;
  stroke-linejoin: round; }
.grid { fill: none; stroke: var(--grid); }
.axis { fill: none; stroke: var(--soft); }
.mark { fill: none; stroke: var(--mark); stroke-dasharray: 5 4; }
.cells path { stroke-width: 1.4; }
.legend {
  display: flex; flex-wrap: wrap; gap: .3rem 1.3rem; list-style: none;
  padding: 0; margin: .7rem 0 0; font-size: .92rem;
}
.legend li { display: flex; align-items: baseline; }
.legend span {
  flex: none; width: 1.5rem; height: .8rem; border-radius: .15rem;
  margin-right: .5rem; position: relative; top: .08rem;
}
.legend .stroke { height: .17rem; top: -.25rem;
  background: var(--mean); }
.narrow { display: none; }
@media (max-width: 600px) {
  body { padding-top: 1.4rem; }
  .card { padding: .9rem .9rem; }
  .wide { display: none; }
  .narrow { display: block; }
}
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .38rem .8rem .38rem 0;
  border-bottom: 1px solid var(--line); }
tr:last-child > * { border-bottom: 0; }
.key th { width: 11rem; color: var(--soft); font-weight: 400; }
.scroll { overflow-x: auto; }
.numbers td, .numbers th { text-align: right; white-space: nowrap;
  font-variant-numeric: tabular-nums; font-size: .9rem; }
details { margin-top: .9rem; }
summary { cursor: pointer; color: var(--link); }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas,
  "DejaVu Sans Mono", monospace; font-size: .92em; }
pre { overflow-x: auto; margin: .6rem 0; }
footer { color: var(--soft); font-size: .88rem; margin-top: 2.5rem; }
@media (max-width: 420px) { .key th { width: 6.5rem; } }
@media print { body { padding: 0; } .card { break-inside: avoid; } }
)css";

}  // namespace cloak

#endif  // CLOAK_APPS_CLI_PAGE_STYLE_H_
