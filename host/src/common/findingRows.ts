import { filterSchema, tableRefSchema } from '@tabularium/sdk/protocol';
import { z } from 'zod';
import { errorReportSchema } from './errorReport.ts';
import { openingEvents } from './opening.ts';
import type { Shape } from './shape.ts';

/** Characters of the text to find. */
export const LONGEST_FIND_TEXT = 1_000;
/** Rows that are shown of one table at most. */
export const MOST_ROWS_PER_TABLE = 100;
export const DEFAULT_ROWS_PER_TABLE = 10;
/** Seconds that one table may take at most. */
export const MOST_SECONDS_PER_TABLE = 3_600;
export const DEFAULT_SECONDS_PER_TABLE = 20;
/** Tables that can be chosen one by one. */
const MOST_CHOSEN_TABLES = 100_000;

/** The tables to look in. */
export const findScopeSchema = z.discriminatedUnion('in', [
  z.object({ in: z.literal('all') }),
  /** Every table whose namespace begins with these names: a schema, or a database with all its schemas. */
  z.object({ in: z.literal('namespace'), namespace: z.array(z.string().max(1_000)).min(1).max(8) }),
  z.object({ in: z.literal('tables'), tables: z.array(tableRefSchema).min(1).max(MOST_CHOSEN_TABLES) }),
]);
export type FindScope = Shape<typeof findScopeSchema>;

/** Options of a search for rows that have a default. */
const findOptions = {
  /** `exact`: the whole value is the text. */
  match: z.enum(['contains', 'exact']).default('contains'),
  matchCase: z.boolean().default(false),
  rowsPerTable: z.number().int().min(1).max(MOST_ROWS_PER_TABLE).default(DEFAULT_ROWS_PER_TABLE),
  secondsPerTable: z.number().int().min(1).max(MOST_SECONDS_PER_TABLE).default(DEFAULT_SECONDS_PER_TABLE),
};

const findTextSchema = z
  .string()
  .max(LONGEST_FIND_TEXT)
  .refine((text) => text.trim() !== '', 'Enter a text to find.')
  .refine((text) => !text.includes('\0'), 'The text has a zero character, which no table can be asked for.');

/** A text to find in the rows of a connection's tables. Every character means itself. */
export const findRowsSchema = z.object({
  connectionId: z.uuid(),
  text: findTextSchema,
  scope: findScopeSchema,
  ...findOptions,
});
export type FindRows = Shape<typeof findRowsSchema>;
export type FindMatch = FindRows['match'];

/** A stretch of a cell's text. */
const foundPartSchema = z.object({ text: z.string(), isMatch: z.boolean() });
export type FoundPart = Shape<typeof foundPartSchema>;

/** A cell of a found row, cut to the surroundings of its first match. */
export const foundCellSchema = z.object({ column: z.string(), parts: z.array(foundPartSchema) });
export type FoundCell = Shape<typeof foundCellSchema>;

export const foundRowSchema = z.object({
  /** The cells of the table's key; of its first columns where it has none, as most views. */
  key: z.array(foundCellSchema),
  /** Those that hold the text. Where the database finds it otherwise than letter by letter, some that it compared. */
  cells: z.array(foundCellSchema),
  /** Further cells that hold the text. */
  moreCells: z.number().int(),
});
export type FoundRow = Shape<typeof foundRowSchema>;

/** How one table answered. */
export const tableOutcomeSchema = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('found'),
    rows: z.array(foundRowSchema).min(1),
    /** Whether there are more rows than these. */
    hasMore: z.boolean(),
    /** Finds these rows, and all others that are meant. */
    filter: filterSchema,
  }),
  z.object({ outcome: z.literal('nothing') }),
  z.object({ outcome: z.literal('noColumns') }),
  z.object({ outcome: z.literal('tooSlow'), seconds: z.number() }),
  /** It leads to a table that is looked at under its own name. */
  z.object({ outcome: z.literal('alias'), of: tableRefSchema }),
  /** All its rows are those of a table that is looked at as a whole. */
  z.object({ outcome: z.literal('part'), of: tableRefSchema }),
  z.object({ outcome: z.literal('failed'), error: errorReportSchema }),
]);
export type TableOutcome = Shape<typeof tableOutcomeSchema>;

/** Columns that could hold the text and were not compared. */
export const uncomparedColumnsSchema = z.object({
  /** The first of them. */
  names: z.array(z.string()),
  count: z.number().int(),
  /** Why the driver refused one of them. */
  error: errorReportSchema.optional(),
});
export type UncomparedColumns = Shape<typeof uncomparedColumnsSchema>;

const findingEvents = [
  /** The first event: all tables that are looked at, in their order. */
  z.object({
    type: z.literal('tables'),
    tables: z.array(tableRefSchema),
    /** Namespaces whose tables aren't among them, because they can't be listed; absent where all can. */
    refused: z.array(z.object({ namespace: z.array(z.string()), error: errorReportSchema })).optional(),
  }),
  z.object({
    type: z.literal('table'),
    /** Its place among the tables. Two are asked at a time, so places may come out of order. */
    place: z.number().int(),
    outcome: tableOutcomeSchema,
    uncompared: uncomparedColumnsSchema.optional(),
  }),
] as const;

export const findRowsEventSchema = z.discriminatedUnion('type', findingEvents);
export type FindRowsEvent = Shape<typeof findRowsEventSchema>;

const writtenName = z.string().min(1).max(9_000);

/** The search for rows that the command line asks for: tables are named as it prints them. */
export const findNamedRowsSchema = z.object({
  connectionId: z.uuid(),
  text: findTextSchema,
  /** None: all tables. */
  tables: z.array(writtenName).max(1_000),
  /** Their names joined by dots; none: those of all. */
  namespaces: z.array(writtenName).max(1_000),
  ...findOptions,
});

export const findNamedRowsEventSchema = z.discriminatedUnion('type', [...openingEvents, ...findingEvents]);
export type FindNamedRowsEvent = Shape<typeof findNamedRowsEventSchema>;
