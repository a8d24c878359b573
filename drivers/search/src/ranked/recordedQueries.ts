import { DriverError, isDriverError, listOfNames } from '@tabularium/sdk';
import type { RecordedQueries, RecordedQueriesRequest, RecordedQuery, RecordedQueryKind } from '@tabularium/sdk';
import type { Search, SearchClient } from '../client.ts';
import { countOf, isObject, textOfField } from '../guards.ts';
import { collectionPath } from '../paths.ts';
import { documentsOf, foundOf, rangesOf, resultsOf, successOf } from '../search.ts';
import { noSuchCollection } from '../schemas.ts';
import { collectionName } from '../tables.ts';
import { faultTexts } from '../faultTexts.ts';

/** The type of the analytics rules that record each kind of query. */
const RULE_TYPES: Readonly<Record<RecordedQueryKind, string>> = { popular: 'popular_queries', withoutHits: 'nohits_queries' };
/** The kind of objects that such rules are. */
const RULE_KIND = 'analytics-rule';
const MOST_RECORDINGS = 100;
const LONGEST_NAME = 1_000;
const LONGEST_QUERY = 4_000;
const LONGEST_FILTER = 4_000;

/** An analytics rule, of whichever version. */
interface RecordingRule {
  readonly name: string;
  readonly type: string;
  /** Collections or aliases whose searches it counts. */
  readonly sources: readonly string[];
  /** The collection that the server writes queries to. */
  readonly destination: string | undefined;
}

/** Queries that the server's analytics rules have written for a collection. */
export async function readRecordedQueries(
  { table, kind, recording, offset, limit }: RecordedQueriesRequest,
  client: SearchClient,
  signal: AbortSignal,
): Promise<RecordedQueries> {
  signal.throwIfAborted();
  const collection = collectionName(table);
  const rules = (await rulesFor(collection, client, signal)).filter(({ type }) => type === RULE_TYPES[kind]);
  const recordings = rules.map(({ name }) => name).slice(0, MOST_RECORDINGS);
  const rule = recording === undefined ? rules[0] : rules.find(({ name }) => name === recording);
  if (recording !== undefined && rule === undefined) {
    throw new DriverError('INVALID_INPUT', `There is no analytics rule “${recording}” for these queries of “${collection}”.`, {
      details: {
        field: 'recording',
        advice: recordings.length === 0 ? 'There is none at all.' : `There are: ${listOfNames(recordings)}.`,
        texts: faultTexts('fault.noRecording', { recording, collection }, 'fault.thereAre', {
          count: recordings.length,
          names: recordings,
        }),
      },
    });
  }
  if (rule === undefined) return { recordings, queries: [], found: 0, missing: noRule(collection, kind) };
  const { name, destination } = rule;
  if (destination === undefined) return { recordings, queries: [], found: 0, missing: noDestination(name) };
  try {
    const { queries, found } = await readDestination(destination, { offset, limit }, client, signal);
    return { recordings, queries, found, ...(found === 0 ? { missing: nothingYet(name, destination) } : {}) };
  } catch (error) {
    if (!isDriverError(error) || error.code !== 'NOT_FOUND') throw error;
    return { recordings, queries: [], found: 0, missing: destinationIsGone(name, destination) };
  }
}

/** The rules that count searches of a collection, also those that name it by an alias. */
async function rulesFor(typed: string, client: SearchClient, signal: AbortSignal): Promise<readonly RecordingRule[]> {
  const name = await nameOf(typed, client, signal);
  const { value } = await client.read('/analytics/rules', signal);
  const list: unknown = Array.isArray(value) ? value : isObject(value) ? value['rules'] : undefined;
  const rules = (Array.isArray(list) ? list : []).flatMap(ruleOf);
  const direct = rules.filter(({ sources }) => sources.includes(name) || sources.includes(typed));
  if (direct.length === rules.length) return direct;
  const aliases = await aliasesOf(name, client, signal);
  return rules.filter((rule) => direct.includes(rule) || rule.sources.some((source) => aliases.has(source)));
}

/** The collection behind an alias. */
async function nameOf(typed: string, client: SearchClient, signal: AbortSignal): Promise<string> {
  try {
    const { value } = await client.read(collectionPath(typed), signal);
    return (isObject(value) ? textOfField(value, 'name') : undefined) ?? typed;
  } catch (error) {
    if (!isDriverError(error)) throw error;
    if (error.code === 'NOT_FOUND') throw noSuchCollection(typed, error);
    // A key may read rules and no schemas.
    if (error.code === 'ACCESS_REFUSED' || error.code === 'PERMISSION_DENIED') return typed;
    throw error;
  }
}

async function aliasesOf(collection: string, client: SearchClient, signal: AbortSignal): Promise<ReadonlySet<string>> {
  try {
    const { value } = await client.read('/aliases', signal);
    const aliases: unknown = isObject(value) ? value['aliases'] : undefined;
    return new Set(
      (Array.isArray(aliases) ? aliases : []).flatMap((alias: unknown) =>
        isObject(alias) && textOfField(alias, 'collection_name') === collection ? (textOfField(alias, 'name') ?? []) : [],
      ),
    );
  } catch (error) {
    // Rules that name the collection itself are there all the same.
    if (isDriverError(error) && error.code !== 'CANCELLED') return new Set();
    throw error;
  }
}

function ruleOf(value: unknown): RecordingRule[] {
  if (!isObject(value)) return [];
  const name = textOfField(value, 'name');
  const type = textOfField(value, 'type');
  if (name === undefined || name === '' || name.length > LONGEST_NAME || type === undefined) return [];
  const params = isObject(value['params']) ? value['params'] : {};
  const source = isObject(params['source']) ? params['source'] : {};
  const target = isObject(params['destination']) ? params['destination'] : {};
  const sources = [value['collection'], source['collections']].flat().filter((one) => typeof one === 'string');
  // Before version 30 a destination is an object, from 30 on a name.
  const destination = textOfField(params, 'destination_collection') ?? textOfField(target, 'collection');
  return [{ name, type, sources, destination: destination === '' ? undefined : destination }];
}

async function readDestination(
  destination: string,
  range: { readonly offset: number; readonly limit: number },
  client: SearchClient,
  signal: AbortSignal,
): Promise<Pick<RecordedQueries, 'queries' | 'found'>> {
  return client.withinLimits(async (limits) => {
    const ranges = rangesOf(range, limits).slice(0, limits.searches);
    const searches = ranges.map((one): Search => ({ collection: destination, q: '*', sort_by: 'count:desc', ...one }));
    const { value } = await client.search(searches, signal);
    const results = resultsOf(value, searches.length).map((result, place) =>
      successOf(result, destination, ranges[place]?.limit ?? 0),
    );
    const [first] = results;
    const queries = results.flatMap(documentsOf).slice(0, range.limit).flatMap(queryOf);
    return { queries, found: first === undefined ? 0 : foundOf(first) };
  });
}

function queryOf(document: Readonly<Record<string, unknown>>): RecordedQuery[] {
  const text = textOfField(document, 'q');
  if (text === undefined || text === '' || text.length > LONGEST_QUERY) return [];
  const filter = textOfField(document, 'filter_by');
  return [
    {
      text,
      count: countOf(document, 'count') ?? 0,
      ...(filter === undefined || filter === '' ? {} : { filter: filter.slice(0, LONGEST_FILTER) }),
    },
  ];
}

type Missing = NonNullable<RecordedQueries['missing']>;

function noRule(collection: string, kind: RecordedQueryKind): Missing {
  const type = RULE_TYPES[kind];
  return {
    reason: `No analytics rule of the type ${type} counts searches of “${collection}”.`,
    advice:
      'Add one in Objects, with a collection to write to that has the fields q (string) and count (int32). The server counts only when it was started with --enable-search-analytics=true.',
    objects: RULE_KIND,
    texts: {
      reason: { id: 'recorded.noRule', values: { type, collection: collection.slice(0, 400) } },
      advice: { id: 'recorded.addRule' },
    },
  };
}

function noDestination(name: string): Missing {
  return {
    reason: `The analytics rule “${name}” writes to no collection.`,
    advice: 'Give it one in Objects.',
    objects: RULE_KIND,
    texts: { reason: { id: 'recorded.noDestination', values: { name: name.slice(0, 400) } }, advice: { id: 'recorded.giveOne' } },
  };
}

function destinationIsGone(name: string, destination: string): Missing {
  return {
    reason: `The analytics rule “${name}” writes to the collection “${destination}”, which is not there.`,
    advice: 'Create that collection with the fields q (string) and count (int32), or have the rule write to another one.',
    objects: RULE_KIND,
    texts: {
      reason: { id: 'recorded.destinationGone', values: { name: name.slice(0, 400), destination: destination.slice(0, 400) } },
      advice: { id: 'recorded.createDestination' },
    },
  };
}

function nothingYet(name: string, destination: string): Missing {
  return {
    reason: `The analytics rule “${name}” has not written a query to “${destination}” yet.`,
    advice:
      'The server writes at intervals, and only when it was started with --enable-search-analytics=true and --analytics-dir. Searches of this window don’t count.',
    texts: {
      reason: { id: 'recorded.nothingYet', values: { name: name.slice(0, 400), destination: destination.slice(0, 400) } },
      advice: { id: 'recorded.wait' },
    },
  };
}
