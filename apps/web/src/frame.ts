import type {ScaleBand} from 'd3-scale';

import {svg, uniqueId} from './dom';
import type {LinearScale} from './linear_scale';
import {within} from './numbers';

// The axes of a plot and the room inside them, in pixels of the screen: plots
// are drawn anew when the screen changes, so that text keeps its size.
export type Scale = LinearScale|ScaleBand<string>;

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

interface Tick {
  at: number;
  text: string;
}

const kPixelsPerTick = 90;
const kPixelsPerLetter = 7;
// A name in a row of names needs so many pixels of height.
export const kPixelsPerName = 14;
export const kTop = 36;
const kBottom = 52;

// Of the names beside or below a plot of this width.
function mostLetters(width: number): number {
  return width < 400 ? 10 : 14;
}

function longest(texts: string[]): number {
  return Math.max(...texts.map((text) => text.length), 1);
}

// As many as there is room for, each told from its neighbours.
export function linearTicks(scale: LinearScale, beside: boolean): Tick[] {
  const [from = 0, to = 0] = scale.range();
  const length = Math.abs(to - from);
  let count = Math.max(4, Math.round(length / kPixelsPerTick));
  for (;; --count) {
    const values = scale.ticks(count);
    const step = (values[1] ?? 1) - (values[0] ?? 0);
    const all = values.map(
        (value) => ({at: scale(value), text: within(value, 100 * step)}));
    const each = 14 + kPixelsPerLetter * longest(all.map(({text}) => text));
    if (!beside || count <= 2 || all.length * each <= length) return all;
  }
}

function ticks(scale: Scale, beside: boolean): Tick[] {
  if (!('bandwidth' in scale)) return linearTicks(scale, beside);
  return scale.domain().map((name) => ({
                              at: (scale(name) ?? 0) + scale.bandwidth() / 2,
                              text: name,
                            }));
}

// Whether names fit side by side below a plot of this width.
export function namesFit(names: string[], width: number): boolean {
  const each =
      8 + kPixelsPerLetter * Math.min(longest(names), mostLetters(width));
  return each * names.length <= width - 150;
}

// Room for names on end, or for numbers.
export function bottomMargin(names: string[], width: number): number {
  if (namesFit(names, width)) return kBottom;
  return 34 + kPixelsPerLetter * Math.min(longest(names), mostLetters(width));
}

// As wide as the labels of a vertical axis need.
export function leftMargin(scale: Scale, width: number): number {
  const letters = longest(ticks(scale, false).map(({text}) => text));
  return 30 + kPixelsPerLetter * Math.min(letters, mostLetters(width));
}

export function shortened(text: string, most: number): string {
  return text.length <= most ? text :
                               `${text.slice(0, Math.max(1, most - 1))}…`;
}

// A text that shows all of itself to a pointer when it had to be cut.
function label(
    text: string, most: number,
    attributes: Record<string, string|number>): SVGTextElement {
  const short = shortened(text, most);
  return svg(
      'text', attributes, short,
      short === text ? undefined : svg('title', {}, text));
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
  const most = mostLetters(width);
  const grid = svg('g', {class: 'grid'});
  const labels = svg('g', {class: 'axis'});
  for (const {at, text} of ticks(y, false)) {
    if (!('bandwidth' in y)) {
      grid.append(svg('line', {x1: margin.left, x2: right, y1: at, y2: at}));
    }
    labels.append(label(
        text, most, {x: margin.left - 8, y: at, dy: '0.32em', class: 'y'}));
  }
  const turned = 'bandwidth' in x && !namesFit(x.domain(), width);
  for (const {at, text} of ticks(x, true)) {
    if ('bandwidth' in y) {
      grid.append(svg('line', {x1: at, x2: at, y1: margin.top, y2: bottom}));
    }
    labels.append(
        svg('line', {x1: at, x2: at, y1: bottom, y2: bottom + 5}),
        turned ? label(text, most, {
          class: 'y',
          dy: '0.32em',
          transform: `translate(${at} ${bottom + 9}) rotate(-90)`,
        }) :
                 label(text, most, {x: at, y: bottom + 19, class: 'x'}));
  }
  // Names of axes are bold, and that of a colour bar stands beside one.
  const letters = (pixels: number) => Math.floor(pixels / 8.5);
  labels.append(
      svg('line',
          {x1: margin.left, x2: right, y1: bottom, y2: bottom, class: 'base'}),
      label(
          xLabel, letters(right - margin.left),
          {x: (margin.left + right) / 2, y: height - 6, class: 'x name'}),
      label(
          yLabel, letters(right - margin.left),
          {x: margin.left, y: margin.top - 14, class: 'name start'}));
  const inside = svg('g', {'clip-path': `url(#${clip})`});
  const over = svg('g');
  root.append(grid, inside, labels, over);
  return {root, inside, over};
}
