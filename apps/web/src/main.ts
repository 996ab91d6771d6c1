import {askSection} from './ask';
import {html} from './dom';
import {errorBox} from './error_box';
import {explore} from './explore';
import {keyFigures} from './key_figures';
import {figure} from './numbers';
import {privacySection} from './privacy';
import {File, Refusal, Server, type Source} from './source';
import type {Release, ReleaseSummary} from './types';

function required(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no '${id}'`);
  return element;
}

const main = required('main');
const picker = required('picker');

function listed(names: string[]): string {
  return [names.slice(0, -1).join(', '), ...names.slice(-1)]
      .filter((part) => part)
      .join(' and ');
}

function titleOf({task, output, inputs, name}: ReleaseSummary): string {
  const by = inputs.length > 3 ? `${inputs.length} inputs` : listed(inputs);
  if (task === 'histogram') return `Rows by ${by}`;
  if (task === 'density') return `Density of ${by}`;
  return output ? `${output} by ${by}` : name;
}

function leadOf(release: Release): string {
  const {privacy} = release;
  const who = privacy.unit ? `${privacy.units} different ${privacy.unit}` :
                             `${privacy.rows} rows`;
  return `Learned from ${who} of private data, released once under ` +
      `differential privacy (ε\u00a0=\u00a0${
             figure(privacy.epsilon)}, δ\u00a0=\u00a0${
             figure(privacy.delta)}), free to ask for ever.`;
}

async function show(source: Source, summary: ReleaseSummary): Promise<void> {
  const heading = titleOf(summary);
  document.title = `${heading} · Cloak`;
  const release = await source.describe(summary.name);
  main.replaceChildren(
      html('h1', {}, heading), html('p', {class: 'lead'}, leadOf(release)),
      explore(release, source),
      html(
          'div', {class: 'columns'},
          html('div', {}, askSection(release, source), keyFigures(release)),
          privacySection(release)));
}

function chosen(releases: ReleaseSummary[]): ReleaseSummary|undefined {
  let name = location.hash.slice(1);
  try {
    name = decodeURIComponent(name);
  } catch {
    // Not one of ours: the first release, then.
  }
  return releases.find((release) => release.name === name) ?? releases[0];
}

function fillPicker(releases: ReleaseSummary[]): void {
  const current = chosen(releases)?.name;
  picker.replaceChildren(
      html('label', {'for': 'release-choice'}, 'Release'),
      html(
          'select', {
            id: 'release-choice',
            change: (event: Event) => {
              location.hash =
                  encodeURIComponent((event.target as HTMLSelectElement).value);
            },
          },
          ...releases.map(
              ({name}) => html(
                  'option', {value: name, selected: name === current}, name))));
}

function askForToken(server: Server, wrong: boolean): void {
  const field = html('input', {
    id: 'token',
    type: 'password',
    autocomplete: 'off',
    required: true,
  });
  main.replaceChildren(
      html('h1', {}, 'Cloak'),
      html(
          'form', {
            class: 'card',
            submit: (event: Event) => {
              event.preventDefault();
              server.useToken(field.value.trim());
              void start(server, true);
            },
          },
          html('p', {}, 'This server answers those who have a token.'),
          wrong ? html(
                      'p', {class: 'error', role: 'alert'},
                      'It does not know that token.') :
                  undefined,
          html(
              'div', {class: 'field'}, html('label', {'for': 'token'}, 'Token'),
              field),
          html('button', {type: 'submit'}, 'Go on')));
  field.focus();
}

async function start(source: Source, asked = false): Promise<void> {
  try {
    const releases = await source.list();
    const open = async () => {
      const summary = chosen(releases);
      if (!summary) {
        main.replaceChildren(
            html('h1', {}, 'Cloak'),
            html(
                'p', {class: 'lead'},
                'This server has no release yet. Put a ' +
                    '.cloak file into its directory, and load this page again.'));
        return;
      }
      if (source instanceof Server && releases.length > 1) fillPicker(releases);
      try {
        await show(source, summary);
      } catch (error) {
        main.replaceChildren(html('h1', {}, titleOf(summary)), errorBox(error));
      }
    };
    window.onhashchange = () => void open();
    await open();
  } catch (error) {
    if (source instanceof Server && error instanceof Refusal &&
        error.status === 401) {
      askForToken(source, asked);
    } else {
      main.replaceChildren(html('h1', {}, 'Cloak'), errorBox(error));
    }
  }
}

// The hash names a release, so the way past the header is not a hash.
document.querySelector('.skip')?.addEventListener('click', (event) => {
  event.preventDefault();
  main.focus();
});
void start(File.find() ?? new Server());
