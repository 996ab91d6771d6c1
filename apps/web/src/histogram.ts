import {extent} from 'd3-array';
import {scaleBand, scaleLinear} from 'd3-scale';

import {svg} from './dom';
import {frame, leftMargin, type Scale, type Size} from './frame';
import {kColours, ramp} from './heat_map';
import {figure} from './numbers';
import type {HistogramAxis} from './types';

export function binNames(axis: HistogramAxis): string[] {
  if (axis.categories) return axis.categories;
  const edges = axis.edges ?? [];
  return edges.slice(1).map(
      (upper, i) => `${figure(edges[i])} to ${figure(upper)}`);
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
  const scale = scaleLinear(extent(edges) as [number, number], [from, to]);
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

export function drawBars(bars: Bars, size: Size): SVGSVGElement {
  const bottom = size.height - 52;
  const top = 36;
  const y =
      scaleLinear([Math.min(0, ...bars.count), Math.max(1, ...bars.upper)], [
        bottom, top
      ]).nice();
  const margin = {top, right: 18, bottom: 52, left: leftMargin(y)};
  const x = bins(bars.axis, margin.left, size.width - margin.right);
  const {root, inside} =
      frame(size, margin, x.scale, y, bars.axis.name, 'rows', bars.description);
  x.spans.forEach(([left, right], i) => {
    const middle = (left + right) / 2;
    const gap = right - left > 6 ? 1 : 0;
    const at = y(bars.count[i] ?? 0);
    const cap = Math.min(7, (right - left) / 4);
    const low = y(bars.lower[i] ?? 0);
    const high = y(bars.upper[i] ?? 0);
    inside.append(
        svg('rect', {
          class: 'bar',
          x: left + gap,
          width: Math.max(1, right - left - 2 * gap),
          y: Math.min(at, y(0)),
          height: Math.abs(y(0) - at),
        }),
        svg('path', {
          class: 'whisker',
          d: `M${middle},${low}V${high}M${middle - cap},${low}h${2 * cap}M${
              middle - cap},${high}h${2 * cap}`,
        }));
  });
  return root;
}

export interface Cells {
  x: HistogramAxis;
  y: HistogramAxis;
  values: number[];  // y fastest
  colours: keyof typeof kColours;
  description: string;
}

export function drawCells(cells: Cells, size: Size): SVGSVGElement {
  const bottom = size.height - 52;
  const top = 36;
  const y = bins(cells.y, bottom, top);
  const margin = {top, right: 76, bottom: 52, left: leftMargin(y.scale)};
  const x = bins(cells.x, margin.left, size.width - margin.right);
  const [lowest = 0, highest = 1] = extent(cells.values) as [number, number];
  const domain: [number, number] =
      [Math.min(0, lowest), Math.max(highest, 1e-300)];
  const {root, inside} = frame(
      size, margin, x.scale, y.scale, cells.x.name, cells.y.name,
      cells.description);
  cells.values.forEach((value, k) => {
    const [left, right] = x.spans[Math.floor(k / y.spans.length)] ?? [0, 0];
    const [below, above] = y.spans[k % y.spans.length] ?? [0, 0];
    inside.append(svg('rect', {
      class: 'cell',
      x: left,
      width: right - left,
      y: Math.min(below, above),
      height: Math.abs(below - above),
      fill: kColours[cells.colours](
          (value - domain[0]) / (domain[1] - domain[0])),
    }));
  });
  root.append(ramp(cells.colours, domain, size, top, bottom));
  return root;
}
