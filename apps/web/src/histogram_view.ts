import {extent} from 'd3-array';

import type {Choices} from './choices';
import {html, uniqueId} from './dom';
import {namesFit, type Size} from './frame';
import {binNames, drawBars, drawCells, type Cells} from './histogram';
import {drawable, figure} from './numbers';
import {dataTable} from './table';
import type {Column, HistogramPlot} from './types';
import {numbers, type View} from './view';

// A histogram of one axis as bars, of more as a map of two of them, the third
// at a bin of its own. A histogram comes whole: it is never shown another one.
export function histogramView(
    plot: HistogramPlot, choices: Choices): View<HistogramPlot> {
  if (!drawable(plot.count, plot.lower, plot.upper)) {
    return {
      root: html('p', {}, 'The counts are too large to be drawn.'),
      show() {},
      draw() {},
    };
  }
  return plot.axes.length === 1 ? barsView(plot, choices) :
                                  cellsView(plot, choices);
}

// The bins of one slice, or all of them.
function table(
    plot: HistogramPlot, choices: Choices): {root: HTMLElement, show(): void} {
  const names = plot.axes.map(binNames);
  const [, , slices = ['']] = names;
  const kMostRows = 400;
  const data = dataTable(choices);
  const show = () => {
    const rows: string[][] = [];
    let bins = 0;
    plot.count.forEach((count, k) => {
      if (k % slices.length !== choices.slice || ++bins > kMostRows) return;
      const bin: string[] = [];
      let rest = k;
      for (let a = names.length - 1; a >= 0; --a) {
        const axis = names[a] ?? [];
        bin.unshift(axis[rest % axis.length] ?? '');
        rest = Math.floor(rest / axis.length);
      }
      rows.push([...bin, count, plot.sd[k], plot.lower[k], plot.upper[k]].map(
          (cell) => typeof cell === 'string' ? cell : figure(cell)));
    });
    const where = plot.axes[2] ?
        ` with ${plot.axes[2].name} ${slices[choices.slice]}` :
        '';
    data.show(
        bins > kMostRows ?
            `Rows in the first ${kMostRows} of ${bins} bins${where}` :
            `Rows in each bin${where}`,
        [...plot.axes.map(({name}) => name), 'rows', 'sd', 'lower', 'upper'],
        rows);
  };
  show();
  return {root: data.root, show};
}

function barsView(plot: HistogramPlot, choices: Choices): View<HistogramPlot> {
  const [axis = {name: ''}] = plot.axes;
  const names = binNames(axis);
  const count = numbers(plot.count);
  const most = count.indexOf(Math.max(...count));
  const bars = {
    axis,
    count,
    lower: numbers(plot.lower),
    upper: numbers(plot.upper),
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
        table(plot, choices).root),
    show() {},
    draw(width) {
      const height = Math.round(Math.min(440, Math.max(300, width * 0.5)));
      canvas.replaceChildren(drawBars(bars, {width, height}));
    },
  };
}

// A map of one column of the bins, in the same colours for every slice.
function cellMap(
    plot: HistogramPlot, column: Column, words: Record<string, string>,
    colours: Cells['colours']) {
  const [x = {name: ''}, y = {name: ''}, z] = plot.axes;
  const slices = z ? binNames(z) : [''];
  const [lowest = 0, highest = 1] = extent(numbers(column));
  const canvas = html('div', {class: 'canvas wide'});
  return {
    root: html(
        'figure', {class: 'card'}, html('h3', {}, words['heading']), canvas,
        html('figcaption', {}, words['caption'])),
    draw(size: Size, slice: number) {
      const where = z ? `, ${z.name} ${slices[slice]}` : '';
      const values =
          numbers(column).filter((_, k) => k % slices.length === slice);
      const rows = y.categories?.length ?? (y.edges?.length ?? 1) - 1;
      // More names than fit below it stand beside the map.
      const turned = !namesFit(x.categories ?? [], size.width) &&
          (x.categories?.length ?? 0) > (y.categories?.length ?? 0);
      canvas.replaceChildren(drawCells(
          {
            ...(turned ? {x: y, y: x, values: transposed(values, rows)} :
                         {x, y, values}),
            unit: words['unit'] ?? '',
            colours,
            domain: [Math.min(0, lowest), Math.max(highest, 1e-300)],
            description:
                `Map of ${words['what']} by ${x.name} and ${y.name}${where}.`,
          },
          size));
      scrollable(canvas, `${words['what']} by ${x.name} and ${y.name}`);
    },
  };
}

// With the first axis fastest instead of the second, which has so many bins.
function transposed(values: number[], rows: number): number[] {
  const columns = values.length / rows;
  return values.map(
      (_, k) => values[k % columns * rows + Math.floor(k / columns)] ?? 0);
}

// What is wider than its card can be scrolled, by the keyboard too.
function scrollable(canvas: HTMLElement, label: string): void {
  const wide = canvas.scrollWidth > canvas.clientWidth + 1;
  const set = (name: string, value: string) =>
      wide ? canvas.setAttribute(name, value) : canvas.removeAttribute(name);
  set('tabindex', '0');
  set('role', 'region');
  set('aria-label', label);
}

function cellsView(plot: HistogramPlot, choices: Choices): View<HistogramPlot> {
  const [, , z] = plot.axes;
  const names = z ? binNames(z) : [''];
  if (choices.slice >= names.length) choices.slice = 0;
  const maps = [
    cellMap(
        plot, plot.count, {
          heading: 'rows in each bin',
          what: 'rows',
          unit: 'rows',
          caption: 'As released.',
        },
        'value'),
    cellMap(
        plot, plot.sd, {
          heading: 'uncertainty of the rows',
          what: 'the standard deviation of the rows',
          unit: 'deviation',
          caption: 'Standard deviation, all of it privacy noise.',
        },
        'uncertainty'),
  ];
  const grid = html('div', {class: 'maps'}, ...maps.map(({root}) => root));
  const bins = table(plot, choices);
  const draw = () => {
    const each =
        grid.clientWidth > 720 ? (grid.clientWidth - 24) / 2 : grid.clientWidth;
    const width = Math.max(220, each - 42);
    const height = Math.round(Math.min(420, Math.max(300, width * 0.82)));
    for (const map of maps) map.draw({width, height}, choices.slice);
  };
  const root = html('div', {});
  if (z) {
    const id = uniqueId('slice');
    root.append(html(
        'div', {class: 'controls'}, html('label', {'for': id}, z.name),
        html(
            'select', {
              id,
              change: (event: Event) => {
                choices.slice =
                    (event.target as HTMLSelectElement).selectedIndex;
                bins.show();
                draw();
              },
            },
            ...names.map(
                (name, k) =>
                    html('option', {selected: k === choices.slice}, name)))));
  }
  root.append(grid, bins.root);
  return {root, show() {}, draw};
}
