import {html} from './dom';
import {Refusal} from './source';

// What went wrong and what to do, kindly.
export function errorBox(error: unknown): HTMLElement {
  const message = error instanceof Error ? error.message : String(error);
  const sentence = (text: string) =>
      (text.charAt(0).toUpperCase() + text.slice(1)).replace(/\.?$/, '.');
  const hint = error instanceof Refusal ? error.hint : '';
  return html(
      'div', {class: 'error', role: 'alert'},
      html(
          'p', {}, html('strong', {}, 'That did not work. '),
          sentence(message)),
      hint ? html('p', {}, sentence(hint)) : undefined);
}
