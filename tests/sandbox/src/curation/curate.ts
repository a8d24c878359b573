import type { JsonObject } from '../json/value.ts';
import { tokenize } from '../search/tokens.ts';
import type { Tokenizing } from '../search/tokens.ts';
import type { CurationRule } from './rule.ts';

const EVERYTHING = '*';
const MILLISECONDS = 1000;

/** The input of the curation rules of a collection. */
export interface CuratedSearch {
  readonly query: string;
  readonly filter: string;
  readonly tags: readonly string[];
  readonly tokenizing: Tokenizing;
  /** Before version 30 a rule sorts even a search that it does not match. */
  readonly sortsUnmatched: boolean;
}

/** The result of the rules for a search. */
export interface Curated {
  /** The query to search for, which a rule may have replaced. */
  readonly query: string;
  /** Ids by position, in the order the rules name them. */
  readonly pins: ReadonlyMap<number, readonly string[]>;
  readonly hidden: ReadonlySet<string>;
  /** Rules that filter: whether they apply is decided on the query as it is then. */
  readonly filtering: readonly CurationRule[];
  readonly filtersPins: boolean;
  /** Empty where no rule sorts. */
  readonly sortBy: string;
  readonly metadata: JsonObject | undefined;
}

/** The words of a query or of a rule, one space apart; the query that stands for everything is itself. */
export const normalised = (query: string, tokenizing: Tokenizing): string =>
  query === EVERYTHING ? EVERYTHING : tokenize(query, tokenizing).join(' ');

const containsWords = (query: string, words: string): boolean => words !== '' && ` ${query} `.includes(` ${words} `);

/** Whether a rule's own query, where it has one, matches. */
export const matchesQuery = ({ rule }: CurationRule, query: string, tokenizing: Tokenizing): boolean => {
  const wanted = normalised(rule.query, tokenizing);
  if (wanted === '') return false;
  return rule.match === 'exact' ? wanted === query : rule.match === 'contains' && containsWords(query, wanted);
};

const isEffective = ({ effectiveFrom, effectiveTo }: CurationRule, now: number): boolean =>
  (effectiveFrom === -1 || now >= effectiveFrom) && (effectiveTo === -1 || now <= effectiveTo);

const sameTags = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((tag) => right.includes(tag));

class Curation {
  readonly #search: CuratedSearch;
  readonly #now = Math.floor(Date.now() / MILLISECONDS);
  readonly #pins = new Map<number, string[]>();
  readonly #hidden = new Set<string>();
  readonly #filtering: CurationRule[] = [];
  #matchedQuery: string;
  #query: string;
  #filtersPins = false;
  #sortBy = '';
  #metadata: JsonObject | undefined;

  constructor(search: CuratedSearch) {
    this.#search = search;
    this.#query = search.query;
    this.#matchedQuery = normalised(search.query, search.tokenizing);
  }

  /** Rules are asked in the order of their ids. Tags that are all met win over tags that are met in part. */
  run(rules: readonly CurationRule[]): Curated {
    const { tags } = this.#search;
    if (tags.length === 0) this.#applyUntil(rules.filter(({ rule }) => rule.tags.length === 0 || sameTags(rule.tags, ['*'])));
    else if (tags.length === 1 || !this.#applyUntil(rules.filter(({ rule }) => sameTags(rule.tags, tags)))) {
      for (const tag of tags) this.#applyUntil(rules.filter(({ rule }) => rule.tags.includes(tag)));
    }
    return {
      query: this.#query,
      pins: this.#pins,
      hidden: this.#hidden,
      filtering: this.#filtering,
      filtersPins: this.#filtersPins,
      sortBy: this.#sortBy,
      metadata: this.#metadata,
    };
  }

  /** True where at least one rule matched. */
  #applyUntil(rules: readonly CurationRule[]): boolean {
    let isAnyMatched = false;
    for (const rule of rules) {
      if (!this.#apply(rule)) continue;
      isAnyMatched = true;
      if (rule.stopProcessing) break;
    }
    return isAnyMatched;
  }

  #matches(rule: CurationRule): boolean {
    const { filter, tokenizing } = this.#search;
    const { filterBy, query, tags } = rule.rule;
    if (filterBy !== '' && filterBy !== filter) return false;
    if (query === '') return filterBy !== '' || tags.length > 0;
    return matchesQuery(rule, this.#matchedQuery, tokenizing);
  }

  #apply(rule: CurationRule): boolean {
    if (!isEffective(rule, this.#now)) return false;
    if (rule.filterBy !== '') this.#filtering.push(rule);
    if (this.#search.sortsUnmatched && rule.sortBy !== '') this.#sortBy = rule.sortBy;
    if (!this.#matches(rule)) return false;
    for (const id of rule.excludes) this.#hidden.add(id);
    for (const { id, position } of rule.includes) this.#pins.set(position, [...(this.#pins.get(position) ?? []), id]);
    if (rule.replaceQuery !== '') this.#query = rule.replaceQuery;
    else if (rule.removeMatchedTokens && rule.filterBy === '') this.#removeTokens(rule);
    this.#filtersPins ||= rule.filterCuratedHits;
    if (!this.#search.sortsUnmatched) this.#sortBy = rule.sortBy;
    this.#metadata ??= rule.metadata;
    return true;
  }

  #removeTokens({ rule }: CurationRule): void {
    const words = normalised(rule.query, this.#search.tokenizing);
    const left = ` ${this.#matchedQuery} `.replaceAll(` ${words} `, ' ').trim();
    this.#matchedQuery = left === '' ? EVERYTHING : left;
    this.#query = this.#matchedQuery;
  }
}

export const curate = (rules: readonly CurationRule[], search: CuratedSearch): Curated => new Curation(search).run(rules);
