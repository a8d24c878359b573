import { badRequest } from '../errors.ts';
import { isInteger, isObject, objectOf } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';

export const countingTypes = ['popular_queries', 'nohits_queries'] as const;
export type CountingType = (typeof countingTypes)[number];

/** The part of a rule that counting needs, whichever version the rule was written for. */
export interface AnalyticsRule {
  readonly name: string;
  readonly type: string;
  /** The collections whose searches count, by the names they are searched under. */
  readonly collections: readonly string[];
  readonly destination: string;
  readonly limit: number;
  readonly tag: string;
  /** As it was sent; version 30 answers a DELETE with it. */
  readonly source: JsonObject;
  /** As it is listed. */
  readonly shown: JsonObject;
}

const DEFAULT_LIMIT = 1000;
const EVENT_TYPES: readonly string[] = ['counter', 'log'];

export const isCounting = (type: string): type is CountingType => countingTypes.some((known) => known === type);

const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

const readCollections = (source: JsonObject): string[] => {
  const { collections } = source;
  const wrong = badRequest('Must contain a valid list of source collections.');
  if (!Array.isArray(collections)) throw wrong;
  return collections.map((name) => {
    if (typeof name !== 'string') throw wrong;
    return name;
  });
};

/**
 * Up to version 29: sources and destination are objects of their own.
 * @param isTaken - whether a new rule may not have that name
 */
export const readOldRule = (
  name: JsonValue | undefined,
  body: JsonValue,
  isTaken: (name: string) => boolean = () => false,
): AnalyticsRule => {
  const type = isObject(body) ? body['type'] : undefined;
  if (!isObject(body) || typeof type !== 'string') throw badRequest('Request payload contains invalid type.');
  if (!isCounting(type) && !EVENT_TYPES.includes(type)) throw badRequest('Invalid type.');
  if (typeof name !== 'string') throw badRequest('Bad or missing name.');
  const { params } = body;
  if (!isObject(params)) throw badRequest('Bad or missing params.');
  if (isTaken(name)) throw badRequest(`There's already another configuration with the name \`${name}\`.`);
  const { destination, source } = params;
  if (!isObject(source)) throw badRequest('Bad or missing source.');
  const collections = readCollections(source);
  if (!isObject(destination) && type !== 'log') throw badRequest('Bad or missing destination.');
  const limit = isInteger(params['limit']) ? Number(params['limit']) : DEFAULT_LIMIT;
  const collection = isObject(destination) ? text(destination['collection']) : (collections[0] ?? '');
  const counter = isObject(destination) ? text(destination['counter_field']) : '';
  const shownDestination: [string, JsonValue][] = [['collection', collection]];
  if (!isCounting(type)) shownDestination.push(['counter_field', counter]);
  const shownParams: [string, JsonValue][] = [
    ['destination', objectOf(shownDestination)],
    ['limit', limit],
    ['source', source],
  ];
  if (type === 'popular_queries') shownParams.push(['expand_query', params['expand_query'] === true]);
  return {
    name,
    type,
    collections,
    destination: collection,
    limit,
    tag: '',
    source: objectOf([...Object.entries(body), ['name', name]]),
    shown: objectOf([
      ['name', name],
      ['params', objectOf(shownParams)],
      ['type', type],
    ]),
  };
};

/** Whether there is a collection of that name. */
type Exists = (collection: string) => boolean;

const checkCounting = (params: JsonObject, exists: Exists): void => {
  const { destination_collection: destination, limit } = params;
  if (typeof destination !== 'string') {
    throw badRequest('Destination collection is required when creating a no hit queries or popular queries type rule');
  }
  if (!exists(destination)) throw badRequest('Destination collection does not exist');
  if (!isInteger(limit) || limit <= 0) throw badRequest('Limit should be a number greater than 0');
};

const showRule = (name: string, body: JsonObject, params: JsonObject, type: string): JsonObject => {
  const shown: [string, JsonValue][] = [
    ['collection', body['collection'] ?? ''],
    ['event_type', body['event_type'] ?? ''],
    ['name', name],
    ['rule_tag', body['rule_tag'] ?? ''],
    ['type', type],
  ];
  if (isCounting(type)) {
    shown.push([
      'params',
      objectOf([
        ['capture_search_requests', params['capture_search_requests'] ?? true],
        ['destination_collection', params['destination_collection'] ?? ''],
        ['expand_query', params['expand_query'] ?? false],
        ['limit', params['limit'] ?? DEFAULT_LIMIT],
      ]),
    ]);
  } else if (type === 'counter') {
    shown.push(['params', objectOf([['destination_collection', body['collection'] ?? ''], ...Object.entries(params)])]);
  }
  return objectOf(shown);
};

/** From version 30: one collection per rule, and `event_type` says whether an event is a search or a click. */
export const readNewRule = (name: string, body: JsonObject, exists: Exists): AnalyticsRule => {
  const { collection, event_type: event, type } = body;
  if (typeof event !== 'string') throw badRequest('Event type is required when creating a new analytics rule');
  const isKnown = typeof type === 'string' && (isCounting(type) ? event === 'search' : EVENT_TYPES.includes(type));
  if (!isKnown) throw badRequest('Event type or type is invalid (or) combination of both is invalid');
  if (typeof collection !== 'string') throw badRequest('Collection is required when creating a new analytics rule');
  if (!exists(collection)) throw badRequest(`Collection ${collection} does not exist`);
  const params = isObject(body['params']) ? body['params'] : objectOf([]);
  if (isCounting(type)) checkCounting(params, exists);
  const destination = params['destination_collection'];
  return {
    name,
    type,
    collections: [collection],
    destination: text(destination),
    limit: isInteger(params['limit']) ? Number(params['limit']) : DEFAULT_LIMIT,
    tag: text(body['rule_tag']),
    source: objectOf([...Object.entries(body), ['name', name]]),
    shown: showRule(name, body, params, type),
  };
};

const FIXED = { type: 'Rule type', collection: 'Rule collection', event_type: 'Rule event type' } as const;

/** A rule as a partial PUT of version 30 leaves it: what it is cannot change, and its parameters are added to. */
export const changedRule = (rule: AnalyticsRule, body: JsonObject, exists: Exists): AnalyticsRule => {
  for (const [member, title] of Object.entries(FIXED)) {
    const wanted = body[member];
    if (wanted !== undefined && wanted !== rule.shown[member]) throw badRequest(`${title} cannot be changed`);
  }
  const given = isObject(body['params']) ? body['params'] : objectOf([]);
  const stored = isObject(rule.shown['params']) ? rule.shown['params'] : objectOf([]);
  const known = Object.keys(stored);
  const params = objectOf([...Object.entries(stored), ...Object.entries(given).filter(([member]) => known.includes(member))]);
  const merged = objectOf([...Object.entries(rule.shown), ['rule_tag', body['rule_tag'] ?? rule.tag], ['params', params]]);
  const changed = readNewRule(rule.name, merged, exists);
  return { ...changed, source: changed.shown };
};
