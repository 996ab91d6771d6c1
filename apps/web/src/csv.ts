// How many rows a table has, its header among them, and the cells of the first
// ones. Cells in quotes may hold commas and ends of lines.
export function readCsv(
    csv: string, most: number): {count: number, first: string[][]} {
  const first: string[][] = [];
  let count = 0;
  let row: string[] = [];
  for (const [, quoted, plain = '', end] of csv.matchAll(
           /(?:"((?:[^"]|"")*)"|([^",\r\n][^,\r\n]*|))(,|\r?\n|$)/g)) {
    const cell = quoted?.replaceAll('""', '"') ?? plain;
    // What follows the last end of a line is no row.
    if (end === '' && !row.length && cell === '') break;
    row.push(cell);
    if (end === ',') continue;
    if (++count <= most) first.push(row);
    row = [];
    if (end === '') break;
  }
  return {count, first};
}
