import { tokenize } from '../search/tokens.ts';
import type { Collection } from '../store/collection.ts';
import { matchesQuery, normalised } from './curate.ts';
import type { CurationRule } from './rule.ts';

const PLACEHOLDER = /^\{(.+)\}$/;
const EVERYTHING = '*';

export interface Filtered {
  readonly query: string;
  /** Filters the rules add. */
  readonly filters: readonly string[];
  readonly metadata: CurationRule['metadata'];
}

interface Resolved {
  readonly filter: string;
  readonly absorbed: readonly string[];
}

const holdsToken = (collection: Collection, name: string, token: string): boolean => {
  const field = collection.fields.get(name);
  if (field?.facet !== true || !field.type.startsWith('string')) return false;
  return new Set(collection.indices.tokens(field).vocabulary).has(token);
};

/** `{field}` in a rule stands for one word that is a value of that facet field; it goes into the filter. */
const resolve = (rule: CurationRule, words: readonly string[], collection: Collection): Resolved | undefined => {
  const parts = rule.rule.query.split(/\s+/).filter((part) => part !== '');
  const literals = parts.map((part) => (PLACEHOLDER.test(part) ? part : tokenize(part, collection.tokenizing).join(' ')));
  const fits = (at: number): boolean =>
    literals.every((part, offset) => {
      const word = words[at + offset];
      const field = PLACEHOLDER.exec(part)?.[1];
      return word !== undefined && (field === undefined ? word === part : holdsToken(collection, field, word));
    });
  const last = words.length - literals.length;
  if (rule.rule.match === 'exact' && last !== 0) return undefined;
  for (let at = 0; at <= last; at += 1) {
    if (!fits(at)) continue;
    const absorbed = words.slice(at, at + literals.length);
    const filter = literals.reduce((text, part, offset) => text.replaceAll(part, absorbed[offset] ?? ''), rule.filterBy);
    return { filter, absorbed };
  }
  return undefined;
};

const resolveRule = (rule: CurationRule, words: readonly string[], collection: Collection): Resolved | undefined => {
  const { tokenizing } = collection;
  if (/\{[^}]+\}/.test(rule.rule.query)) return resolve(rule, words, collection);
  const isTagged = rule.rule.tags.length > 0 && rule.rule.filterBy === '' && rule.rule.query === '';
  if (!isTagged && !matchesQuery(rule, words.join(' '), tokenizing)) return undefined;
  return { filter: rule.filterBy, absorbed: tokenize(rule.rule.query, tokenizing) };
};

/** Applies the rules that filter, in order, to a query that other rules may have changed; a filter that is wrong is passed over. */
export const applyFilterRules = (
  rules: readonly CurationRule[],
  query: string,
  collection: Collection,
  isGood: (filter: string) => boolean,
): Filtered => {
  let words = normalised(query, collection.tokenizing).split(' ');
  let isChanged = false;
  const filters: string[] = [];
  let metadata: CurationRule['metadata'];
  for (const rule of rules) {
    const resolved = resolveRule(rule, words, collection);
    if (resolved === undefined || !isGood(resolved.filter)) continue;
    filters.push(resolved.filter);
    metadata ??= rule.metadata;
    if (rule.removeMatchedTokens && resolved.absorbed.length > 0) {
      words = words.filter((word) => !resolved.absorbed.includes(word));
      isChanged = true;
    }
    if (rule.stopProcessing) break;
  }
  if (!isChanged) return { query, filters, metadata };
  return { query: words.length === 0 ? EVERYTHING : words.join(' '), filters, metadata };
};
