import type {ScaleBand, ScaleLinear} from 'd3-scale';

import {svg, uniqueId} from './dom';
import {figure} from './numbers';

// The axes of a plot and the room inside them, in pixels of the screen: plots
// are drawn anew when the screen changes, so that text keeps its size.
export type Scale = ScaleLinear<number, number>|ScaleBand<string>;

export interface Size {
  width: number;
  height: number;
}

export interface Margin {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

export interface Frame {
  root: SVGSVGElement;
  inside: SVGGElement;  // clipped to the axes
  over: SVGGElement;    // not clipped
}

const kPixelsPerTick = 90;

function ticks(scale: Scale): {at: number, text: string}[] {
  if ('bandwidth' in scale) {
    return scale.domain().map((name) => ({
                                at: (scale(name) ?? 0) + scale.bandwidth() / 2,
                                text: name,
                              }));
  }
  const [from = 0, to = 0] = scale.range();
  const count = Math.max(4, Math.round(Math.abs(to - from) / kPixelsPerTick));
  return scale.ticks(count).map(
      (value) => ({at: scale(value), text: figure(value)}));
}

// As wide as the labels of a vertical axis need.
export function leftMargin(scale: Scale): number {
  const longest = Math.max(...ticks(scale).map(({text}) => text.length), 1);
  return 30 + 7 * Math.min(longest, 14);
}

function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

export function frame(
    size: Size, margin: Margin, x: Scale, y: Scale, xLabel: string,
    yLabel: string, description: string): Frame {
  const clip = uniqueId('clip');
  const {width, height} = size;
  const right = width - margin.right;
  const bottom = height - margin.bottom;
  const root = svg('svg', {
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: 'img',
    'aria-label': description,
    class: 'plot',
  });
  root.append(svg('clipPath', {id: clip}, svg('rect', {
                    x: margin.left,
                    y: margin.top,
                    width: Math.max(0, right - margin.left),
                    height: Math.max(0, bottom - margin.top),
                  })));
  const grid = svg('g', {class: 'grid'});
  const labels = svg('g', {class: 'axis'});
  for (const {at, text} of ticks(y)) {
    grid.append(svg('line', {x1: margin.left, x2: right, y1: at, y2: at}));
    labels.append(
        svg('text', {x: margin.left - 8, y: at, dy: '0.32em', class: 'y'},
            shortened(text, 14)));
  }
  const room =
      ticks(x).length ? (right - margin.left) / ticks(x).length / 7 : 10;
  for (const {at, text} of ticks(x)) {
    labels.append(
        svg('line', {x1: at, x2: at, y1: bottom, y2: bottom + 5}),
        svg('text', {x: at, y: bottom + 19, class: 'x'},
            shortened(text, Math.max(3, Math.floor(room)))));
  }
  labels.append(
      svg('line',
          {x1: margin.left, x2: right, y1: bottom, y2: bottom, class: 'base'}),
      svg('text',
          {x: (margin.left + right) / 2, y: height - 6, class: 'x name'},
          xLabel),
      svg('text', {x: margin.left, y: margin.top - 12, class: 'name start'},
          yLabel));
  const inside = svg('g', {'clip-path': `url(#${clip})`});
  const over = svg('g');
  root.append(grid, inside, labels, over);
  return {root, inside, over};
}
