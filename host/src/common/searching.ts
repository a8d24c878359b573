import type { SearchAnswer, SearchForm } from '@tabularium/sdk';
import { searchRequestSchema, tableRefSchema } from '@tabularium/sdk/protocol';
import { z } from 'zod';

// Ranked search of a table.

export const readSearchFormSchema = z.object({ connectionId: z.uuid(), table: tableRefSchema });
export type ReadSearchForm = z.output<typeof readSearchFormSchema>;

export const rankedSearchSchema = z.object({ connectionId: z.uuid(), request: searchRequestSchema });
export type RankedSearchInput = z.output<typeof rankedSearchSchema>;

export type { SearchAnswer, SearchForm };
