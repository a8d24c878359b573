import type { RecordedQueries, SearchAnswer, SearchForm } from '@tabularium/sdk';
import { recordedQueriesRequestSchema, searchRequestSchema, tableRefSchema } from '@tabularium/sdk/protocol';
import { z } from 'zod';

// Ranked search of a table.

export const readSearchFormSchema = z.object({ connectionId: z.uuid(), table: tableRefSchema });
export type ReadSearchForm = z.output<typeof readSearchFormSchema>;

export const rankedSearchSchema = z.object({ connectionId: z.uuid(), request: searchRequestSchema });
export type RankedSearchInput = z.output<typeof rankedSearchSchema>;

export const readRecordedQueriesSchema = z.object({ connectionId: z.uuid(), request: recordedQueriesRequestSchema });
export type ReadRecordedQueries = z.output<typeof readRecordedQueriesSchema>;

export type { RecordedQueries, SearchAnswer, SearchForm };
