import { z } from 'zod';
import type { HttpRequest } from '../capabilities/http.ts';
import type { Assignment, ChangeOutcome, PreparedChange, RowChange } from '../facets/edits.ts';
import type { CompletionList, DescribedRequest } from '../facets/console.ts';
import type { ExportEvent, ExportRequest, ExportSplice, SpliceSummary } from '../facets/export.ts';
import type { ReadExpressions } from '../facets/expressions.ts';
import type { Metric, MetricsFacet, MetricsReading } from '../facets/metrics.ts';
import type {
  CreatedPrincipal,
  GeneratedCredential,
  Principal,
  PrincipalAction,
  PrincipalFacts,
  PrincipalField,
  PrincipalInput,
  PrincipalPlan,
  PrincipalRequest,
  PrincipalsFacet,
} from '../facets/principals.ts';
import type { ReadRows, RowsRequest } from '../facets/rows.ts';
import type { SuggestionRequest, Suggestions } from '../facets/suggestions.ts';
import type { OperationResult, PlannedOperation, TableOperation } from '../facets/tableOperations.ts';
import {
  MOST_NODES,
  driverTextListSchema,
  driverTextsSchema,
  droppedSortSchema,
  messageSchema as message,
  nameSchema as name,
  nodeNameSchema,
  safeCountSchema as safeCount,
} from './commonSchemas.ts';
import { deferredSchema } from './deferredSchema.ts';
import { namespaceSchema } from './namespaceSchemas.ts';
import {
  abilitySchema,
  batchColumnSchema,
  cellSchema,
  columnNamesSchema,
  driverErrorCodeSchema,
  errorDetailsSchema,
  filterSchema,
  rowCountSchema,
  tableRefSchema,
} from './schemas.ts';

// Values of the facets' calls, held to the documented types. Bounds as in schemas.ts.

const label = deferredSchema(() => z.string().max(200));
const statementText = deferredSchema(() => z.string().max(4_000_000));

/** Checks a {@link CompletionList}. */
export const completionListSchema: z.ZodType<CompletionList> = deferredSchema(() =>
  z.object({
    from: safeCount,
    items: z
      .array(
        z.object({
          label: name,
          detail: label.optional(),
          insert: z.string().max(10_000),
          kind: z.enum(['keyword', 'request', 'table', 'column', 'parameter', 'value']).catch('keyword'),
        }),
      )
      .max(1_000),
  }),
);

/** Checks a {@link DescribedRequest}. */
export const describedRequestSchema: z.ZodType<DescribedRequest> = deferredSchema(() =>
  z.object({
    method: z.string().regex(/^[A-Z]{1,20}$/),
    path: z.string().min(1).max(16_384),
    headers: z.record(z.string().max(60), z.string().max(8_192)).optional(),
    body: z.string().optional(),
  }),
);

/** At most this many values are suggested at a time. */
export const MOST_SUGGESTIONS = 100;

/** Checks a {@link SuggestionRequest}. */
export const suggestionRequestSchema: z.ZodType<SuggestionRequest> = deferredSchema(() =>
  z.object({
    table: tableRefSchema,
    column: name,
    typed: z.string().max(1_000),
    limit: z.number().int().min(1).max(MOST_SUGGESTIONS),
  }),
);

/** Checks a {@link Suggestions}. */
export const suggestionsSchema: z.ZodType<Suggestions> = deferredSchema(() =>
  z.object({
    values: z.array(z.object({ value: name, rows: safeCount.optional() })).max(MOST_SUGGESTIONS),
    from: z.enum(['all', 'some']),
  }),
);

/** Checks a {@link ReadExpressions}. */
export const readExpressionsSchema: z.ZodType<ReadExpressions> = deferredSchema(() =>
  z.object({
    parts: z.array(z.object({ label, text: statementText })).max(20),
    droppedSorts: z.array(droppedSortSchema).max(100),
  }),
);

const assignmentSchema: z.ZodType<Assignment> = deferredSchema(() => z.object({ column: name, value: cellSchema }));
/** The key of a row. */
export const rowKeySchema = deferredSchema(() => z.array(cellSchema).min(1).max(64));

/** Checks a {@link RowChange}. */
export const rowChangeSchema: z.ZodType<RowChange> = deferredSchema(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('insert'), values: z.array(assignmentSchema).max(10_000) }),
    z.object({
      kind: z.literal('update'),
      key: rowKeySchema,
      assignments: z.array(assignmentSchema).max(10_000),
      expected: z.array(assignmentSchema).max(10_000).optional(),
    }),
    z.object({
      kind: z.literal('delete'),
      key: rowKeySchema,
      expected: z.array(assignmentSchema).max(10_000).optional(),
    }),
  ]),
);

/** At most this many changes travel in one call. */
export const MOST_CHANGES = 10_000;

/** Checks a {@link PreparedChange}. */
export const preparedChangeSchema: z.ZodType<PreparedChange> = deferredSchema(() =>
  z.discriminatedUnion('ready', [
    z.object({
      ready: z.literal(true),
      text: statementText,
      language: z.string().max(40),
      effect: z.literal('destructive').optional(),
    }),
    z.object({ ready: z.literal(false), message, texts: driverTextsSchema.optional(), column: name.optional() }),
  ]),
);

/** Checks a {@link ChangeOutcome}. */
export const changeOutcomeSchema: z.ZodType<ChangeOutcome> = deferredSchema(() =>
  z.discriminatedUnion('outcome', [
    z.object({ index: safeCount, outcome: z.literal('saved'), key: rowKeySchema.optional() }),
    z.object({
      index: safeCount,
      outcome: z.literal('failed'),
      code: driverErrorCodeSchema,
      message,
      details: errorDetailsSchema,
      column: name.optional(),
    }),
    z.object({ index: safeCount, outcome: z.literal('unknown'), message, texts: driverTextsSchema.optional() }),
  ]),
);

/** Checks a {@link ExportRequest}. */
export const exportRequestSchema: z.ZodType<ExportRequest> = deferredSchema(() =>
  z.object({
    table: tableRefSchema,
    filter: filterSchema,
    columns: z.array(name).min(1).max(10_000).optional(),
  }),
);

const spliceRequestSchema: z.ZodType<Pick<HttpRequest, 'method' | 'path' | 'headers'>> = deferredSchema(() =>
  z.object({
    method: z.enum(['GET', 'POST']),
    path: z.string().min(1).max(16_384),
    headers: z.record(z.string().max(60), z.string().max(8_192)).optional(),
  }),
);

/** Checks a {@link ExportSplice}. */
export const exportSpliceSchema: z.ZodType<ExportSplice> = deferredSchema(() =>
  z.object({
    request: spliceRequestSchema,
    expected: rowCountSchema.optional(),
  }),
);

/** Checks a {@link SpliceSummary}. */
export const spliceSummarySchema: z.ZodType<SpliceSummary> = deferredSchema(() =>
  z.object({
    status: z.number().int().min(100).max(599),
    lines: safeCount,
    lastLine: z.string().max(65_536),
  }),
);

/** Checks a {@link ExportEvent}. */
export const exportEventSchema: z.ZodType<ExportEvent> = deferredSchema(() =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('begin'), columns: z.array(batchColumnSchema).max(10_000), expected: rowCountSchema.optional() }),
    z.object({ type: z.literal('rows'), rows: z.array(z.array(cellSchema)).max(100_000) }),
  ]),
);

const operationId = deferredSchema(() => z.string().min(1).max(40));

/** Checks a {@link TableOperation}. */
export const tableOperationSchema: z.ZodType<TableOperation> = deferredSchema(() =>
  z.object({
    id: operationId,
    label: z.string().max(80),
    effect: z.enum(['read', 'write', 'destructive']),
    ability: abilitySchema,
    texts: driverTextsSchema.optional(),
  }),
);

/** Checks a {@link PlannedOperation}. */
export const plannedOperationSchema: z.ZodType<PlannedOperation> = deferredSchema(() =>
  z.object({
    consequence: message,
    target: tableRefSchema,
    count: rowCountSchema.optional(),
    text: statementText,
    texts: driverTextsSchema.optional(),
  }),
);

/** Checks a {@link OperationResult}. */
export const operationResultSchema: z.ZodType<OperationResult> = deferredSchema(() =>
  z.object({ message, affectedRows: safeCount.optional(), texts: driverTextsSchema.optional() }),
);

/** Checks a {@link Principal}. */
export const principalSchema: z.ZodType<Principal> = deferredSchema(() =>
  z.object({
    id: name.min(1),
    label: name,
    reach: message,
    serverWide: z.boolean(),
    actions: z.array(label).max(1_000),
    attributes: z.array(z.object({ label, value: message })).max(50),
    expiresAt: z.string().max(40).optional(),
    removable: abilitySchema,
    editable: abilitySchema.optional(),
  }),
);

/** Checks a {@link PrincipalField}. */
export const principalFieldSchema: z.ZodType<PrincipalField> = deferredSchema(() =>
  z.object({
    id: operationId,
    label,
    help: message.optional(),
    required: z.boolean(),
    type: z.enum(['text', 'list', 'time', 'secret', 'flag', 'choice']),
    options: z
      .array(z.object({ value: name, label: name, group: label.optional(), texts: driverTextsSchema.optional() }))
      .max(10_000)
      .optional(),
    ability: abilitySchema.optional(),
    default: z.array(name).max(1_000).optional(),
    texts: driverTextsSchema.optional(),
  }),
);

/** Checks a {@link PrincipalInput}. */
export const principalInputSchema: z.ZodType<PrincipalInput> = deferredSchema(() =>
  z.record(operationId, z.array(z.string().max(10_000)).max(1_000)),
);

/** Checks a {@link PrincipalAction}. */
export const principalActionSchema: z.ZodType<PrincipalAction> = deferredSchema(() =>
  z.discriminatedUnion('is', [
    z.object({ is: z.literal('add') }),
    z.object({ is: z.enum(['change', 'remove']), id: z.string().min(1).max(1_000) }),
  ]),
);

/** Checks a {@link PrincipalRequest}. */
export const principalRequestSchema: z.ZodType<PrincipalRequest> = deferredSchema(() =>
  z.intersection(principalActionSchema, z.object({ input: principalInputSchema })),
);

/** Checks the statements of a {@link PrincipalPlan}. */
export const principalStatementsSchema: z.ZodType<PrincipalPlan['statements']> = deferredSchema(() =>
  z.array(z.string().max(20_000)).min(1).max(1_000),
);

/** Checks a {@link PrincipalPlan}. */
export const principalPlanSchema: z.ZodType<PrincipalPlan> = deferredSchema(() =>
  z.object({
    statements: principalStatementsSchema,
    notes: z.array(message).max(50),
    noteTexts: driverTextListSchema.optional(),
  }),
);

/** Checks {@link PrincipalFacts}. */
export const principalFactsSchema: z.ZodType<PrincipalFacts> = deferredSchema(() =>
  z.object({
    title: label,
    texts: driverTextsSchema.optional(),
    columns: z
      .array(z.object({ label, texts: driverTextsSchema.optional() }))
      .min(1)
      .max(8),
    rows: z.array(z.array(message).max(8)).max(1_000),
    note: message.optional(),
  }),
);

/** Checks a {@link CreatedPrincipal}. */
export const createdPrincipalSchema: z.ZodType<CreatedPrincipal> = deferredSchema(() =>
  z.object({
    principal: principalSchema,
    secret: z.object({ label, value: z.string().max(10_000) }).optional(),
  }),
);

/** Checks a {@link GeneratedCredential}. */
export const generatedCredentialSchema: z.ZodType<GeneratedCredential> = deferredSchema(() =>
  z.object({
    secret: z.object({ label, value: z.string().max(20_000) }),
    notes: z.array(message).max(20),
  }),
);

const metricId = deferredSchema(() => z.string().min(1).max(80));
const metricSchema: z.ZodType<Metric> = deferredSchema(() =>
  z.object({
    id: metricId,
    label,
    unit: z.enum(['bytes', 'count', 'perSecond', 'milliseconds', 'ratio', 'percent']),
    value: z.number(),
    total: z.number().optional(),
    help: message.optional(),
    texts: driverTextsSchema.optional(),
  }),
);

/** Checks a {@link MetricsReading}. */
export const metricsReadingSchema: z.ZodType<MetricsReading> = deferredSchema(() =>
  z.object({
    metrics: z.array(metricSchema).max(200),
    problems: z.array(z.object({ source: label, message, texts: driverTextsSchema.optional() })).max(50),
    nodes: z
      .array(
        z.object({
          name: nodeNameSchema,
          state: z.enum(['ready', 'limited', 'unreachable']),
          message: message.optional(),
          texts: driverTextsSchema.optional(),
          facts: z.array(z.object({ id: metricId, label, value: label, texts: driverTextsSchema.optional() })).max(50),
          metrics: z.array(metricSchema).max(100),
        }),
      )
      .max(MOST_NODES)
      .optional(),
    node: nodeNameSchema.optional(),
    notes: z.array(message).max(20).optional(),
    noteTexts: driverTextListSchema.optional(),
  }),
);

/** Checks the panels that a server cannot fill. */
export const missingPanelsSchema: z.ZodType<MetricsFacet['missingPanels']> = deferredSchema(() =>
  z
    .array(
      z.object({
        id: z.enum(['sessions', 'slowQueries']),
        label,
        reason: message,
        texts: driverTextsSchema.optional(),
      }),
    )
    .max(10),
);

/** Checks what principals are called. */
export const principalsTermSchema: z.ZodType<PrincipalsFacet['term']> = deferredSchema(() =>
  z.object({ one: label, other: label }),
);

/** The facts about a session's facets that the host needs before it calls them. */
export const facetDetailsSchema = deferredSchema(() =>
  z.object({
    console: z
      .object({
        completes: z.boolean(),
        describesRequests: z.boolean().default(false),
        hasExamples: z.boolean().default(false),
        hasSessions: z.boolean().default(false),
        hasPlaces: z.boolean().default(false),
      })
      .optional(),
    edits: z.object({ atomicity: z.enum(['all', 'each']) }).optional(),
    principals: z
      .object({
        term: principalsTermSchema,
        editable: abilitySchema,
        generator: z.object({ term: principalsTermSchema, help: message, texts: driverTextsSchema.optional() }).optional(),
        changes: z.object({ addable: abilitySchema }).optional(),
      })
      .optional(),
    metrics: z.object({ missingPanels: missingPanelsSchema }).optional(),
    namedTables: z.object({ reason: message }).optional(),
    namespaces: z.object({ initial: z.array(namespaceSchema).max(100) }).optional(),
    objects: z.object({ placesHits: z.boolean() }).optional(),
    import: z
      .object({
        createsTables: z.boolean(),
        likensTables: z.boolean().default(false),
        discardsTables: z.boolean().default(false),
        /** Tables are made in namespaces, which it lists. */
        listsNamespaces: z.boolean().default(false),
      })
      .optional(),
    search: z.object({ recordsQueries: z.boolean() }).optional(),
    activity: z.object({ hasStatistics: z.boolean() }).optional(),
  }),
);
/** The facts about the facets of a session that the host needs. */
export type FacetDetails = z.output<typeof facetDetailsSchema>;

/** At most this many rows are read by their keys at a time. */
export const MOST_KEYS = 100;

/** Checks a {@link RowsRequest}. */
export const rowsRequestSchema: z.ZodType<RowsRequest> = deferredSchema(() =>
  z.object({
    table: tableRefSchema,
    keys: z.array(rowKeySchema).min(1).max(MOST_KEYS),
    columns: columnNamesSchema.optional(),
    documents: z.literal(true).optional(),
  }),
);

/** Checks what is said of {@link ReadRows} besides the rows themselves. */
export const readRowsSchema: z.ZodType<Omit<ReadRows, 'batch'>> = deferredSchema(() =>
  z.object({ rowCount: z.number().int().min(0).max(MOST_KEYS), documents: z.number().int().min(0).optional() }),
);
