import { createHash } from 'node:crypto';
import { FilterEvaluator } from '../filter/evaluate.ts';
import { isNumber, objectOf, toNumber } from '../json/value.ts';
import { sortSequences } from '../search/sort.ts';
import type { Collection } from '../store/collection.ts';
import { removeDocument, write } from '../store/writer.ts';
import type { Features } from '../versions.ts';
import { isCounting } from './analyticsRule.ts';
import type { AnalyticsRule } from './analyticsRule.ts';

/** Searches typed within this time are one query that grows, and the last of them counts. */
const TYPING_MS = 4000;
const MAX_QUERY_LENGTH = 1024;
const ID_BYTES = 8;

export interface CountedSearch {
  /** As it was named in the request: a search under an alias counts for no rule of its collection. */
  readonly collection: string;
  readonly query: string;
  readonly user: string;
  readonly found: number;
}

interface LastQuery {
  readonly query: string;
  readonly at: number;
}

interface Counting {
  /** By user, what may still be typed on. */
  readonly last: Map<string, LastQuery>;
  readonly counts: Map<string, number>;
  /** Queries since the last write, those that were typed on included. */
  asked: number;
}

const ASCII_CAPITALS = /[A-Z]+/g;

/** Letters beyond ASCII keep their case. */
const settled = (query: string): string => query.trim().replace(ASCII_CAPITALS, (capitals) => capitals.toLowerCase());

/** Counts searches for the rules of type `popular_queries` and `nohits_queries`. */
export class Analytics {
  readonly rules = new Map<string, AnalyticsRule>();
  readonly #counting = new Map<string, Counting>();
  readonly #collection: (name: string) => Collection | undefined;
  readonly #features: Features;

  constructor(features: Features, collection: (name: string) => Collection | undefined) {
    this.#features = features;
    this.#collection = collection;
  }

  record({ collection, found, query, user }: CountedSearch): void {
    if (this.rules.size === 0 || query.length > MAX_QUERY_LENGTH) return;
    const wanted = found > 0 ? 'popular_queries' : 'nohits_queries';
    for (const rule of this.rules.values()) {
      if (rule.type !== wanted || !rule.collections.includes(collection)) continue;
      this.#add(this.#countingOf(rule), user, settled(query));
    }
  }

  remove(name: string): void {
    this.rules.delete(name);
    this.#counting.delete(name);
  }

  /** How many queries are not written yet, for rules of that type. */
  waiting(type: string): number {
    let count = 0;
    for (const rule of this.rules.values()) if (rule.type === type) count += this.#countingOf(rule).asked;
    return count;
  }

  /** Writes what was counted into the destinations. A rule whose destination is gone loses what it counted. */
  flush(): void {
    for (const rule of this.rules.values()) {
      if (!isCounting(rule.type)) continue;
      const counting = this.#countingOf(rule);
      const { counts, last } = counting;
      counting.asked = 0;
      for (const { query } of last.values()) counts.set(query, (counts.get(query) ?? 0) + 1);
      last.clear();
      const destination = this.#collection(rule.destination);
      if (destination !== undefined) this.#write(destination, counts, rule.limit);
      counts.clear();
    }
  }

  #countingOf(rule: AnalyticsRule): Counting {
    const existing = this.#counting.get(rule.name);
    if (existing !== undefined) return existing;
    const made: Counting = { last: new Map(), counts: new Map(), asked: 0 };
    this.#counting.set(rule.name, made);
    return made;
  }

  #add(counting: Counting, user: string, query: string): void {
    const { counts, last } = counting;
    counting.asked += 1;
    const now = performance.now();
    const before = last.get(user);
    if (before !== undefined && now - before.at > TYPING_MS) counts.set(before.query, (counts.get(before.query) ?? 0) + 1);
    last.set(user, { query, at: now });
  }

  #write(destination: Collection, counts: ReadonlyMap<string, number>, limit: number): void {
    for (const [query, count] of counts) {
      const id = createHash('sha256').update(query).digest().subarray(0, ID_BYTES).readBigUInt64BE().toString();
      const sequence = destination.documents.sequenceOf(id);
      const known = sequence === undefined ? undefined : destination.documents.scanned(sequence, false)?.['count'];
      const total = count + (isNumber(known) ? toNumber(known) : 0);
      const document = objectOf([
        ['count', total],
        ['id', id],
        ['q', query],
      ]);
      write(destination, document, { action: 'upsert', dirtyValues: 'coerce_or_drop' });
    }
    this.#dropBelowTop(destination, limit);
  }

  #dropBelowTop(destination: Collection, limit: number): void {
    if (destination.documents.count <= limit || destination.fields.get('count') === undefined) return;
    const all = new FilterEvaluator(destination, this.#features).matches('count:>=0') ?? new Uint32Array();
    const byCount = [{ by: 'field', field: 'count', descending: true, missing: 'last' }] as const;
    const none = { text: undefined, vector: undefined };
    const order = sortSequences(all, byCount, destination, this.#features, none);
    for (const sequence of order.subarray(limit)) removeDocument(destination, sequence);
  }
}
