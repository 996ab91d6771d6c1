import {scaleLinear, type ScaleLinear} from 'd3-scale';

// d3's linear scale. A number always has a place on it, which the types of the
// version that Debian has do not say.
export type LinearScale = {
  (value: number): number
}&ScaleLinear<number, number>;

export function linearScale(
    domain: [number, number], range: [number, number] = [0, 1]): LinearScale {
  return scaleLinear(domain, range) as LinearScale;
}
