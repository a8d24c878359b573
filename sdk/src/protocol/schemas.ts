import { z } from 'zod';
import type { DriverErrorCode, DriverErrorDetails } from '../errors.ts';
import { DRIVER_ERRORS } from '../errors.ts';
import type { Finding, Settings } from '../driver.ts';
import type { Cell } from '../model/cell.ts';
import type { Ability, Column, ColumnKind } from '../model/column.ts';
import type { Filter } from '../model/filter.ts';
import { FILTER_OPERATORS } from '../model/filter.ts';
import type { BatchColumn, PageHead, PageRequest } from '../model/page.ts';
import type { Sort } from '../model/sort.ts';
import type { PermittedStatement, ResultEvent, Statement, StatementClassification } from '../model/statement.ts';
import {
  driverTextListSchema,
  driverTextsSchema,
  droppedSortSchema,
  messageSchema as message,
  nameSchema as name,
  safeCountSchema as safeCount,
} from './commonSchemas.ts';
import { deferredSchema } from './deferredSchema.ts';
import {
  columnGenerationSchema,
  commentSchema,
  expressionSchema,
  tableIndexSchema,
  tableTriggerSchema,
} from './structureSchemas.ts';
import type { ForeignKey, ReferringKey, RowCount, TableDescription, TableRef, TableSummary } from '../model/table.ts';

// Values that cross between host and driver process, checked on arrival. Each schema is held to the documented type of the model.
// Bounds are there because the other side may be hostile: names of 1,000 characters, messages of 4,000, lists of 100,000.

/** Column kinds of this contract; a newer driver's kind is read as text. */
export const columnKindSchema: z.ZodType<ColumnKind> = deferredSchema(() =>
  z
    .enum([
      'text',
      'integer',
      'decimal',
      'boolean',
      'date',
      'time',
      'timestamp',
      'interval',
      'uuid',
      'enum',
      'array',
      'range',
      'vector',
      'bytes',
      'json',
      'geo',
    ])
    .catch('text'),
);

/** Checks a {@link TableRef}. */
export const tableRefSchema: z.ZodType<TableRef> = deferredSchema(() =>
  z.object({ namespace: z.array(name).max(8), name: name.min(1) }),
);

/** Checks a {@link RowCount}. */
export const rowCountSchema: z.ZodType<RowCount> = deferredSchema(() => z.object({ rows: safeCount, exact: z.boolean() }));

/** Checks a {@link TableSummary}. */
export const tableSummarySchema: z.ZodType<TableSummary> = deferredSchema(() =>
  z.object({
    ref: tableRefSchema,
    kind: z.enum(['table', 'view', 'materializedView']).catch('table'),
    count: rowCountSchema.optional(),
    aliasOf: tableRefSchema.optional(),
    partOf: tableRefSchema.optional(),
  }),
);

/** Checks a {@link Ability}. */
export const abilitySchema: z.ZodType<Ability> = deferredSchema(() =>
  z.discriminatedUnion('allowed', [
    z.object({ allowed: z.literal(true) }),
    z.object({ allowed: z.literal(false), reason: message, texts: driverTextsSchema.optional() }),
  ]),
);

/** A JSON number that takes no time to compare. */
const numeral = z
  .string()
  .max(400)
  .regex(/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,9})?$/, 'Use a JSON number.');

/** Checks a {@link Column}. */
export const columnSchema: z.ZodType<Column> = deferredSchema(() =>
  z.object({
    name,
    kind: columnKindSchema,
    type: name,
    nullable: z.boolean(),
    required: z.boolean().optional(),
    quantity: z.boolean().optional(),
    range: z.object({ least: numeral, greatest: numeral }).optional(),
    specialValues: z.array(z.string().min(1).max(40)).max(8).optional(),
    values: z.array(z.string().max(1_000)).min(1).max(1_000).optional(),
    default: expressionSchema.optional(),
    generated: columnGenerationSchema.optional(),
    comment: commentSchema.optional(),
    editable: abilitySchema,
    sortable: abilitySchema,
    filterClass: z.string().max(40).optional(),
    marks: z
      .array(z.object({ label: z.string().min(1).max(40), meaning: z.string().max(400), texts: driverTextsSchema.optional() }))
      .max(12)
      .optional(),
    note: message.optional(),
    texts: driverTextsSchema.optional(),
  }),
);

/** Checks a {@link ForeignKey}. */
export const foreignKeySchema: z.ZodType<ForeignKey> = deferredSchema(() =>
  z
    .object({
      name: name.optional(),
      columns: z.array(name).min(1).max(64),
      references: tableRefSchema,
      referencedColumns: z.array(name).min(1).max(64),
    })
    .refine(({ columns, referencedColumns }) => columns.length === referencedColumns.length, {
      message: 'A foreign key refers to as many columns as it has.',
    }),
);

/** Checks a {@link ReferringKey}. */
export const referringKeySchema: z.ZodType<ReferringKey> = deferredSchema(() =>
  z
    .object({
      name: name.optional(),
      table: tableRefSchema,
      columns: z.array(name).min(1).max(64),
      referencedColumns: z.array(name).min(1).max(64),
    })
    .refine(({ columns, referencedColumns }) => columns.length === referencedColumns.length, {
      message: 'A foreign key refers to as many columns as it has.',
    }),
);

/** Checks the sorts of a read. */
export const sortsSchema: z.ZodType<readonly Sort[]> = deferredSchema(() =>
  z.array(z.object({ column: name, direction: z.enum(['ascending', 'descending']) })).max(100),
);

/** Checks a {@link TableDescription}. */
export const tableDescriptionSchema: z.ZodType<TableDescription> = deferredSchema(() =>
  z.object({
    ref: tableRefSchema,
    kind: z.enum(['table', 'view', 'materializedView']).catch('table'),
    columns: z.array(columnSchema).max(10_000),
    key: z.array(name).max(64),
    foreignKeys: z.array(foreignKeySchema).max(1_000).optional(),
    referredBy: z.array(referringKeySchema).max(1_000).optional(),
    indexes: z.array(tableIndexSchema).max(1_000).optional(),
    triggers: z.array(tableTriggerSchema).max(1_000).optional(),
    defaultSort: sortsSchema.optional(),
    comment: commentSchema.optional(),
    uncertainRead: z.string().min(1).max(1_000).optional(),
    paging: z.enum(['offset', 'cursor']),
    readsFromEnd: z.boolean(),
    notes: z.array(message).max(100),
    noteTexts: driverTextListSchema.optional(),
    identity: z.string().max(1_000).optional(),
    definition: z.object({ language: z.string().max(40), text: z.string().max(4_000_000) }).optional(),
  }),
);

/** Checks a {@link Filter}. */
export const filterSchema: z.ZodType<Filter> = deferredSchema(() =>
  z.object({
    match: z.enum(['all', 'any']),
    conditions: z
      .array(z.object({ column: name, operator: z.enum(FILTER_OPERATORS), values: z.array(z.string().max(100_000)).max(10_000) }))
      .max(1_000),
    raw: z.string().max(1_000_000).optional(),
    matchCase: z.boolean().optional(),
  }),
);

/** Checks the columns that a read asks for. */
export const columnNamesSchema: z.ZodType<readonly string[]> = deferredSchema(() => z.array(name).max(10_000));

/** Checks a {@link PageRequest}. */
export const pageRequestSchema: z.ZodType<PageRequest> = deferredSchema(() =>
  z.object({
    table: tableRefSchema,
    filter: filterSchema,
    sorts: sortsSchema,
    position: z.discriminatedUnion('from', [
      z.object({ from: z.literal('start') }),
      z.object({ from: z.literal('offset'), offset: safeCount }),
      z.object({ from: z.literal('cursor'), cursor: z.string().max(10_000) }),
      z.object({ from: z.literal('end') }),
    ]),
    limit: z.number().int().min(1).max(10_000),
    columns: columnNamesSchema.optional(),
    placeholders: z.object({ over: safeCount }).optional(),
  }),
);

/** Checks a {@link PageHead}. */
export const pageHeadSchema: z.ZodType<PageHead> = deferredSchema(() =>
  z.object({
    rowCount: z.number().int().min(0).max(10_000),
    nextCursor: z.string().max(10_000).optional(),
    atEnd: z.boolean(),
    total: rowCountSchema.optional(),
    droppedSorts: z.array(droppedSortSchema).max(100),
    serverMilliseconds: z.number().min(0).optional(),
  }),
);

/** Checks a {@link Cell}. */
export const cellSchema: z.ZodType<Cell> = deferredSchema(() =>
  z.union([
    z.null(),
    z.boolean(),
    z.number(),
    z.string(),
    z.tuple([z.literal('absent')]),
    z.tuple([z.enum(['number', 'text', 'json', 'bytes']), z.string()]),
    z.tuple([z.literal('boolean'), z.enum(['true', 'false'])]),
  ]),
);

/** Checks a {@link BatchColumn}. */
export const batchColumnSchema: z.ZodType<BatchColumn> = deferredSchema(() => z.object({ name, kind: columnKindSchema }));

/** Checks a {@link Statement}. */
export const statementSchema: z.ZodType<Statement> = deferredSchema(() =>
  z.object({ text: z.string(), start: safeCount, end: safeCount }),
);

/** Checks a {@link StatementClassification}. */
export const statementClassificationSchema: z.ZodType<StatementClassification> = deferredSchema(() =>
  z.object({
    effect: z.enum(['read', 'write', 'destructive']),
    tables: z.array(tableRefSchema).max(1_000),
    summary: message,
    holdsSecret: z.boolean().optional(),
    unknown: z.boolean().optional(),
    newSecret: z.enum(['inAnswer', 'inStatement']).optional(),
    everyRowOf: tableRefSchema.optional(),
  }),
);

/** Checks a {@link PermittedStatement}. */
export const permittedStatementSchema: z.ZodType<PermittedStatement> = deferredSchema(() =>
  z.object({
    effect: z.enum(['read', 'write', 'destructive']),
    unknown: z.boolean().optional(),
    tables: z.array(tableRefSchema).max(1_000).optional(),
    everyRowOf: tableRefSchema.optional(),
  }),
);

/** Checks a {@link ResultEvent}. */
export const resultEventSchema: z.ZodType<ResultEvent> = deferredSchema(() =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('rowsBegin'), columns: z.array(batchColumnSchema).max(10_000) }),
    z.object({ type: z.literal('rows'), rows: z.array(z.array(cellSchema)).max(100_000) }),
    z.object({ type: z.literal('text'), mediaType: z.enum(['application/json', 'text/plain']), text: z.string() }),
    z.object({
      type: z.literal('done'),
      affectedRows: safeCount.optional(),
      truncated: z.boolean(),
      status: message.optional(),
      milliseconds: z.number().min(0),
      whole: z.string().optional(),
      wholeLeftOut: z.boolean().optional(),
      label: z.string().max(200).optional(),
    }),
  ]),
);

/** Checks a {@link Settings}. */
export const settingsSchema: z.ZodType<Settings> = deferredSchema(() =>
  z.record(z.string().max(40), z.union([z.string().max(100_000), z.number(), z.boolean()])),
);

/** Checks a {@link Finding}. */
export const findingSchema: z.ZodType<Finding> = deferredSchema(() =>
  z.object({
    label: z.string().max(80),
    outcome: z.enum(['ok', 'warning', 'failed']),
    message,
    texts: driverTextsSchema.optional(),
  }),
);

/** Checks what a session says of its server. */
export const serverInfoSchema = deferredSchema(() =>
  z.object({ product: z.string().max(200), version: z.string().max(200).optional() }),
);

/** Checks a {@link DriverErrorCode}. */
export const driverErrorCodeSchema: z.ZodType<DriverErrorCode> = deferredSchema(() =>
  z.enum(Object.keys(DRIVER_ERRORS) as [DriverErrorCode, ...DriverErrorCode[]]),
);

/** Checks a {@link DriverErrorDetails}. */
export const errorDetailsSchema: z.ZodType<DriverErrorDetails> = deferredSchema(() =>
  z.object({
    request: z.string().max(2_000).optional(),
    status: z.string().max(200).optional(),
    serverMessage: z.string().max(2_000).optional(),
    advice: z.string().max(2_000).optional(),
    field: name.optional(),
    offset: safeCount.optional(),
    rows: z.object({ got: safeCount, counted: safeCount }).optional(),
    cannotResume: z.literal(true).optional(),
    texts: driverTextsSchema.optional(),
  }),
);

/** An error on the wire. An unknown code is read as DRIVER_FAULT. */
export const wireErrorSchema = deferredSchema(() =>
  z.object({
    code: driverErrorCodeSchema.catch('DRIVER_FAULT'),
    message,
    details: errorDetailsSchema.default({}),
  }),
);
/** An error as it travels. */
export type WireError = z.output<typeof wireErrorSchema>;
