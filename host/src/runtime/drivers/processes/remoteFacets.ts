import { randomUUID } from 'node:crypto';
import type {
  ActivityFacet,
  CallOptions,
  ChangeOutcome,
  ConsoleFacet,
  EditsFacet,
  ExplainFacet,
  ExpressionsFacet,
  ExportFacet,
  ImportFacet,
  MetricsFacet,
  NamedTablesFacet,
  NewTableNamespaceOptions,
  ObjectsFacet,
  OperationsFacet,
  PrincipalsFacet,
  RowChange,
  RowsFacet,
  SearchFacet,
  Session,
  SuggestionsFacet,
  TableOperationsFacet,
  TableRef,
} from '@tabularium/sdk';
import type { FacetDetails, FacetName } from '@tabularium/sdk/protocol';
import type { Calls, Result } from './remoteCalls.ts';
import { openRemoteConsole } from './remoteConsole.ts';
import { remoteNamespaces } from './remoteNamespaces.ts';
import type { StoppableOptions } from './stoppableOptions.ts';
import { wholeCharacters } from './wholeCharacters.ts';

type Facets = { -readonly [Name in FacetName]?: NonNullable<Session[Name]> };

/** The facets that a driver said its session has, each call over the wire. */
export function remoteFacets(calls: Calls, { facets, details }: Result<'connect'>): Facets {
  const has = new Set(facets);
  const found: Facets = {};
  if (has.has('console')) found.console = consoleOf(calls, details.console);
  if (has.has('export')) found.export = exportOf(calls);
  if (has.has('suggestions')) found.suggestions = suggestionsOf(calls);
  if (has.has('expressions')) found.expressions = expressionsOf(calls);
  if (has.has('rows')) found.rows = rowsOf(calls);
  if (has.has('search')) found.search = searchOf(calls, details.search);
  if (has.has('objects')) found.objects = objectsOf(calls, details.objects);
  if (has.has('operations')) found.operations = operationsOf(calls);
  if (has.has('import')) found.import = importOf(calls, details.import);
  if (has.has('explain')) found.explain = explainOf(calls);
  if (has.has('activity')) found.activity = activityOf(calls, details.activity);
  if (has.has('tableOperations')) found.tableOperations = tableOperationsOf(calls);
  if (details.edits !== undefined) found.edits = editsOf(calls, details.edits);
  if (details.principals !== undefined) found.principals = principalsOf(calls, details.principals);
  if (details.metrics !== undefined) found.metrics = metricsOf(calls, details.metrics);
  if (details.namespaces !== undefined) found.namespaces = remoteNamespaces(calls, details.namespaces);
  if (details.namedTables !== undefined) found.namedTables = namedTablesOf(calls, details.namedTables);
  return found;
}

function consoleOf(calls: Calls, details: FacetDetails['console']): ConsoleFacet {
  return {
    split: (text) => calls.json('console.split', { text }, new AbortController().signal),
    classify: (statement, { signal }) => calls.json('console.classify', { statement }, signal),
    run: (statement, { signal, ...options }) => calls.events('console.run', { statement, ...options }, signal),
    ...(details?.completes === true
      ? {
          complete: (text, offset, { signal, ...place }) => calls.json('console.complete', { text, offset, ...place }, signal),
        }
      : {}),
    ...(details?.hasExamples === true
      ? { examples: ({ signal }: { readonly signal: AbortSignal }) => calls.json('console.examples', {}, signal) }
      : {}),
    ...(details?.describesRequests === true
      ? {
          describeRequest: (statement) => calls.json('console.describeRequest', { statement }, new AbortController().signal),
        }
      : {}),
    // Each call of a driver that blocks its process may go to another process, which has no session of the kind.
    ...(details?.hasSessions === true && calls.sameProcess
      ? { openSession: ({ signal }: CallOptions) => openRemoteConsole(calls, signal) }
      : {}),
    ...(details?.hasPlaces === true ? { places: ({ signal }: CallOptions) => calls.json('console.places', {}, signal) } : {}),
  };
}

function editsOf(calls: Calls, details: Pick<EditsFacet, 'atomicity'>): EditsFacet {
  return wholeCharacters({
    ...details,
    prepare: (table, changes, { signal }) => calls.json('edits.prepare', { table, changes }, signal),
    apply: (table, changes, options: StoppableOptions) => appliedUntilStopped(calls, { table, changes }, options),
  });
}

/** Its stop ends the driver's work and not the call, whose last outcomes are needed to say whether a change was made. */
async function* appliedUntilStopped(
  calls: Calls,
  params: { readonly table: TableRef; readonly changes: readonly RowChange[] },
  { signal, stop }: StoppableOptions,
): AsyncGenerator<ChangeOutcome, void, undefined> {
  if (stop === undefined) return yield* calls.events('edits.apply', params, signal);
  if (stop.aborted) return;
  // Another process than the call's would know nothing of it.
  if (!calls.sameProcess) return yield* calls.events('edits.apply', params, AbortSignal.any([signal, stop]));
  const call = randomUUID();
  const ask = (): void => void calls.json('edits.stop', { call }, signal).catch(() => undefined);
  stop.addEventListener('abort', ask, { once: true });
  try {
    yield* calls.events('edits.apply', { ...params, call }, signal);
  } finally {
    stop.removeEventListener('abort', ask);
  }
}

function exportOf(calls: Calls): ExportFacet {
  return {
    splice: async (request, { signal }) => (await calls.json('export.splice', request, signal)).splice,
    judge: async (splice, summary) => {
      await calls.json('export.judge', { splice, summary }, new AbortController().signal);
    },
    rows: (request, { signal }) => calls.events('export.rows', request, signal),
  };
}

function tableOperationsOf(calls: Calls): TableOperationsFacet {
  return {
    list: (table, { signal }) => calls.json('tableOperations.list', { table }, signal),
    plan: (table, operation, { signal }) => calls.json('tableOperations.plan', { table, operation }, signal),
    run: (table, operation, confirmed, { signal }) => calls.json('tableOperations.run', { table, operation, confirmed }, signal),
  };
}

function principalsOf(
  calls: Calls,
  { term, editable, generator, changes }: NonNullable<FacetDetails['principals']>,
): PrincipalsFacet {
  return {
    term,
    editable,
    list: ({ signal }) => calls.json('principals.list', {}, signal),
    form: ({ signal }) => calls.json('principals.form', {}, signal),
    create: (input, { signal }) => calls.json('principals.create', { input }, signal),
    remove: async (id, { signal }) => {
      await calls.json('principals.remove', { id }, signal);
    },
    ...(generator === undefined
      ? {}
      : {
          generator: {
            ...generator,
            form: ({ signal }) => calls.json('principals.generatorForm', {}, signal),
            generate: (input, { signal }) => calls.json('principals.generate', { input }, signal),
          },
        }),
    ...(changes === undefined
      ? {}
      : {
          changes: {
            ...changes,
            details: (id, { signal }) => calls.json('principals.details', { id }, signal),
            form: (action, { signal }) => calls.json('principals.changeForm', { action }, signal),
            plan: (request, { signal }) => calls.json('principals.plan', { request }, signal),
            run: (request, confirmed, { signal }) => calls.json('principals.run', { request, confirmed }, signal),
          },
        }),
  };
}

function namedTablesOf(calls: Calls, details: Pick<NamedTablesFacet, 'reason'>): NamedTablesFacet {
  return { ...details, find: (name, { signal }) => calls.json('namedTables.find', { name }, signal) };
}

function metricsOf(calls: Calls, details: Pick<MetricsFacet, 'missingPanels'>): MetricsFacet {
  return { ...details, read: ({ signal }) => calls.json('metrics.read', {}, signal) };
}

function suggestionsOf(calls: Calls): SuggestionsFacet {
  return { values: (request, { signal }) => calls.json('suggestions.values', request, signal) };
}

function expressionsOf(calls: Calls): ExpressionsFacet {
  return { ofRead: (request, { signal }) => calls.json('expressions.ofRead', request, signal) };
}

function rowsOf(calls: Calls): RowsFacet {
  return {
    read: async (request, { signal }) => {
      const { head, bytes } = await calls.bytes('rows.read', request, signal);
      return { ...head, batch: bytes };
    },
  };
}

function searchOf(calls: Calls, details: FacetDetails['search']): SearchFacet {
  return {
    form: (table, { signal }) => calls.json('search.form', { table }, signal),
    search: (request, { signal }) => calls.json('search.search', request, signal),
    ...(details?.recordsQueries === true
      ? { recordedQueries: (request, { signal }) => calls.json('search.recordedQueries', request, signal) }
      : {}),
  };
}

function objectsOf(calls: Calls, details: FacetDetails['objects']): ObjectsFacet {
  return {
    kinds: ({ signal }) => calls.json('objects.kinds', {}, signal),
    list: (place, next, { signal }) => calls.json('objects.list', { place, ...(next === undefined ? {} : { next }) }, signal),
    get: (object, { signal }) => calls.json('objects.get', { object }, signal),
    plan: (change, { signal }) => calls.json('objects.plan', { change }, signal),
    apply: async (change, { signal }) => {
      await calls.json('objects.apply', { change }, signal);
    },
    ...(details?.placesHits === true ? { placeHit: (hit, { signal }) => calls.json('objects.placeHit', { hit }, signal) } : {}),
  };
}

function operationsOf(calls: Calls): OperationsFacet {
  return {
    list: (place, { signal }) => calls.json('operations.list', { place }, signal),
    form: (place, operation, { signal }) => calls.json('operations.form', { place, operation }, signal),
    plan: (call, { signal }) => calls.json('operations.plan', { call }, signal),
    run: (call, { signal, basis, checkpoint }) =>
      calls.events('operations.run', { call, basis, ...(checkpoint === undefined ? {} : { checkpoint }) }, signal),
  };
}

/** A statement that is run for its plan takes as long as it takes; a person, or an external client's time limit, ends it. */
const ANALYZE_MILLISECONDS = 3_600_000;

function explainOf(calls: Calls): ExplainFacet {
  return {
    classify: (statement, { analyze, signal }) => calls.json('explain.classify', { statement, analyze }, signal),
    explain: (statement, { analyze, signal }) =>
      calls.json('explain.explain', { statement, analyze }, signal, ...(analyze ? [ANALYZE_MILLISECONDS] : [])),
  };
}

function activityOf(calls: Calls, details: FacetDetails['activity']): ActivityFacet {
  return {
    list: ({ signal }) => calls.json('activity.list', {}, signal),
    end: (request, { signal }) => calls.json('activity.end', { request }, signal),
    ...(details?.hasStatistics === true ? { slow: ({ signal }: CallOptions) => calls.json('activity.slow', {}, signal) } : {}),
  };
}

function importOf(calls: Calls, details: FacetDetails['import']): ImportFacet {
  return {
    form: (table, { signal }) => calls.json('import.form', { table }, signal),
    check: (target, rows, { signal }) => calls.json('import.check', { target, rows }, signal),
    splice: async (target, { signal }) => (await calls.json('import.splice', { target }, signal)).splice,
    judge: (splice, answer) => calls.json('import.judge', { splice, answer }, new AbortController().signal),
    write: (target, rows, { signal }) => calls.events('import.write', { target, rows }, signal),
    ...(details?.createsTables === true
      ? {
          tables: {
            ...(details.listsNamespaces
              ? {
                  namespaces: ({ signal, ...within }: NewTableNamespaceOptions) =>
                    calls.json('import.namespaces', within, signal),
                }
              : {}),
            propose: async (table, rows, { signal }) => (await calls.json('import.propose', { table, rows }, signal)).definition,
            ...(details.likensTables
              ? {
                  like: async (table: TableRef, definition: string, { signal }: CallOptions) =>
                    (await calls.json('import.like', { table, definition }, signal)).definition,
                }
              : {}),
            plan: (table, definition, { signal }) => calls.json('import.planTable', { table, definition }, signal),
            create: async (table, definition, { signal }) => {
              await calls.json('import.createTable', { table, definition }, signal);
            },
            ...(details.discardsTables
              ? {
                  discard: async (table: TableRef, { signal }: CallOptions) => {
                    await calls.json('import.discardTable', { table }, signal);
                  },
                }
              : {}),
          },
        }
      : {}),
  };
}
