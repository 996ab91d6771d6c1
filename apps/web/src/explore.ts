import {choicesOf} from './choices';
import {html, uniqueId} from './dom';
import {errorBox} from './error_box';
import {Extents} from './extents';
import {canBeDrawn, functionView, includeSlice} from './function_view';
import {histogramView} from './histogram_view';
import {figure, within} from './numbers';
import type {Source} from './source';
import type {Input, Plot, Release} from './types';
import type {View} from './view';

// More sliders than this help nobody; the inputs behind them stay where they
// are.
const kMostSliders = 8;

// The plot of a release, with a choice of what to plot against and sliders for
// the other inputs.
export function explore(release: Release, source: Source): HTMLElement {
  const root = html(
      'section', {'aria-labelledby': 'explore-heading'},
      html('h2', {id: 'explore-heading'}, 'What it says'));
  const controls = html('div', {class: 'controls'});
  const stage = html('div', {class: 'stage'});
  root.append(controls, stage);

  const {inputs} = release;
  const choices = choicesOf(release);
  // Where the sliders stand, and how far values go while they move.
  let at: Record<string, number> = {};
  let sliders: Input[] = [];
  let extents = new Extents();
  let view: View<Plot>|undefined;

  let width = 0;
  new ResizeObserver(() => {
    if (stage.clientWidth !== width) draw();
  }).observe(stage);
  function draw(): void {
    width = stage.clientWidth;
    // Cards have their padding.
    if (view && width) view.draw(Math.max(240, width - 42));
  }

  function show(plot: Plot): void {
    if (plot.kind === 'histogram') {
      view = histogramView(plot, choices) as View<Plot>;
      stage.replaceChildren(view.root);
    } else if (!canBeDrawn(plot)) {
      view = undefined;
      stage.replaceChildren(
          html('p', {}, 'The predictions are too large to be drawn.'));
    } else {
      const shown =
          view ?? functionView(plot, release, choices, extents) as View<Plot>;
      shown.show(plot);
      if (!view) stage.replaceChildren(shown.root);
      view = shown;
    }
    draw();
    stage.dataset['drawn'] = plot.kind;
  }

  // One plot at a time: while one is on its way, sliders only say that another
  // is wanted. Other axes do not wait for it.
  let under_way: AbortController|undefined;
  let wanted = false;
  async function update(): Promise<void> {
    wanted = true;
    if (under_way) return;
    under_way = new AbortController();
    const {signal} = under_way;
    stage.setAttribute('aria-busy', 'true');
    while (wanted) {
      wanted = false;
      try {
        const request = {inputs: choices.axes, at: {...at}};
        const plot = await source.plot(release.name, request, signal);
        if (signal.aborted) return;
        show(plot);
      } catch (error) {
        if (signal.aborted) return;
        view = undefined;
        stage.replaceChildren(errorBox(error));
      }
    }
    stage.setAttribute('aria-busy', 'false');
    under_way = undefined;
  }

  async function begin(): Promise<void> {
    under_way?.abort();
    under_way = undefined;
    view = undefined;
    extents = new Extents();
    const mine = extents;
    stage.setAttribute('aria-busy', 'true');
    if (sliders.length) {
      const request = {inputs: choices.axes, at};
      // Without them, the scale grows as the sliders move.
      const slices =
          await source.slices(release.name, request, sliders).catch(() => []);
      if (extents !== mine) return;
      for (const slice of slices) includeSlice(extents, slice, release);
    }
    void update();
  }

  function choose(): void {
    at = {};
    const others = inputs.filter(({name}) => !choices.axes.includes(name));
    const shown = others.slice(0, kMostSliders);
    sliders = [];
    controls.replaceChildren(
        ...(inputs.length > 1 ? axisChoices() : []),
        ...shown.map((input) => slider(input)));
    if (others.length > shown.length) {
      controls.append(html(
          'p', {class: 'note'},
          `The other ${others.length - shown.length} inputs stay at their ` +
              `middle values.`));
    }
    void begin();
  }

  function chooseAxis(place: number, name: string): void {
    const [first = '', second] = choices.axes;
    if (place === 1 && name === '') {
      choices.axes = [first];
    } else if (name === choices.axes[1 - place]) {
      // They change places; alone, it makes place for another.
      const other = second ?? inputs.find((input) => input.name !== name)?.name;
      choices.axes = place === 0 ? [name, first] : [other ?? '', name];
    } else {
      choices.axes = choices.axes.map((axis, i) => i === place ? name : axis);
      if (place === choices.axes.length) choices.axes.push(name);
    }
  }

  function axisChoices(): HTMLElement[] {
    const choice = (label: string, place: number, none?: string) => {
      const id = uniqueId('axis');
      const select = html('select', {
        id,
        change: () => {
          chooseAxis(place, select.value);
          choose();
          controls.querySelectorAll('select')[place]?.focus();
        },
      });
      const chosen = choices.axes[place] ?? '';
      for (const {name} of inputs) {
        select.append(
            html('option', {value: name, selected: chosen === name}, name));
      }
      if (none) {
        select.append(
            html('option', {value: '', selected: chosen === ''}, none));
      }
      return html(
          'div', {class: 'control'}, html('label', {'for': id}, label), select);
    };
    return [choice('Along', 0), choice('and along', 1, 'nothing else')];
  }

  function slider(input: Input): HTMLElement {
    const {name, lower, upper} = input;
    const positions = source.positions(choices.axes, name);
    if (positions ? positions.length < 2 : lower === upper) {
      return html(
          'p', {class: 'note'},
          `${name} stays at ${figure(positions?.[0] ?? input.middle)}.`);
    }
    sliders.push(input);
    const id = uniqueId('at');
    const start = choices.at[name] ?? input.middle;
    const nearest = positions?.reduce(
        (best, value, k) =>
            Math.abs(value - start) < Math.abs((positions[best] ?? 0) - start) ?
            k :
            best,
        0);
    // The slider itself says it to a screen reader.
    const value = html('output', {'for': id, 'aria-live': 'off'});
    const range = html('input', {
      id,
      type: 'range',
      min: positions ? 0 : lower,
      max: positions ? positions.length - 1 : upper,
      step: positions ? 1 : 'any',
      value: nearest ?? start,
      input: () => {
        choices.at[name] = read();
        void update();
      },
    });
    const read = (): number => {
      const now =
          positions ? positions[Number(range.value)] ?? 0 : Number(range.value);
      value.textContent = within(now, upper - lower);
      range.setAttribute('aria-valuetext', value.textContent);
      at[name] = now;
      return now;
    };
    read();
    return html(
        'div', {class: 'control'}, html('label', {'for': id}, name), range,
        value);
  }

  if (release.task === 'histogram')
    void update();
  else
    choose();
  return root;
}
