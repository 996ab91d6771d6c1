import {figure, within} from './numbers';
import type {Input} from './types';

export function listed(names: string[]): string {
  return [names.slice(0, -1).join(', '), ...names.slice(-1)]
      .filter((part) => part)
      .join(' and ');
}

// From where to where something goes.
export function rangeText({lower, upper}: Pick<Input, 'lower'|'upper'>):
    string {
  if (lower === upper) return `always ${figure(lower)}`;
  const span = upper - lower;
  return `${within(lower, span)} to ${within(upper, span)}`;
}

// A file's name as a shell reads it.
export function shellWord(file: string): string {
  return /^[\w.][\w.-]*$/.test(file) ?
      file :
      `'./${file.replaceAll('\'', '\'\\\'\'')}'`;
}
