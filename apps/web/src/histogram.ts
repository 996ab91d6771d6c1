import {extent} from 'd3-array';
import {scaleBand} from 'd3-scale';

import {svg} from './dom';
import {bottomMargin, frame, kPixelsPerName, kTop, leftMargin, namesFit, type Scale, type Size} from './frame';
import {type LinearScale, linearScale} from './linear_scale';
import {kColours, ramp} from './heat_map';
import {within} from './numbers';
import type {HistogramAxis} from './types';

export function binNames(axis: HistogramAxis): string[] {
  if (axis.categories) return axis.categories;
  const edges = axis.edges ?? [];
  const span = (edges.at(-1) ?? 0) - (edges[0] ?? 0);
  // A hundredth of a bin is told from the next.
  const name = (edge: number) => within(edge, span / (edges.length - 1));
  return edges.slice(1).map(
      (upper, i) => `${name(edges[i] ?? 0)} to ${name(upper)}`);
}

interface Bins {
  scale: Scale;
  // From where to where each bin goes.
  spans: [number, number][];
}

function bins(axis: HistogramAxis, from: number, to: number): Bins {
  if (axis.categories) {
    // Names may repeat nothing, so that they can be a domain.
    const scale = scaleBand(axis.categories, [from, to]).padding(0.12);
    return {
      scale,
      spans: axis.categories.map((name) => {
        const at = scale(name) ?? 0;
        return [at, at + scale.bandwidth()];
      }),
    };
  }
  const edges = axis.edges ?? [0, 1];
  const scale = linearScale(extent(edges) as [number, number], [from, to]);
  return {
    scale,
    spans:
        edges.slice(1).map((upper, i) => [scale(edges[i] ?? 0), scale(upper)]),
  };
}

export interface Bars {
  axis: HistogramAxis;
  count: number[];
  lower: number[];
  upper: number[];
  description: string;
}

// Bars stand, or lie when their names would not fit below them.
export function drawBars(bars: Bars, {width, height}: Size): SVGSVGElement {
  const names = bars.axis.categories ?? [];
  const lying = !namesFit(names, width);
  const size = {
    width,
    height: lying ? 88 + names.length * (kPixelsPerName + 6) : height,
  };
  const bottom = size.height - 52;
  const rows = linearScale([
                 Math.min(0, ...bars.count), Math.max(1, ...bars.upper)
               ]).nice();
  const down = lying ? bins(bars.axis, kTop, bottom) : undefined;
  const margin = {
    top: kTop,
    right: 18,
    bottom: 52,
    left: leftMargin(down ? down.scale : rows.range([bottom, kTop]), width),
  };
  const right = width - margin.right;
  const across = down ? undefined : bins(bars.axis, margin.left, right);
  if (down) rows.range([margin.left, right]);
  const {root, inside} = frame(
      size, margin, across?.scale ?? rows, down?.scale ?? rows,
      down ? 'rows' : bars.axis.name, down ? bars.axis.name : 'rows',
      bars.description);
  const spans = down?.spans ?? across?.spans ?? [];
  // Intervals that would hide each other become a band.
  const [[from, to] = [0, 0]] = spans;
  const dense = to - from < 4;
  spans.forEach(([from, to], i) => {
    const gap = to - from > 6 ? 1 : 0;
    const zero = rows(0);
    const end = rows(bars.count[i] ?? 0);
    const thick = Math.max(dense ? 0.2 : 1, to - from - 2 * gap);
    const [x, y, w, h] = lying ?
        [Math.min(zero, end), from + gap, Math.abs(end - zero), thick] :
        [from + gap, Math.min(zero, end), thick, Math.abs(end - zero)];
    inside.append(svg('rect', {class: 'bar', x, y, width: w, height: h}));
    if (!dense) inside.append(whisker(bars, i, [from, to], rows, lying));
  });
  if (dense) inside.append(intervals(bars, spans, rows));
  return root;
}

function whisker(
    {lower, upper}: Bars, i: number, [from, to]: [number, number],
    rows: LinearScale, lying: boolean): SVGPathElement {
  const middle = (from + to) / 2;
  const cap = Math.min(7, (to - from) / 4);
  const low = rows(lower[i] ?? 0);
  const high = rows(upper[i] ?? 0);
  const d = lying ? `M${low},${middle}H${high}M${low},${middle - cap}v${
                        2 * cap}M${high},${middle - cap}v${2 * cap}` :
                    `M${middle},${low}V${high}M${middle - cap},${low}h${
                        2 * cap}M${middle - cap},${high}h${2 * cap}`;
  return svg('path', {class: 'whisker', d});
}

function intervals(
    {lower, upper}: Bars, spans: [number, number][],
    rows: LinearScale): SVGPathElement {
  const steps = (column: number[]) =>
      spans.map(([from, to], i) => `${from},${rows(column[i] ?? 0)}H${to}`);
  const back =
      spans.map(([from, to], i) => `${to},${rows(lower[i] ?? 0)}H${from}`)
          .reverse();
  return svg('path', {
    class: 'intervals',
    d: `M${[...steps(upper), ...back].join('L')}Z`,
  });
}

export interface Cells {
  x: HistogramAxis;
  y: HistogramAxis;
  values: number[];  // y fastest
  unit: string;
  colours: keyof typeof kColours;
  domain: [number, number];
  description: string;
}

// As large as the names beside and below it need.
export function drawCells(cells: Cells, least: Size): SVGSVGElement {
  const {domain} = cells;
  const below = cells.x.categories ?? [];
  const beside = cells.y.categories ?? [];
  const bar = ramp(cells.colours, domain, cells.unit);
  const left = leftMargin(bins(cells.y, least.height, 0).scale, least.width);
  const width =
      Math.max(least.width, left + bar.width + below.length * kPixelsPerName);
  const margin = {
    top: kTop,
    right: bar.width,
    bottom: bottomMargin(below, width),
    left,
  };
  const size = {
    width,
    height: Math.max(
        least.height, kTop + margin.bottom + beside.length * kPixelsPerName),
  };
  const bottom = size.height - margin.bottom;
  // Numbers go up, names go down as in any list.
  const y = cells.y.categories ? bins(cells.y, kTop, bottom) :
                                 bins(cells.y, bottom, kTop);
  const x = bins(cells.x, margin.left, size.width - margin.right);
  const {root, inside} = frame(
      size, margin, x.scale, y.scale, cells.x.name, cells.y.name,
      cells.description);
  cells.values.forEach((value, k) => {
    const [left, right] = x.spans[Math.floor(k / y.spans.length)] ?? [0, 0];
    const [under, above] = y.spans[k % y.spans.length] ?? [0, 0];
    inside.append(svg('rect', {
      class: 'cell',
      x: left,
      width: right - left,
      y: Math.min(under, above),
      height: Math.abs(under - above),
      fill: kColours[cells.colours](
          (value - domain[0]) / (domain[1] - domain[0])),
    }));
  });
  root.append(bar.draw(size.width, bottom));
  return root;
}
