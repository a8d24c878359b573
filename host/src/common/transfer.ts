import { batchColumnSchema, cellSchema, filterSchema, rowCountSchema, tableRefSchema } from '@tabularium/sdk/protocol';
import { NO_FILTER } from '@tabularium/sdk';
import { z } from 'zod';
import { errorReportSchema } from './errorReport.ts';
import { openingEvents } from './opening.ts';
import type { Shape } from './shape.ts';

// Exports to files. They belong to the host, not to a window: they continue when a tab or a window closes.

export const exportFormatSchema = z.enum(['jsonl', 'json', 'csv']);
export type ExportFormat = z.output<typeof exportFormatSchema>;

export const csvOptionsSchema = z.object({
  /** A first line with the columns' names. */
  header: z.boolean().default(true),
  /** Puts an apostrophe before text that a spreadsheet would take for a formula. Changes the data, so it is off by default. */
  guardFormulas: z.boolean().default(false),
});
export type CsvOptions = z.output<typeof csvOptionsSchema>;

/** The treatment of a file whose number of rows differs from the database's own count: ask the person in the window, keep it, or fail. */
export const whenRowsDifferSchema = z.enum(['ask', 'keep', 'fail']);
export type WhenRowsDiffer = z.output<typeof whenRowsDifferSchema>;

const form = {
  format: exportFormatSchema,
  csv: csvOptionsSchema.default({ header: true, guardFormulas: false }),
};
const target = {
  ...form,
  /** An absolute path. */
  file: z.string().min(1).max(4_000),
  /** Replace a file that exists. */
  overwrite: z.boolean().default(false),
};
const matching = {
  connectionId: z.uuid(),
  table: tableRefSchema,
  filter: filterSchema.default(NO_FILTER),
  /** In this order; left out: all columns, also those that the table's description does not name. */
  columns: z.array(z.string().max(1_000)).min(1).max(10_000).optional(),
  whenRowsDiffer: whenRowsDifferSchema.default('fail'),
};
const given = {
  connectionId: z.uuid(),
  table: tableRefSchema,
  columns: z.array(batchColumnSchema).min(1).max(10_000),
  rows: z.array(z.array(cellSchema).max(10_000)).max(10_000),
};

/** Exports what a filter lets pass, read from the server again. */
export const startExportSchema = z.object({ ...matching, ...target });
export type StartExport = z.output<typeof startExportSchema>;

/** Writes rows that the window holds, such as the selected ones. */
export const exportRowsSchema = z.object({ ...given, ...target });
export type ExportRows = z.output<typeof exportRowsSchema>;

/** Where the window asks for an export that it saves itself. The answer is the content of the file; one that breaks off is not the whole of it. */
export const WINDOW_EXPORT_PATH = '/api/export';

/** The name of a file whose folder the host is not given, because a person chose it in the browser's own dialog. */
const windowTarget = { ...form, name: z.string().min(1).max(300) };
/** Either of the two exports, for {@link WINDOW_EXPORT_PATH}. */
export const windowExportSchema = z.union([
  z.strictObject({ ...given, ...windowTarget }),
  z.strictObject({ ...matching, ...windowTarget }),
]);
export type WindowExport = z.output<typeof windowExportSchema>;

export const transferIdSchema = z.object({ id: z.uuid() });
/** A decision about an export whose state is `undecided`. */
export const decideTransferSchema = z.object({ id: z.uuid(), decision: z.enum(['keep', 'delete']) });
export type TransferDecision = z.output<typeof decideTransferSchema>['decision'];
export const suggestFileSchema = z.object({ table: tableRefSchema, format: exportFormatSchema });

/** How far an export is. */
export const exportProgressSchema = z.object({
  rows: z.number(),
  /** Written to the file so far. */
  bytes: z.number(),
  /** Over the last seconds while it runs, over all of it at the end. */
  bytesPerSecond: z.number(),
  /** How many rows there should be, where that is known. */
  expected: rowCountSchema.optional(),
  milliseconds: z.number(),
});
export type ExportProgress = Shape<typeof exportProgressSchema>;

/** Two counts of the rows of an export that differ, all of those that the database sent being in the file. */
export const rowsDifferenceSchema = z.object({
  /** In the file. */
  got: z.number().int().min(0),
  /** By the database's own count after the export. */
  counted: z.number().int().min(0),
});

/** One export: running, waiting for a decision, or ended and not yet cleared from the list. */
export const transferInfoSchema = exportProgressSchema.extend({
  id: z.string(),
  connectionId: z.string(),
  table: tableRefSchema,
  format: exportFormatSchema,
  /** Its path; its name alone where the window saves it. */
  file: z.string(),
  /** Absent for a file that the host writes. */
  savedBy: z.literal('window').optional(),
  /** `undecided`: the file is whole and under its name and `.part`, or in its window, but {@link rowsDifferenceSchema its rows differ}, so somebody is asked. */
  state: z.enum(['running', 'undecided', 'done', 'failed', 'cancelled']),
  /** It runs, and other exports of its connection are first: at most four read at a time. */
  isWaiting: z.literal(true).optional(),
  startedAt: z.string(),
  /** Also after the decision. */
  rowsDiffer: rowsDifferenceSchema.optional(),
  /** The one who is asked while it is `undecided`. */
  asked: z.enum(['window', 'command']).optional(),
  /** Why it failed. The unfinished file was removed. */
  error: errorReportSchema.optional(),
});
export type TransferInfo = Shape<typeof transferInfoSchema>;

/** An export that has ended well. */
export const exportResultSchema = exportProgressSchema.extend({
  file: z.string(),
  format: exportFormatSchema,
  /** Its name with what contains it, joined by dots. */
  table: z.string(),
  /** The file was kept although they differ. */
  rowsDiffer: rowsDifferenceSchema.optional(),
});
export type ExportAnswer = Shape<typeof exportResultSchema>;

/** The events of an export of the command line. `exported` is the last one. */
export const exportStepSchema = z.discriminatedUnion('type', [
  ...openingEvents,
  z.object({ type: z.literal('export'), progress: exportProgressSchema }),
  /** Waits for `exports.decide` with this id. */
  z.object({ type: z.literal('undecided'), id: z.uuid(), file: z.string(), rowsDiffer: rowsDifferenceSchema }),
  z.object({ type: z.literal('exported'), result: exportResultSchema }),
]);
export type ExportStep = Shape<typeof exportStepSchema>;
