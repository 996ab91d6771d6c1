import {html} from './dom';
import {Refusal} from './source';

// What went wrong and what to do, kindly.
export function errorBox(error: unknown): HTMLElement {
  const message = error instanceof Error ? error.message : String(error);
  const sentence = message.charAt(0).toUpperCase() + message.slice(1);
  const hint = error instanceof Refusal ? error.hint : '';
  return html(
      'div', {class: 'error', role: 'alert'},
      html(
          'p', {}, html('strong', {}, 'That did not work. '),
          sentence.replace(/\.?$/, '.')),
      hint ? html('p', {}, hint.charAt(0).toUpperCase() + hint.slice(1)) :
             undefined);
}
