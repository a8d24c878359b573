import { batchColumnSchema, cellSchema, filterSchema, tableRefSchema } from '@tabularium/sdk/protocol';
import type { RowCount, TableRef } from '@tabularium/sdk';
import { NO_FILTER } from '@tabularium/sdk';
import { z } from 'zod';
import type { ErrorReport } from './errors.ts';

// Exports to files. They belong to the host, not to a window: they go on when a tab or a window closes.

export const exportFormatSchema = z.enum(['jsonl', 'json', 'csv']);
export type ExportFormat = z.output<typeof exportFormatSchema>;

export const csvOptionsSchema = z.object({
  /** A first line with the columns' names. */
  header: z.boolean().default(true),
  /** Puts an apostrophe before text that a spreadsheet would take for a formula. Changes the data, so it is off by default. */
  guardFormulas: z.boolean().default(false),
});
export type CsvOptions = z.output<typeof csvOptionsSchema>;

const target = {
  format: exportFormatSchema,
  /** An absolute path. */
  file: z.string().min(1).max(4_000),
  /** Replace a file that exists. */
  overwrite: z.boolean().default(false),
  csv: csvOptionsSchema.default({ header: true, guardFormulas: false }),
};

/** Exports what a filter lets pass, read anew from the server. */
export const startExportSchema = z.object({
  connectionId: z.uuid(),
  table: tableRefSchema,
  filter: filterSchema.default(NO_FILTER),
  /** In this order; left out: all columns, also those that the table's description does not name. */
  columns: z.array(z.string().max(1_000)).min(1).max(10_000).optional(),
  ...target,
});
export type StartExport = z.output<typeof startExportSchema>;

/** Writes rows that the window holds, such as the selected ones. */
export const exportRowsSchema = z.object({
  connectionId: z.uuid(),
  table: tableRefSchema,
  columns: z.array(batchColumnSchema).min(1).max(10_000),
  rows: z.array(z.array(cellSchema).max(10_000)).max(10_000),
  ...target,
});
export type ExportRows = z.output<typeof exportRowsSchema>;

export const transferIdSchema = z.object({ id: z.uuid() });
export const suggestFileSchema = z.object({ table: tableRefSchema, format: exportFormatSchema });

/** How far an export is. */
export interface ExportProgress {
  readonly rows: number;
  /** Written to the file so far. */
  readonly bytes: number;
  /** Over the last seconds while it runs, over all of it at the end. */
  readonly bytesPerSecond: number;
  /** How many rows there should be, where that is known. */
  readonly expected?: RowCount;
  readonly milliseconds: number;
}

/** One export: running, or ended and not yet cleared from the list. */
export interface TransferInfo extends ExportProgress {
  readonly id: string;
  readonly connectionId: string;
  readonly table: TableRef;
  readonly format: ExportFormat;
  readonly file: string;
  readonly state: 'running' | 'done' | 'failed' | 'cancelled';
  readonly startedAt: string;
  /** Why it failed. The unfinished file was removed. */
  readonly error?: ErrorReport;
}
