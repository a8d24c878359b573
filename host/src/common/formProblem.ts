import type { HostSentence } from './hostSentences.ts';

/** A fault of one field of the connection form. */
export interface FormProblem {
  readonly field: string;
  readonly sentence: HostSentence;
}
