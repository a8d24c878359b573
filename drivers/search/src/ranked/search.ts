import { DriverError } from '@tabularium/sdk';
import type { DescribedRequest, SearchAnswer, SearchFacet, SearchHit, SearchRequest } from '@tabularium/sdk';
import { badAnswer } from '../client.ts';
import type { Search, SearchClient } from '../client.ts';
import { prettyJson } from '../console/prettyJson.ts';
import { stringifyExact } from '../exactJson.ts';
import { countOf, isObject, textOfField } from '../guards.ts';
import type { JsonObject } from '../guards.ts';
import { listOfNotes } from '../notes.ts';
import { namingTokenizer } from '../noWord.ts';
import type { Schemas } from '../schemas.ts';
import type { ServerAddress } from '../serverAddress.ts';
import { SEARCH_REQUEST, foundOf, rangesOf, resultsOf, successOf } from '../search.ts';
import { has, versionNumber } from '../versions.ts';
import { clientCode } from './clientCode.ts';
import { droppedWordsNotes } from './droppedWords.ts';
import { excludedNotes } from './excludedWords.ts';
import { countedRange } from './countedRange.ts';
import { explanationOf, hitMarks } from './explanation.ts';
import { readSearchForm } from './form.ts';
import { highlightsOf } from './highlights.ts';
import { withOption } from './optionFault.ts';
import { RANKED_OPTIONS } from './options.ts';
import type { RankedParameters } from './parameters.ts';
import type { PinRules } from './pinRules.ts';
import { readRecordedQueries } from './recordedQueries.ts';
import { SINCE_REMOVED_DUPLICATES } from './unionLimits.ts';
import { searchSides } from './searchSides.ts';
import type { SearchSide } from './searchSides.ts';
import { faultTexts } from '../faultTexts.ts';

/** Hits of one answer at most, as the contract says. */
const MOST_HITS = 250;

/** Ranked search, as the server's own users have it: with its rules, synonyms and typos. */
export function createSearch(
  client: SearchClient,
  schemas: Schemas,
  pinRules: PinRules,
  { version, address }: { readonly version?: string | undefined; readonly address?: ServerAddress | undefined },
): SearchFacet {
  const number = versionNumber(version);
  const server = { client, address };
  const keepsDuplicates = has(number, SINCE_REMOVED_DUPLICATES) ? ({ remove_duplicates: false } as const) : {};
  return {
    form: (table, { signal }) => readSearchForm(table, client, schemas, number, signal),
    recordedQueries: (request, { signal }) => readRecordedQueries(request, client, signal),
    async search(request, { signal }) {
      signal.throwIfAborted();
      const { sides, droppedSorts } = await searchSides(request, schemas, number, signal);
      const [first, ...others] = sides;
      const { collection } = first;
      const found = await namingTokenizer(collection, schemas, signal, () =>
        client.withinLimits((limits) => {
          const range = { offset: request.offset, limit: hitsAsked(request) };
          const ranges = rangesOf(range, limits).slice(0, limits.searches);
          if (others.length === 0) {
            return run(
              asked({ searches: ranges.map((place): Search => ({ ...first.search, ...place })) }),
              first,
              server,
              signal,
            );
          }
          // All are one result: a second range would need a second request, and a page of fewer hits is allowed.
          const searches = sides.map(({ search }): Search => search);
          return run(asked({ union: true, ...keepsDuplicates, searches }, ranges[0]), first, server, signal);
        }),
      ).catch((error: unknown) => {
        throw withOption(error, request.options);
      });
      const hits = found.hits.slice(0, MOST_HITS).map((one) => ({ ...one, side: sideOf(one.hit, sides) }));
      const rules = new Map(
        await Promise.all(
          [...new Set(hits.filter(({ hit }) => hit['curated'] === true).map(({ side }) => side))].map(
            async (side) => [side, await pinRules.rulesFor(side.collection, signal)] as const,
          ),
        ),
      );
      return {
        ...found.answer,
        ...listOfNotes([...excludedNotes(request.text), ...droppedWordsNotes(request.text, hits[0]?.hit)]),
        hits: hits.map(({ hit, group, side }) => ({
          ...readHit(hit, group, found.marked, (id) => rules.get(side)?.(id, request.text) ?? []),
          ...(side === first ? {} : { table: side.table }),
        })),
        facets: facetsOf(found.first, request.facets, first.floats),
        leftOut: [...new Set(sides.flatMap(({ vectors }) => vectors))],
        droppedSorts,
        object: presetOf(first.parameters, first.sortBy),
      };
    },
  };
}

/** The collection that a hit of a search of several comes from. */
function sideOf(hit: JsonObject, sides: readonly [SearchSide, ...SearchSide[]]): SearchSide {
  if (sides.length === 1) return sides[0];
  const side = sides[countOf(hit, 'search_index') ?? -1];
  if (side === undefined) throw badAnswer(SEARCH_REQUEST, "a hit doesn't say which search found it");
  return side;
}

/** Parameters that belong to one search, and not to a way to search. */
const OF_ONE_SEARCH: ReadonlySet<string> = new Set(['q', 'facet_by', 'enable_analytics', 'preset']);

/** The way to search as a preset of the server. */
function presetOf(
  parameters: RankedParameters,
  sortBy: string | number | boolean | undefined,
): NonNullable<SearchAnswer['object']> {
  const value = {
    ...Object.fromEntries(Object.entries(parameters).filter(([name]) => !OF_ONE_SEARCH.has(name))),
    ...(sortBy === undefined ? {} : { sort_by: sortBy }),
  };
  return { kind: 'preset', document: JSON.stringify({ value }) };
}

/** Where hits are grouped, so many groups that their hits fit. */
function hitsAsked({ limit, options }: SearchRequest): number {
  if (options['group_by'] === undefined || options['group_by'] === '') return limit;
  const perGroup = options['group_limit'] ?? RANKED_OPTIONS['group_limit']?.default;
  return Math.max(1, Math.min(limit, Math.floor(MOST_HITS / (typeof perGroup === 'number' && perGroup > 0 ? perGroup : 1))));
}

interface Ran {
  readonly answer: Omit<SearchAnswer, 'hits' | 'facets' | 'leftOut' | 'droppedSorts'>;
  readonly hits: readonly { readonly hit: JsonObject; readonly group: string | undefined }[];
  readonly first: JsonObject;
  readonly marked: boolean;
}

/** A request of searches. */
interface Asked {
  readonly body: { readonly union?: true; readonly remove_duplicates?: false; readonly searches: readonly Search[] };
  /** The range of what several collections give together; absent where each search has its own. */
  readonly range: { readonly offset: number; readonly limit: number } | undefined;
}

interface Server {
  readonly client: SearchClient;
  readonly address: ServerAddress | undefined;
}

const asked = (body: Asked['body'], range?: Asked['range']): Asked => ({ body, range });

async function run(
  { body, range }: Asked,
  { collection }: SearchSide,
  { client, address }: Server,
  signal: AbortSignal,
): Promise<Ran> {
  const { searches } = body;
  const path = `/multi_search${range === undefined ? '' : `?limit=${range.limit}&offset=${range.offset}`}`;
  const request: DescribedRequest = {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
  const { value, marked } = await client.ask(request, collection, signal);
  const answers = range === undefined ? resultsOf(value, searches.length) : [value];
  const results = answers.map((result, index) =>
    successOf(result, collection, range?.limit ?? Number(searches[index]?.['limit'])),
  );
  const [first] = results;
  if (first === undefined) throw badAnswer(SEARCH_REQUEST, 'it holds no result');
  const outOf = countOf(first, 'out_of');
  const foundRows = Array.isArray(first['grouped_hits']) ? countOf(first, 'found_docs') : undefined;
  const milliseconds = results.reduce((sum, result) => sum + (countOf(result, 'search_time_ms') ?? 0), 0);
  return {
    answer: {
      found: foundOf(first),
      ...(foundRows === undefined ? {} : { foundRows }),
      ...(outOf === undefined ? {} : { outOf }),
      serverMilliseconds: milliseconds,
      isCutOff: results.some((result) => result['search_cutoff'] === true),
      request,
      statement: `POST ${path}\n${prettyJson(JSON.stringify(body))}`,
      code: clientCode(body, range, address),
      notes: [],
    },
    hits: results.flatMap(hitsOf),
    first,
    marked,
  };
}

/** The hits of a result, with the group of each. */
function hitsOf(result: JsonObject): { hit: JsonObject; group: string | undefined }[] {
  const groups = result['grouped_hits'];
  if (Array.isArray(groups)) {
    return groups.flatMap((group: unknown) => {
      if (!isObject(group)) throw badAnswer(SEARCH_REQUEST, "a group isn't an object");
      const key = group['group_key'];
      const name = (Array.isArray(key) ? key : [key]).flat().map(String).join(', ').slice(0, 1_000);
      return hitsOf({ hits: group['hits'] }).map(({ hit }) => ({ hit, group: name }));
    });
  }
  const hits = result['hits'];
  if (!Array.isArray(hits)) throw badAnswer(SEARCH_REQUEST, 'a result has no hits');
  return hits.map((hit: unknown) => {
    if (!isObject(hit)) throw badAnswer(SEARCH_REQUEST, "a hit isn't an object");
    return { hit, group: undefined };
  });
}

function readHit(
  hit: JsonObject,
  group: string | undefined,
  marked: boolean,
  rulesOf: (id: string) => readonly string[],
): SearchHit {
  const document = hit['document'];
  if (!isObject(document)) throw badAnswer(SEARCH_REQUEST, 'a hit has no document');
  const id = textOfField(document, 'id');
  if (id === undefined) {
    throw new DriverError('SERVER_ERROR', 'A hit has no id, so it cannot be shown as a row.', {
      details: {
        request: SEARCH_REQUEST,
        advice: 'A preset or a scoped key may leave the field “id” out: let it include the field.',
        texts: faultTexts('fault.hitNoId', {}, 'fault.hitNoId.advice'),
      },
    });
  }
  return {
    key: [id],
    document: stringifyExact(document, marked),
    highlights: highlightsOf(hit, document),
    ...explanationOf(hit),
    marks: hitMarks(hit, rulesOf(id)),
    ...(hit['curated'] === true ? { isPlaced: true } : {}),
    ...(group === undefined ? {} : { group }),
  };
}

function facetsOf(result: JsonObject, wanted: readonly string[], floats: ReadonlySet<string>): SearchAnswer['facets'] {
  const counts = Array.isArray(result['facet_counts']) ? (result['facet_counts'] as unknown[]).filter(isObject) : [];
  return [...new Set(wanted)].map((column) => {
    const facet = counts.find((one) => textOfField(one, 'field_name') === column);
    const values = facet === undefined ? undefined : facet['counts'];
    return {
      column,
      values: (Array.isArray(values) ? values : []).slice(0, 250).flatMap((entry: unknown) => {
        const value = isObject(entry) ? textOfField(entry, 'value') : undefined;
        const rows = isObject(entry) ? countOf(entry, 'count') : undefined;
        if (value === undefined || rows === undefined || value === '' || value.length > 10_000) return [];
        const between = floats.has(column) ? countedRange(value) : undefined;
        return [{ value, rows, ...(between === undefined ? {} : { between }) }];
      }),
    };
  });
}
