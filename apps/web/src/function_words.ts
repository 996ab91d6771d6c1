import {figure, within} from './numbers';
import type {FunctionPlot, Release} from './types';

// What the values of a plot are called, and what its bands are.
export interface Words {
  column: string;  // of plot.function
  what: string;
  unit: string;    // what a number on an axis or a colour bar is of
  spread: string;  // what sd is of
  legend: [style: string, text: string][];
  caption: string;
  map: string;  // below a map of the values
  number: (value: number|null|undefined) => string;
}

// An output, with the digits that tell hundredths of its bounds apart.
export function outputText({task, privacy: {bounds}}: Release):
    Words['number'] {
  if (task !== 'regression' || !bounds) return figure;
  const [lower, upper] = bounds;
  return (value) => typeof value === 'number' && Number.isFinite(value) ?
      within(value, upper - lower) :
      figure(value);
}

export function words(plot: FunctionPlot, release: Release): Words {
  const [first = '', second = ''] = release.classes ?? [];
  switch (plot.kind) {
    case 'probability':
      return {
        column: 'probability',
        what: `probability that ${release.output} is ${second}`,
        unit: 'probability',
        spread: `uncertainty of the log odds of ${second}`,
        legend: [
          ['mean', 'probability, with all that is unsure taken into account'],
          ['privacy', 'privacy noise alone'],
          ['function', 'all that is unsure: privacy noise and limited data'],
        ],
        caption: 'Bands hold 95 %.',
        map: 'With what is unsure taken into account.',
        number: outputText(release),
      };
    case 'margin':
      return {
        column: 'margin',
        what: `margin for ${second}`,
        unit: 'margin',
        spread: 'privacy noise of the margin',
        legend: [
          [
            'mean',
            `margin: ${second} above 0, ${
                first} below; as sure as asked at 1 and −1`
          ],
          ['privacy', 'privacy noise'],
        ],
        caption: 'The band holds 95 % of the privacy noise.',
        map: `Above 0 is ${second}, below 0 ${first}.`,
        number: outputText(release),
      };
    case 'density':
      return {
        column: 'density',
        what: 'density',
        unit: 'density',
        spread: 'width of the interval',
        legend: [
          ['mean', 'density: where rows are common'],
          ['privacy', 'what privacy noise leaves open'],
        ],
        caption: 'The band holds 95 %.',
        map: 'Where rows are common.',
        number: outputText(release),
      };
    default:
      return {
        column: 'mean',
        what: `predicted ${release.output}`,
        unit: release.output,
        spread: `uncertainty of ${release.output}`,
        legend: [
          ['mean', 'best guess (mean)'],
          ['privacy', 'privacy noise alone'],
          [
            'function',
            'all that is unsure about the mean: privacy noise and limited data'
          ],
          ['new', 'where a new observation falls'],
        ],
        caption: 'Bands hold 95 %. Dashed lines are the bounds that outputs ' +
            'were clipped to.',
        map: 'The best guess (mean).',
        number: outputText(release),
      };
  }
}
