import { rowKeySchema, tableRefSchema } from '@tabularium/sdk/protocol';
import { z } from 'zod';
import type { Shape } from './shape.ts';

// Query sets with judged rows, saved ways to search, and runs that compute how well a way to search finds what was judged.

/** The best grade: 0 is not relevant, 1 slightly, 2 relevant, 3 exactly what was looked for. */
export const BEST_GRADE = 3;
export const MOST_QUERIES = 5_000;
export const MOST_JUDGMENTS = 1_000;
/** The largest file of a query set, in characters. */
export const LARGEST_QUERY_SET_FILE = 8 * 1024 * 1024;
/** Ways to search that one run compares. */
export const MOST_CONFIGURATIONS = 6;
export const DEFAULT_DEPTH = 10;
/** Hits that a run looks at per query, at most: those of one search. */
export const MOST_DEPTH = 250;

const name = z.string().trim().min(1, 'Enter a name.').max(120);
const queryText = z.string().trim().min(1, 'Enter the words of a query.').max(4_000);
const grade = z.number().int().min(0).max(BEST_GRADE);
const column = z.string().min(1).max(1_000);

/** A way to search. */
const searchWaySchema = z.object({
  /** Absent: the form's defaults. */
  fields: z
    .array(z.object({ name: column, weight: z.number().int().min(0).optional() }))
    .max(1_000)
    .optional(),
  /** Options that differ from the form's defaults, by id. */
  options: z.record(z.string().min(1).max(40), z.union([z.boolean(), z.number(), z.string().max(20_000)])),
});

/** A way to search that was saved under a name, for the tables of one name: of one connection, or of every one. */
export const searchConfigurationSchema = searchWaySchema.extend({
  id: z.string(),
  /** Null: the connection was removed, so that it is there for every one. */
  connectionId: z.string().nullable(),
  name: z.string(),
  updatedAt: z.string(),
});
export type SearchConfiguration = Shape<typeof searchConfigurationSchema>;

export const tableOfConnectionSchema = z.object({ connectionId: z.uuid(), table: tableRefSchema });
export type TableOfConnection = z.output<typeof tableOfConnectionSchema>;
export const saveSearchConfigurationSchema = tableOfConnectionSchema.extend({ name, ...searchWaySchema.shape });
export type SaveSearchConfiguration = z.output<typeof saveSearchConfigurationSchema>;
export const searchConfigurationIdSchema = z.object({ id: z.uuid() });

/** A query set, without its queries. */
export const querySetInfoSchema = z.object({
  id: z.string(),
  /** Null: the connection was removed, so that the set is there for every one. */
  connectionId: z.string().nullable(),
  table: tableRefSchema,
  name: z.string(),
  createdAt: z.string(),
  queries: z.number(),
  judgments: z.number(),
});
export type QuerySetInfo = Shape<typeof querySetInfoSchema>;

export const judgmentSchema = z.object({ key: rowKeySchema, grade });
export type Judgment = Shape<typeof judgmentSchema>;

/** One query and the rows that were judged for it. */
export const judgedQuerySchema = z.object({ id: z.number(), text: z.string(), judgments: z.array(judgmentSchema) });
export type JudgedQuery = Shape<typeof judgedQuerySchema>;

export const querySetSchema = querySetInfoSchema.extend({
  /** In the order in which they were added. */
  judged: z.array(judgedQuerySchema),
});
export type QuerySet = Shape<typeof querySetSchema>;

export const listQuerySetsSchema = z.object({
  /** Left out: those of every connection. */
  connectionId: z.uuid().optional(),
  table: tableRefSchema.optional(),
});
export type ListQuerySets = z.output<typeof listQuerySetsSchema>;

export const querySetIdSchema = z.object({ id: z.uuid() });
export const createQuerySetSchema = tableOfConnectionSchema.extend({ name });
export type CreateQuerySet = z.output<typeof createQuerySetSchema>;
export const renameQuerySetSchema = z.object({ id: z.uuid(), name });
export const addQueriesSchema = z.object({ id: z.uuid(), texts: z.array(queryText).min(1).max(MOST_QUERIES) });
export type AddQueries = z.output<typeof addQueriesSchema>;
export const removeQuerySchema = z.object({ id: z.uuid(), queryId: z.number().int().min(1) });

export const judgeSchema = z.object({
  id: z.uuid(),
  text: queryText,
  key: rowKeySchema,
  /** Null: takes the judgment back. */
  grade: grade.nullable(),
});
export type Judge = z.output<typeof judgeSchema>;

export const querySetFormatSchema = z.enum(['json', 'csv']);
export type QuerySetFormat = z.output<typeof querySetFormatSchema>;
export const exportQuerySetSchema = z.object({ id: z.uuid(), format: querySetFormatSchema });
export const importQuerySetSchema = createQuerySetSchema.extend({ content: z.string().max(LARGEST_QUERY_SET_FILE) });
export type ImportQuerySet = z.output<typeof importQuerySetSchema>;

/** The content of a file that was taken into a set. */
export const importedQuerySetSchema = z.object({
  set: querySetInfoSchema,
  /** Whether a set of that name was there, and the file was added to it. */
  merged: z.boolean(),
  queries: z.number(),
  judgments: z.number(),
});
export type ImportedQuerySet = Shape<typeof importedQuerySetSchema>;

export const startRelevanceRunSchema = z.object({
  setId: z.uuid(),
  connectionId: z.uuid(),
  /** Each with a name of its own. */
  configurations: z.array(searchWaySchema.extend({ name })).min(1).max(MOST_CONFIGURATIONS),
  depth: z.number().int().min(1).max(MOST_DEPTH).default(DEFAULT_DEPTH),
  /** The lowest grade that counts as relevant where a metric has only relevant and not. */
  relevantFrom: z.number().int().min(1).max(BEST_GRADE).default(1),
});
export type StartRelevanceRun = z.output<typeof startRelevanceRunSchema>;
export type RelevanceWay = StartRelevanceRun['configurations'][number];

/** How well hits are, from 0 to 1. Null: no row was judged relevant, so that nothing can be measured. */
const metricSchema = z.number().nullable();
export const relevanceMetricsSchema = z.object({
  ndcg: metricSchema,
  reciprocalRank: metricSchema,
  precision: metricSchema,
  recall: metricSchema,
});
export type RelevanceMetrics = Shape<typeof relevanceMetricsSchema>;
/** The names of the metrics, in the order to show them. */
export const RELEVANCE_METRICS = ['ndcg', 'reciprocalRank', 'precision', 'recall'] as const;
export type RelevanceMetric = (typeof RELEVANCE_METRICS)[number];

/** The metrics of one way to search over a set: means over the queries that can be measured. */
export const relevanceTotalsSchema = relevanceMetricsSchema.extend({
  /** Queries that the means are taken over. */
  measured: z.number(),
  /** Queries that found nothing. */
  zeroResults: z.number(),
  /** Queries whose search failed. */
  failed: z.number(),
  /** Hits that were looked at and have no judgment; they count as not relevant. */
  unjudged: z.number(),
  /** Hits that were looked at. */
  hits: z.number(),
  /** How much the hits are those of the run's first way to search, from 0 to 1: rows that both found, of those that either found. Null for the first. */
  overlap: metricSchema,
});
export type RelevanceTotals = Shape<typeof relevanceTotalsSchema>;

export const queryMetricsSchema = relevanceMetricsSchema.extend({
  found: z.number(),
  unjudged: z.number(),
  overlap: metricSchema,
  /** Why the search failed. */
  error: z.string().optional(),
});
export type QueryMetrics = Shape<typeof queryMetricsSchema>;

export const relevanceRunInfoSchema = z.object({
  id: z.string(),
  setId: z.string(),
  startedAt: z.string(),
  depth: z.number(),
  relevantFrom: z.number(),
  queries: z.number(),
  configurations: z.array(searchWaySchema.extend({ name: z.string(), totals: relevanceTotalsSchema })),
});
export type RelevanceRunInfo = Shape<typeof relevanceRunInfoSchema>;

export const relevanceRunSchema = relevanceRunInfoSchema.extend({
  /** In the order of the set. */
  perQuery: z.array(
    z.object({
      text: z.string(),
      /** Of each way to search, in its order. */
      metrics: z.array(queryMetricsSchema),
    }),
  ),
});
export type RelevanceRun = Shape<typeof relevanceRunSchema>;

export const relevanceRunIdSchema = z.object({ id: z.uuid() });

/** The events of a run; its result is the last. */
export const relevanceRunEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('progress'), done: z.number(), of: z.number() }),
  z.object({ type: z.literal('run'), run: relevanceRunSchema }),
]);
export type RelevanceRunEvent = Shape<typeof relevanceRunEventSchema>;

/** Two ways to search over many queries, to see for which of them the hits differ. */
export const startSearchDifferencesSchema = tableOfConnectionSchema.extend({
  /** The queries of a set, or those that are given. */
  queries: z.union([
    z.strictObject({ setId: z.uuid() }),
    z.strictObject({ texts: z.array(queryText).min(1, 'Enter at least one query.').max(MOST_QUERIES) }),
  ]),
  first: searchWaySchema.extend({ name }),
  second: searchWaySchema.extend({ name }),
  depth: z.number().int().min(1).max(MOST_DEPTH).default(DEFAULT_DEPTH),
});
export type StartSearchDifferences = z.output<typeof startSearchDifferencesSchema>;

/** How the hits of one query differ. Counts are of the hits that are looked at. */
export const queryDifferenceSchema = z.object({
  text: z.string(),
  /** Rows that each way found in all. */
  found: z.tuple([z.number(), z.number()]),
  /** Average overlap, from 0 (nothing in common) to 1 (the same). Null: a search failed. */
  overlap: metricSchema,
  /** Hits of both. */
  shared: z.number(),
  /** Those of them that have another rank. */
  moved: z.number(),
  /** Hits of the second alone. */
  gained: z.number(),
  /** Hits of the first alone. */
  lost: z.number(),
  /** Why a search failed. */
  error: z.string().optional(),
});
export type QueryDifference = Shape<typeof queryDifferenceSchema>;

/** The events of a comparison over many queries; its result is the last. */
export const searchDifferencesEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('progress'), done: z.number(), of: z.number() }),
  z.object({
    type: z.literal('differences'),
    /** The most different first; failed ones before all. */
    queries: z.array(queryDifferenceSchema),
  }),
]);
export type SearchDifferencesEvent = Shape<typeof searchDifferencesEventSchema>;
