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

export function percent(fraction: number): string {
  return `${plain.format(100 * fraction)} %`;
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
