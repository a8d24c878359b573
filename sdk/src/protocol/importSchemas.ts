import { z } from 'zod';
import type {
  ImportAnswer,
  ImportForm,
  ImportMode,
  WriteOutcome,
  RowOutcome,
  ImportProblem,
  ImportSplice,
  ImportTarget,
} from '../facets/import.ts';
import type { TableRef } from '../model/table.ts';
import { driverTextsSchema, messageSchema as message, nameSchema as name } from './commonSchemas.ts';
import { deferredSchema } from './deferredSchema.ts';
import { tableRefSchema } from './schemas.ts';

// Values of the facet `import`, held to the documented types.

/** At most this many rows travel in one call. */
export const MOST_IMPORT_ROWS = 10_000;
/** Characters of one row. */
export const LARGEST_IMPORT_ROW = 8 * 1024 * 1024;
/** At most this many namespaces are listed for a new table. */
const MOST_NAMESPACES = 10_000;
/** Lines of one part of an answer. */
const MOST_LINES = 10_000;

const statementText = deferredSchema(() => z.string().min(1).max(4_000_000));

/** Checks the namespaces in which a table can be made. */
export const importNamespacesSchema: z.ZodType<readonly TableRef['namespace'][]> = deferredSchema(() =>
  z.array(z.array(name).min(1).max(8)).min(1).max(MOST_NAMESPACES),
);

/** The id of an {@link ImportMode}. */
export const importModeIdSchema = deferredSchema(() => z.string().regex(/^[a-z0-9-]{1,40}$/));

/** Checks an {@link ImportMode}. */
export const importModeSchema: z.ZodType<ImportMode> = deferredSchema(() =>
  z.object({
    id: importModeIdSchema,
    label: z.string().min(1).max(200),
    help: message,
    effect: z.enum(['write', 'destructive']),
    repeated: z.enum(['same', 'reported']),
    text: statementText,
    texts: driverTextsSchema.optional(),
  }),
);

/** Checks an {@link ImportForm}. */
export const importFormSchema: z.ZodType<ImportForm> = deferredSchema(() =>
  z.object({
    modes: z.array(importModeSchema).min(1).max(10),
    language: z.string().max(40),
    key: z.array(name).max(64),
  }),
);

/** Checks an {@link ImportTarget}. */
export const importTargetSchema: z.ZodType<ImportTarget> = deferredSchema(() =>
  z.object({ table: tableRefSchema, mode: importModeIdSchema }),
);

/** Checks rows: each is the text of a JSON object in one line. */
export const importRowsSchema: z.ZodType<readonly string[]> = deferredSchema(() =>
  z.array(z.string().max(LARGEST_IMPORT_ROW)).max(MOST_IMPORT_ROWS),
);

/** Checks an {@link ImportProblem}. */
export const importProblemSchema: z.ZodType<ImportProblem> = deferredSchema(() =>
  z.object({
    index: z
      .number()
      .int()
      .min(0)
      .max(MOST_IMPORT_ROWS - 1),
    message,
    texts: driverTextsSchema.optional(),
    column: name.optional(),
  }),
);

const rejectedSchema = deferredSchema(() =>
  z.object({
    outcome: z.literal('rejected'),
    message,
    texts: driverTextsSchema.optional(),
    column: name.optional(),
    present: z.literal(true).optional(),
  }),
);

/** Checks an {@link RowOutcome}. */
const rowOutcomeSchema: z.ZodType<RowOutcome> = deferredSchema(() =>
  z.discriminatedUnion('outcome', [z.object({ outcome: z.literal('written') }), rejectedSchema]),
);

/** Checks an {@link WriteOutcome}. */
export const writeOutcomeSchema: z.ZodType<WriteOutcome> = deferredSchema(() =>
  z.discriminatedUnion('outcome', [
    z.object({ outcome: z.literal('written'), rows: z.number().int().min(1).optional() }),
    rejectedSchema,
  ]),
);

/** Checks an {@link ImportSplice}. */
export const importSpliceSchema: z.ZodType<ImportSplice> = deferredSchema(() =>
  z.object({
    request: z.object({
      method: z.enum(['POST', 'PUT']),
      path: z.string().min(1).max(16_384),
      headers: z.record(z.string().max(60), z.string().max(8_192)).optional(),
    }),
    written: z.string().min(1).max(1_000),
  }),
);

/** Checks an {@link ImportAnswer}. */
export const importAnswerSchema: z.ZodType<ImportAnswer> = deferredSchema(() =>
  z.object({ status: z.number().int().min(100).max(599), lines: z.array(z.string()).max(MOST_LINES) }),
);

/** Checks the outcomes of a part of an answer. */
export const rowOutcomesSchema: z.ZodType<readonly RowOutcome[]> = deferredSchema(() =>
  z.array(rowOutcomeSchema).max(MOST_LINES),
);

/** Checks the definition of a table. */
export const tableDefinitionSchema = statementText;
