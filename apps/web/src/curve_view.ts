import {drawCurve, type Band, type Curve} from './curve';
import {html, readable, uniqueId} from './dom';
import type {Extents} from './extents';
import type {Words} from './function_words';
import {figure, percent, within} from './numbers';
import {dataTable} from './table';
import type {Column, FunctionPlot, Release} from './types';
import {fillTable, legend, numbers, place, type Setting, type View} from './view';

function bands(plot: FunctionPlot): Band[] {
  const {function: f, observation} = plot;
  const band = (name: string, lower?: Column, upper?: Column): Band[] =>
      lower && upper ? [{name, lower: numbers(lower), upper: numbers(upper)}] :
                       [];
  if (plot.kind === 'density' || plot.kind === 'margin') {
    return band('privacy', f['lower'], f['upper']);
  }
  return [
    ...band('new', observation?.['lower'], observation?.['upper']),
    ...band('function', f['lower'], f['upper']),
    ...band('privacy', f['privacy_lower'], f['privacy_upper']),
  ];
}

// How far up and down the curve and its bands go.
export function includeCurve(
    extents: Extents, plot: FunctionPlot, {column}: Words): [number, number] {
  return extents.include('curve', [
    ...numbers(plot.function [column]),
    ...bands(plot).flatMap(({lower, upper}) => [...lower, ...upper]),
  ]);
}

function levels(plot: FunctionPlot, release: Release): Curve['levels'] {
  if (plot.kind === 'probability') {
    return [{value: 0.5, label: 'as likely as not'}];
  }
  if (plot.kind === 'margin') return [{value: 0, label: 'neither'}];
  if (plot.kind !== 'curve' || !release.privacy.bounds) return [];
  const [lower, upper] = release.privacy.bounds;
  return [
    {value: lower, label: `lower bound ${within(lower, upper - lower)}`},
    {value: upper, label: `upper bound ${within(upper, upper - lower)}`},
  ];
}

// One place of a curve in a sentence.
function reading(
    plot: FunctionPlot, text: Words, output: string, index: number): string {
  const {number} = text;
  const f = (name: string) => plot.function [name]?.[index] ?? 0;
  const o = (name: string) => plot.observation?.[name]?.[index] ?? 0;
  const where = `At ${plot.inputs[0]} ${place(plot.axes[0] ?? [], index)} `;
  if (plot.kind === 'curve') {
    const share = f('sd') > 0 ? (f('privacy_sd') / f('sd')) ** 2 : 0;
    return `${where}the mean of ${output} is ${number(f('mean'))}, give or ` +
        `take ${figure((f('upper') - f('lower')) / 2)}. A new observation ` +
        `falls between ${number(o('lower'))} and ${number(o('upper'))}. Of ` +
        `the variance of the mean, ${
               percent(Number(share.toPrecision(2)))} is privacy noise.`;
  }
  return `${where}the ${text.what} is ${figure(f(text.column))}, between ${
      figure(f('lower'))} and ${figure(f('upper'))}.`;
}

function curveOf(plot: FunctionPlot, setting: Setting): Curve {
  const {release, text, extents} = setting;
  const {number} = text;
  const [x = []] = plot.axes;
  const [name = ''] = plot.inputs;
  const values = numbers(plot.function [text.column]);
  return {
    x,
    values,
    bands: bands(plot),
    levels: levels(plot, release),
    xLabel: name,
    yLabel: plot.kind === 'curve' ? release.output : text.what,
    description:
        `Curve of ${text.what} against ${name} with 95 % bands: ` +
        `from ${number(values[0])} at ${place(x, 0)} to ${
            number(values.at(-1))} at ${place(x, x.length - 1)}, lowest ${
            number(
                Math.min(...values))}, highest ${number(Math.max(...values))}.`,
    extent: includeCurve(extents, plot, text),
    ...(plot.kind === 'probability' && {yDomain: [0, 1]}),
  };
}

export function curveView(setting: Setting): View<FunctionPlot> {
  const {release, text, choices} = setting;
  const canvas = html('div', {class: 'canvas'});
  const id = uniqueId('reading');
  const label = html('label', {'for': id});
  // The slider itself says it to a screen reader.
  const said =
      html('output', {'for': id, class: 'reading', 'aria-live': 'off'});
  const table = dataTable(choices);
  const slider =
      html('input', {id, type: 'range', min: 0, input: () => moved()});
  let plot: FunctionPlot|undefined;
  let drawing: ReturnType<typeof drawCurve>|undefined;

  function moved(): void {
    choices.reading = Number(slider.value) / (Number(slider.max) || 1);
    read();
  }
  function read(): void {
    if (!plot) return;
    const index = Number(slider.value);
    said.textContent = readable(reading(plot, text, release.output, index));
    slider.setAttribute('aria-valuetext', said.textContent);
    drawing?.mark(index);
  }
  function point(event: PointerEvent): void {
    if (drawing) slider.value = String(drawing.indexAt(event.clientX));
    moved();
  }
  canvas.addEventListener('pointermove', point);
  canvas.addEventListener('pointerdown', point);
  return {
    root: html(
        'figure', {class: 'card'}, canvas, legend(text),
        html('div', {class: 'reader'}, label, slider, said),
        html('figcaption', {}, text.caption), table.root),
    show(next) {
      plot = next;
      const [x = []] = plot.axes;
      label.textContent = readable(`Read it at ${plot.inputs[0]}`);
      slider.max = String(x.length - 1);
      slider.value = String(Math.floor(choices.reading * x.length));
      const step = Math.max(1, Math.floor(x.length / 20));
      fillTable(
          table, plot, text,
          x.map((_, at) => ({head: [place(x, at)], at}))
              .filter(({at}) => at % step === 0 || at === x.length - 1));
    },
    draw(width) {
      if (!plot) return;
      const height = Math.round(Math.min(460, Math.max(300, width * 0.52)));
      drawing = drawCurve(curveOf(plot, setting), {width, height});
      canvas.replaceChildren(drawing.root);
      read();
    },
  };
}
