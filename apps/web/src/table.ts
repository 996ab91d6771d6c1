import type {Choices} from './choices';
import {html} from './dom';

// What a plot shows, for those who would rather read it.
export interface DataTable {
  root: HTMLDetailsElement;
  show(caption: string, header: string[], rows: string[][]): void;
}

export function dataTable(choices: Choices): DataTable {
  const region = html('div', {class: 'scroll', tabindex: 0, role: 'region'});
  const root = html(
      'details', {
        class: 'data',
        open: choices.table,
        toggle: () => choices.table = root.open,
      },
      html('summary', {}, 'The same as a table'), region);
  return {
    root,
    show(caption, header, rows) {
      region.setAttribute('aria-label', caption);
      region.replaceChildren(plainTable(caption, header, rows));
    },
  };
}

export function plainTable(
    caption: string, header: string[], rows: string[][]): HTMLTableElement {
  return html(
      'table', {class: 'numbers'}, html('caption', {}, caption),
      html(
          'thead', {},
          html(
              'tr', {},
              ...header.map((name) => html('th', {scope: 'col'}, name)))),
      html(
          'tbody', {},
          ...rows.map(
              (row) =>
                  html('tr', {}, ...row.map((cell) => html('td', {}, cell))))));
}
