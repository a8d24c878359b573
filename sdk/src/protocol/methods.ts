import { z } from 'zod';
import { endOutcomeSchema, endRequestSchema, runningEntriesSchema, slowStatementsSchema } from './activitySchemas.ts';
import { boundedSchema } from './boundedSchema.ts';
import {
  consoleContextSchema,
  consolePlacesSchema,
  consoleNumberSchema,
  openedConsoleSchema,
  parameterValuesSchema,
  sessionEventSchema,
  statementParametersSchema,
} from './consoleSessionSchemas.ts';
import { MOST_NODES, MOST_ORIGINS, nodeNameSchema, originIdSchema } from './commonSchemas.ts';
import { deferredSchema } from './deferredSchema.ts';
import { deferredTable } from './deferredTable.ts';
import { statementPlanSchema } from './explainSchemas.ts';
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
  generatedCredentialSchema,
  metricsReadingSchema,
  operationResultSchema,
  plannedOperationSchema,
  preparedChangeSchema,
  principalActionSchema,
  principalFactsSchema,
  principalFieldSchema,
  principalInputSchema,
  principalPlanSchema,
  principalRequestSchema,
  principalSchema,
  principalStatementsSchema,
  readExpressionsSchema,
  readRowsSchema,
  rowChangeSchema,
  rowsRequestSchema,
  spliceSummarySchema,
  suggestionRequestSchema,
  suggestionsSchema,
  tableOperationSchema,
} from './facetSchemas.ts';
import {
  importAnswerSchema,
  importFormSchema,
  writeOutcomeSchema,
  rowOutcomesSchema,
  importProblemSchema,
  importNamespacesSchema,
  importRowsSchema,
  importSpliceSchema,
  importTargetSchema,
  MOST_IMPORT_ROWS,
  tableDefinitionSchema,
} from './importSchemas.ts';
import {
  hitPlacementSchema,
  objectChangeSchema,
  objectDocumentSchema,
  objectKindsSchema,
  objectNextSchema,
  objectPageSchema,
  objectPlaceSchema,
  objectRefSchema,
  plannedChangeSchema,
} from './objectSchemas.ts';
import {
  MOST_OPERATIONS,
  operationBasisSchema,
  operationCallSchema,
  operationCheckpointSchema,
  operationEventSchema,
  operationFormSchema,
  operationIdSchema,
  operationPlaceSchema,
  operationPlanSchema,
  operationSchema,
} from './operationSchemas.ts';
import { namespacePageSchema, namespaceParamsSchema, namespaceSchema, tablePageSchema } from './namespaceSchemas.ts';
import {
  recordedQueriesRequestSchema,
  recordedQueriesSchema,
  searchAnswerSchema,
  searchFormSchema,
  searchRequestSchema,
} from './searchSchemas.ts';
import {
  filterSchema,
  findingSchema,
  pageHeadSchema,
  permittedStatementSchema,
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
  'namedTables',
  'namespaces',
  'rows',
  'search',
  'objects',
  'operations',
  'import',
  'explain',
  'activity',
] as const;
/** The name of a facet. */
export type FacetName = (typeof FACETS)[number];

const none = deferredSchema(() => z.object({}));
const tableParams = () => z.object({ table: tableRefSchema });
const changesParams = () => tableParams().extend({ changes: z.array(rowChangeSchema).max(MOST_CHANGES) });
const readQuestionParams = () => tableParams().extend({ filter: filterSchema, sorts: sortsSchema });
const importParams = () => z.object({ target: importTargetSchema, rows: importRowsSchema });
const definitionParams = () => tableParams().extend({ definition: tableDefinitionSchema });
const consoleParams = () => z.object({ console: consoleNumberSchema });
const sessionStatementParams = () => consoleParams().extend({ statement: z.string() });
const explainParams = () => z.object({ statement: z.string(), analyze: z.boolean() });
const operationParams = () => tableParams().extend({ operation: z.string().min(1).max(40) });

/** A call whose answer is one JSON value. */
const json = <Params extends z.ZodType, Result extends z.ZodType>(params: Params, result: Result) =>
  bounded({ params, answer: 'json', result } as const);
/** A call whose answer is JSON lines, one `event` each. */
const events = <Params extends z.ZodType, Event extends z.ZodType>(params: Params, event: Event) =>
  bounded({ params, answer: 'events', result: none, event } as const);

/** The other side may be hostile: what it sends is refused at its first faults. */
function bounded<Method extends object>(method: Method): Method {
  for (const part of Object.values(method)) if (part instanceof z.ZodType) boundedSchema(part);
  return method;
}

/**
 * Methods that the host calls in a driver's process. Parameters travel as a JSON body (a console text may be large), so does a `json` result. A
 * `bytes` result is an answer head with these fields and a body that is passed on unread; an `events` result is a body of JSON lines, one `event` each.
 */
export const DRIVER_METHODS = deferredTable({
  connect: () =>
    json(
      z.object({
        settings: settingsSchema,
        /** The capabilities of the context. */
        capabilities: z.array(z.enum(['http', 'socket', 'file', 'secrets'])),
        files: z.record(z.string().max(40), z.string().max(4_096)),
        /** Host and port of each node, for `context.http.nodes`. */
        nodes: z.array(nodeNameSchema).max(MOST_NODES).default([]),
        /** For `context.http.origins`. */
        origins: z
          .array(z.object({ id: originIdSchema, address: nodeNameSchema.optional() }))
          .max(MOST_ORIGINS)
          .default([]),
        /** For `context.socket`. */
        endpoint: z.object({ address: nodeNameSchema, tls: z.enum(['none', 'immediate', 'upgrade']) }).optional(),
        /** For `context.secrets`. */
        secrets: z.record(z.string().max(40), z.string().max(100_000)).default({}),
      }),
      z.object({
        server: serverInfoSchema,
        findings: z.array(findingSchema).max(50),
        /** Facets that this host does not know are left out. */
        facets: z.array(z.string().max(40)).max(50),
        details: facetDetailsSchema.default({}),
      }),
    ),
  ping: () => json(none, none),
  listTables: () => json(none, z.array(tableSummarySchema).max(100_000)),
  describeTable: () => json(tableParams(), tableDescriptionSchema),
  readPage: () => bounded({ params: pageRequestSchema, answer: 'bytes', result: pageHeadSchema } as const),
  countRows: () => json(tableParams().extend({ filter: filterSchema }), rowCountSchema),
  close: () => json(none, none),
  'console.split': () => json(z.object({ text: z.string() }), z.array(statementSchema).max(100_000)),
  'console.classify': () => json(z.object({ statement: z.string() }), statementClassificationSchema),
  'console.run': () =>
    events(
      z.object({
        statement: z.string(),
        maxRows: z.number().int().min(1).max(500_000),
        whole: z.boolean().optional(),
        permitted: permittedStatementSchema.optional(),
        timeLimit: z.number().int().min(1).max(86_400_000).optional(),
      }),
      resultEventSchema,
    ),
  'console.complete': () =>
    json(
      z.object({
        text: z.string(),
        offset: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
        namespace: z.array(z.string()).max(10).optional(),
      }),
      completionListSchema,
    ),
  'console.examples': () => json(none, z.array(z.string().max(4_000)).max(5)),
  'console.places': () => json(none, consolePlacesSchema),
  'console.describeRequest': () => json(z.object({ statement: z.string() }), describedRequestSchema),
  /** The host chooses the number, so that it can close a session of whose opening it gave up. */
  'console.openSession': () => json(consoleParams(), openedConsoleSchema),
  'console.sessionClassify': () => json(sessionStatementParams(), statementClassificationSchema),
  'console.sessionParameters': () => json(sessionStatementParams(), statementParametersSchema),
  'console.sessionRun': () =>
    events(
      sessionStatementParams().extend({
        maxRows: z.number().int().min(1).max(500_000),
        whole: z.boolean().optional(),
        permitted: permittedStatementSchema.optional(),
        timeLimit: z.number().int().min(1).max(86_400_000).optional(),
        parameters: parameterValuesSchema.optional(),
      }),
      sessionEventSchema,
    ),
  'console.sessionEnd': () => json(consoleParams().extend({ way: z.enum(['commit', 'rollBack']) }), consoleContextSchema),
  'console.sessionClassifyPlan': () => json(consoleParams().extend(explainParams().shape), statementClassificationSchema),
  'console.sessionExplain': () => json(consoleParams().extend(explainParams().shape), statementPlanSchema),
  /** Waits for the end of a call that was stopped. */
  'console.sessionContext': () => json(consoleParams(), consoleContextSchema),
  'console.sessionClose': () => json(consoleParams(), none),
  'edits.prepare': () => json(changesParams(), z.array(preparedChangeSchema).max(MOST_CHANGES)),
  'edits.apply': () => events(changesParams().extend({ call: z.uuid().optional() }), changeOutcomeSchema),
  /** Cancels a call of `edits.apply`, whose outcomes still come: a cancel of the exchange would lose them. */
  'edits.stop': () => json(z.object({ call: z.uuid() }), none),
  'export.splice': () => json(exportRequestSchema, z.object({ splice: exportSpliceSchema.optional() })),
  'export.judge': () => json(z.object({ splice: exportSpliceSchema, summary: spliceSummarySchema }), none),
  'export.rows': () => events(exportRequestSchema, exportEventSchema),
  'tableOperations.list': () => json(tableParams(), z.array(tableOperationSchema).max(100)),
  'tableOperations.plan': () => json(operationParams(), plannedOperationSchema),
  'tableOperations.run': () => json(operationParams().extend({ confirmed: tableRefSchema }), operationResultSchema),
  'principals.list': () => json(none, z.array(principalSchema).max(100_000)),
  'principals.form': () => json(none, z.array(principalFieldSchema).max(50)),
  'principals.create': () => json(z.object({ input: principalInputSchema }), createdPrincipalSchema),
  'principals.remove': () => json(z.object({ id: z.string().min(1).max(1_000) }), none),
  'principals.generatorForm': () => json(none, z.array(principalFieldSchema).max(50)),
  'principals.details': () => json(z.object({ id: z.string().min(1).max(1_000) }), z.array(principalFactsSchema).max(20)),
  'principals.changeForm': () => json(z.object({ action: principalActionSchema }), z.array(principalFieldSchema).max(50)),
  'principals.plan': () => json(z.object({ request: principalRequestSchema }), principalPlanSchema),
  'principals.run': () =>
    json(z.object({ request: principalRequestSchema, confirmed: principalStatementsSchema }), z.array(principalSchema).max(1)),
  'principals.generate': () => json(z.object({ input: principalInputSchema }), generatedCredentialSchema),
  'metrics.read': () => json(none, metricsReadingSchema),
  'suggestions.values': () => json(suggestionRequestSchema, suggestionsSchema),
  'expressions.ofRead': () => json(readQuestionParams(), readExpressionsSchema),
  'namedTables.find': () => json(z.object({ name: z.string().min(1).max(1_000) }), tableSummarySchema),
  'namespaces.list': () => json(namespaceParamsSchema, namespacePageSchema),
  'namespaces.listTables': () => json(namespaceParamsSchema, tablePageSchema),
  'rows.read': () => bounded({ params: rowsRequestSchema, answer: 'bytes', result: readRowsSchema } as const),
  'search.form': () => json(tableParams(), searchFormSchema),
  'search.search': () => json(searchRequestSchema, searchAnswerSchema),
  'search.recordedQueries': () => json(recordedQueriesRequestSchema, recordedQueriesSchema),
  'objects.kinds': () => json(none, objectKindsSchema),
  'objects.list': () => json(z.object({ place: objectPlaceSchema, next: objectNextSchema.optional() }), objectPageSchema),
  'objects.get': () => json(z.object({ object: objectRefSchema }), objectDocumentSchema),
  'objects.plan': () => json(z.object({ change: objectChangeSchema }), plannedChangeSchema),
  'objects.apply': () => json(z.object({ change: objectChangeSchema }), none),
  'objects.placeHit': () => json(z.object({ hit: hitPlacementSchema }), objectChangeSchema),
  'operations.list': () => json(z.object({ place: operationPlaceSchema }), z.array(operationSchema).max(MOST_OPERATIONS)),
  'operations.form': () => json(z.object({ place: operationPlaceSchema, operation: operationIdSchema }), operationFormSchema),
  'operations.plan': () => json(z.object({ call: operationCallSchema }), operationPlanSchema),
  'operations.run': () =>
    events(
      z.object({ call: operationCallSchema, basis: operationBasisSchema, checkpoint: operationCheckpointSchema.optional() }),
      operationEventSchema,
    ),
  'import.form': () => json(tableParams(), importFormSchema),
  'import.check': () => json(importParams(), z.array(importProblemSchema).max(MOST_IMPORT_ROWS)),
  'import.splice': () => json(z.object({ target: importTargetSchema }), z.object({ splice: importSpliceSchema.optional() })),
  'import.judge': () => json(z.object({ splice: importSpliceSchema, answer: importAnswerSchema }), rowOutcomesSchema),
  'import.write': () => events(importParams(), writeOutcomeSchema),
  'import.namespaces': () => json(z.object({ within: namespaceSchema.optional() }), importNamespacesSchema),
  'import.propose': () => json(tableParams().extend({ rows: importRowsSchema }), z.object({ definition: tableDefinitionSchema })),
  'import.like': () => json(definitionParams(), z.object({ definition: tableDefinitionSchema })),
  'import.planTable': () => json(definitionParams(), plannedChangeSchema),
  'import.createTable': () => json(definitionParams(), none),
  'import.discardTable': () => json(tableParams(), none),
  'explain.classify': () => json(explainParams(), statementClassificationSchema),
  'explain.explain': () => json(explainParams(), statementPlanSchema),
  'activity.list': () => json(none, runningEntriesSchema),
  'activity.end': () => json(z.object({ request: endRequestSchema }), endOutcomeSchema),
  'activity.slow': () => json(none, slowStatementsSchema),
});

/** The name of something the host can ask of a driver's process. */
export type DriverMethod = keyof typeof DRIVER_METHODS;
/** Those whose answer is a stream of events. */
export type EventMethod = {
  [M in DriverMethod]: (typeof DRIVER_METHODS)[M]['answer'] extends 'events' ? M : never;
}[DriverMethod];

/** Methods that a driver's process calls in the host. The request's body and the answer's body are streamed. */
export const HOST_METHODS = deferredTable({
  'http.request': () =>
    bounded({
      params: z.object({
        method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']),
        path: z.string().min(1).max(16_384),
        headers: z.record(z.string().max(60), z.string().max(8_192)),
        repeatable: z.boolean(),
        node: z.number().int().min(0).max(MOST_NODES).optional(),
        origin: originIdSchema.optional(),
        timeoutMilliseconds: z.number().int().min(1).max(3_600_000).optional(),
        hasBody: z.boolean(),
        /** How long the body is, where that is known before it is sent. */
        bodyBytes: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
      }),
      result: z.object({
        status: z.number().int().min(100).max(599),
        headers: z.record(z.string(), z.string()),
        node: z.number().int().min(0).max(MOST_NODES).optional(),
      }),
    }),
  /** The request's body is what the driver sends, the answer's what the server sends. */
  'socket.open': () =>
    bounded({
      params: z.object({}),
      result: z.object({ socket: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER), isEncrypted: z.boolean() }),
    }),
  'socket.startTls': () =>
    bounded({
      params: z.object({ socket: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER) }),
      /** Bytes of the server that came before: those that the driver has not read yet were not encrypted. */
      result: z.object({ plainBytes: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER) }),
    }),
  log: () =>
    bounded({
      params: z.object({ level: z.enum(['debug', 'info', 'warn', 'error']), message: z.string().max(2_000) }),
      result: none,
    }),
});

/** The name of something a driver's process can ask of the host. */
export type HostMethod = keyof typeof HOST_METHODS;
