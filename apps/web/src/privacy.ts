import {html} from './dom';
import {figure} from './numbers';
import type {Release} from './types';

// How often somebody who knows everything but one of two equally likely values
// can be right about it, at most: with α + e^ε β ≥ 1 − δ and β + e^ε α ≥ 1 − δ
// for the errors α and β of any test, 1 − (α + β)/2 ≤ (e^ε + δ)/(1 + e^ε)
// (Kairouz, Oh and Viswanath 2015, theorem 2.1).
export function bestGuess(epsilon: number, delta: number): number {
  return Math.min(
      1, (1 + delta * Math.exp(-epsilon)) / (1 + Math.exp(-epsilon)));
}

// Rounded up: a promise is never said to be better than it is.
function atMost(fraction: number): string {
  const tenths = Math.ceil(1000 * fraction - 1e-9) / 10;
  return `${tenths >= 100 ? 'more than 99.9' : tenths} %`;
}

function guessBar(guess: number): HTMLElement {
  const bar = html(
      'div', {class: 'guess', 'aria-hidden': 'true'},
      html('span', {class: 'known'}), html('span', {class: 'gained'}));
  const [known, gained] = bar.children;
  (known as HTMLElement).style.width = '50%';
  (gained as HTMLElement).style.width = `${100 * (guess - 0.5)}%`;
  return bar;
}

function noiseInWords({released_numbers}: Release): string {
  return `Before anything was published, random noise was added to each of ` +
      `the ${released_numbers} numbers that this release is computed from: ` +
      `as much as the promise needs. What it does to the answers is known, ` +
      `and is part of every error bar here.`;
}

// What somebody is about to guess: who is protected, and what of them.
function secret({output, privacy: {protect, unit}}: Release): string {
  if (protect === 'rows') {
    return `which of two equally likely rows one person has in the table`;
  }
  if (unit) {
    return `which of two equally likely sets of values of '${output}' one ` +
        `'${unit}' has`;
  }
  return `which of two equally likely values '${output}' has in one row, ` +
      `one person's, say`;
}

// How private a release is, in plain words.
export function privacySection(release: Release): HTMLElement {
  const {epsilon, delta} = release.privacy;
  const guess = bestGuess(epsilon, delta);
  return html(
      'section', {'aria-labelledby': 'privacy-heading'},
      html('h2', {id: 'privacy-heading'}, 'How private it is'),
      html(
          'div', {class: 'card prose'},
          html(
              'p', {class: 'strong'},
              `Suppose somebody knows everything but ${secret(release)}. ` +
                  `Guessing, they are right 50 % of the time. With this ` +
                  `release, they are right at most ${
                      atMost(guess)} of the time.`),
          guessBar(guess),
          html(
              'p', {class: 'note'},
              `ε = ${figure(epsilon)}, δ = ${figure(delta)}`),
          ...release.privacy_in_words.split('\n')
              .filter((line) => line)
              .map((line) => html('p', {}, line)),
          html(
              'p', {}, html('strong', {}, 'What privacy noise is. '),
              noiseInWords(release))));
}
