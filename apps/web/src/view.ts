import type {Choices} from './choices';
import {html} from './dom';
import type {Extents} from './extents';
import type {Words} from './function_words';
import {figure, within} from './numbers';
import type {DataTable} from './table';
import type {Column, FunctionPlot, Release} from './types';

// A plot that can be drawn at any width. What is in it stays when another slice
// of the same kind is shown, and so do focus and choices.
export interface View<P> {
  root: HTMLElement;
  show(plot: P): void;
  draw(width: number): void;
}

// What a view of a function is made of.
export interface Setting {
  release: Release;
  text: Words;
  choices: Choices;
  extents: Extents;
}

export const numbers = (column: Column|undefined) => (column ?? []) as number[];

export function legend(text: Words): HTMLUListElement {
  return html(
      'ul', {class: 'legend'},
      ...text.legend.map(
          ([style, words]) =>
              html('li', {}, html('span', {class: `swatch ${style}`}), words)));
}

// Where a grid point is, with the digits that tell it from its neighbours.
export function place(axis: number[], index: number): string {
  return within(axis[index] ?? 0, (axis.at(-1) ?? 0) - (axis[0] ?? 0));
}

// Columns that are worth a reader's time, in their order.
const kTableColumns = [
  'probability',
  'density',
  'mean',
  'margin',
  'privacy_sd',
  'sd',
  'lower',
  'upper',
];

export function fillTable(
    table: DataTable, plot: FunctionPlot, text: Words,
    places: {head: string[], at: number}[]): void {
  const shown = kTableColumns.filter((name) => plot.function [name]);
  const extra = plot.observation ? ['lower', 'upper'] : [];
  const text_of = (name: string) => name.endsWith('sd') ? figure : text.number;
  const rows = places.map(
      ({head, at}) =>
          [...head,
           ...shown.map((name) => text_of(name)(plot.function [name]?.[at])),
           ...extra.map((name) => text.number(plot.observation?.[name]?.[at])),
  ]);
  const header = [
    ...plot.inputs,
    ...shown.map((name) => name.replace('_', ' ')),
    ...extra.map((name) => `new observation, ${name}`),
  ];
  table.show(`${text.what} by ${plot.inputs.join(' and ')}`, header, rows);
}
