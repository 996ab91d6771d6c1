import {html, readable, uniqueId} from './dom';
import type {Extents} from './extents';
import type {Words} from './function_words';
import {drawHeatMap, type HeatMap} from './heat_map';
import {figure} from './numbers';
import {dataTable} from './table';
import type {FunctionPlot} from './types';
import {fillTable, numbers, place, type Setting, type View} from './view';

// What the map of the uncertainty shows. Densities have intervals alone.
function spreadOf(plot: FunctionPlot, column: string): number[] {
  const {function: f} = plot;
  if (plot.kind !== 'density') return numbers(f[column]);
  const lower = numbers(f['lower']);
  return numbers(f['upper']).map((upper, i) => upper - (lower[i] ?? 0));
}

// How far the colours of both maps go: all uncertainty and that of privacy
// alone in the same ones, and from 0, so that small differences look small.
export function includeMap(
    extents: Extents, plot: FunctionPlot,
    {column}: Words): {value: [number, number], spread: [number, number]} {
  extents.include('spread', [0, ...spreadOf(plot, 'privacy_sd')]);
  return {
    value: extents.include('value', numbers(plot.function [column])),
    spread: extents.include('spread', spreadOf(plot, 'sd')),
  };
}

interface Shown {
  plot: FunctionPlot;
  values: number[];
  domain: [number, number];
  caption: string;
}

// A map with its heading, that says the value under the pointer.
function oneMap(
    heading: string, unit: string, colours: HeatMap['colours'],
    number: Words['number'], extras: Node[] = []): View<Shown> {
  const canvas = html('div', {class: 'canvas'});
  const said = html('figcaption', {});
  let shown: Shown|undefined;
  let drawing: ReturnType<typeof drawHeatMap>|undefined;
  function read(event: PointerEvent): void {
    if (!shown || !drawing) return;
    const {plot, values} = shown;
    const [x = [], y = []] = plot.axes;
    const k = drawing.indexAt(event.clientX, event.clientY);
    said.textContent = readable(`${number(values[k])} at ${plot.inputs[0]} ${
        place(x, Math.floor(k / y.length))}, ${plot.inputs[1]} ${
        place(y, k % y.length)}`);
  }
  canvas.addEventListener('pointermove', read);
  canvas.addEventListener('pointerdown', read);
  canvas.addEventListener('pointerleave', () => {
    said.textContent = readable(shown?.caption ?? '');
  });
  return {
    root: html(
        'figure', {class: 'card'}, html('h3', {}, heading), canvas, ...extras,
        said),
    show(next) {
      shown = next;
      said.textContent = readable(next.caption);
    },
    draw(width) {
      if (!shown) return;
      const {plot, values, domain} = shown;
      const [x = [], y = []] = plot.axes;
      const [xLabel = '', yLabel = ''] = plot.inputs;
      const height = Math.round(Math.min(420, Math.max(300, width * 0.82)));
      drawing = drawHeatMap(
          {
            x,
            y,
            values,
            xLabel,
            yLabel,
            unit,
            colours,
            domain,
            description: `Map of ${heading} by ${xLabel} and ${yLabel}: from ${
                figure(
                    Math.min(...values))} to ${number(Math.max(...values))}.`,
          },
          {width, height});
      canvas.replaceChildren(drawing.root);
    },
  };
}

// Below the map of the uncertainty.
function spreadCaption({kind}: FunctionPlot, spread: string): string {
  if (kind === 'density') return 'Between the ends of the 95 % interval.';
  if (kind === 'margin') return 'Standard deviation.';
  return spread === 'sd' ?
      'Standard deviation: privacy noise and limited data. Bright places are ' +
          'the least known.' :
      'Standard deviation of the privacy noise alone, in the same colours.';
}

export function mapView(
    {text, choices, extents}: Setting,
    kind: FunctionPlot['kind']): View<FunctionPlot> {
  const both = kind !== 'density' && kind !== 'margin';
  let plot: FunctionPlot|undefined;
  let width = 0;
  const choice = spreadChoice(choices.spread, (column) => {
    choices.spread = column;
    fill();
    draw();
  });
  const left = oneMap(text.what, text.unit, 'value', text.number);
  const right = oneMap(
      text.spread, kind === 'density' ? 'width' : 'deviation', 'uncertainty',
      figure, both ? [choice] : []);
  const maps = html('div', {class: 'maps'}, left.root, right.root);
  const table = dataTable(choices);

  function fill(): void {
    if (!plot) return;
    const column = both ? choices.spread : 'sd';
    const {value, spread} = includeMap(extents, plot, text);
    left.show({
      plot,
      values: numbers(plot.function [text.column]),
      domain: kind === 'probability' ? [0, 1] : value,
      caption: text.map,
    });
    right.show({
      plot,
      values: spreadOf(plot, column),
      domain: spread,
      caption: spreadCaption(plot, column),
    });
  }
  function draw(): void {
    const each =
        maps.clientWidth > 720 ? (maps.clientWidth - 24) / 2 : maps.clientWidth;
    width = Math.max(220, each - 42);
    left.draw(width);
    right.draw(width);
  }
  return {
    root: html('div', {}, maps, table.root),
    show(next) {
      plot = next;
      fill();
      const [x = [], y = []] = plot.axes;
      const pick = (axis: number[]) => [0, 1, 2, 3, 4, 5, 6].map(
          (k) => Math.round(k * (axis.length - 1) / 6));
      fillTable(
          table, plot, text,
          pick(x).flatMap((i) => pick(y).map((j) => ({
                                               head: [place(x, i), place(y, j)],
                                               at: i * y.length + j,
                                             }))));
    },
    draw,
  };
}

type Spread = 'sd'|'privacy_sd';

function spreadChoice(
    now: Spread, chosen: (column: Spread) => void): HTMLFieldSetElement {
  const name = uniqueId('spread');
  const option = (column: Spread, text: string) => html(
      'label', {}, html('input', {
        type: 'radio',
        name,
        value: column,
        checked: column === now,
        change: () => chosen(column),
      }),
      text);
  return html(
      'fieldset', {class: 'choice'},
      html('legend', {class: 'spoken'}, 'Which uncertainty'),
      option('sd', 'all of it'), option('privacy_sd', 'privacy noise alone'));
}
