import {readCsv} from './csv';
import {html, uniqueId} from './dom';
import {errorBox} from './error_box';
import {outputText} from './function_words';
import {chance, figure, percent, typedNumber, within, type Typed} from './numbers';
import {Refusal, type PointSource, type Source} from './source';
import {plainTable} from './table';
import type {Answer, Input, Release} from './types';
import {listed, rangeText, shellWord} from './words';

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
               chance(probability)}.`;
  }
  if (get('probability') !== undefined) {
    const probability = get('probability') as number;
    return `${release.output} is probably ${get('class')}. Probability of ${
        second}: ${chance(probability)}.`;
  }
  if (get('density') !== undefined) {
    return `Density ${number('density')}, between ${number('lower')} and ${
        number('upper')} (95 %).`;
  }
  if (get('count') !== undefined) {
    return `About ${number('count')} rows in this bin, between ${
        number('lower')} and ${number('upper')} (95 %).`;
  }
  const sd = get('sd') as number;
  const share = sd > 0 ? ((get('privacy_sd') as number) / sd) ** 2 : 0;
  const output = (name: string) => outputText(release)(get(name) as number);
  return `${release.output} is about ${output('mean')}. A new observation ` +
      `falls between ${output('lower')} and ${output('upper')} with ` +
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
        ...input.categories.map((name) => html('option', {value: name}, name)));
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
    value: within(input.middle, input.upper - input.lower),
    'aria-describedby': `${id}-range`,
  });
  const range =
      html('span', {id: `${id}-range`, class: 'note'}, rangeText(input));
  return {
    input,
    control,
    root: html('div', {class: 'field'}, label, control, range),
  };
}

// What the field says: a number, unless it is one of the categories.
function valueOf({input, control}: Field): Typed|undefined {
  return input.categories ? undefined : typedNumber(control.value, input);
}

// Answers may come in another order than the questions: only that to the last
// one is shown.
function lastOnly(): () => () => boolean {
  let last = 0;
  return () => {
    const mine = ++last;
    return () => mine === last;
  };
}

function onePoint(release: Release, points: PointSource): HTMLElement {
  const said = html('div', {class: 'answer', role: 'status'});
  const fields = release.inputs.map(fieldFor);
  const asked = lastOnly();
  const ask = async () => {
    const isLast = asked();
    for (const {control} of fields) control.removeAttribute('aria-invalid');
    const typed = fields.map(valueOf);
    const wrong = typed.findIndex((number) => number?.reason);
    const field = fields[wrong];
    if (field) {
      field.control.setAttribute('aria-invalid', 'true');
      field.control.focus();
      said.replaceChildren(errorBox(new Error(typed[wrong]?.reason)));
      return;
    }
    const row = fields.map(({control}, j) => typed[j]?.value ?? control.value);
    let shown: HTMLElement[];
    try {
      const answer = await points.predict(release.name, row);
      shown = [html('p', {}, answerText(release, answer)), ...beyond(row)];
    } catch (error) {
      shown = [errorBox(error)];
    }
    if (isLast()) said.replaceChildren(...shown);
  };
  const beyond = (row: (number|string)[]): HTMLElement[] => {
    const names = release.inputs
                      .filter(({lower, upper, categories}, j) => {
                        const value = Number(row[j]);
                        return !categories && (value < lower || value > upper);
                      })
                      .map(({name}) => name);
    if (!names.length) return [];
    return [html(
        'p', {class: 'note'},
        `${listed(names)} ${names.length > 1 ? 'lie' : 'lies'} outside ` +
            (release.task === 'histogram' ?
                 'the bins: rows there count in the nearest one.' :
                 'what the release knows: this is a guess beyond it.'))];
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

// How many rows of an answer have a 1 in its last column, which is `outside`.
function rowsOutside(csv: string): number {
  const lines = csv.split(/\r?\n/);
  if (!lines[0]?.endsWith(',outside')) return 0;
  return lines.filter((line) => line.endsWith(',1')).length;
}

function outsideText(outside: number, rows: number): string {
  return `${outside} of ${rows} rows ${outside === 1 ? 'lies' : 'lie'} ` +
      'outside the ranges of the inputs (1 in the column outside): the ' +
      'answers there are guesses beyond what the release knows.';
}

// The first rows of an answer.
function preview(cells: string[][]): HTMLElement {
  const [header = [], ...rows] = cells;
  // Long decimals are cut, and nothing else: it may be a date.
  const short = (cell: string) => /^-?\d+\.\d{5,}(e.*)?$/i.test(cell) ?
      String(Number(Number(cell).toPrecision(7))) :
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

// A server speaks of requests; whoever sent one here chose a file.
function aboutFile(error: unknown, name: string): unknown {
  if (!(error instanceof Refusal)) return error;
  const message = error.message.replace(/'the body'|the body/, `'${name}'`);
  const hint = error.status === 400 ? 'mend the file, and choose it again' :
      error.status === 413          ? 'divide it into smaller files, and ' +
          'ask about one after the other' :
                             error.hint;
  return new Refusal(error.status, message, hint);
}

function manyPoints(release: Release, points: PointSource): HTMLElement {
  const id = uniqueId('table');
  const said = html('div', {class: 'answer', role: 'status'});
  let url = '';
  const asked = lastOnly();
  const answer = async (file: File) => {
    const isLast = asked();
    said.replaceChildren(html('p', {}, `Asking about ${file.name} …`));
    try {
      const csv = await points.predictCsv(release.name, file);
      if (!isLast()) return;
      const kRows = 6;
      const {count, first} = readCsv(csv, kRows + 1);
      const rows = count - 1;
      const beyond = rowsOutside(csv);
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
          ...(beyond ? [html('p', {class: 'note'}, outsideText(beyond, rows))] :
                       []),
          preview(first));
    } catch (error) {
      if (!isLast()) return;
      said.replaceChildren(errorBox(aboutFile(error, file.name)));
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
  const file = shellWord(source.file(release.name));
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
