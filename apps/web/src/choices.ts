import type {Release} from './types';

// What somebody chose to see of a release: kept while the plot is drawn anew,
// and until they come back to it from another release.
export interface Choices {
  axes: string[];
  at: Record<string, number>;  // of the inputs whose sliders were moved
  spread: 'sd'|'privacy_sd';   // which uncertainty is mapped
  reading: number;             // where a curve is read, from 0 to 1
  slice: number;               // of the third axis of a histogram
  table: boolean;              // whether the numbers are open
}

const kept = new Map<string, Choices>();

export function choicesOf({name, task, inputs}: Release): Choices {
  const drawn = task === 'histogram' ? [] : inputs.slice(0, 2);
  const names = inputs.map((input) => input.name);
  const before = kept.get(name);
  // The file may have become another one meanwhile.
  const fits = before?.axes.every((axis) => names.includes(axis)) &&
      (before.axes.length > 0) === (drawn.length > 0);
  const choices: Choices = before && fits ? before : {
    axes: drawn.map((input) => input.name),
    at: {},
    spread: 'sd',
    reading: 0.5,
    slice: 0,
    table: false,
  };
  kept.set(name, choices);
  return choices;
}
