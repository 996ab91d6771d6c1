import {drawCurve, type Band, type Curve} from './curve';
import {html, uniqueId} from './dom';
import {drawHeatMap, type HeatMap} from './heat_map';
import {drawable, figure, percent} from './numbers';
import {dataTable} from './table';
import type {Column, FunctionPlot, Release} from './types';

// A plot that can be drawn at any width.
export interface View {
  root: HTMLElement;
  draw(width: number): void;
}

// What the values of a plot are called, and what its bands are.
interface Words {
  column: string;  // of plot.function
  what: string;
  spread: string;  // what sd is of
  legend: [style: string, text: string][];
  caption: string;
}

function words(plot: FunctionPlot, release: Release): Words {
  const [, second = ''] = release.classes ?? [];
  switch (plot.kind) {
    case 'probability':
      return {
        column: 'probability',
        what: `probability that ${release.output} is ${second}`,
        spread: `uncertainty of the log odds of ${second}`,
        legend: [
          ['mean', 'probability, with all that is unsure taken into account'],
          ['privacy', 'privacy noise alone'],
          ['function', 'all that is unsure: privacy noise and limited data'],
        ],
        caption: 'Bands hold 95 %.',
      };
    case 'margin':
      return {
        column: 'margin',
        what: `margin for ${second}`,
        spread: 'privacy noise of the margin',
        legend: [
          [
            'mean',
            `margin: ${second} above 0, ${
                release.classes?.[0]} below; as sure as asked at 1 and −1`
          ],
          ['privacy', 'privacy noise'],
        ],
        caption: 'The band holds 95 % of the privacy noise.',
      };
    case 'density':
      return {
        column: 'density',
        what: 'density',
        spread: 'width of the interval',
        legend: [
          ['mean', 'density: where rows are common'],
          ['privacy', 'what privacy noise leaves open'],
        ],
        caption: 'The band holds 95 %.',
      };
    default:
      return {
        column: 'mean',
        what: `predicted ${release.output}`,
        spread: `uncertainty of ${release.output}`,
        legend: [
          ['mean', 'best guess (mean)'],
          ['privacy', 'privacy noise alone'],
          [
            'function',
            'all that is unsure about the mean: privacy noise and limited data'
          ],
          ['new', 'where a new observation falls'],
        ],
        caption: 'Bands hold 95 %. Dashed lines are the bounds that outputs ' +
            'were clipped to.',
      };
  }
}

const numbers = (column: Column|undefined) => (column ?? []) as number[];

export function functionView(plot: FunctionPlot, release: Release): View {
  const text = words(plot, release);
  if (!drawable(
          ...Object.values(plot.function)
              .filter((c) => typeof c[0] !== 'string'),
          ...Object.values(plot.observation ?? {}))) {
    return {
      root: html('p', {}, 'The predictions are too large to be drawn.'),
      draw() {},
    };
  }
  return plot.axes.length === 1 ? curveView(plot, release, text) :
                                  mapView(plot, text);
}

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

function levels(plot: FunctionPlot, release: Release): Curve['levels'] {
  if (plot.kind === 'probability') {
    return [{value: 0.5, label: 'as likely as not'}];
  }
  if (plot.kind === 'margin') return [{value: 0, label: 'neither'}];
  if (plot.kind !== 'curve' || !release.privacy.bounds) return [];
  const [lower, upper] = release.privacy.bounds;
  return [
    {value: lower, label: `lower bound ${figure(lower)}`},
    {value: upper, label: `upper bound ${figure(upper)}`},
  ];
}

// One place of a curve in a sentence.
function reading(
    plot: FunctionPlot, text: Words, output: string, index: number): string {
  const f = (name: string) => plot.function [name]?.[index] ?? 0;
  const o = (name: string) => plot.observation?.[name]?.[index] ?? 0;
  const place = `At ${plot.inputs[0]} ${figure(plot.axes[0]?.[index])} `;
  if (plot.kind === 'curve') {
    const share = (f('privacy_sd') / f('sd')) ** 2;
    return `${place}the mean of ${output} is ${figure(f('mean'))}, give or ` +
        `take ${figure((f('upper') - f('lower')) / 2)}. A new observation ` +
        `falls between ${figure(o('lower'))} and ${figure(o('upper'))}. Of ` +
        `the variance of the mean, ${
               percent(Number(share.toPrecision(2)))} is privacy noise.`;
  }
  return `${place}the ${text.what} is ${figure(f(text.column))}, between ${
      figure(f('lower'))} and ${figure(f('upper'))}.`;
}

function legend(text: Words): HTMLUListElement {
  return html(
      'ul', {class: 'legend'},
      ...text.legend.map(
          ([style, words]) =>
              html('li', {}, html('span', {class: `swatch ${style}`}), words)));
}

function range(values: number[]): [number, number] {
  return [Math.min(...values), Math.max(...values)];
}

function curveView(plot: FunctionPlot, release: Release, text: Words): View {
  const [x = []] = plot.axes;
  const values = numbers(plot.function [text.column]);
  const [name = ''] = plot.inputs;
  const [lowest, highest] = range(values);
  const curve: Curve = {
    x,
    values,
    bands: bands(plot),
    levels: levels(plot, release),
    xLabel: name,
    yLabel: plot.kind === 'curve' ? release.output : text.what,
    description: `Curve of ${text.what} against ${name} with 95 % bands: ` +
        `from ${figure(values[0])} at ${figure(x[0])} to ${
                     figure(values.at(-1))} at ${figure(x.at(-1))}, lowest ${
                     figure(lowest)}, highest ${figure(highest)}.`,
  };
  if (plot.kind === 'probability') curve.yDomain = [0, 1];
  const canvas = html('div', {class: 'canvas'});
  const id = uniqueId('reading');
  const said = html('output', {'for': id, class: 'reading'});
  let drawing: ReturnType<typeof drawCurve>;
  const slider = html('input', {
    id,
    type: 'range',
    min: 0,
    max: x.length - 1,
    value: Math.floor(x.length / 2),
    input: () => read(),
  });
  function read(): void {
    const index = Number(slider.value);
    said.textContent = reading(plot, text, release.output, index);
    slider.setAttribute('aria-valuetext', said.textContent);
    drawing.mark(index);
  }
  const root = html(
      'figure', {class: 'card'}, canvas, legend(text),
      html(
          'div', {class: 'reader'},
          html('label', {'for': id}, `Read it at ${name}`), slider, said),
      html('figcaption', {}, text.caption), curveTable(plot, text));
  return {
    root,
    draw(width) {
      const height = Math.round(Math.min(460, Math.max(300, width * 0.52)));
      drawing = drawCurve(curve, {width, height});
      drawing.root.addEventListener('pointermove', (event) => {
        slider.value = String(drawing.indexAt(event.clientX));
        read();
      });
      canvas.replaceChildren(drawing.root);
      read();
    },
  };
}

// Columns that are worth a reader's time, in their order.
const kTableColumns = [
  'probability',
  'density',
  'mean',
  'margin',
  'privacy_sd',
  'sd',
  'lower',
  'upper',
];

function tableOf(
    plot: FunctionPlot, text: Words,
    places: {head: number[], at: number}[]): HTMLElement {
  const shown = kTableColumns.filter((name) => plot.function [name]);
  const extra = plot.observation ? ['lower', 'upper'] : [];
  const rows = places.map(
      ({head, at}) =>
          [...head.map(figure),
           ...shown.map((name) => figure(plot.function [name]?.[at])),
           ...extra.map((name) => figure(plot.observation?.[name]?.[at])),
  ]);
  const header = [
    ...plot.inputs,
    ...shown.map((name) => name.replace('_', ' ')),
    ...extra.map((name) => `new observation, ${name}`),
  ];
  return dataTable(
      `${text.what} by ${plot.inputs.join(' and ')}`, header, rows);
}

function curveTable(plot: FunctionPlot, text: Words): HTMLElement {
  const [x = []] = plot.axes;
  const step = Math.max(1, Math.floor(x.length / 20));
  return tableOf(
      plot, text,
      x.map((value, at) => ({head: [value], at}))
          .filter(({at}) => at % step === 0 || at === x.length - 1));
}

function mapTable(plot: FunctionPlot, text: Words): HTMLElement {
  const [x = [], y = []] = plot.axes;
  const pick = (axis: number[]) => [0, 1, 2, 3, 4, 5, 6].map(
      (k) => Math.round(k * (axis.length - 1) / 6));
  return tableOf(
      plot, text,
      pick(x).flatMap((i) => pick(y).map((j) => ({
                                           head: [x[i] ?? 0, y[j] ?? 0],
                                           at: i * y.length + j,
                                         }))));
}

function oneMap(
    plot: FunctionPlot, values: number[], label: string, caption: string,
    colours: HeatMap['colours'], extras: Node[] = [],
    domain?: [number, number]): View {
  const [x = [], y = []] = plot.axes;
  const [xLabel = '', yLabel = ''] = plot.inputs;
  const [lowest, highest] = range(values);
  const map: HeatMap = {
    x,
    y,
    values,
    xLabel,
    yLabel,
    label,
    colours,
    description: `Map of ${label} by ${xLabel} and ${yLabel}: from ${
        figure(lowest)} to ${figure(highest)}.`,
    ...(domain && {domain}),
  };
  const canvas = html('div', {class: 'canvas'});
  const said = html('figcaption', {}, caption);
  const root = html(
      'figure', {class: 'card'}, html('h3', {}, label), canvas, ...extras,
      said);
  return {
    root,
    draw(width) {
      const height = Math.round(Math.min(420, Math.max(300, width * 0.82)));
      const drawing = drawHeatMap(map, {width, height});
      drawing.root.addEventListener('pointermove', (event) => {
        const k = drawing.indexAt(event.clientX, event.clientY);
        said.textContent = `${figure(values[k])} at ${xLabel} ${
            figure(x[Math.floor(k / y.length)])}, ${yLabel} ${
            figure(y[k % y.length])}`;
      });
      drawing.root.addEventListener('pointerleave', () => {
        said.textContent = caption;
      });
      canvas.replaceChildren(drawing.root);
    },
  };
}

function mapView(plot: FunctionPlot, text: Words): View {
  const {function: f} = plot;
  const values = numbers(f[text.column]);
  const left = oneMap(
      plot, values, text.what,
      plot.kind === 'probability' ?
          'With what is unsure taken into account.' :
          plot.kind === 'margin' ?
          'Above 0 is the second class, below 0 the first.' :
          plot.kind === 'density' ? 'Where rows are common.' :
                                    'The best guess (mean).',
      'value', [], plot.kind === 'probability' ? [0, 1] : undefined);
  const maps = html('div', {class: 'maps'}, left.root);
  const root = html('div', {}, maps, mapTable(plot, text));
  let width = 0;
  let right: View|undefined;
  const draw = () => {
    const each =
        maps.clientWidth > 720 ? (maps.clientWidth - 24) / 2 : maps.clientWidth;
    width = Math.max(220, each - 42);
    left.draw(width);
    right?.draw(width);
  };
  const showRight = (column: string) => {
    const all = column === 'sd';
    const spread = plot.kind === 'density' ?
        numbers(f['upper']).map((u, i) => u - (numbers(f['lower'])[i] ?? 0)) :
        numbers(f[column]);
    const next = oneMap(
        plot, spread, text.spread,
        plot.kind === 'density'    ? 'Between the ends of the 95 % interval.' :
            plot.kind === 'margin' ? 'Standard deviation.' :
            all ? 'Standard deviation: privacy noise and limited data. ' +
                'Bright places are the least known.' :
                  'Standard deviation of the privacy noise alone, in the ' +
                'same colours.',
        'uncertainty', choice ? [choice] : [],
        plot.kind === 'density' ?
            undefined :
            range([...numbers(f['sd']), ...numbers(f['privacy_sd'])]));
    if (right)
      right.root.replaceWith(next.root);
    else
      maps.append(next.root);
    right = next;
    if (width) right.draw(width);
  };
  const choice = plot.kind === 'curve' || plot.kind === 'map' ||
          plot.kind === 'probability' ?
      spreadChoice((column) => {
        showRight(column);
        choice?.querySelector<HTMLInputElement>('input:checked')?.focus();
      }) :
      undefined;
  showRight('sd');
  return {root, draw};
}

function spreadChoice(chosen: (column: string) => void): HTMLFieldSetElement {
  const name = uniqueId('spread');
  const option = (column: string, text: string, checked: boolean) => html(
      'label', {}, html('input', {
        type: 'radio',
        name,
        value: column,
        checked,
        change: () => chosen(column),
      }),
      text);
  return html(
      'fieldset', {class: 'choice'},
      html('legend', {class: 'spoken'}, 'Which uncertainty'),
      option('sd', 'all of it', true),
      option('privacy_sd', 'privacy noise alone', false));
}
