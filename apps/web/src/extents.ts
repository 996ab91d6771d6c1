// How far the values of each kind go in all slices of a plot, so that the same
// colour or height means the same wherever the sliders stand.
export class Extents {
  private readonly all = new Map<string, [number, number]>();

  // With these values among them.
  include(kind: string, values: readonly number[]): [number, number] {
    let [lowest, highest] = this.all.get(kind) ?? [Infinity, -Infinity];
    for (const value of values) {
      if (value < lowest) lowest = value;
      if (value > highest) highest = value;
    }
    this.all.set(kind, [lowest, highest]);
    return [lowest, highest];
  }
}
