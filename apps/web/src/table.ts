import {html} from './dom';

// What a plot shows, for those who would rather read it.
export function dataTable(
    caption: string, header: string[], rows: string[][]): HTMLDetailsElement {
  return html(
      'details', {class: 'data'}, html('summary', {}, 'The same as a table'),
      html(
          'div',
          {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption},
          plainTable(caption, header, rows)));
}

export function plainTable(
    caption: string, header: string[], rows: string[][]): HTMLTableElement {
  return html(
      'table', {class: 'numbers'}, html('caption', {class: 'spoken'}, caption),
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
