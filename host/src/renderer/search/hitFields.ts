import { rowKeyText, wholeStart } from '@tabularium/sdk';
import type { SearchHit } from '@tabularium/sdk';

/** A text that no two hits of an answer share. */
export function hitKey({ key, table }: Pick<SearchHit, 'key' | 'table'>): string {
  return JSON.stringify([table ?? null, rowKeyText(key)]);
}

/** A document's members by their names. */
export type HitDocument = ReadonlyMap<string, unknown>;

/** Longer values are cut in lists of hits; the document has them whole. */
const LONGEST = 200;

/** The members of a document, numbers as the digits they were written with. */
export function readHitDocument({ document }: Pick<SearchHit, 'document'>): HitDocument {
  try {
    const value = JSON.parse(document, (_, inner: unknown, context?: { readonly source?: string }) =>
      typeof inner === 'number' ? new Digits(context?.source ?? String(inner)) : inner,
    ) as unknown;
    return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
  } catch {
    return new Map();
  }
}

/** A number by its digits. Not a string, which an array would show in quotes. */
class Digits {
  readonly #digits: string;

  constructor(digits: string) {
    this.#digits = digits;
  }

  toString(): string {
    return this.#digits;
  }
}

/** A value by a path as columns have it: a member of that name, else members within members. */
function valueAt(document: HitDocument, path: string): unknown {
  if (document.has(path)) return document.get(path);
  let value: unknown = document;
  for (const name of path.split('.')) {
    if (value instanceof Map) value = value.get(name);
    else if (Array.isArray(value)) value = value.map((entry: unknown) => memberOf(entry, name));
    else value = memberOf(value, name);
  }
  return value;
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

/** A value in one line, cut where it is long; undefined where the document has none. */
export function fieldText(document: HitDocument, path: string): string | undefined {
  const value = valueAt(document, path);
  if (value === undefined || value === null) return undefined;
  const text = lineOf(value);
  return text.length > LONGEST ? `${wholeStart(text, LONGEST)}…` : text;
}

function lineOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(lineOf).join(', ');
  if (value instanceof Digits || typeof value !== 'object' || value === null) return String(value);
  return `{${Object.entries(value)
    .map(([name, inner]) => `${name}: ${lineOf(inner)}`)
    .join(', ')}}`;
}

/** The most characters of a text that heads a hit. */
const LONGEST_TITLE = 120;

/** The field that heads each hit of an answer: the first one that was searched whose texts are short, as those of a body aren't, and differ, as those of a category don't. */
export function titleField(hits: readonly Pick<SearchHit, 'document'>[], fields: readonly string[]): string {
  const documents = hits.slice(0, SAMPLED).map(readHitDocument);
  const heads = (field: string): boolean => {
    const texts = documents.flatMap((document) => fieldText(document, field) ?? []);
    const short = new Set(texts.filter((text) => text.length <= LONGEST_TITLE));
    return short.size * 2 > texts.length;
  };
  return fields.find(heads) ?? fields[0] ?? '';
}

/** Hits that are enough to see whether a field holds long texts. */
const SAMPLED = 10;
