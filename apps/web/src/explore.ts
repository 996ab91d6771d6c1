import {html, uniqueId} from './dom';
import {errorBox} from './error_box';
import {functionView, type View} from './function_view';
import {histogramView} from './histogram_view';
import {figure} from './numbers';
import type {Source} from './source';
import type {Input, Release} from './types';

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
  const stage = html('div', {class: 'stage', 'aria-busy': 'true'});
  root.append(controls, stage);

  const inputs = release.inputs;
  const at: Record<string, number> = {};
  let axes = release.task === 'histogram' ?
      [] :
      inputs.slice(0, 2).map(({name}) => name);
  let view: View|undefined;
  let under_way = new AbortController();

  new ResizeObserver(() => draw()).observe(stage);
  function draw(): void {
    // Cards have their padding.
    if (view && stage.clientWidth)
      view.draw(Math.max(240, stage.clientWidth - 42));
  }

  async function update(): Promise<void> {
    under_way.abort();
    under_way = new AbortController();
    const {signal} = under_way;
    try {
      const plot = await source.plot(release.name, {inputs: axes, at}, signal);
      if (signal.aborted) return;
      view = plot.kind === 'histogram' ? histogramView(plot) :
                                         functionView(plot, release);
      stage.replaceChildren(view.root);
      draw();
      stage.dataset['drawn'] = plot.kind;
    } catch (error) {
      if (signal.aborted) return;
      view = undefined;
      stage.replaceChildren(errorBox(error));
    }
    stage.setAttribute('aria-busy', 'false');
  }

  function choose(): void {
    for (const name of Object.keys(at)) delete at[name];
    const others = inputs.filter(({name}) => !axes.includes(name));
    const shown = others.slice(0, kMostSliders);
    controls.replaceChildren(
        ...(inputs.length > 1 ? axisChoices() : []),
        ...shown.map((input) => slider(input)));
    if (others.length > shown.length) {
      controls.append(html(
          'p', {class: 'note'},
          `The other ${others.length - shown.length} inputs stay at their ` +
              `middle values.`));
    }
    void update();
  }

  function axisChoices(): HTMLElement[] {
    const choice = (label: string, place: number, none?: string) => {
      const id = uniqueId('axis');
      const select = html('select', {
        id,
        change: () => {
          const name = select.value;
          const other = axes[1 - place];
          if (place === 1 && name === '') {
            axes = [axes[0] ?? ''];
          } else if (name === other) {
            axes.reverse();
          } else {
            axes[place] = name;
          }
          choose();
          controls.querySelectorAll('select')[place]?.focus();
        },
      });
      for (const {name} of inputs) {
        select.append(html(
            'option', {value: name, selected: axes[place] === name}, name));
      }
      if (none) {
        select.append(
            html('option', {value: '', selected: axes.length === 1}, none));
      }
      return html(
          'div', {class: 'control'}, html('label', {'for': id}, label), select);
    };
    return [choice('Along', 0), choice('and along', 1, 'nothing else')];
  }

  function slider(input: Input): HTMLElement {
    const id = uniqueId('at');
    const positions = source.positions(axes, input.name);
    if (positions && positions.length < 2) {
      return html(
          'p', {class: 'note'},
          `${input.name} stays at ${figure(positions[0])}.`);
    }
    const nearest = positions?.reduce(
        (best, value, k) => Math.abs(value - input.middle) <
                Math.abs((positions[best] ?? 0) - input.middle) ?
            k :
            best,
        0);
    const value = html('output', {'for': id});
    const range = html('input', {
      id,
      type: 'range',
      min: positions ? 0 : input.lower,
      max: positions ? positions.length - 1 : input.upper,
      step: positions ? 1 : 'any',
      value: nearest ?? input.middle,
      input: () => moved(),
    });
    const read = () => {
      const at_value =
          positions ? positions[Number(range.value)] ?? 0 : Number(range.value);
      value.textContent = figure(at_value);
      range.setAttribute('aria-valuetext', figure(at_value));
      at[input.name] = at_value;
    };
    const moved = () => {
      read();
      void update();
    };
    read();
    return html(
        'div', {class: 'control'}, html('label', {'for': id}, input.name),
        range, value);
  }

  if (release.task === 'histogram')
    void update();
  else
    choose();
  return root;
}
