import { badRequest } from '../errors.ts';
import { print } from '../json/print.ts';
import { isInteger, isObject, objectOf } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';

export interface Pin {
  readonly id: string;
  readonly position: number;
}

/** One override of a collection or, in version 30, one item of a curation set. */
export interface CurationRule {
  readonly id: string;
  readonly rule: {
    readonly query: string;
    readonly match: string;
    readonly filterBy: string;
    readonly tags: readonly string[];
  };
  readonly includes: readonly Pin[];
  readonly excludes: readonly string[];
  readonly filterBy: string;
  readonly sortBy: string;
  readonly replaceQuery: string;
  readonly removeMatchedTokens: boolean;
  readonly filterCuratedHits: boolean;
  readonly stopProcessing: boolean;
  /** Seconds since 1970; -1 where there is no limit. */
  readonly effectiveFrom: number;
  readonly effectiveTo: number;
  readonly metadata: JsonObject | undefined;
}

const EFFECTS = ['includes', 'excludes', 'metadata', 'filter_by', 'sort_by', 'remove_matched_tokens', 'replace_query'] as const;
const EFFECT_MISSING = `Must contain one of: ${EFFECTS.map((name) => `\`${name}\``).join(', ')}.`;
const ALWAYS = -1;

const readTags = (source: JsonObject): string[] => {
  const { tags } = source;
  if (tags === undefined) return [];
  const wrong = badRequest('The `tags` value must be an array of strings.');
  if (!Array.isArray(tags)) throw wrong;
  return tags.map((tag) => {
    if (typeof tag !== 'string') throw wrong;
    return tag;
  });
};

const readIncludes = (value: JsonValue | undefined): Pin[] => {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw badRequest('The `includes` value must be an array.');
  return value.map((item) => {
    if (!isObject(item)) throw badRequest('The `includes` value must be an array of objects.');
    const { id, position } = item;
    if (id === undefined || position === undefined) {
      throw badRequest('Inclusion definition must define both `id` and `position` keys.');
    }
    if (typeof id !== 'string') throw badRequest('Inclusion `id` must be a string.');
    if (!isInteger(position)) throw badRequest('Inclusion `position` must be an integer.');
    return { id, position: Number(position) };
  });
};

const readExcludes = (value: JsonValue | undefined): string[] => {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw badRequest('The `excludes` value must be an array.');
  return value.map((item) => {
    if (!isObject(item)) throw badRequest('The `excludes` value must be an array of objects.');
    if (item['id'] === undefined) throw badRequest('Exclusion definition must define an `id`.');
    if (typeof item['id'] !== 'string') throw badRequest('Exclusion `id` must be a string.');
    return item['id'];
  });
};

const readText = (source: JsonObject, name: string): string => {
  const value = source[name] ?? '';
  if (typeof value !== 'string') throw badRequest(`The \`${name}\` must be a string.`);
  return value;
};

const readFlag = (source: JsonObject, name: string, fallback: boolean): boolean => {
  const value = source[name] ?? fallback;
  if (typeof value !== 'boolean') throw badRequest(`The \`${name}\` must be a boolean.`);
  return value;
};

const readTime = (value: JsonValue | undefined): number => {
  if (value === undefined) return ALWAYS;
  if (!isInteger(value)) throw badRequest('Bad request.');
  return Number(value);
};

const textOr = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

const METHODS = ['equality', 'jaccard', 'vector_distance'];

/** Checked only: no search is diversified. One without a metric is left out of the rule. */
const checkDiversity = (value: JsonValue | undefined): void => {
  if (value === undefined) return;
  if (!isObject(value)) throw badRequest(`Invalid \`diversity\` format: ${print(value)}`);
  const metrics = value['similarity_metric'] ?? [];
  for (const metric of Array.isArray(metrics) ? metrics : []) {
    const method = isObject(metric) ? metric['method'] : undefined;
    if (typeof method !== 'string' || !METHODS.includes(method)) throw badRequest(`\`method\` not found: ${print(metric)}`);
  }
};

/**
 * Reads a rule; the texts of what is wrong with one are the server's.
 *
 * @param mayDiversify - from version 30
 */
export const readRule = (id: string, source: JsonObject, mayDiversify = false): CurationRule => {
  const { metadata, rule } = source;
  if (!isObject(rule)) throw badRequest('Missing `rule` definition.');
  const isNamed = rule['query'] !== undefined && rule['match'] !== undefined;
  if (!isNamed && rule['tags'] === undefined && rule['filter_by'] === undefined) {
    throw badRequest('The `rule` definition must contain either a `tags` or a `query` and `match`.');
  }
  const diversity = mayDiversify ? source['diversity'] : undefined;
  if (diversity === undefined && EFFECTS.every((name) => source[name] === undefined)) throw badRequest(EFFECT_MISSING);
  checkDiversity(diversity);
  const tags = readTags(rule);
  const includes = readIncludes(source['includes']);
  const excludes = readExcludes(source['excludes']);
  const filterBy = readText(source, 'filter_by');
  if (source['filter_by'] === '') throw badRequest('The `filter_by` must be a non-empty string.');
  const removeMatchedTokens = readFlag(source, 'remove_matched_tokens', filterBy !== '');
  if (metadata !== undefined && !isObject(metadata)) throw badRequest('The `metadata` must be a JSON object.');
  const replaceQuery = readText(source, 'replace_query');
  if (replaceQuery !== '' && source['remove_matched_tokens'] === true) {
    throw badRequest('Only one of `replace_query` or `remove_matched_tokens` can be specified.');
  }
  return {
    id,
    rule: { query: textOr(rule['query']), match: textOr(rule['match']), filterBy: textOr(rule['filter_by']), tags },
    includes,
    excludes,
    filterBy,
    sortBy: readText(source, 'sort_by'),
    replaceQuery,
    removeMatchedTokens,
    filterCuratedHits: readFlag(source, 'filter_curated_hits', false),
    stopProcessing: readFlag(source, 'stop_processing', true),
    effectiveFrom: readTime(source['effective_from_ts']),
    effectiveTo: readTime(source['effective_to_ts']),
    metadata,
  };
};

const showCondition = ({ filterBy, match, query, tags }: CurationRule['rule']): JsonObject => {
  const shown: [string, JsonValue][] = [];
  if (filterBy !== '') shown.push(['filter_by', filterBy]);
  if (match !== '') shown.push(['match', match]);
  if (query !== '') shown.push(['query', query]);
  if (tags.length > 0) shown.push(['tags', [...tags]]);
  return objectOf(shown);
};

/** As the server lists it: with every default, without what says nothing. */
export const showRule = (rule: CurationRule): JsonObject => {
  const condition = showCondition(rule.rule);
  const shown: [string, JsonValue][] = [
    ['excludes', rule.excludes.map((id) => objectOf([['id', id]]))],
    ['filter_curated_hits', rule.filterCuratedHits],
    ['id', rule.id],
    [
      'includes',
      rule.includes.map(({ id, position }) =>
        objectOf([
          ['id', id],
          ['position', position],
        ]),
      ),
    ],
    ['remove_matched_tokens', rule.removeMatchedTokens],
    ['stop_processing', rule.stopProcessing],
  ];
  if (Object.keys(condition).length > 0) shown.push(['rule', condition]);
  if (rule.effectiveFrom !== ALWAYS) shown.push(['effective_from_ts', rule.effectiveFrom]);
  if (rule.effectiveTo !== ALWAYS) shown.push(['effective_to_ts', rule.effectiveTo]);
  if (rule.filterBy !== '') shown.push(['filter_by', rule.filterBy]);
  if (rule.metadata !== undefined) shown.push(['metadata', rule.metadata]);
  if (rule.replaceQuery !== '') shown.push(['replace_query', rule.replaceQuery]);
  if (rule.sortBy !== '') shown.push(['sort_by', rule.sortBy]);
  return objectOf(shown);
};
