// Numbers for people: four digits that count, and no more.
const plain = new Intl.NumberFormat('en', {
  maximumSignificantDigits: 4,
  useGrouping: false,
});

export function figure(value: number|null|undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) {
    return 'too large';
  }
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e7)) {
    return String(Number(value.toPrecision(3))).replace('-', '−');
  }
  return plain.format(value).replace('-', '−');
}

// A number among others, with as many digits as tell hundredths of their span
// apart: four are too few for years or degrees of longitude.
export function within(value: number, span: number): string {
  const digits =
      Math.ceil(Math.log10(Math.max(Math.abs(value), span) / span)) + 3;
  if (!(digits > 4)) return figure(value);
  return String(Number(value.toPrecision(Math.min(digits, 15))))
      .replace('-', '−');
}

export function percent(fraction: number): string {
  return `${plain.format(100 * fraction)} %`;
}

// A probability. None that can be is ever 0 or 100 %.
export function chance(probability: number): string {
  if (probability > 0.999) return 'more than 99.9 %';
  if (probability < 0.001) return 'less than 0.1 %';
  return percent(Number(probability.toPrecision(3)));
}

export interface Typed {
  value: number;  // not a number: `reason` says why
  reason: string;
}

// What somebody typed: 1.5, 1,5, 1.5e3, 1 000, 1,000.5 and −3 are numbers. In
// 1,000 the comma can mean two things, a thousand times apart.
export function typedNumber(
    text: string, {name, middle}: {name: string, middle: number}): Typed {
  const bare = text.trim()
                   .replace(/[−–]/g, '-')
                   .replace(/(?<=\d)[\s'’](?=\d{3}(?!\d))/g, '');
  const wrong = (reason: string) => ({value: NaN, reason});
  let number = bare;
  if (/^[-+]?[1-9]\d{0,2},\d{3}$/.test(bare)) {
    return wrong(
        `${name} ${bare} can be read as ${bare.replace(',', '')} and as ` +
        `${bare.replace(',', '.')}; write the one you mean`);
  }
  if (/^[-+]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?(e[-+]?\d+)?$/i.test(bare)) {
    number = bare.replaceAll(',', '');
  } else if (!bare.includes('.')) {
    number = bare.replace(',', '.');
  }
  if (!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(number)) {
    return wrong(`${name} must be a number, such as ${figure(middle)}`);
  }
  const value = Number(number);
  return Number.isFinite(value) ? {value, reason: ''} :
                                  wrong(`${name} is too large`);
}

export function finite(values: readonly(number | null | undefined)[]):
    number[] {
  return values.filter(
      (v): v is number => typeof v === 'number' && Number.isFinite(v));
}

// Whether every value can be drawn.
export function drawable(...columns: (readonly(number | null)[])[]): boolean {
  return columns.every((column) => finite(column).length === column.length);
}
