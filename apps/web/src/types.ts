// What the server answers (docs/server.md), as far as the page reads it.

export interface ReleaseSummary {
  name: string;
  task: string;
  inputs: string[];
  output: string;
  protect: string;
  epsilon: number;
  delta: number;
}

export interface Input {
  name: string;
  lower: number;
  upper: number;
  middle: number;
  categories?: string[];
}

export interface Posterior {
  weight: number;
  kernel: string;
  noise_variance: number;
}

export interface Privacy {
  protect: string;
  epsilon: number;
  delta: number;
  rows: number;
  unit?: string;
  units?: number;
  bounds?: [lower: number, upper: number];
  mechanism: string;
  sensitivity: number;
  noise_sd: number;
}

export interface Release {
  name: string;
  task: string;
  classes?: string[];
  inputs: Input[];
  output: string;
  method: string;
  design: string;
  released_numbers: number;
  released_parts: number;
  certified_gap: number|null;
  posteriors?: Posterior[];
  privacy: Privacy;
  privacy_in_words: string;
}

// JSON has no infinities: what is too large for a double is null.
export type Column = (number|null)[];

// A number, a probability, a margin or a density on a grid over one input or
// two (the second one fastest).
export interface FunctionPlot {
  kind: 'curve'|'map'|'probability'|'margin'|'density';
  inputs: string[];
  axes: number[][];
  at: Record<string, number>;
  function: Record<string, Column>;
  observation?: Record<string, Column>;
}

export interface HistogramAxis {
  name: string;
  edges?: number[];
  categories?: string[];
}

// Bins of all axes, the last one fastest.
export interface HistogramPlot {
  kind: 'histogram';
  axes: HistogramAxis[];
  count: Column;
  sd: Column;
  lower: Column;
  upper: Column;
}

export type Plot = FunctionPlot|HistogramPlot;

export interface PlotRequest {
  inputs: string[];
  at: Record<string, number>;
}

// Columns of an answer about points.
export type Answer = Record<string, (number|string|null)[]>;
