import {extent} from 'd3-array';
import {contours} from 'd3-contour';
import {interpolateMagma, interpolateViridis} from 'd3-scale-chromatic';

import {svg} from './dom';
import {frame, kTop, leftMargin, shortened, type Size} from './frame';
import {linearScale} from './linear_scale';
import {within} from './numbers';

const kMostLettersOfUnit = 12;

// Both are uniform to the eye and to those who do not see all colours.
export const kColours = {
  value: interpolateViridis,
  uncertainty: interpolateMagma,
};

export interface HeatMap {
  x: number[];
  y: number[];
  values: number[];  // y fastest
  xLabel: string;
  yLabel: string;
  unit: string;  // of the colours
  description: string;
  colours: keyof typeof kColours;
  domain: [number, number];
}

// The values as an image of one pixel each, the largest y at the top.
function image(map: HeatMap, colour: (value: number) => string): string {
  const canvas = document.createElement('canvas');
  canvas.width = map.x.length;
  canvas.height = map.y.length;
  const context = canvas.getContext('2d');
  if (!context) return '';
  map.values.forEach((value, k) => {
    const i = Math.floor(k / map.y.length);
    const j = k % map.y.length;
    context.fillStyle = colour(value);
    context.fillRect(i, map.y.length - 1 - j, 1, 1);
  });
  return canvas.toDataURL();
}

// What the colours mean, at the right of a map.
export interface Ramp {
  width: number;
  draw(right: number, bottom: number): SVGGElement;
}

export function ramp(
    colours: keyof typeof kColours, domain: [number, number],
    unit: string): Ramp {
  const scale = linearScale(domain, [1, 0]);
  const values = scale.ticks(5);
  const step = (values[1] ?? 1) - (values[0] ?? 0);
  const texts = values.map((value) => within(value, 100 * step));
  const longest = Math.max(...texts.map((text) => text.length), 1);
  const width = 44 + 7 * longest;
  return {
    width,
    draw(right, bottom) {
      const group = svg('g', {class: 'axis ramp'});
      const left = right - width + 14;
      scale.range([bottom, kTop]);
      const kSteps = 48;
      const height = (bottom - kTop) / kSteps;
      for (let k = 0; k < kSteps; ++k) {
        group.append(svg('rect', {
          x: left,
          y: bottom - (k + 1) * height,
          width: 12,
          height: height + 0.6,
          fill: kColours[colours]((k + 0.5) / kSteps),
        }));
      }
      values.forEach((value, k) => {
        group.append(
            svg('text',
                {x: left + 17, y: scale(value), dy: '0.32em', class: 'start'},
                texts[k]));
      });
      group.append(
          svg('text', {x: right - 2, y: kTop - 14, class: 'name end'},
              shortened(unit, kMostLettersOfUnit)));
      return group;
    },
  };
}

export interface HeatMapDrawing {
  root: SVGSVGElement;
  // The grid point nearest to a point of the screen: its place in `values`.
  indexAt(clientX: number, clientY: number): number;
}

export function drawHeatMap(map: HeatMap, size: Size): HeatMapDrawing {
  const [lowest, highest] = map.domain;
  const domain: [number, number] =
      [lowest, lowest === highest ? lowest + 1 : highest];
  const colour = (value: number) =>
      kColours[map.colours]((value - domain[0]) / (domain[1] - domain[0]));
  const top = kTop;
  const bottom = size.height - 52;
  const y = linearScale(extent(map.y) as [number, number], [bottom, top]);
  const bar = ramp(map.colours, domain, map.unit);
  const margin =
      {top, right: bar.width, bottom: 52, left: leftMargin(y, size.width)};
  const x = linearScale(
      extent(map.x) as [number, number],
      [margin.left, size.width - margin.right]);
  const {root, inside} =
      frame(size, margin, x, y, map.xLabel, map.yLabel, map.description);
  // Grid points lie in the middle of pixels, so half a pixel hangs over.
  const cellX = (x.range()[1]! - x.range()[0]!) / (map.x.length - 1);
  const cellY = (bottom - top) / (map.y.length - 1);
  inside.append(svg('image', {
    x: margin.left - cellX / 2,
    y: top - cellY / 2,
    width: cellX * map.x.length,
    height: cellY * map.y.length,
    preserveAspectRatio: 'none',
    href: image(map, colour),
  }));
  drawContours();
  root.append(bar.draw(size.width, bottom));
  return {
    root,
    indexAt(clientX, clientY) {
      const box = root.getBoundingClientRect();
      const scale = size.width / (box.width || 1);
      const near = (pixels: number, last: number) =>
          Math.min(last, Math.max(0, Math.round(pixels)));
      const i = near(
          ((clientX - box.left) * scale - margin.left) / cellX,
          map.x.length - 1);
      const j = near(
          (bottom - (clientY - box.top) * scale) / cellY, map.y.length - 1);
      return i * map.y.length + j;
    },
  };

  function drawContours(): void {
    const columns = map.x.length;
    const rows = map.y.length;
    const values = new Array<number>(columns * rows);
    map.values.forEach((value, k) => {
      values[(k % rows) * columns + Math.floor(k / rows)] = value;
    });
    const levels = linearScale(domain, [0, 1]).ticks(6);
    for (const level of contours()
             .size([columns, rows])
             .thresholds(levels)(values)) {
      const d =
          level.coordinates.flat()
              .map(
                  (ring) => 'M' +
                      ring.map((at) => {
                            const px =
                                margin.left + ((at[0] ?? 0) - 0.5) * cellX;
                            const py = bottom - ((at[1] ?? 0) - 0.5) * cellY;
                            return `${px.toFixed(1)},${py.toFixed(1)}`;
                          })
                          .join('L'))
              .join('');
      inside.append(svg('path', {class: 'contour', d}));
    }
  }
}
