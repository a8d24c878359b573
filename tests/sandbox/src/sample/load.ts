import type { Engine } from '../engine.ts';

export interface SampleOptions {
  /** How many products; 200,000 unless told otherwise. */
  readonly products?: number;
}

export const loadSampleData = (_engine: Engine, _options: SampleOptions): void => {
  /* the generators come next */
};
