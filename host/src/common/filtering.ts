import type { ReadExpressions, Suggestions } from '@tabularium/sdk';
import { filterSchema, sortsSchema, suggestionRequestSchema, tableRefSchema } from '@tabularium/sdk/protocol';
import { z } from 'zod';

// Help for those who write a filter: values of a column, and what is sent.

export const suggestValuesSchema = z.object({ connectionId: z.uuid(), request: suggestionRequestSchema });
export type SuggestValues = z.output<typeof suggestValuesSchema>;

export const readExpressionsInputSchema = z.object({
  connectionId: z.uuid(),
  table: tableRefSchema,
  filter: filterSchema,
  sorts: sortsSchema,
});
export type ReadExpressionsInput = z.output<typeof readExpressionsInputSchema>;

export type { ReadExpressions, Suggestions };
