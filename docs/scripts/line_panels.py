"""Panels of lines against a quantity, both axes logarithmic, as SVG."""

import math
import os

STYLE = """
text { font: 13px "DejaVu Sans", "Segoe UI", Roboto, sans-serif; fill: #1d2530; }
.tick { fill: #5a6675; font-size: 12px; } .title { font-weight: 600; }
.grid { stroke: #1d2530; stroke-opacity: .08; }
path { fill: none; stroke-width: 2.4; }
.published { stroke: #b5651d; } .optimal { stroke: #12406f; }
.second { stroke: #4f8fcf; }
.other { stroke: #6b8e23; stroke-dasharray: 6 4; }
.another { stroke: #9b59a0; stroke-dasharray: 2 3; }
.floor { stroke: #8a94a1; stroke-dasharray: 3 4; stroke-width: 1.6; }
circle.published { fill: #b5651d; } circle.optimal { fill: #12406f; }
circle.second { fill: #4f8fcf; } circle.other { fill: #6b8e23; }
circle.another { fill: #9b59a0; }
"""
WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 430, 300, 58, 44, 46


def logarithmic(low, high, start, end):
    scale = (end - start) / math.log(high / low)
    return lambda value: start + scale * math.log(value / low)


def ticks(low, high):
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    steps = (1, 2, 5) if high / low < 300 else (1,)
    return [m * 10.0 ** p for p in powers for m in steps
            if low <= m * 10.0 ** p <= high]


def panel(lines, left, top, title, x_label, y_label):
    """`lines`: of (style, [(x, y), …]); a point without x is a level."""
    lines = [(style, sorted(line, key=lambda point: point[0] or 0))
             for style, line in lines]
    values = [y for _, line in lines for _, y in line]
    places = sorted({x for _, line in lines for x, _ in line if x})
    right, bottom = left + WIDTH - 20, top + HEIGHT - BOTTOM
    x = logarithmic(places[0], places[-1], left + LEFT, right)
    low, high = 0.85 * min(values), 1.15 * max(values)
    y = logarithmic(low, high, bottom, top + TOP)
    out = [f'<text class="title" x="{left + LEFT}" y="{top + 22}">{title}</text>']
    for place in places:
        out.append(f'<text class="tick" text-anchor="middle" x="{x(place):.1f}" '
                   f'y="{bottom + 18}">{place:g}</text>')
    for tick in ticks(low, high):
        out.append(f'<line class="grid" x1="{left + LEFT}" x2="{right}" '
                   f'y1="{y(tick):.1f}" y2="{y(tick):.1f}"/>'
                   f'<text class="tick" text-anchor="end" x="{left + LEFT - 8}" '
                   f'y="{y(tick) + 4:.1f}">{tick:g}</text>')
    out.append(f'<text text-anchor="middle" x="{left + (LEFT + WIDTH - 20) / 2}" '
               f'y="{top + HEIGHT - 8}">{x_label}</text>'
               f'<text x="{left + 4}" y="{top + TOP - 6}">{y_label}</text>')
    for style, line in lines:
        if line[0][0] is None:
            line = [(places[0], line[0][1]), (places[-1], line[0][1])]
        path = "L".join(f"{x(e):.1f} {y(v):.1f}" for e, v in line)
        out.append(f'<path class="{style}" d="M{path}"/>')
        if style != "floor":
            out += [f'<circle class="{style}" cx="{x(e):.1f}" cy="{y(v):.1f}" '
                    f'r="3.4"/>' for e, v in line]
    return "\n".join(out)


def legend(styles, top):
    """`styles`: of (style, text)."""
    out, x = [], 20
    for style, text in styles:
        out.append(f'<path class="{style}" d="M{x} {top + 14}h26"/>'
                   f'<text x="{x + 33}" y="{top + 19}">{text}</text>')
        x += 46 + 7 * len(text)
    return "\n".join(out)


def write(name, label, parts, rows=1):
    svg = f"""<svg xmlns="http://www.w3.org/2000/svg" \
viewBox="0 0 {2 * WIDTH} {rows * HEIGHT + 32}" role="img" \
aria-label="{label}">
<style>{STYLE}</style>
<rect width="100%" height="100%" fill="#ffffff"/>
{chr(10).join(parts)}
</svg>
"""
    target = os.path.join(os.path.dirname(__file__), "..", "images", name)
    with open(target, "w") as out_file:
        out_file.write(svg)
