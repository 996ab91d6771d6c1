import {html, uniqueId} from './dom';
import type {View} from './function_view';
import {binNames, drawBars, drawCells} from './histogram';
import {drawable, figure} from './numbers';
import {dataTable} from './table';
import type {Column, HistogramPlot} from './types';

// A histogram of one axis as bars, of more as a map of two of them, the third
// at a bin of its own.
export function histogramView(plot: HistogramPlot): View {
  if (!drawable(plot.count, plot.lower, plot.upper)) {
    return {
      root: html('p', {}, 'The counts are too large to be drawn.'),
      draw() {},
    };
  }
  return plot.axes.length === 1 ? barsView(plot) : cellsView(plot);
}

const asNumbers = (column: Column) => column as number[];

function table(plot: HistogramPlot): HTMLElement {
  const names = plot.axes.map(binNames);
  const kMostRows = 400;
  const rows = plot.count.slice(0, kMostRows).map((count, k) => {
    const bin: string[] = [];
    let rest = k;
    for (let a = names.length - 1; a >= 0; --a) {
      const axis = names[a] ?? [];
      bin.unshift(axis[rest % axis.length] ?? '');
      rest = Math.floor(rest / axis.length);
    }
    return [
      ...bin,
      figure(count),
      figure(plot.sd[k]),
      figure(plot.lower[k]),
      figure(plot.upper[k]),
    ];
  });
  const caption = plot.count.length > kMostRows ?
      `Counts, the first ${kMostRows} of ${plot.count.length}` :
      'Counts';
  return dataTable(
      caption,
      [...plot.axes.map(({name}) => name), 'rows', 'sd', 'lower', 'upper'],
      rows);
}

function barsView(plot: HistogramPlot): View {
  const [axis = {name: ''}] = plot.axes;
  const names = binNames(axis);
  const count = asNumbers(plot.count);
  const most = count.indexOf(Math.max(...count));
  const bars = {
    axis,
    count,
    lower: asNumbers(plot.lower),
    upper: asNumbers(plot.upper),
    description: `Histogram of ${axis.name} in ${names.length} bins with ` +
        `95 % intervals; most rows, ${figure(count[most])}, in ${names[most]}.`,
  };
  const canvas = html('div', {class: 'canvas'});
  return {
    root: html(
        'figure', {class: 'card'}, canvas,
        html(
            'ul', {class: 'legend'},
            html(
                'li', {}, html('span', {class: 'swatch bar'}),
                'rows in the bin, as released'),
            html(
                'li', {}, html('span', {class: 'swatch whisker'}),
                'what privacy noise leaves open: 95 % intervals')),
        table(plot)),
    draw(width) {
      const height = Math.round(Math.min(440, Math.max(300, width * 0.5)));
      canvas.replaceChildren(drawBars(bars, {width, height}));
    },
  };
}

function cellsView(plot: HistogramPlot): View {
  const [x = {name: ''}, y = {name: ''}, z] = plot.axes;
  const canvases =
      [html('div', {class: 'canvas'}), html('div', {class: 'canvas'})];
  const maps = html(
      'div', {class: 'maps'},
      html(
          'figure', {class: 'card'}, html('h3', {}, 'rows in each bin'),
          canvases[0], html('figcaption', {}, 'As released.')),
      html(
          'figure', {class: 'card'}, html('h3', {}, 'uncertainty of the rows'),
          canvases[1],
          html(
              'figcaption', {},
              'Standard deviation, all of it privacy noise.')));
  const root = html('div', {});
  let slice = 0;
  const names = z ? binNames(z) : [''];
  const draw = () => {
    const each =
        maps.clientWidth > 720 ? (maps.clientWidth - 24) / 2 : maps.clientWidth;
    const width = Math.max(220, each - 42);
    const height = Math.round(Math.min(420, Math.max(300, width * 0.82)));
    const where = z ? `, ${z.name} ${names[slice]}` : '';
    const pick = (column: Column) =>
        asNumbers(column).filter((_, k) => k % names.length === slice);
    canvases[0]?.replaceChildren(drawCells(
        {
          x,
          y,
          values: pick(plot.count),
          colours: 'value',
          description: `Map of rows by ${x.name} and ${y.name}${where}.`,
        },
        {width, height}));
    canvases[1]?.replaceChildren(drawCells(
        {
          x,
          y,
          values: pick(plot.sd),
          colours: 'uncertainty',
          description: `Map of the standard deviation of the rows by ${
              x.name} and ${y.name}${where}.`,
        },
        {width, height}));
  };
  if (z) {
    const id = uniqueId('slice');
    root.append(html(
        'div', {class: 'controls'}, html('label', {'for': id}, z.name),
        html(
            'select', {
              id,
              change: (event: Event) => {
                slice = (event.target as HTMLSelectElement).selectedIndex;
                draw();
              },
            },
            ...names.map((name) => html('option', {}, name)))));
  }
  root.append(maps, table(plot));
  return {root, draw};
}
