import { z } from 'zod';
import { boundedSchema } from './boundedSchema.ts';
import {
  MOST_CHANGES,
  changeOutcomeSchema,
  completionListSchema,
  createdPrincipalSchema,
  describedRequestSchema,
  exportEventSchema,
  exportRequestSchema,
  exportSpliceSchema,
  facetDetailsSchema,
  metricsReadingSchema,
  operationResultSchema,
  plannedOperationSchema,
  preparedChangeSchema,
  principalFieldSchema,
  principalInputSchema,
  principalSchema,
  readExpressionsSchema,
  rowChangeSchema,
  spliceSummarySchema,
  suggestionRequestSchema,
  suggestionsSchema,
  tableOperationSchema,
} from './facetSchemas.ts';
import {
  filterSchema,
  findingSchema,
  pageHeadSchema,
  pageRequestSchema,
  resultEventSchema,
  rowCountSchema,
  serverInfoSchema,
  settingsSchema,
  sortsSchema,
  statementClassificationSchema,
  statementSchema,
  tableDescriptionSchema,
  tableRefSchema,
  tableSummarySchema,
} from './schemas.ts';

/** The facets that a session can have in this version of the contract. */
export const FACETS = [
  'console',
  'edits',
  'export',
  'tableOperations',
  'principals',
  'metrics',
  'suggestions',
  'expressions',
] as const;
/** The name of a facet. */
export type FacetName = (typeof FACETS)[number];

const none = z.object({});
const tableSchema = z.object({ table: tableRefSchema });
const changesSchema = tableSchema.extend({ changes: z.array(rowChangeSchema).max(MOST_CHANGES) });
const readQuestionSchema = tableSchema.extend({ filter: filterSchema, sorts: sortsSchema });
const operationSchema = tableSchema.extend({ operation: z.string().min(1).max(40) });

/**
 * What the host asks of a driver's process. Parameters travel as a JSON body (a console text may be large), so does a `json` result. A
 * `bytes` result is an answer head with these fields and a body that is handed on unread; an `events` result is a body of JSON lines, one `event` each.
 */
export const DRIVER_METHODS = {
  connect: {
    params: z.object({
      settings: settingsSchema,
      /** What the context has. */
      capabilities: z.array(z.enum(['http', 'file'])),
      files: z.record(z.string().max(40), z.string().max(4_096)),
    }),
    answer: 'json',
    result: z.object({
      server: serverInfoSchema,
      findings: z.array(findingSchema).max(50),
      /** Facets that this host does not know are left out. */
      facets: z.array(z.string().max(40)).max(50),
      details: facetDetailsSchema.default({}),
    }),
  },
  ping: { params: none, answer: 'json', result: none },
  listTables: { params: none, answer: 'json', result: z.array(tableSummarySchema).max(100_000) },
  describeTable: { params: z.object({ table: tableRefSchema }), answer: 'json', result: tableDescriptionSchema },
  readPage: { params: pageRequestSchema, answer: 'bytes', result: pageHeadSchema },
  countRows: { params: z.object({ table: tableRefSchema, filter: filterSchema }), answer: 'json', result: rowCountSchema },
  close: { params: none, answer: 'json', result: none },
  'console.split': { params: z.object({ text: z.string() }), answer: 'json', result: z.array(statementSchema).max(100_000) },
  'console.classify': { params: z.object({ statement: z.string() }), answer: 'json', result: statementClassificationSchema },
  'console.run': {
    params: z.object({ statement: z.string(), maxRows: z.number().int().min(1).max(500_000) }),
    answer: 'events',
    result: none,
    event: resultEventSchema,
  },
  'console.complete': {
    params: z.object({ text: z.string(), offset: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER) }),
    answer: 'json',
    result: completionListSchema,
  },
  'console.describeRequest': { params: z.object({ statement: z.string() }), answer: 'json', result: describedRequestSchema },
  'edits.prepare': { params: changesSchema, answer: 'json', result: z.array(preparedChangeSchema).max(MOST_CHANGES) },
  'edits.apply': { params: changesSchema, answer: 'events', result: none, event: changeOutcomeSchema },
  'export.splice': { params: exportRequestSchema, answer: 'json', result: z.object({ splice: exportSpliceSchema.optional() }) },
  'export.judge': {
    params: z.object({ splice: exportSpliceSchema, summary: spliceSummarySchema }),
    answer: 'json',
    result: none,
  },
  'export.rows': { params: exportRequestSchema, answer: 'events', result: none, event: exportEventSchema },
  'tableOperations.list': { params: tableSchema, answer: 'json', result: z.array(tableOperationSchema).max(100) },
  'tableOperations.plan': { params: operationSchema, answer: 'json', result: plannedOperationSchema },
  'tableOperations.run': {
    params: operationSchema.extend({ confirmed: tableRefSchema }),
    answer: 'json',
    result: operationResultSchema,
  },
  'principals.list': { params: none, answer: 'json', result: z.array(principalSchema).max(100_000) },
  'principals.form': { params: none, answer: 'json', result: z.array(principalFieldSchema).max(50) },
  'principals.create': { params: z.object({ input: principalInputSchema }), answer: 'json', result: createdPrincipalSchema },
  'principals.remove': { params: z.object({ id: z.string().min(1).max(1_000) }), answer: 'json', result: none },
  'metrics.read': { params: none, answer: 'json', result: metricsReadingSchema },
  'suggestions.values': { params: suggestionRequestSchema, answer: 'json', result: suggestionsSchema },
  'expressions.ofRead': { params: readQuestionSchema, answer: 'json', result: readExpressionsSchema },
} as const;

/** The name of something the host can ask of a driver's process. */
export type DriverMethod = keyof typeof DRIVER_METHODS;
/** Those whose answer is a stream of events. */
export type EventMethod = {
  [M in DriverMethod]: (typeof DRIVER_METHODS)[M]['answer'] extends 'events' ? M : never;
}[DriverMethod];

/** What a driver's process asks of the host. The request's body and the answer's body are streamed. */
export const HOST_METHODS = {
  'http.request': {
    params: z.object({
      method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']),
      path: z.string().min(1).max(16_384),
      headers: z.record(z.string().max(60), z.string().max(8_192)),
      repeatable: z.boolean(),
      timeoutMilliseconds: z.number().int().min(1).max(3_600_000).optional(),
      hasBody: z.boolean(),
      /** How long the body is, where that is known before it is sent. */
      bodyBytes: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
    }),
    result: z.object({ status: z.number().int().min(100).max(599), headers: z.record(z.string(), z.string()) }),
  },
  log: {
    params: z.object({ level: z.enum(['debug', 'info', 'warn', 'error']), message: z.string().max(2_000) }),
    result: none,
  },
} as const;

/** The name of something a driver's process can ask of the host. */
export type HostMethod = keyof typeof HOST_METHODS;

// The other side may be hostile: what it sends is refused at its first faults.
for (const method of [...Object.values(DRIVER_METHODS), ...Object.values(HOST_METHODS)]) {
  for (const part of Object.values(method)) if (part instanceof z.ZodType) boundedSchema(part);
}
