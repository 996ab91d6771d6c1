import {extent} from 'd3-array';
import {area, line} from 'd3-shape';

import {svg} from './dom';
import {frame, leftMargin, type Size} from './frame';
import {linearScale} from './linear_scale';

export interface Band {
  name: string;  // of its style
  lower: number[];
  upper: number[];
}

export interface Curve {
  x: number[];
  values: number[];
  bands: Band[];  // the widest first
  levels: {value: number, label: string}[];
  xLabel: string;
  yLabel: string;
  description: string;
  extent: [number, number];  // of this curve and others like it
  yDomain?: [number, number];
}

export interface CurveDrawing {
  root: SVGSVGElement;
  // Marks a place on the curve.
  mark(index: number): void;
  // The place nearest to a point of the screen.
  indexAt(clientX: number): number;
}

// Room for the curve and its bands, and for the levels too unless they are so
// far away that the curve would become a flat line.
function room({extent: [lowest, highest], levels}: Curve): [number, number] {
  const [low = 0, high = 1] =
      extent([lowest, highest, ...levels.map(({value}) => value)]);
  if (lowest === highest) return [lowest - 1, highest + 1];
  return high - low <= 3 * (highest - lowest) ? [low, high] : [lowest, highest];
}

export function drawCurve(curve: Curve, size: Size): CurveDrawing {
  const [first = 0, last = 1] = extent(curve.x) as [number, number];
  const y = linearScale(curve.yDomain ?? room(curve), [size.height - 52, 36]);
  if (!curve.yDomain) y.nice();
  const margin =
      {top: 36, right: 18, bottom: 52, left: leftMargin(y, size.width)};
  const x =
      linearScale([first, last], [margin.left, size.width - margin.right]);
  const {root, inside, over} =
      frame(size, margin, x, y, curve.xLabel, curve.yLabel, curve.description);
  for (const {name, lower, upper} of curve.bands) {
    const shape = area<number>()
                      .x((_, i) => x(curve.x[i] ?? 0))
                      .y0((_, i) => y(lower[i] ?? 0))
                      .y1((_, i) => y(upper[i] ?? 0));
    inside.append(
        svg('path', {class: `band ${name}`, d: shape(curve.x) ?? ''}));
  }
  for (const {value, label} of curve.levels) {
    inside.append(
        svg('line', {
          x1: margin.left,
          x2: size.width - margin.right,
          y1: y(value),
          y2: y(value),
          class: 'level'
        }),
        svg('text', {
          x: size.width - margin.right - 4,
          y: y(value) + (y(value) < 56 ? 15 : -6),
          class: 'level'
        },
            label));
  }
  const path = line<number>().x((_, i) => x(curve.x[i] ?? 0)).y((v) => y(v));
  inside.append(svg('path', {class: 'mean', d: path(curve.values) ?? ''}));
  const rule = svg('line', {class: 'reading', y1: 36, y2: size.height - 52});
  const dot = svg('circle', {class: 'reading', r: 5});
  const reading = svg('g', {class: 'hidden'}, rule, dot);
  over.append(reading);
  return {
    root,
    mark(index) {
      const at = x(curve.x[index] ?? 0);
      rule.setAttribute('x1', String(at));
      rule.setAttribute('x2', String(at));
      dot.setAttribute('cx', String(at));
      dot.setAttribute('cy', String(y(curve.values[index] ?? 0)));
      reading.setAttribute('class', '');
    },
    indexAt(clientX) {
      const box = root.getBoundingClientRect();
      const value =
          x.invert((clientX - box.left) * size.width / (box.width || 1));
      const step = (last - first) / (curve.x.length - 1 || 1);
      const index = Math.round((value - first) / (step || 1));
      return Math.min(curve.x.length - 1, Math.max(0, index));
    },
  };
}
