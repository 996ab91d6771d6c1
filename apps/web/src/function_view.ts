import type {Choices} from './choices';
import {curveView, includeCurve} from './curve_view';
import type {Extents} from './extents';
import {words} from './function_words';
import {includeMap, mapView} from './map_view';
import {drawable} from './numbers';
import type {FunctionPlot, Release} from './types';
import type {View} from './view';

export function canBeDrawn(plot: FunctionPlot): boolean {
  return drawable(
      ...Object.values(plot.function).filter((c) => typeof c[0] !== 'string'),
      ...Object.values(plot.observation ?? {}));
}

// A curve or two maps for plots like this one.
export function functionView(
    plot: FunctionPlot, release: Release, choices: Choices,
    extents: Extents): View<FunctionPlot> {
  const setting = {release, text: words(plot, release), choices, extents};
  return plot.axes.length === 1 ? curveView(setting) :
                                  mapView(setting, plot.kind);
}

// Makes room for a slice that is not shown yet.
export function includeSlice(
    extents: Extents, plot: FunctionPlot, release: Release): void {
  if (!canBeDrawn(plot)) return;
  const text = words(plot, release);
  if (plot.axes.length === 1)
    includeCurve(extents, plot, text);
  else
    includeMap(extents, plot, text);
}
