import type { HighlightPart, SearchHit } from '@tabularium/sdk';
import { isObject, textOfField } from '../guards.ts';
import type { JsonObject } from '../guards.ts';

/** The server's tags around a match. */
const TAGS = /<mark>|<\/mark>/;
const MOST_FIELDS = 100;
/** Deeper members of a highlight are not followed: no document that is shown as a tree is. */
const MOST_LEVELS = 30;
const LONGEST = 20_000;

/**
 * The places where words were found, from the server's `highlight`: an object as nested as the document, with `snippet` (or `value`) and
 * `matched_tokens` at its leaves. The tags are the server's own, so that the request has none; a document whose own text has such tags would make matches
 * of its own, so a text that isn't in the document without them is shown without any match.
 */
export function highlightsOf(hit: JsonObject, document: JsonObject): SearchHit['highlights'] {
  const found: { field: string; parts: readonly HighlightPart[] }[] = [];
  walk(hit['highlight'], '', 0, (field, text) => {
    if (found.length < MOST_FIELDS) found.push({ field, parts: partsOf(text, document) });
  });
  return found;
}

function walk(value: unknown, path: string, level: number, take: (field: string, text: string) => void): void {
  if (level > MOST_LEVELS) return;
  if (Array.isArray(value)) {
    for (const entry of value) walk(entry, path, level + 1, take);
    return;
  }
  if (!isObject(value)) return;
  const text = textOfField(value, 'snippet') ?? textOfField(value, 'value');
  const tokens = value['matched_tokens'];
  if (text !== undefined && Array.isArray(tokens)) {
    if (tokens.length > 0 && path !== '') take(path, text.slice(0, LONGEST).toWellFormed());
    return;
  }
  for (const [name, inner] of Object.entries(value)) walk(inner, path === '' ? name : `${path}.${name}`, level + 1, take);
}

function partsOf(text: string, document: JsonObject): readonly HighlightPart[] {
  const pieces = text.split(TAGS);
  // Cut in the middle of a match or not as servers write it: an odd number of pieces has each match closed.
  const isWhole = pieces.length % 2 === 1 && pieces.length < 10_000;
  if (!isWhole || !holds(document, pieces.join(''), 0)) return [{ text, isMatch: false }];
  return pieces.map((piece, index) => ({ text: piece, isMatch: index % 2 === 1 })).filter(({ text: piece }) => piece !== '');
}

/** Whether a value of the document holds the text. */
function holds(value: unknown, text: string, level: number): boolean {
  if (typeof value === 'string') return value.includes(text);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value).includes(text);
  if (level > MOST_LEVELS || typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((inner) => holds(inner, text, level + 1));
}
