import {html} from './dom';
import {figure, percent} from './numbers';
import type {Input, Release} from './types';
import {rangeText} from './words';

function posteriors(release: Release): [string, string][] {
  const kShown = 3;
  const all = [...release.posteriors ?? []].sort((a, b) => b.weight - a.weight);
  return all.slice(0, kShown).map(
      ({weight, kernel}) =>
          [all.length > 1 ?
               `kernel (${percent(Number(weight.toPrecision(2)))})` :
               'kernel',
           // Digits beyond the fourth say nothing.
           kernel.replace(/-?\d+\.\d+(e[-+]?\d+)?/g, (n) => figure(Number(n))),
  ]);
}

function inputText(input: Input): string {
  const {name, lower, upper, categories} = input;
  if (categories) return `${name}: ${categories.join(', ')}`;
  return `${name}, ${lower === upper ? '' : 'from '}${rangeText(input)}`;
}

function noise({privacy, method, task, released_parts}: Release): string {
  const predicts = task === 'regression' || task === 'classification';
  const unit = privacy.protect === 'rows' && method === 'optimal' && predicts ?
      ', in half widths of the bounds of an output' :
      '';
  const where = released_parts > 1 ? ' in the last part' : ' in each number';
  const mover = privacy.unit ? `all rows of one '${privacy.unit}'` : 'one row';
  const moves = privacy.unit ? 'move' : 'moves';
  return `standard deviation ${figure(privacy.noise_sd)}${where}; ${mover} ` +
      `${moves} ${released_parts > 1 ? 'it' : 'them'} by at most ${
             figure(privacy.sensitivity)}${unit}`;
}

function figures(release: Release): [string, string][] {
  const {privacy, released_parts: parts} = release;
  const list: [string, string][] = [['task', release.task]];
  if (release.classes?.length) {
    list.push(['output', `${release.output}: ${release.classes.join(' or ')}`]);
  } else if (release.output) {
    list.push([
      'output',
      privacy.bounds && release.task === 'regression' ?
          `${release.output}, clipped to ${
              rangeText(
                  {lower: privacy.bounds[0], upper: privacy.bounds[1]})}` :
          release.output
    ]);
  }
  for (const input of release.inputs.slice(0, 8)) {
    list.push(['input', inputText(input)]);
  }
  if (release.inputs.length > 8) {
    list.push(['further inputs', String(release.inputs.length - 8)]);
  }
  list.push(['rows', String(privacy.rows)]);
  list.push([
    'protected',
    privacy.protect === 'rows' ? 'each whole row, inputs too' :
        privacy.unit ? `all outputs of one '${privacy.unit}' together (${
                           privacy.units} of them); inputs are ` +
            'public' :
                       'the output of each row; inputs are public'
  ]);
  list.push(...posteriors(release));
  list.push(
      ['method', [release.method, release.design].filter(Boolean).join(', ')],
      [
        'released',
        `${release.released_numbers} numbers${
            parts > 1 ? ` in ${parts} parts` : ''}`
      ],
      ['mechanism', privacy.mechanism], ['noise', noise(release)]);
  if (release.certified_gap !== null) {
    list.push([
      'certified',
      `within ${
          percent(Number(release.certified_gap.toPrecision(
              2)))} of the best possible design`
    ]);
  }
  list.push(
      ['epsilon', String(privacy.epsilon)], ['delta', String(privacy.delta)]);
  return list;
}

export function keyFigures(release: Release): HTMLElement {
  return html(
      'section', {'aria-labelledby': 'figures-heading'},
      html('h2', {id: 'figures-heading'}, 'Key figures'),
      html(
          'div', {class: 'card'},
          html(
              'dl', {class: 'key'},
              ...figures(release).map(
                  ([name, value]) => html(
                      'div', {}, html('dt', {}, name),
                      html('dd', {}, value))))));
}
