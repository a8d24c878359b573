import { ApiError, badRequest } from '../errors.ts';
import { relationBetween } from '../joins/relation.ts';
import { isArrayType } from '../schema/field.ts';
import type { Field } from '../schema/field.ts';
import { valueAt } from '../schema/flatten.ts';
import { isNumber, isObject, toNumber } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { stem, tokenize } from '../search/tokens.ts';
import type { Collection } from '../store/collection.ts';
import { pointsOf } from '../store/indices.ts';
import { onceForEachList } from '../store/columns.ts';
import type { NumberColumn, TokenColumn } from '../store/columns.ts';
import type { Features } from '../versions.ts';
import { isWithin } from './geo.ts';
import { matchesRange, matchesText } from './matches.ts';
import type { Wanted } from './matches.ts';
import { parseFilter } from './parse.ts';
import type { FilterLeaf, FilterNode, NumberRange } from './syntax.ts';

/** One byte a document: 1 where it matches. */
type Mask = Uint8Array;

const readWanted = (leaf: Extract<FilterLeaf, { on: 'text' }>, field: Field, collection: Collection): Wanted[] =>
  leaf.values.map((value) => {
    const prefix = value.length > 1 && value.endsWith('*');
    const tokens = tokenize(prefix ? value.slice(0, -1) : value, { ...collection.tokenizing, locale: field.locale });
    if (tokens.length === 0) throw badRequest(`Error with filter field \`${field.name}\`: Filter value cannot be empty.`);
    return { tokens: field.stem ? tokens.map(stem) : tokens, prefix };
  });

/** How many words a prefix is compared with where the request does not say. */
export const DEFAULT_CANDIDATES = 4;

/** The words that begin so: the word itself first, then the most frequent. */
const startingWith = (start: string, column: TokenColumn, sequences: Iterable<number>, most: number): ReadonlySet<string> => {
  const counts = new Map<string, number>();
  for (const token of column.vocabulary) if (token.startsWith(start)) counts.set(token, 0);
  if (counts.size > most) {
    for (const sequence of sequences) {
      const tokens = new Set(column.at(sequence)?.flat());
      for (const token of tokens) {
        const count = counts.get(token);
        if (count !== undefined) counts.set(token, count + 1);
      }
    }
  }
  const rank = ([token, count]: [string, number]): number => (token === start ? Infinity : count);
  const best = [...counts].sort((left, right) => rank(right) - rank(left));
  return new Set(best.slice(0, most).map(([token]) => token));
};

const refersElsewhere = (node: FilterNode): boolean =>
  node.kind === 'reference' ||
  ((node.kind === 'and' || node.kind === 'or') && (refersElsewhere(node.left) || refersElsewhere(node.right)));

/** Evaluates filters over the columns of one collection. */
export class FilterEvaluator {
  readonly #collection: Collection;
  readonly #features: Features;
  readonly #candidates: number;

  /** @param candidates - how many words a prefix is compared with; an export, a change and a deletion compare it with none */
  constructor(collection: Collection, features: Features, candidates = DEFAULT_CANDIDATES) {
    this.#collection = collection;
    this.#features = features;
    this.#candidates = candidates;
  }

  /** Matching sequence numbers, ascending; undefined when the filter says nothing. */
  matches(query: string): Uint32Array | undefined {
    const { documents, orders } = this.#collection;
    const node = parseFilter(query, this.#collection.fields, this.#features);
    if (node === undefined) return undefined;
    // A filter's matches in another collection change without a write to this one.
    const isCached = !refersElsewhere(node);
    const key = `filter\n${this.#candidates}\n${query}`;
    const cached = isCached ? orders.get(key) : undefined;
    if (cached !== undefined) return cached;
    const mask = this.#node(node);
    const found: number[] = [];
    for (const sequence of documents.sequences()) if (mask[sequence] === 1) found.push(sequence);
    const result = Uint32Array.from(found);
    if (isCached) orders.set(key, result);
    return result;
  }

  /** For each other collection that the filter names, what it leaves of it. */
  references(query: string): Map<string, ReadonlySet<number>> {
    const node = query.includes('$') ? parseFilter(query, this.#collection.fields, this.#features) : undefined;
    const found = new Map<string, ReadonlySet<number>>();
    const visit = (at: FilterNode): void => {
      if (at.kind === 'reference') found.set(at.collection, this.#matchesElsewhere(at.collection, at.filter).matches);
      if (at.kind !== 'and' && at.kind !== 'or') return;
      visit(at.left);
      visit(at.right);
    };
    if (node !== undefined) visit(node);
    return found;
  }

  #matchesElsewhere(name: string, filter: string): { other: Collection; matches: ReadonlySet<number> } {
    const other = this.#collection.others(name);
    if (other === undefined) throw badRequest(`Referenced collection \`${name}\` not found.`);
    try {
      const matches = new FilterEvaluator(other, this.#features, this.#candidates).matches(filter);
      return { other, matches: new Set(matches ?? other.documents.sequences()) };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      throw badRequest(`Failed to join on \`${name}\` collection: ${error.message}`);
    }
  }

  #reference(name: string, filter: string): Mask {
    const { matches, other } = this.#matchesElsewhere(name, filter);
    const relation = relationBetween(this.#collection, other);
    if (relation === undefined) throw badRequest(`Failed to join on \`${name}\`: No reference field found.`);
    const mask = this.#mask();
    for (const sequence of this.#collection.documents.sequences()) {
      if (relation.related(sequence).some((related) => matches.has(related))) mask[sequence] = 1;
    }
    return mask;
  }

  #mask(): Mask {
    return new Uint8Array(this.#collection.documents.end);
  }

  #node(node: FilterNode): Mask {
    if (node.kind === 'leaf') return this.#leaf(node.leaf);
    if (node.kind === 'object') return this.#object(node.field, node.inner);
    if (node.kind === 'reference') return this.#reference(node.collection, node.filter);
    const left = this.#node(node.left);
    const right = this.#node(node.right);
    for (let at = 0; at < left.length; at += 1) {
      const both = (left[at] ?? 0) + (right[at] ?? 0);
      left[at] = (node.kind === 'and' ? both === 2 : both > 0) ? 1 : 0;
    }
    return left;
  }

  #leaf(leaf: FilterLeaf): Mask {
    switch (leaf.on) {
      case 'id':
        return this.#ids(leaf);
      case 'number':
        return this.#numbers(leaf);
      case 'bool':
        return this.#bools(leaf);
      case 'geo':
        return this.#geo(leaf);
      default:
        return this.#text(leaf);
    }
  }

  #inverted(mask: Mask, negated: boolean): Mask {
    if (negated) for (let at = 0; at < mask.length; at += 1) mask[at] = mask[at] === 1 ? 0 : 1;
    return mask;
  }

  #ids(leaf: Extract<FilterLeaf, { on: 'id' }>): Mask {
    const mask = this.#mask();
    if (leaf.all) mask.fill(1);
    for (const id of leaf.ids) {
      const sequence = this.#collection.documents.sequenceOf(id);
      if (sequence !== undefined) mask[sequence] = 1;
    }
    return this.#inverted(mask, leaf.negated);
  }

  #numbers(leaf: Extract<FilterLeaf, { on: 'number' }>): Mask {
    const mask = this.#mask();
    const field = this.#collection.fields.get(leaf.field);
    const isFloat = field?.type.startsWith('float') === true;
    const narrow = (value: number | bigint): number | bigint =>
      isFloat && typeof value === 'number' ? Math.fround(value) : value;
    if (field !== undefined && isArrayType(field.type)) {
      const column = this.#collection.indices.lists(leaf.field);
      for (let at = 0; at < mask.length; at += 1) {
        const values = column.at(at);
        if (
          values?.some(
            (value) =>
              (typeof value === 'number' || typeof value === 'bigint') &&
              leaf.ranges.some((range) => matchesRange(narrow(value), range)),
          )
        ) {
          mask[at] = 1;
        }
      }
    } else {
      this.#singleNumbers(this.#collection.indices.numbers(leaf.field), leaf.ranges, mask);
    }
    return this.#inverted(mask, leaf.negated);
  }

  #singleNumbers(column: NumberColumn, ranges: readonly NumberRange[], mask: Mask): void {
    for (let at = 0; at < mask.length; at += 1) {
      if (!column.has(at)) continue;
      const value = column.isExact ? column.exactAt(at) : column.at(at);
      if (ranges.some((range) => matchesRange(value, range))) mask[at] = 1;
    }
  }

  #bools(leaf: Extract<FilterLeaf, { on: 'bool' }>): Mask {
    const mask = this.#mask();
    const field = this.#collection.fields.get(leaf.field);
    if (field !== undefined && isArrayType(field.type)) {
      const column = this.#collection.indices.lists(leaf.field);
      for (let at = 0; at < mask.length; at += 1) {
        if (column.at(at)?.some((value) => typeof value === 'boolean' && leaf.values.includes(value))) mask[at] = 1;
      }
    } else {
      const column = this.#collection.indices.numbers(leaf.field);
      for (let at = 0; at < mask.length; at += 1) {
        if (column.has(at) && leaf.values.includes(column.at(at) === 1)) mask[at] = 1;
      }
    }
    return this.#inverted(mask, leaf.negated);
  }

  #geo(leaf: Extract<FilterLeaf, { on: 'geo' }>): Mask {
    const mask = this.#mask();
    const column = this.#collection.indices.points(leaf.field);
    for (let at = 0; at < mask.length; at += 1) {
      if (column.at(at)?.some((point) => leaf.shapes.some((shape) => isWithin(point, shape)))) mask[at] = 1;
    }
    return mask;
  }

  #text(leaf: Extract<FilterLeaf, { on: 'text' }>): Mask {
    const mask = this.#mask();
    const field = this.#collection.fields.get(leaf.field);
    if (field === undefined) return mask;
    const column = this.#collection.indices.tokens(field);
    const { documents } = this.#collection;
    const { exactPrefixFilter } = this.#features;
    const wanted = readWanted(leaf, field, this.#collection).map((value) => {
      const isCounted = value.prefix && (!leaf.exact || exactPrefixFilter);
      const last = value.tokens.at(-1) ?? '';
      return isCounted ? { ...value, candidates: startingWith(last, column, documents.sequences(), this.#candidates) } : value;
    });
    const matches = onceForEachList((values) =>
      wanted.some((value) => matchesText(values, value, leaf.exact, exactPrefixFilter)),
    );
    for (let at = 0; at < mask.length; at += 1) {
      const values = column.at(at);
      if (values !== undefined && matches(values)) mask[at] = 1;
    }
    return this.#inverted(mask, leaf.negated);
  }

  /** One object of the array has to satisfy the whole inner filter. */
  #object(name: string, inner: FilterNode): Mask {
    const mask = this.#node(inner);
    const { documents } = this.#collection;
    for (let at = 0; at < mask.length; at += 1) {
      if (mask[at] !== 1) continue;
      const document = documents.parsed(at);
      const objects = document === undefined ? undefined : valueAt(document, name);
      const matches = Array.isArray(objects)
        ? objects.some((item) => isObject(item) && this.#matchesObject(item, name, inner))
        : isObject(objects) && this.#matchesObject(objects, name, inner);
      if (!matches) mask[at] = 0;
    }
    return mask;
  }

  #matchesObject(item: JsonObject, name: string, node: FilterNode): boolean {
    if (node.kind === 'and') return this.#matchesObject(item, name, node.left) && this.#matchesObject(item, name, node.right);
    if (node.kind === 'or') return this.#matchesObject(item, name, node.left) || this.#matchesObject(item, name, node.right);
    if (node.kind !== 'leaf') return false;
    const { leaf } = node;
    if (leaf.on === 'id') return false;
    const found = valueAt(item, leaf.field.slice(name.length + 1));
    const values = Array.isArray(found) ? found : found === undefined ? [] : [found];
    const matches = this.#matchesValues(leaf, found, values);
    return 'negated' in leaf && leaf.negated ? !matches : matches;
  }

  #matchesValues(leaf: FilterLeaf, found: JsonValue | undefined, values: readonly JsonValue[]): boolean {
    switch (leaf.on) {
      case 'number':
        return values.some(
          (value) =>
            isNumber(value) &&
            leaf.ranges.some((range) => matchesRange(typeof value === 'bigint' ? value : toNumber(value), range)),
        );
      case 'bool':
        return values.some((value) => typeof value === 'boolean' && leaf.values.includes(value));
      case 'geo':
        return pointsOf(found).some((point) => leaf.shapes.some((shape) => isWithin(point, shape)));
      case 'text': {
        const field = this.#collection.fields.get(leaf.field);
        if (field === undefined) return false;
        const tokens = values
          .filter((value) => typeof value === 'string')
          .map((text) =>
            tokenize(text, { ...this.#collection.tokenizing, locale: field.locale }).map((token) =>
              field.stem ? stem(token) : token,
            ),
          );
        return readWanted(leaf, field, this.#collection).some((wanted) =>
          matchesText(tokens, wanted, leaf.exact, this.#features.exactPrefixFilter),
        );
      }
      default:
        return false;
    }
  }
}
