import type {Answer, Column, FunctionPlot, Input, Plot, PlotRequest, Release, ReleaseSummary,} from './types';
import {shellWord} from './words';

// Where a page's releases come from: a server, or the page itself.
export interface Source {
  list(): Promise<ReleaseSummary[]>;
  describe(name: string): Promise<Release>;
  plot(name: string, request: PlotRequest, signal: AbortSignal): Promise<Plot>;
  // Values that the sliders of the other inputs can take for such a plot;
  // nothing: any.
  positions(inputs: string[], other: string): number[]|undefined;
  // Plots that tell how far the values go while these sliders move.
  slices(name: string, request: PlotRequest, sliders: Input[]):
      Promise<FunctionPlot[]>;
  // Nothing when points cannot be asked about.
  readonly points?: PointSource;
  // How to name the release in a command.
  file(name: string): string;
}

export interface PointSource {
  predict(name: string, row: (number|string)[]): Promise<Answer>;
  predictCsv(name: string, table: Blob): Promise<string>;
}

// What a server refused, in its own words.
export class Refusal extends Error {
  constructor(readonly status: number, message: string, readonly hint: string) {
    super(message);
  }
}

const kToken = 'cloak-token';

export class Server implements Source, PointSource {
  readonly points = this;

  useToken(token: string): void {
    sessionStorage.setItem(kToken, token);
  }

  hasToken(): boolean {
    return sessionStorage.getItem(kToken) !== null;
  }

  async list(): Promise<ReleaseSummary[]> {
    const answer = await this.json<{releases: ReleaseSummary[]}>('');
    return answer.releases;
  }

  describe(name: string): Promise<Release> {
    return this.json(`/${encodeURIComponent(name)}`);
  }

  plot(name: string, request: PlotRequest, signal: AbortSignal): Promise<Plot> {
    // A histogram has no grid to ask for.
    const body = request.inputs.length ? request : {};
    return this.json(
        `/${encodeURIComponent(name)}/plot`, JSON.stringify(body), {signal});
  }

  positions(): undefined {
    return undefined;
  }

  // Coarse ones, at both ends of each slider.
  async slices(name: string, request: PlotRequest, sliders: Input[]):
      Promise<FunctionPlot[]> {
    const points = request.inputs.length === 1 ? 25 : 9;
    const ends = sliders.flatMap(
        ({name: input, lower, upper}) => [lower, upper].map(
            (end) =>
                ({...request, points, at: {...request.at, [input]: end}})));
    return Promise.all(ends.map(
        (body) => this.json<FunctionPlot>(
            `/${encodeURIComponent(name)}/plot`, JSON.stringify(body))));
  }

  predict(name: string, row: (number|string)[]): Promise<Answer> {
    return this.json(
        `/${encodeURIComponent(name)}/predict`, JSON.stringify({rows: [row]}));
  }

  async predictCsv(name: string, table: Blob): Promise<string> {
    const response = await this.fetch(
        `/${encodeURIComponent(name)}/predict`,
        {method: 'POST', body: table, headers: {'Content-Type': 'text/csv'}});
    return response.text();
  }

  file(name: string): string {
    return `${name}.cloak`;
  }

  private async json<T>(path: string, body?: string, init: RequestInit = {}):
      Promise<T> {
    const response = await this.fetch(path, body === undefined ? init : {
      ...init,
      method: 'POST',
      body,
      headers: {'Content-Type': 'application/json'},
    });
    return await response.json() as T;
  }

  private async fetch(path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    const token = sessionStorage.getItem(kToken);
    if (token) {
      // A header holds bytes: those of the token file, which is in UTF-8.
      const bytes = new TextEncoder().encode(token);
      headers.set('Authorization', `Bearer ${String.fromCharCode(...bytes)}`);
    }
    let response: Response;
    try {
      response = await fetch(`api/v1/releases${path}`, {...init, headers});
    } catch (error) {
      if (init.signal?.aborted) throw error;
      throw new Refusal(
          0, 'the server does not answer',
          'see whether it still runs, then try again');
    }
    if (response.ok) return response;
    if (response.status === 401) {
      throw new Refusal(
          401, 'the server does not know the token of this page',
          'load the page again, and give it one that it knows');
    }
    const answer = await response.json().catch(() => undefined) as
            {error?: {message: string, hint: string}} |
        undefined;
    throw new Refusal(
        response.status, answer?.error?.message ?? response.statusText,
        answer?.error?.hint ?? 'try again');
  }
}

// What `cloak show --html` writes into the page: one release and its plots, at
// every position that the sliders have.
interface Embedded {
  release: Release;
  file: string;
  plots: Plot[];
}

export class File implements Source {
  constructor(private readonly embedded: Embedded) {}

  static find(): File|undefined {
    const data = document.getElementById('release')?.textContent;
    return data ? new File(JSON.parse(data) as Embedded) : undefined;
  }

  async list(): Promise<ReleaseSummary[]> {
    const {release} = this.embedded;
    const {privacy} = release;
    return [{
      ...release,
      inputs: release.inputs.map((input) => input.name),
      protect: privacy.protect,
      epsilon: privacy.epsilon,
      delta: privacy.delta,
    }];
  }

  async describe(): Promise<Release> {
    return this.embedded.release;
  }

  async plot(_name: string, request: PlotRequest): Promise<Plot> {
    const found =
        this.plotsOf(request.inputs)
            .find(
                (plot) => plot.kind === 'histogram' ||
                    Object.entries(request.at)
                        .every(([name, value]) => plot.at[name] === value));
    if (found?.kind === 'histogram') return found;
    if (found) {
      return found.inputs[0] === request.inputs[0] ? found : transposed(found);
    }
    throw new Refusal(
        404, 'this plot is not in the page',
        `'cloak serve ${shellWord(this.embedded.file)}' draws it`);
  }

  positions(inputs: string[], other: string): number[] {
    const values = new Set<number>();
    for (const plot of this.plotsOf(inputs)) {
      if (plot.kind === 'histogram') continue;
      const value = plot.at[other];
      if (value !== undefined) values.add(value);
    }
    return [...values].sort((a, b) => a - b);
  }

  async slices(_name: string, {inputs}: PlotRequest): Promise<FunctionPlot[]> {
    return this.plotsOf(inputs).filter((plot) => plot.kind !== 'histogram');
  }

  file(): string {
    return this.embedded.file;
  }

  // In either order of the axes.
  private plotsOf(inputs: string[]): Plot[] {
    return this.embedded.plots.filter(
        (plot) => plot.kind === 'histogram' ||
            plot.inputs.length === inputs.length &&
                inputs.every((name) => plot.inputs.includes(name)));
  }
}

// The same map with its axes in the other order.
function transposed(plot: FunctionPlot): FunctionPlot {
  const [first = [], second = []] = plot.axes;
  const turned = (column: Column): Column => second.flatMap(
      (_, j) => first.map((__, i) => column[i * second.length + j] ?? null));
  return {
    ...plot,
    inputs: [...plot.inputs].reverse(),
    axes: [second, first],
    function: Object.fromEntries(
        Object.entries(plot.function).map(([name, c]) => [name, turned(c)])),
  };
}
