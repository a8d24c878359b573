import { isDriverError } from '@tabularium/sdk';
import type { SearchClient } from '../client.ts';
import { isObject, textOfField } from '../guards.ts';
import type { JsonObject } from '../guards.ts';
import { collectionPath } from '../paths.ts';
import { collectionSigns, wordsOfRule, wordsOfSearch } from '../ruleWords.ts';
import type { CollectionSigns } from '../ruleWords.ts';

/** A rule that pins documents. */
interface PinRule {
  readonly name: string;
  readonly query: string | undefined;
  readonly isExact: boolean;
  readonly pins: ReadonlySet<string>;
}

/** The rules of a collection that pin documents, with the signs by which it parts words. */
interface CollectionPins {
  readonly rules: readonly PinRule[];
  readonly signs: CollectionSigns;
}

/** How long rules are remembered: a person who types should not read them for each letter, and one who changed a rule should see it. */
const REMEMBERED_MILLISECONDS = 10_000;
const MOST_COLLECTIONS = 50;
const MOST_SETS = 20;

/** The names of the rules that pin documents: the server marks a pinned hit and doesn't name the rule. */
export class PinRules {
  readonly #client: SearchClient;
  readonly #known = new Map<string, { readonly at: number; readonly rules: CollectionPins }>();

  constructor(client: SearchClient) {
    this.#client = client;
  }

  /** Rules that may have pinned a document for a text; none where the key may not read rules. */
  async rulesFor(collection: string, signal: AbortSignal): Promise<(id: string, text: string) => readonly string[]> {
    const { rules, signs } = await this.#rules(collection, signal);
    return (id, text) => {
      const typed = wordsOfSearch(text, signs);
      return rules
        .filter(({ pins }) => pins.has(id))
        .filter(({ query, isExact }) => query === undefined || (isExact ? typed === query : typed.includes(query)))
        .map(({ name }) => name);
    };
  }

  /** They may have been changed. */
  forget(): void {
    this.#known.clear();
  }

  async #rules(collection: string, signal: AbortSignal): Promise<CollectionPins> {
    const known = this.#known.get(collection);
    if (known !== undefined && performance.now() - known.at < REMEMBERED_MILLISECONDS) return known.rules;
    const rules = await this.#read(collection, signal);
    if (this.#known.size >= MOST_COLLECTIONS) this.#known.clear();
    this.#known.set(collection, { at: performance.now(), rules });
    return rules;
  }

  async #read(collection: string, signal: AbortSignal): Promise<CollectionPins> {
    try {
      const { value } = await this.#client.read(collectionPath(collection), signal);
      const signs = collectionSigns(value);
      const name = (isObject(value) ? textOfField(value, 'name') : undefined) ?? collection;
      const sets = isObject(value) && Array.isArray(value['curation_sets']) ? value['curation_sets'] : undefined;
      if (sets === undefined) {
        const { value: answer } = await this.#client.read(`${collectionPath(name)}/overrides`, signal);
        return { rules: rulesIn(isObject(answer) ? answer['overrides'] : undefined, signs), signs };
      }
      const found: PinRule[] = [];
      for (const set of sets.slice(0, MOST_SETS)) {
        if (typeof set !== 'string') continue;
        const { value: answer } = await this.#client.read(`/curation_sets/${encodeURIComponent(set)}`, signal);
        found.push(...rulesIn(isObject(answer) ? answer['items'] : undefined, signs));
      }
      return { rules: found, signs };
    } catch (error) {
      // The search itself was answered: a key without the right to read rules sees its hits all the same.
      if (isDriverError(error) && error.code !== 'CANCELLED') return { rules: [], signs: collectionSigns(undefined) };
      throw error;
    }
  }
}

function rulesIn(list: unknown, signs: CollectionSigns): PinRule[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: unknown) => {
    const rule = isObject(entry) && isObject(entry['rule']) ? entry['rule'] : undefined;
    if (!isObject(entry) || rule === undefined) return [];
    const query = textOfField(rule, 'query');
    return [
      {
        name: textOfField(entry, 'id') ?? '',
        // A query with a placeholder is a pattern over a field's values: whether it fits can't be seen from here.
        query: query === undefined || query.includes('{') || query === '' ? undefined : wordsOfRule(query, signs),
        isExact: textOfField(rule, 'match') === 'exact',
        pins: pinsOf(entry),
      },
    ];
  });
}

function pinsOf(entry: JsonObject): ReadonlySet<string> {
  const includes = entry['includes'];
  if (!Array.isArray(includes)) return new Set();
  return new Set(includes.flatMap((one: unknown) => (isObject(one) ? (textOfField(one, 'id') ?? []) : [])));
}
