import { stopCall, stoppable } from './stoppableCalls.ts';
import type {
  ConsoleSession,
  CredentialGenerator,
  ExplainFacet,
  ImportedTables,
  ListPageOptions,
  PrincipalChanges,
  PrincipalsFacet,
  Session,
} from '@tabularium/sdk';
import { DriverError } from '@tabularium/sdk';
import { FACETS } from '@tabularium/sdk/protocol';
import type { DriverMethod, FacetDetails, FacetName, DRIVER_METHODS } from '@tabularium/sdk/protocol';
import { closeConsoleSession, consoleTurn, openConsoleSession } from './consoleSessions.ts';

/** The methods that belong to a facet: all with a dot in their name. */
export type FacetMethod = Extract<DriverMethod, `${FacetName}.${string}`>;

/** One value, events as they come, or rows: a head, and the batch as the driver encoded it. */
export type FacetAnswer =
  { readonly value: unknown } | { readonly events: AsyncIterable<unknown> } | { readonly head: unknown; readonly batch: unknown };

type Params<M extends DriverMethod> = ReturnType<(typeof DRIVER_METHODS)[M]['params']['parse']>;
type Call<M extends FacetMethod> = (
  session: Session,
  params: Params<M>,
  signal: AbortSignal,
) => FacetAnswer | Promise<FacetAnswer>;

/** The facets that a session has, found by their presence. */
export function facetNames(session: Session): FacetName[] {
  return FACETS.filter((name) => session[name] !== undefined);
}

/** Details that the host needs before it calls a facet. */
export function facetDetails({
  console: text,
  edits,
  principals,
  metrics,
  namedTables,
  namespaces,
  objects,
  search,
  activity,
  ...others
}: Session): FacetDetails {
  return {
    ...(text === undefined
      ? {}
      : {
          console: {
            completes: text.complete !== undefined,
            describesRequests: text.describeRequest !== undefined,
            hasExamples: text.examples !== undefined,
            hasSessions: text.openSession !== undefined,
            hasPlaces: text.places !== undefined,
          },
        }),
    ...(edits === undefined ? {} : { edits: { atomicity: edits.atomicity } }),
    ...(principals === undefined ? {} : { principals: principalDetails(principals) }),
    ...(metrics === undefined ? {} : { metrics: { missingPanels: metrics.missingPanels } }),
    ...(namedTables === undefined ? {} : { namedTables: { reason: namedTables.reason } }),
    ...(namespaces === undefined ? {} : { namespaces: { initial: namespaces.initial.map((path) => [...path]) } }),
    ...(objects === undefined ? {} : { objects: { placesHits: objects.placeHit !== undefined } }),
    ...(others.import === undefined
      ? {}
      : {
          import: {
            createsTables: others.import.tables !== undefined,
            likensTables: others.import.tables?.like !== undefined,
            discardsTables: others.import.tables?.discard !== undefined,
            listsNamespaces: others.import.tables?.namespaces !== undefined,
          },
        }),
    ...(search === undefined ? {} : { search: { recordsQueries: search.recordedQueries !== undefined } }),
    ...(activity === undefined ? {} : { activity: { hasStatistics: activity.slow !== undefined } }),
  };
}

function principalDetails({ term, editable, generator, changes }: PrincipalsFacet): NonNullable<FacetDetails['principals']> {
  return {
    term,
    editable,
    ...(generator === undefined ? {} : { generator: { term: generator.term, help: generator.help, texts: generator.texts } }),
    ...(changes === undefined ? {} : { changes: { addable: changes.addable } }),
  };
}

function generatorOf(session: Session): CredentialGenerator {
  const { generator } = facet(session, 'principals');
  if (generator === undefined) throw new DriverError('UNSUPPORTED', 'This session computes no credentials.');
  return generator;
}

function changesOf(session: Session): PrincipalChanges {
  const { changes } = facet(session, 'principals');
  if (changes === undefined) throw new DriverError('UNSUPPORTED', 'This session shows no statements of changes.');
  return changes;
}

function explainOf(session: ConsoleSession): ExplainFacet {
  if (session.explain === undefined) throw new DriverError('UNSUPPORTED', 'This session of the console explains nothing.');
  return session.explain;
}

function tablesOf(session: Session): ImportedTables {
  const { tables } = facet(session, 'import');
  if (tables === undefined) throw new DriverError('UNSUPPORTED', 'This session creates no tables for an import.');
  return tables;
}

function facet<Name extends FacetName>(session: Session, name: Name): NonNullable<Session[Name]> {
  const found = session[name];
  if (found === undefined) throw new DriverError('UNSUPPORTED', `This session has no ${name}.`);
  return found;
}

function pageOptions(
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
  signal: AbortSignal,
): ListPageOptions {
  return { signal, limit, ...(after === undefined ? {} : { after }) };
}

const value = async (result: unknown): Promise<FacetAnswer> => ({ value: (await result) ?? {} });

const CALLS: { readonly [M in FacetMethod]: Call<M> } = {
  'console.split': (session, { text }) => value(facet(session, 'console').split(text)),
  'console.classify': (session, { statement }, signal) => value(facet(session, 'console').classify(statement, { signal })),
  'console.run': (session, { statement, maxRows, whole, permitted, timeLimit }, signal) => ({
    events: facet(session, 'console').run(statement, {
      maxRows,
      signal,
      ...(whole === undefined ? {} : { whole }),
      ...(permitted === undefined ? {} : { permitted }),
      ...(timeLimit === undefined ? {} : { timeLimit }),
    }),
  }),
  'console.complete': (session, { text, offset, namespace }, signal) => {
    const options = { signal, ...(namespace === undefined ? {} : { namespace }) };
    return value(facet(session, 'console').complete?.(text, offset, options) ?? { from: offset, items: [] });
  },
  'console.examples': (session, _params, signal) => value(facet(session, 'console').examples?.({ signal }) ?? []),
  'console.places': (session, _params, signal) => value(facet(session, 'console').places?.({ signal }) ?? []),
  'console.describeRequest': (session, { statement }) => {
    const request = facet(session, 'console').describeRequest?.(statement);
    if (request === undefined) throw new DriverError('UNSUPPORTED', "A statement of this driver isn't a single HTTP request.");
    return value(request);
  },
  'console.openSession': async (session, { console: number }, signal) => {
    const opened = await openConsoleSession(session, facet(session, 'console'), number, signal);
    return {
      value: {
        context: opened.context,
        takesParameters: opened.parameters !== undefined,
        explains: opened.explain !== undefined,
      },
    };
  },
  'console.sessionClassify': (session, { console: number, statement }, signal) =>
    value(consoleTurn(session, number).call(signal, (own) => own.classify(statement, { signal }))),
  'console.sessionParameters': (session, { console: number, statement }, signal) =>
    value(consoleTurn(session, number).call(signal, async (own) => (await own.parameters?.(statement, { signal })) ?? [])),
  'console.sessionRun': (session, { console: number, statement, maxRows, whole, permitted, timeLimit, parameters }, signal) => ({
    events: consoleTurn(session, number).events(signal, (own, ending) =>
      own.run(statement, {
        maxRows,
        signal: ending,
        ...(whole === undefined ? {} : { whole }),
        ...(permitted === undefined ? {} : { permitted }),
        ...(timeLimit === undefined ? {} : { timeLimit }),
        ...(parameters === undefined ? {} : { parameters }),
      }),
    ),
  }),
  'console.sessionEnd': (session, { console: number, way }, signal) =>
    value(consoleTurn(session, number).call(signal, (own) => own.endTransaction(way, { signal }))),
  'console.sessionClassifyPlan': (session, { console: number, statement, analyze }, signal) =>
    value(consoleTurn(session, number).call(signal, (own) => explainOf(own).classify(statement, { analyze, signal }))),
  'console.sessionExplain': (session, { console: number, statement, analyze }, signal) =>
    value(consoleTurn(session, number).call(signal, (own) => explainOf(own).explain(statement, { analyze, signal }))),
  'console.sessionContext': (session, { console: number }, signal) => value(consoleTurn(session, number).context(signal)),
  'console.sessionClose': (session, { console: number }) => value(closeConsoleSession(session, number)),
  'edits.prepare': (session, { table, changes }, signal) => value(facet(session, 'edits').prepare(table, changes, { signal })),
  'edits.apply': (session, { table, changes, call }, signal) => ({
    events: stoppable(session, call, signal, (until) => facet(session, 'edits').apply(table, changes, { signal: until })),
  }),
  'edits.stop': (session, { call }) => {
    stopCall(session, call);
    return value({});
  },
  'export.splice': async (session, request, signal) => {
    const splice = await facet(session, 'export').splice(request, { signal });
    return { value: splice === undefined ? {} : { splice } };
  },
  'export.judge': (session, { splice, summary }) => value(facet(session, 'export').judge(splice, summary)),
  'export.rows': (session, request, signal) => ({ events: facet(session, 'export').rows(request, { signal }) }),
  'tableOperations.list': (session, { table }, signal) => value(facet(session, 'tableOperations').list(table, { signal })),
  'tableOperations.plan': (session, { table, operation }, signal) =>
    value(facet(session, 'tableOperations').plan(table, operation, { signal })),
  'tableOperations.run': (session, { table, operation, confirmed }, signal) =>
    value(facet(session, 'tableOperations').run(table, operation, confirmed, { signal })),
  'principals.list': (session, _params, signal) => value(facet(session, 'principals').list({ signal })),
  'principals.form': (session, _params, signal) => value(facet(session, 'principals').form({ signal })),
  'principals.create': (session, { input }, signal) => value(facet(session, 'principals').create(input, { signal })),
  'principals.remove': (session, { id }, signal) => value(facet(session, 'principals').remove(id, { signal })),
  'principals.details': (session, { id }, signal) => value(changesOf(session).details(id, { signal })),
  'principals.changeForm': (session, { action }, signal) => value(changesOf(session).form(action, { signal })),
  'principals.plan': (session, { request }, signal) => value(changesOf(session).plan(request, { signal })),
  'principals.run': (session, { request, confirmed }, signal) => value(changesOf(session).run(request, confirmed, { signal })),
  'principals.generatorForm': (session, _params, signal) => value(generatorOf(session).form({ signal })),
  'principals.generate': (session, { input }, signal) => value(generatorOf(session).generate(input, { signal })),
  'metrics.read': (session, _params, signal) => value(facet(session, 'metrics').read({ signal })),
  'suggestions.values': (session, request, signal) => value(facet(session, 'suggestions').values(request, { signal })),
  'expressions.ofRead': (session, request, signal) => value(facet(session, 'expressions').ofRead(request, { signal })),
  'namedTables.find': (session, { name }, signal) => value(facet(session, 'namedTables').find(name, { signal })),
  'namespaces.list': (session, { namespace, ...page }, signal) =>
    value(facet(session, 'namespaces').list(namespace, pageOptions(page, signal))),
  'namespaces.listTables': (session, { namespace, ...page }, signal) =>
    value(facet(session, 'namespaces').listTables(namespace, pageOptions(page, signal))),
  'rows.read': async (session, request, signal) => {
    const { batch, ...head } = await facet(session, 'rows').read(request, { signal });
    return { head, batch };
  },
  'search.form': (session, { table }, signal) => value(facet(session, 'search').form(table, { signal })),
  'search.search': (session, request, signal) => value(facet(session, 'search').search(request, { signal })),
  'operations.list': (session, { place }, signal) => value(facet(session, 'operations').list(place, { signal })),
  'operations.form': (session, { place, operation }, signal) =>
    value(facet(session, 'operations').form(place, operation, { signal })),
  'operations.plan': (session, { call }, signal) => value(facet(session, 'operations').plan(call, { signal })),
  'operations.run': (session, { call, basis, checkpoint }, signal) => ({
    events: facet(session, 'operations').run(call, { basis, signal, ...(checkpoint === undefined ? {} : { checkpoint }) }),
  }),
  'search.recordedQueries': (session, request, signal) => {
    const queries = facet(session, 'search').recordedQueries?.(request, { signal });
    if (queries === undefined) throw new DriverError('UNSUPPORTED', 'This session has no recorded queries.');
    return value(queries);
  },
  'objects.kinds': (session, _params, signal) => value(facet(session, 'objects').kinds({ signal })),
  'objects.list': (session, { place, next }, signal) => value(facet(session, 'objects').list(place, next, { signal })),
  'objects.get': (session, { object }, signal) => value(facet(session, 'objects').get(object, { signal })),
  'objects.plan': (session, { change }, signal) => value(facet(session, 'objects').plan(change, { signal })),
  'objects.apply': (session, { change }, signal) => value(facet(session, 'objects').apply(change, { signal })),
  'objects.placeHit': (session, { hit }, signal) => {
    const change = facet(session, 'objects').placeHit?.(hit, { signal });
    if (change === undefined) throw new DriverError('UNSUPPORTED', 'This session has no objects that place hits.');
    return value(change);
  },
  'import.form': (session, { table }, signal) => value(facet(session, 'import').form(table, { signal })),
  'import.check': (session, { target, rows }, signal) => value(facet(session, 'import').check(target, rows, { signal })),
  'import.splice': async (session, { target }, signal) => {
    const splice = await facet(session, 'import').splice(target, { signal });
    return { value: splice === undefined ? {} : { splice } };
  },
  'import.judge': (session, { splice, answer }) => value(facet(session, 'import').judge(splice, answer)),
  'import.write': (session, { target, rows }, signal) => ({ events: facet(session, 'import').write(target, rows, { signal }) }),
  'import.namespaces': (session, { within }, signal) => {
    const tables = tablesOf(session);
    if (tables.namespaces === undefined) throw new DriverError('UNSUPPORTED', 'This session makes tables in no namespace.');
    return value(tables.namespaces({ signal, ...(within === undefined ? {} : { within }) }));
  },
  'import.propose': async (session, { table, rows }, signal) => ({
    value: { definition: await tablesOf(session).propose(table, rows, { signal }) },
  }),
  'import.like': async (session, { table, definition }, signal) => {
    const tables = tablesOf(session);
    if (tables.like === undefined) throw new DriverError('UNSUPPORTED', 'This session makes no definitions like others.');
    return value({ definition: await tables.like(table, definition, { signal }) });
  },
  'import.planTable': (session, { table, definition }, signal) => value(tablesOf(session).plan(table, definition, { signal })),
  'explain.classify': (session, { statement, analyze }, signal) =>
    value(facet(session, 'explain').classify(statement, { analyze, signal })),
  'explain.explain': (session, { statement, analyze }, signal) =>
    value(facet(session, 'explain').explain(statement, { analyze, signal })),
  'activity.list': (session, _params, signal) => value(facet(session, 'activity').list({ signal })),
  'activity.end': (session, { request }, signal) => value(facet(session, 'activity').end(request, { signal })),
  'activity.slow': (session, _params, signal) => {
    const statistics = facet(session, 'activity').slow?.({ signal });
    if (statistics === undefined) throw new DriverError('UNSUPPORTED', 'This session has no statistics of statements.');
    return value(statistics);
  },
  'import.createTable': (session, { table, definition }, signal) =>
    value(tablesOf(session).create(table, definition, { signal })),
  'import.discardTable': (session, { table }, signal) => {
    const tables = tablesOf(session);
    if (tables.discard === undefined) throw new DriverError('UNSUPPORTED', 'This session removes no empty tables.');
    return value(tables.discard(table, { signal }));
  },
};

/** Calls a method of a facet with parameters that its schema has let pass. */
export async function callFacet(
  session: Session,
  method: FacetMethod,
  params: unknown,
  signal: AbortSignal,
): Promise<FacetAnswer> {
  const call = CALLS[method] as Call<FacetMethod>;
  return call(session, params as Params<FacetMethod>, signal);
}
