import {html, uniqueId} from './dom';
import {errorBox} from './error_box';
import {figure, percent} from './numbers';
import type {PointSource, Source} from './source';
import {plainTable} from './table';
import type {Answer, Input, Release} from './types';

// With more inputs than this, a form is no way to ask.
const kMostFields = 12;

// Ask about one point, or about a table of them.
export function askSection(release: Release, source: Source): HTMLElement {
  const root = html(
      'section', {'aria-labelledby': 'ask-heading'},
      html('h2', {id: 'ask-heading'}, 'Ask it'));
  if (source.points) {
    if (release.inputs.length <= kMostFields) {
      root.append(onePoint(release, source.points));
    }
    root.append(manyPoints(release, source.points));
  } else {
    root.append(howToAsk(release, source));
  }
  return root;
}

function answerText(release: Release, answer: Answer): string {
  const get = (name: string) => answer[name]?.[0];
  const number = (name: string) => figure(get(name) as number);
  const [, second] = release.classes ?? [];
  if (get('margin') !== undefined) {
    const probability = get('probability') as number;
    return `The machine says ${get('class')}, with a margin of ${
               number('margin')} for ${second}. Without privacy noise it ` +
        `would be on the side of ${second} with probability ${
               percent(Number(probability.toPrecision(3)))}.`;
  }
  if (get('probability') !== undefined) {
    const probability = get('probability') as number;
    return `${release.output} is probably ${get('class')}. Probability of ${
        second}: ${percent(Number(probability.toPrecision(3)))}.`;
  }
  if (get('density') !== undefined) {
    return `Density ${number('density')}, between ${number('lower')} and ${
        number('upper')} (95 %).`;
  }
  if (get('count') !== undefined) {
    return `About ${number('count')} rows in this bin, between ${
        number('lower')} and ${number('upper')} (95 %).`;
  }
  const share = ((get('privacy_sd') as number) / (get('sd') as number)) ** 2;
  return `${release.output} is about ${number('mean')}. A new observation ` +
      `falls between ${number('lower')} and ${number('upper')} with ` +
      `probability 95 %. Privacy noise makes up ${
             percent(Number(share.toPrecision(2)))} of that variance.`;
}

interface Field {
  input: Input;
  control: HTMLInputElement|HTMLSelectElement;
  root: HTMLElement;
}

// A number, or one of the categories.
function fieldFor(input: Input): Field {
  const id = uniqueId('point');
  const label = html('label', {'for': id}, input.name);
  if (input.categories) {
    const control = html(
        'select', {id},
        ...input.categories.map((name) => html('option', {}, name)));
    return {
      input,
      control,
      root: html('div', {class: 'field'}, label, control),
    };
  }
  const control = html('input', {
    id,
    type: 'text',
    inputmode: 'decimal',
    autocomplete: 'off',
    value: Number(input.middle.toPrecision(4)),
    'aria-describedby': `${id}-range`,
  });
  const range = html(
      'span', {id: `${id}-range`, class: 'note'},
      `${figure(input.lower)} to ${figure(input.upper)}`);
  return {
    input,
    control,
    root: html('div', {class: 'field'}, label, control, range),
  };
}

// What the field says; not a number when it should be one and is not.
function valueOf({input, control}: Field): number|string {
  if (input.categories) return control.value;
  return control.value.trim() ? Number(control.value.replace(',', '.')) : NaN;
}

function onePoint(release: Release, points: PointSource): HTMLElement {
  const said = html('div', {class: 'answer', role: 'status'});
  const fields = release.inputs.map(fieldFor);
  const ask = async () => {
    for (const {control} of fields) control.removeAttribute('aria-invalid');
    const wrong = fields.find((field) => Number.isNaN(valueOf(field)));
    if (wrong) {
      wrong.control.setAttribute('aria-invalid', 'true');
      wrong.control.focus();
      said.replaceChildren(
          errorBox(new Error(`${wrong.input.name} must be a number, such as ${
              figure(wrong.input.middle)}`)));
      return;
    }
    const row = fields.map(valueOf);
    try {
      const answer = await points.predict(release.name, row);
      const outside = fields.filter(
          ({input}, j) => !input.categories &&
              (Number(row[j]) < input.lower || Number(row[j]) > input.upper));
      said.replaceChildren(html('p', {}, answerText(release, answer)));
      if (outside.length) {
        said.append(html(
            'p', {class: 'note'},
            `${outside.map(({input}) => input.name).join(', ')} lies outside ` +
                (release.task === 'histogram' ?
                     'the bins: rows there count in the nearest one.' :
                     'what the release knows: this is a guess beyond it.')));
      }
    } catch (error) {
      said.replaceChildren(errorBox(error));
    }
  };
  return html(
      'form', {
        class: 'card',
        novalidate: true,
        submit: (event: Event) => {
          event.preventDefault();
          void ask();
        },
      },
      html('h3', {}, 'About one point'),
      html('div', {class: 'fields'}, ...fields.map((field) => field.root)),
      html('button', {type: 'submit'}, 'Ask'), said);
}

// The first rows of an answer. Cells with commas in them are rare, so a cell
// in quotes is only unwrapped, not parsed further.
function preview(csv: string): HTMLElement {
  const kRows = 6;
  const cells =
      csv.split(/\r?\n/, kRows + 1)
          .filter((line) => line)
          .map(
              (line) =>
                  (line.match(/("([^"]|"")*"|[^,]*)(,|$)/g) ?? [])
                      .map((cell) => cell.replace(/,$/, ''))
                      .filter((cell, i, all) => i < all.length - 1 || cell)
                      .map((cell) => cell.replace(/^"|"$/g, '')));
  const [header = [], ...rows] = cells;
  const short = (cell: string) => cell.trim() && Number.isFinite(Number(cell)) ?
      figure(Number(cell)) :
      cell;
  return html(
      'div', {
        class: 'scroll',
        tabindex: 0,
        role: 'region',
        'aria-label': 'First rows of the answer'
      },
      plainTable(
          'First rows of the answer', header,
          rows.map((row) => row.map(short))));
}

function manyPoints(release: Release, points: PointSource): HTMLElement {
  const id = uniqueId('table');
  const said = html('div', {class: 'answer', role: 'status'});
  let url = '';
  const answer = async (file: File) => {
    said.replaceChildren(html('p', {}, `Asking about ${file.name} …`));
    try {
      const csv = await points.predictCsv(release.name, file);
      const rows = csv.split('\n').filter((line) => line).length - 1;
      if (url) URL.revokeObjectURL(url);
      url = URL.createObjectURL(new Blob([csv], {type: 'text/csv'}));
      const name = file.name.replace(/(\.csv)?(\.gz)?$/i, '');
      said.replaceChildren(
          html(
              'p', {}, `${rows} ${rows === 1 ? 'row' : 'rows'} answered. `,
              html(
                  'a', {
                    href: url,
                    download: `${name}-answered.csv`,
                    class: 'button'
                  },
                  'Download the table')),
          preview(csv));
    } catch (error) {
      said.replaceChildren(errorBox(error));
    }
  };
  const picker = html('input', {
    id,
    type: 'file',
    accept: '.csv,.gz,text/csv',
    change: () => {
      const [file] = picker.files ?? [];
      if (file) void answer(file);
      // So that the same file can be chosen again once it is mended.
      picker.value = '';
    },
  });
  const drop = html(
      'div', {
        class: 'drop',
        dragover: (event: Event) => {
          event.preventDefault();
          drop.classList.add('over');
        },
        dragleave: () => drop.classList.remove('over'),
        drop: (event: Event) => {
          event.preventDefault();
          drop.classList.remove('over');
          const [file] = (event as DragEvent).dataTransfer?.files ?? [];
          if (file) void answer(file);
        },
      },
      html('label', {'for': id}, 'Drop a CSV file here, or choose one'),
      picker);
  return html(
      'div', {class: 'card'}, html('h3', {}, 'About a table'),
      html(
          'p', {}, 'A CSV file with the ',
          release.inputs.length > 1 ? 'columns ' : 'column ',
          html(
              'code', {},
              release.inputs.slice(0, kMostFields)
                      .map(({name}) => name)
                      .join(', ') +
                  (release.inputs.length > kMostFields ? ', …' : '')),
          ' comes back with the answers beside each row.'),
      drop, said);
}

function howToAsk(release: Release, source: Source): HTMLElement {
  const names = release.inputs.map(({name}) => name);
  const file = source.file(release.name);
  return html(
      'div', {class: 'card prose'},
      html(
          'p', {},
          'This page is a file and cannot compute new answers. Put ' +
              'the points you ask about in a CSV file with the ',
          names.length > 1 ? 'columns ' : 'column ',
          html(
              'code', {},
              names.slice(0, kMostFields).join(', ') +
                  (names.length > kMostFields ? ', …' : '')),
          ', and run'),
      html('pre', {}, html('code', {}, `cloak predict ${file} queries.csv`)),
      html('p', {}, 'or ask in a browser, with'),
      html('pre', {}, html('code', {}, `cloak serve ${file}`)),
      html(
          'p', {},
          'Ask as often as you like: the privacy was paid for once, ' +
              'when the release was made.'));
}
