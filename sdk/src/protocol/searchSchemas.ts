import { z } from 'zod';
import type {
  RecordedQueries,
  RecordedQueriesRequest,
  SearchAnswer,
  SearchForm,
  SearchOption,
  SearchRequest,
} from '../facets/search.ts';
import {
  driverTextListSchema,
  driverTextsSchema,
  droppedSortSchema,
  messageSchema,
  nameSchema,
  safeCountSchema,
} from './commonSchemas.ts';
import { deferredSchema } from './deferredSchema.ts';
import { describedRequestSchema, rowKeySchema } from './facetSchemas.ts';
import { filterSchema, sortsSchema, tableRefSchema } from './schemas.ts';

// Values of the search facet's calls, held to the documented types. Bounds as in schemas.ts.

/** Hits of one search at most. */
export const MOST_HITS = 250;
/** Recorded queries of one answer at most. */
export const MOST_RECORDED_QUERIES = 1_000;
const LONGEST_QUERY = 4_000;
const MOST_FIELDS = 1_000;
const MOST_OPTIONS = 100;
const MOST_TABLES = 100;
const MOST_OPTION_TEXT = 20_000;

const label = deferredSchema(() => z.string().max(200));
const optionIdSchema = deferredSchema(() => z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/));
const optionTextSchema = deferredSchema(() => z.string().max(MOST_OPTION_TEXT));
const namesSchema = deferredSchema(() => z.array(nameSchema).max(MOST_FIELDS));

const optionFacts = () => ({
  id: optionIdSchema,
  label,
  help: messageSchema.optional(),
  group: label,
  texts: driverTextsSchema.optional(),
});
const whole = () => z.number().int().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER);

const searchOptionSchema: z.ZodType<SearchOption> = deferredSchema(() =>
  z.discriminatedUnion('type', [
    z.object({ ...optionFacts(), type: z.literal('switch'), default: z.boolean() }),
    z.object({ ...optionFacts(), type: z.literal('number'), default: whole(), minimum: whole(), maximum: whole() }),
    z.object({ ...optionFacts(), type: z.literal('text'), default: optionTextSchema }),
    z.object({
      ...optionFacts(),
      type: z.literal('choice'),
      default: nameSchema,
      choices: z
        .array(z.object({ value: nameSchema, label: nameSchema, texts: driverTextsSchema.optional() }))
        .min(1)
        .max(1_000),
    }),
  ]),
);

/** Checks a {@link SearchForm}. */
export const searchFormSchema: z.ZodType<SearchForm> = deferredSchema(() =>
  z.object({
    fields: z.array(z.object({ name: nameSchema, isDefault: z.boolean() })).max(MOST_FIELDS),
    mostWeight: z.number().int().min(1).max(1_000_000).optional(),
    facets: namesSchema,
    options: z.array(searchOptionSchema).max(MOST_OPTIONS),
    mostTables: z.number().int().min(2).max(MOST_TABLES).optional(),
  }),
);

/** Checks a {@link SearchRequest}. */
export const searchRequestSchema: z.ZodType<SearchRequest> = deferredSchema(() =>
  z.object({
    table: tableRefSchema,
    text: z.string().max(LONGEST_QUERY),
    fields: z.array(z.object({ name: nameSchema, weight: z.number().int().min(0).max(1_000_000).optional() })).max(MOST_FIELDS),
    facets: z.array(nameSchema).max(100),
    filter: filterSchema,
    sorts: sortsSchema,
    options: z
      .record(optionIdSchema, z.union([z.boolean(), whole(), optionTextSchema]))
      .refine((options) => Object.keys(options).length <= MOST_OPTIONS, { error: 'There are too many options.' }),
    offset: safeCountSchema,
    limit: z.number().int().min(1).max(MOST_HITS),
    alsoIn: z
      .array(tableRefSchema)
      .max(MOST_TABLES - 1)
      .optional(),
  }),
);

/** Hosts write a document into their own JSON as it is: a text that isn't JSON would be read as something else there. */
const documentSchema = deferredSchema(() =>
  z.string().max(16_000_000).refine(isJsonObject, { error: 'A document isn’t the text of a JSON object.' }),
);

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** Checks a {@link SearchAnswer}. */
export const searchAnswerSchema: z.ZodType<SearchAnswer> = deferredSchema(() =>
  z.object({
    found: safeCountSchema,
    foundRows: safeCountSchema.optional(),
    outOf: safeCountSchema.optional(),
    serverMilliseconds: z.number().min(0).optional(),
    isCutOff: z.boolean(),
    hits: z
      .array(
        z.object({
          key: rowKeySchema,
          document: documentSchema,
          highlights: z
            .array(
              z.object({
                field: nameSchema,
                parts: z.array(z.object({ text: z.string().max(100_000), isMatch: z.boolean() })).max(10_000),
              }),
            )
            .max(100),
          score: label.optional(),
          explanation: z.array(z.object({ label, value: nameSchema, texts: driverTextsSchema.optional() })).max(50),
          marks: z.array(z.object({ label, detail: messageSchema.optional(), texts: driverTextsSchema.optional() })).max(20),
          group: nameSchema.optional(),
          table: tableRefSchema.optional(),
          isPlaced: z.boolean().optional(),
        }),
      )
      .max(MOST_HITS),
    facets: z
      .array(
        z.object({
          column: nameSchema,
          values: z
            .array(
              z.object({
                value: z.string().max(10_000),
                rows: safeCountSchema,
                between: z.tuple([z.string().max(1_000), z.string().max(1_000)]).optional(),
              }),
            )
            .max(250),
        }),
      )
      .max(100),
    leftOut: namesSchema,
    droppedSorts: z.array(droppedSortSchema).max(100),
    request: describedRequestSchema,
    statement: z.string().max(4_000_000).optional(),
    code: z.array(z.object({ label, text: z.string().max(4_000_000) })).max(5),
    object: z.object({ kind: z.string().max(40), document: documentSchema }).optional(),
    notes: z.array(messageSchema).max(20),
    noteTexts: driverTextListSchema.optional(),
  }),
);

/** Checks a {@link RecordedQueriesRequest}. */
export const recordedQueriesRequestSchema: z.ZodType<RecordedQueriesRequest> = deferredSchema(() =>
  z.object({
    table: tableRefSchema,
    kind: z.enum(['popular', 'withoutHits']),
    recording: nameSchema.optional(),
    offset: safeCountSchema,
    limit: z.number().int().min(1).max(MOST_RECORDED_QUERIES),
  }),
);

/** Checks {@link RecordedQueries}. */
export const recordedQueriesSchema: z.ZodType<RecordedQueries> = deferredSchema(() =>
  z.object({
    recordings: z.array(nameSchema).max(100),
    queries: z
      .array(z.object({ text: z.string().min(1).max(LONGEST_QUERY), count: safeCountSchema, filter: messageSchema.optional() }))
      .max(MOST_RECORDED_QUERIES),
    found: safeCountSchema,
    missing: z
      .object({
        reason: messageSchema,
        advice: messageSchema.optional(),
        objects: z.string().max(40).optional(),
        texts: driverTextsSchema.optional(),
      })
      .optional(),
  }),
);
