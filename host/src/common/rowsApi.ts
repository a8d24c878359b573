import { batchColumnSchema, cellSchema, rowCountSchema } from '@tabularium/sdk/protocol';
import { z } from 'zod';
import { openingEvents } from './opening.ts';
import type { Shape } from './shape.ts';

/** Rows that the command line reads at most; more are an export. */
export const MOST_READ_ROWS = 10_000;

/** The rows that the command line asks for. */
export const readRowsRequestSchema = z.object({
  connectionId: z.uuid(),
  /** Its name with what contains it, joined by dots. */
  table: z.string().min(1),
  limit: z.number().int().min(1).max(MOST_READ_ROWS),
  /** In the database's own language. */
  filter: z.string().optional(),
  /** Most important first. One that the database cannot carry out is refused. */
  sorts: z.array(z.object({ column: z.string().min(1), direction: z.enum(['ascending', 'descending']) })).max(100),
  /** In this order; absent: all. */
  columns: z.array(z.string().max(1_000)).min(1).max(10_000).optional(),
});

/** The events of reading rows for the command line: pages in order, the last one with `more`. */
export const readRowsEventSchema = z.discriminatedUnion('type', [
  ...openingEvents,
  z.object({
    type: z.literal('page'),
    columns: z.array(batchColumnSchema),
    rows: z.array(z.array(cellSchema)),
    /** All rows that pass the filter, where the database has said so. */
    total: rowCountSchema.optional(),
    /** Whether there are rows after this page. */
    more: z.boolean(),
  }),
]);
export type ReadRowsEvent = Shape<typeof readRowsEventSchema>;
