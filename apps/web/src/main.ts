import {askSection} from './ask';
import {html, readable} from './dom';
import {errorBox} from './error_box';
import {explore} from './explore';
import {keyFigures} from './key_figures';
import {figure} from './numbers';
import {privacySection} from './privacy';
import {File, Refusal, Server, type Source} from './source';
import type {Release, ReleaseSummary} from './types';
import {listed} from './words';

function required(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no '${id}'`);
  return element;
}

const main = required('main');
const picker = required('picker');
const shown = required('shown');

function titleOf({task, output, inputs, name}: ReleaseSummary): string {
  const by = inputs.length > 3 ? `${inputs.length} inputs` : listed(inputs);
  if (task === 'histogram') return `Rows by ${by}`;
  if (task === 'density') return `Density of ${by}`;
  return output ? `${output} by ${by}` : name;
}

// What was learned from, and what of it is private.
function leadOf({output, privacy}: Release): string {
  const {protect, rows, unit, units} = privacy;
  const from = protect === 'rows' ? `${rows} private rows` :
      unit ? `${rows} rows of ${units} different '${unit}', with private ` +
          `values of '${output}'` :
             `${rows} rows with private values of '${output}'`;
  return `Learned from ${from}, released once under differential privacy ` +
      `(ε\u00a0=\u00a0${figure(privacy.epsilon)}, δ\u00a0=\u00a0${
             figure(privacy.delta)}), free to ask for ever.`;
}

function say(heading: string, ...content: Node[]): void {
  document.title =
      heading === 'Cloak' ? heading : readable(`${heading} · Cloak`);
  main.replaceChildren(html('h1', {}, heading), ...content);
  // For those who do not see it change.
  shown.textContent = readable(heading);
}

// The release that the address names; the first one when it names none.
function chosen(releases: ReleaseSummary[]): ReleaseSummary|string|undefined {
  let name = location.hash.slice(1);
  try {
    name = decodeURIComponent(name);
  } catch {
    // Not one of ours, then.
  }
  if (!name) return releases[0];
  return releases.find((release) => release.name === name) ?? name;
}

function makePicker(releases: ReleaseSummary[]): HTMLSelectElement {
  const select = html(
      'select', {
        id: 'release-choice',
        change: () => location.hash = encodeURIComponent(select.value),
      },
      ...releases.map(({name}) => html('option', {value: name}, name)));
  picker.replaceChildren(
      html('label', {'for': 'release-choice'}, 'Release'), select);
  return select;
}

function askForToken(server: Server, wrong: boolean): void {
  const field = html('input', {
    id: 'token',
    type: 'password',
    autocomplete: 'off',
    required: true,
    'aria-describedby': 'token-why',
    'aria-invalid': wrong ? 'true' : undefined,
  });
  picker.replaceChildren();
  say('Cloak',
      html(
          'form', {
            class: 'card',
            submit: (event: Event) => {
              event.preventDefault();
              server.useToken(field.value.trim());
              void start(server).then(() => {
                // The form with the focus is gone.
                if (!document.getElementById('token')) main.focus();
              });
            },
          },
          html(
              'p', {id: 'token-why'},
              'This server answers those who have a token; whoever runs it ' +
                  'can give you one. It is kept until you close this tab.'),
          wrong ? html(
                      'p', {class: 'error', role: 'alert'},
                      'It does not know that token. See whether all of it ' +
                          'was copied.') :
                  undefined,
          html(
              'div', {class: 'field'}, html('label', {'for': 'token'}, 'Token'),
              field),
          html('button', {type: 'submit'}, 'Go on')));
  field.focus();
}

async function show(
    source: Source, summary: ReleaseSummary,
    isLast: () => boolean): Promise<void> {
  const heading = titleOf(summary);
  document.title = readable(`${heading} · Cloak`);
  const release = await source.describe(summary.name);
  if (!isLast()) return;
  say(heading, html('p', {class: 'lead'}, leadOf(release)),
      explore(release, source),
      html(
          'div', {class: 'columns'},
          html('div', {}, askSection(release, source), keyFigures(release)),
          privacySection(release)));
}

function sayWhy(source: Source, heading: string, error: unknown): void {
  if (source instanceof Server && error instanceof Refusal &&
      error.status === 401) {
    askForToken(source, source.hasToken());
  } else {
    say(heading, errorBox(error));
  }
}

async function start(source: Source): Promise<void> {
  try {
    const releases = await source.list();
    const select = source instanceof Server && releases.length > 1 ?
        makePicker(releases) :
        undefined;
    // Answers may come in another order than the choices.
    let last = 0;
    const open = async () => {
      const mine = ++last;
      const summary = chosen(releases);
      if (summary === undefined) {
        say('Cloak',
            html(
                'p', {class: 'lead'},
                'This server has no release yet. Put a .cloak file into its ' +
                    'directory, and load this page again.'));
        return;
      }
      if (typeof summary === 'string') {
        if (select) select.value = '';
        sayWhy(
            source, 'Cloak',
            new Refusal(
                404, `there is no release '${summary}' here`,
                releases.length > 1 ?
                    'choose another above, or load the page again if it is new' :
                    'load the page again if it is new'));
        return;
      }
      if (select) select.value = summary.name;
      try {
        await show(source, summary, () => mine === last);
      } catch (error) {
        if (mine === last) sayWhy(source, titleOf(summary), error);
      }
    };
    window.onhashchange = () => void open();
    await open();
  } catch (error) {
    sayWhy(source, 'Cloak', error);
  }
}

// A table dropped beside its place would otherwise replace the page.
for (const type of ['dragover', 'drop']) {
  window.addEventListener(type, (event) => event.preventDefault());
}
// The hash names a release, so the way past the header is not a hash.
document.querySelector('.skip')?.addEventListener('click', (event) => {
  event.preventDefault();
  main.focus();
});
void start(File.find() ?? new Server());
