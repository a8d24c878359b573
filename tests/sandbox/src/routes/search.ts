import { ApiError, badRequest } from '../errors.ts';
import type { Engine } from '../engine.ts';
import { json } from '../http.ts';
import type { Answer, Call } from '../http.ts';
import { print } from '../json/print.ts';
import { tryParse } from '../json/parse.ts';
import { isFloat, isInteger, isObject, objectOf, toNumber } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { SEARCH_ACTION } from '../keys.ts';
import { searchCost } from '../pace.ts';
import type { Route } from '../router.ts';
import { flag, number } from '../search/params.ts';
import { Search, requireCollection } from '../search/search.ts';
import type { SearchResult } from '../search/search.ts';
import { unionSearch } from '../search/union.ts';

const DEFAULT_LIMIT = 50;
const UNUSABLE_KEY = 'Error applying search parameters inside Scoped Search API key';
const MALFORMED = 'One or more search parameters are malformed.';

const asText = (value: JsonValue): string | undefined => {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (isInteger(value)) return String(value);
  return isFloat(value) ? toNumber(value).toFixed(6) : undefined;
};

/** Adds what is not there yet; filters add up. False where a value is neither text, number nor boolean. */
const addParams = (params: Map<string, string>, source: JsonObject, overwrite: boolean): boolean => {
  for (const name of Object.keys(source)) {
    if (name === 'expires_at') continue;
    const text = asText(source[name] ?? null);
    if (text === undefined) return false;
    const existing = params.get(name);
    if (name === 'filter_by' && existing !== undefined && existing !== '' && text !== '') {
      params.set(name, `(${existing}) && (${text})`);
    } else if (existing === undefined || overwrite || (name === 'filter_by' && existing === '')) {
      params.set(name, text);
    }
  }
  return true;
};

const withPreset = (engine: Engine, params: Map<string, string>): void => {
  const name = params.get('preset');
  if (name !== undefined) addParams(params, engine.preset(name), false);
};

const run = (call: Call, params: ReadonlyMap<string, string>, name: string, isAlone = false): SearchResult => {
  const { engine } = call;
  const collection = requireCollection(engine.collection(name), engine.features);
  const result = new Search(collection, engine.features, params, {
    ...engine.searchContext(collection),
    ...(engine.features.sets ? engine.namedSynonyms(params) : {}),
    assumesQuery: isAlone && engine.features.queryIsOptional,
  }).run();
  if (flag(params, 'enable_analytics', true)) {
    engine.analytics.record({ collection: name, query: params.get('q') ?? '', user: call.user, found: result.found });
  }
  return result;
};

const singleSearch = (call: Call): Answer => {
  const params = new Map(call.params);
  addParams(params, (call.embedded[0] ?? {}) as JsonObject, true);
  withPreset(call.engine, params);
  const result = run(call, params, call.captured['collection'] ?? '', true);
  return json(200, result.text, searchCost(result));
};

const readSearches = (call: Call): { searches: JsonValue[]; union: boolean; removesDuplicates: boolean } => {
  const preset = call.params.get('preset');
  const source = preset === undefined ? tryParse(call.body) : call.engine.preset(preset);
  if (source === undefined) throw badRequest('Bad JSON.');
  const searches = isObject(source) ? source['searches'] : undefined;
  if (!Array.isArray(searches)) throw badRequest('Missing `searches` array.');
  const union = isObject(source) && source['union'] === true;
  return { searches, union, removesDuplicates: !isObject(source) || source['remove_duplicates'] !== false };
};

/** The collection of each search, for the check of the key; one without a name where the body cannot be read. */
export const searchedCollections = (call: Pick<Call, 'body' | 'params'>): string[] => {
  const source = tryParse(call.body);
  const searches = source !== undefined && isObject(source) ? source['searches'] : undefined;
  if (!Array.isArray(searches)) return [''];
  const names = searches.map((search) => {
    const name = isObject(search) ? search['collection'] : undefined;
    return typeof name === 'string' ? name : (call.params.get('collection') ?? '');
  });
  return names.length === 0 ? [''] : names;
};

/** A scoped key's own limit counts before that of the request. */
const searchLimit = (call: Call): number => {
  const embedded = call.embedded[0]?.['limit_multi_searches'];
  const text = embedded === undefined ? undefined : asText(embedded as JsonValue);
  return number(
    text === undefined ? call.params : new Map([['limit_multi_searches', text]]),
    'limit_multi_searches',
    DEFAULT_LIMIT,
  );
};

const multiSearch = (call: Call): Answer => {
  const { engine } = call;
  const { removesDuplicates, searches, union } = readSearches(call);
  if (searches.length > searchLimit(call)) {
    throw badRequest('Number of multi searches exceeds `limit_multi_searches` parameter.');
  }
  if (searches.length !== call.embedded.length) throw new ApiError(500, 'Embedded params parsing error.');
  const requests = searches.map((search, at) => {
    if (!isObject(search)) throw badRequest('The value of `searches` must be an array of objects.');
    const params = new Map(call.params);
    const appliesKey = addParams(params, (call.embedded[at] ?? {}) as JsonObject, true);
    if (!addParams(params, search, false)) throw badRequest(MALFORMED);
    return { params, appliesKey };
  });
  if (union && engine.features.union)
    return json(
      200,
      unionSearch(
        engine,
        requests.map(({ params }) => params),
        call.params,
        removesDuplicates,
      ),
    );
  let cost = 0;
  const results = requests.map(({ params, appliesKey }) => {
    try {
      if (!appliesKey) throw badRequest(UNUSABLE_KEY);
      withPreset(engine, params);
      const result = run(call, params, params.get('collection') ?? '');
      cost += searchCost(result);
      return result.text;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return print(
        objectOf([
          ['code', error.status],
          ['error', error.message],
        ]),
      );
    }
  });
  return json(200, `{"results":[${results.join(',')}]}`, cost);
};

export const searchRoutes: Route[] = [
  { method: 'GET', path: '/collections/:collection/documents/search', action: SEARCH_ACTION, handler: singleSearch },
  { method: 'POST', path: '/multi_search', action: SEARCH_ACTION, handler: multiSearch },
];
