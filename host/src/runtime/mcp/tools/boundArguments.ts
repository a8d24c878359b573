import { z } from 'zod';
import {
  DEFAULT_CELL_CHARACTERS,
  DEFAULT_ROWS,
  DEFAULT_TOKENS,
  LEAST_TOKENS,
  MOST_CELL_CHARACTERS,
  MOST_ROWS,
  MOST_TOKENS,
} from './resultRows.ts';
import type { RowBounds } from './resultRows.ts';

/** The arguments of every tool that answers with rows: how much of them it gives. */
export const boundArguments = {
  maxRows: z.number().int().min(1).max(MOST_ROWS).default(DEFAULT_ROWS),
  maxTokens: z
    .number()
    .int()
    .min(LEAST_TOKENS)
    .max(MOST_TOKENS)
    .default(DEFAULT_TOKENS)
    .describe('About how long the answer may be.'),
  // Optional, because a tool may read less of a row whose caller doesn't ask for whole values.
  cellCharacters: z
    .number()
    .int()
    .min(20)
    .max(MOST_CELL_CHARACTERS)
    .optional()
    .describe(`Longer values are cut. Default ${DEFAULT_CELL_CHARACTERS}.`),
};

/** The bounds that a call gives, or leaves to their defaults. */
export function toRowBounds({ maxRows, maxTokens, cellCharacters }: z.output<z.ZodObject<typeof boundArguments>>): RowBounds {
  return { maxRows, maxTokens, cellCharacters: cellCharacters ?? DEFAULT_CELL_CHARACTERS };
}
