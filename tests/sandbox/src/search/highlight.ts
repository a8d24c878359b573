import { emptyObject, objectOf } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { valueAt } from '../schema/flatten.ts';
import type { Collection } from '../store/collection.ts';
import { flag, list, number } from './params.ts';
import type { SearchParams } from './params.ts';
import type { TextMatches } from './textMatches.ts';
import { stem, tokenize } from './tokens.ts';

const DEFAULT_SNIPPET_THRESHOLD = 30;
const DEFAULT_AFFIX = 4;

interface Options {
  readonly startTag: string;
  readonly endTag: string;
  readonly threshold: number;
  readonly affix: number;
  readonly full: readonly string[];
}

interface Marked {
  readonly tokens: string[];
  readonly snippet: string;
  readonly value: string;
}

const mark = (text: string, matches: TextMatches, stems: boolean, collection: Collection, options: Options): Marked => {
  const words = text.split(/(?<=\s)|(?=\s)/);
  const tokens: string[] = [];
  const hits: number[] = [];
  const marked = words.map((word, at) => {
    const [token] = tokenize(word, collection.tokenizing);
    const typed = token === undefined ? undefined : matches.matched.get(stems ? stem(token) : token);
    if (typed === undefined || token === undefined) return word;
    hits.push(at);
    const start = word.search(/[\p{L}\p{N}]/u);
    const isWhole = typed >= token.length || stems;
    const end = isWhole ? word.length : start + typed;
    const hit = word
      .slice(Math.max(0, start), end)
      .replace(/[^\p{L}\p{N}]+$/u, (tail) => (isWhole && tail.includes('+') ? tail : ''));
    tokens.push(hit);
    const from = Math.max(0, start);
    return `${word.slice(0, from)}${options.startTag}${hit}${options.endTag}${word.slice(from + hit.length)}`;
  });
  const value = marked.join('');
  const wordCount = words.filter((word) => word.trim() !== '').length;
  const [first] = hits;
  const last = hits.at(-1);
  const isShort = wordCount <= options.threshold || first === undefined || last === undefined;
  const reach = options.affix * 2;
  const snippet = isShort ? value : marked.slice(Math.max(0, first - reach), last + reach + 1).join('');
  return { tokens, snippet: snippet.trim(), value };
};

const show = ({ snippet, tokens, value }: Marked, full: boolean): JsonObject =>
  objectOf([['matched_tokens', tokens], ['snippet', snippet], ...(full ? [['value', value] as const] : [])]);

const setAt = (target: JsonObject, path: string, value: JsonValue): void => {
  const parts = path.split('.');
  const last = parts.pop() ?? '';
  let at = target;
  for (const part of parts) {
    const next = at[part];
    const inner = typeof next === 'object' && next !== null && !Array.isArray(next) ? (next as JsonObject) : emptyObject();
    at[part] = inner;
    at = inner;
  }
  at[last] = value;
};

export interface Highlights {
  readonly tree: JsonObject;
  readonly list: JsonValue[];
}

/** Marks what matched in the fields that are part of the answer. */
export const highlight = (
  document: JsonObject,
  sequence: number,
  matches: TextMatches,
  collection: Collection,
  params: SearchParams,
): Highlights => {
  const tree = emptyObject();
  const entries: { score: number; entry: JsonObject }[] = [];
  const wanted = list(params, 'highlight_fields');
  const options: Options = {
    startTag: params.get('highlight_start_tag') ?? '<mark>',
    endTag: params.get('highlight_end_tag') ?? '</mark>',
    threshold: number(params, 'snippet_threshold', DEFAULT_SNIPPET_THRESHOLD),
    affix: number(params, 'highlight_affix_num_tokens', DEFAULT_AFFIX),
    full: list(params, 'highlight_full_fields'),
  };
  for (const { field } of matches.fields) {
    const { name } = field;
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const value = valueAt(document, name);
    const full = options.full.includes(name);
    const exactness = collection.indices
      .tokens(field)
      .at(sequence)
      ?.some((tokens) => tokens.length === matches.queryLength);
    if (typeof value === 'string') {
      const marked = mark(value, matches, field.stem, collection, options);
      if (marked.tokens.length === 0) continue;
      setAt(tree, name, show(marked, full));
      if (!name.includes('.')) {
        entries.push({
          score: exactness === true ? 1 : 0,
          entry: objectOf([['field', name], ...Object.entries(show(marked, full))]),
        });
      }
    } else if (Array.isArray(value)) {
      const all = value.map((item) => mark(typeof item === 'string' ? item : '', matches, field.stem, collection, options));
      const hits = all.flatMap((marked, at) => (marked.tokens.length > 0 ? [{ marked, at }] : []));
      if (hits.length === 0) continue;
      setAt(
        tree,
        name,
        all.map((marked) => show(marked, full)),
      );
      const entry: [string, JsonValue][] = [
        ['field', name],
        ['indices', hits.map(({ at }) => at)],
        ['matched_tokens', hits.map(({ marked }) => marked.tokens)],
        ['snippets', hits.map(({ marked }) => marked.snippet)],
      ];
      if (full) entry.push(['values', hits.map(({ marked }) => marked.value)]);
      if (!name.includes('.')) entries.push({ score: exactness === true ? 1 : 0, entry: objectOf(entry) });
    }
  }
  entries.sort((left, right) => right.score - left.score);
  return { tree, list: flag(params, 'enable_highlight_v1', true) ? entries.map(({ entry }) => entry) : [] };
};
