import {
  driverTextsSchema,
  importFormSchema,
  importModeIdSchema,
  plannedChangeSchema,
  rowCountSchema,
  tableDefinitionSchema,
  tableRefSchema,
} from '@tabularium/sdk/protocol';
import { z } from 'zod';
import { errorReportSchema } from './errorReport.ts';
import { openingEvents } from './opening.ts';
import type { Shape } from './shape.ts';

// Imports of files. They belong to the host, not to a window: they continue when a tab or a window closes.

/** `rejected`: what an import wrote about the rows that were rejected. */
export const importFileFormatSchema = z.enum(['jsonl', 'json', 'csv', 'rejected']);
export type ImportFileFormat = z.output<typeof importFileFormatSchema>;

export const importFormatSchema = z.object({
  format: importFileFormatSchema,
  gzip: z.boolean(),
  /** Of csv. */
  separator: z.enum([',', ';', '\t', '|']).default(','),
  /** csv: the first line has the names of the columns. */
  header: z.boolean().default(true),
});
export type ImportFormat = z.output<typeof importFormatSchema>;

/** The part of it that a person chose; the rest is detected. */
export const importFormatChoiceSchema = z.object({
  format: importFileFormatSchema.optional(),
  gzip: z.boolean().optional(),
  separator: z.enum([',', ';', '\t', '|']).optional(),
  header: z.boolean().optional(),
});
export type ImportFormatChoice = z.output<typeof importFormatChoiceSchema>;

/** How a value becomes JSON. `list`: texts between commas. */
export const importFieldTypeSchema = z.enum(['text', 'integer', 'decimal', 'boolean', 'json', 'list']);
export type ImportFieldType = z.output<typeof importFieldTypeSchema>;

export const importFieldSchema = z.object({
  /** The name in the file. */
  source: z.string().max(1_000),
  /** The name in the table; null leaves it out. */
  target: z.string().min(1).max(1_000).nullable(),
  /** Absent: as it is; in csv, text. */
  type: importFieldTypeSchema.optional(),
});
export type ImportField = z.output<typeof importFieldSchema>;

/** Absent: rows go as they are, csv by the names and types that were detected. Members that it doesn't name go as they are. */
export const importMappingSchema = z.array(importFieldSchema).max(10_000).optional();

/** The rows: of a file by its path, of one sent by a window, those that an import rejected, or those of a table, which are copied. */
export const importSourceSchema = z.discriminatedUnion('is', [
  /** An absolute path. */
  z.object({ is: z.literal('file'), path: z.string().min(1).max(4_000) }),
  z.object({ is: z.literal('upload'), id: z.uuid() }),
  z.object({ is: z.literal('rejected'), id: z.uuid() }),
  z.object({ is: z.literal('table'), connectionId: z.uuid(), table: tableRefSchema }),
]);
export type ImportSource = z.output<typeof importSourceSchema>;

/** Bytes of one piece of a file that a window sends. */
export const LARGEST_PIECE = 4 * 1024 * 1024;
/** Where the window sends pieces: `POST` with the id of the upload and the offset of the piece. */
export const UPLOAD_PATH = '/api/import';
export const uploadQuerySchema = z.object({ id: z.uuid(), offset: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER) });
export const openUploadSchema = z.object({
  name: z.string().max(300),
  bytes: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
});
export const uploadSchema = z.object({ id: z.uuid() });

const target = { connectionId: z.uuid(), table: tableRefSchema };
const what = {
  ...target,
  source: importSourceSchema,
  /** Absent: detected. */
  format: importFormatChoiceSchema.optional(),
  mapping: importMappingSchema,
  /** Absent: the first of the form. */
  mode: importModeIdSchema.optional(),
};

/** Rows of a preview. */
export const PREVIEWED_ROWS = 100;

export const previewRowImportSchema = z.object({
  ...what,
  /** The table is to be created. */
  create: z.boolean().default(false),
});
export type PreviewRowImport = z.output<typeof previewRowImportSchema>;

export const previewRowSchema = z.object({
  line: z.number(),
  /** The values of the columns, as text; shortened. A value that the row lacks is null. */
  cells: z.array(z.string().nullable()),
  /** The document that would be sent; shortened. */
  sent: z.string().optional(),
  /** Why it would be rejected. */
  problem: z.object({ message: z.string(), texts: driverTextsSchema.optional(), column: z.string().optional() }).optional(),
});
export type PreviewRow = Shape<typeof previewRowSchema>;

/** Parts of a table that a copy of it doesn't get: the names of some, and how many there are. */
export const leftOutSchema = z.object({
  part: z.enum(['identity', 'computed', 'defaults', 'foreignKeys', 'indexes', 'triggers', 'comments']),
  names: z.array(z.string()),
  count: z.number(),
});
export type LeftOut = z.output<typeof leftOutSchema>;

export const rowImportPreviewSchema = z.object({
  name: z.string(),
  /** Of the file. */
  bytes: z.number(),
  format: importFormatSchema,
  /** The names in the file, with what was detected for them. */
  fields: z.array(importFieldSchema),
  rows: z.array(previewRowSchema),
  /** Whether rows go to the server unparsed. */
  isSpliced: z.boolean(),
  /** Of a table that is there. */
  form: importFormSchema.optional(),
  /** Names of the table's columns. */
  columns: z.array(z.string()),
  /** For a table that is to be created. */
  definition: tableDefinitionSchema.optional(),
  /** Why no definition could be proposed: other names or types of the columns may do. `details.field` is the column's. */
  definitionProblem: errorReportSchema.optional(),
  /** A mapping without which the table would reject each of these rows: numbers where it has text. */
  suggested: importMappingSchema,
  /** Of a copy. */
  copy: z
    .object({
      /** Of the connection whose rows are copied. */
      connection: z.string(),
      /** Rows of the source, and of the table that they go to; absent where they can't be counted. */
      rows: rowCountSchema.optional(),
      rowsThere: rowCountSchema.optional(),
      /** The definition is that of the source. */
      isLike: z.boolean(),
      /** Of a new table. */
      leftOut: z.array(leftOutSchema).optional(),
      /** The name to type before rows go into a table that is there. */
      confirm: z.string().optional(),
    })
    .optional(),
});
export type RowImportPreview = Shape<typeof rowImportPreviewSchema>;

/** The namespaces in which a table can be made, the default one first; empty where tables are in none. */
export const newTableNamespacesSchema = z.array(z.array(z.string()));
export type NewTableNamespaces = Shape<typeof newTableNamespacesSchema>;

export const planTableSchema = z.object({ ...target, definition: tableDefinitionSchema });
export type PlanTable = z.output<typeof planTableSchema>;
export { plannedChangeSchema };

export const startImportSchema = z.object({
  ...what,
  /** The table is created by it first. */
  definition: tableDefinitionSchema.optional(),
  /** The name of the table that is there, typed by the person; wanted for a copy. */
  typedName: z.string().max(1_000).optional(),
});
export type StartImport = z.output<typeof startImportSchema>;

export const importIdSchema = z.object({ id: z.uuid() });
export const resumeImportSchema = z.object({
  id: z.uuid(),
  /** The treatment of rows that may or may not have been written, where the mode would double them. */
  uncertain: z.enum(['repeat', 'skip']).optional(),
  /** Continues in a table that is another one by now, or lacks rows that were written. */
  otherTable: z.literal(true).optional(),
});
export type ResumeImport = z.output<typeof resumeImportSchema>;

/** How far an import is. */
const importProgressSchema = z.object({
  /** Rows that have an outcome. */
  read: z.number(),
  written: z.number(),
  rejected: z.number(),
  /** Of the file, up to the last row that has an outcome: `read` and `bytes` say the same. */
  bytes: z.number(),
  totalBytes: z.number(),
  /** Over the last seconds while it runs, over all of it at the end. */
  rowsPerSecond: z.number(),
  milliseconds: z.number(),
  /** Until the end, by the speed so far. */
  remainingMilliseconds: z.number().optional(),
});

/** One import: in progress, interrupted, or ended and not yet cleared from the list. */
export const importInfoSchema = importProgressSchema.extend({
  id: z.string(),
  connectionId: z.string(),
  table: tableRefSchema,
  /** Of the file, or of the table that is copied. */
  name: z.string(),
  /** Of a copy: where its rows come from. */
  from: z.object({ connectionId: z.string(), table: tableRefSchema }).optional(),
  /** While the rows of a copy are read. */
  reading: z.object({ rows: z.number(), expected: rowCountSchema.optional() }).optional(),
  /** Of a copy: its table's own count was another one than the rows that were read. */
  rowsDiffer: z.object({ counted: z.number(), got: z.number() }).optional(),
  mode: z.string(),
  /** Of a table that the import made and that no row came into: it is there and empty, or was removed when the import was cancelled. */
  newTable: z.enum(['empty', 'removed']).optional(),
  /** csv: columns whose name was in the first line before, as they are called now, such as `title (2)`. */
  renamed: z.array(z.string()).optional(),
  /** Names of the mapping that no row has; known at the end. */
  unmet: z.array(z.string()).optional(),
  /** `interrupted`: it can be resumed. `reading`: the rows of a copy are read, and none is written yet. */
  state: z.enum(['reading', 'running', 'pausing', 'paused', 'interrupted', 'done', 'cancelled']),
  startedAt: z.string(),
  /** Rows that were sent and have no outcome. */
  uncertain: z.number().optional(),
  /** The table is another one than the import began with, both as `TableDescription.identity` says them: rows that were written may be missing. */
  otherTable: z.object({ began: z.string(), now: z.string() }).optional(),
  /** So many of the rows that were written are not in the table any more, at least. */
  missing: z.number().optional(),
  /** It can't be resumed: its file has changed or is gone. */
  cannotResume: z.literal(true).optional(),
  /** Why it stopped. */
  error: errorReportSchema.optional(),
  /** The first reasons of rejected rows. */
  reasons: z.array(z.object({ line: z.number(), message: z.string(), texts: driverTextsSchema.optional() })),
  /** A file with the rejected rows and their reasons. */
  rejectedFile: z.string().optional(),
});
export type ImportInfo = Shape<typeof importInfoSchema>;

/** An import that has ended, for the command line. */
export const importResultSchema = z.object({
  read: z.number(),
  written: z.number(),
  rejected: z.number(),
});

/** The events of an import of the command line. `imported` is the last one. */
export const importStepSchema = z.discriminatedUnion('type', [
  ...openingEvents,
  z.object({ type: z.literal('import'), progress: importInfoSchema }),
  z.object({ type: z.literal('imported'), result: importInfoSchema }),
]);
export type ImportStep = Shape<typeof importStepSchema>;
