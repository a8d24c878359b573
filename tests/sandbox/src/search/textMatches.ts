import type { Field } from '../schema/field.ts';

export interface SearchedField {
  readonly field: Field;
  readonly weight: number;
  readonly infix: boolean;
}

export interface TextMatches {
  readonly scores: ReadonlyMap<number, bigint>;
  readonly fields: readonly SearchedField[];
  /** For highlighting: the tokens that were met, with the length of what was typed where only the start matched. */
  readonly matched: ReadonlyMap<string, number>;
  readonly queryLength: number;
}
