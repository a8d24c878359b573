import { float } from '../json/value.ts';
import type { JsonObject } from '../json/value.ts';

/** A space, a slash and letters beyond ASCII: every part of a URL has to be encoded. */
export const ODD_COLLECTION = 'odd names/köln 東京';

const ids = [
  'a/b',
  '..',
  '.',
  '100%',
  'a+b',
  'two words',
  "it's",
  'back`tick',
  '"quoted"',
  '🦊 fox',
  '日本/東京',
  '?q=1&x=2#end',
] as const;

/** Ids and field names that break whatever is put into a path, a filter or a table unescaped. */
export const makeOddDocuments = (): JsonObject[] =>
  ids.map((id, at) => {
    const document: JsonObject = {
      id,
      'price (€)': float(at + 0.5),
      'first name': ['Zoë', 'O’Neill', 'a\tb', 'line\nbreak'][at % 4] ?? '',
      'dotted.name': at,
      constructor: `is not ${id}`,
    };
    if (at % 2 === 0) document['nested'] = { 'with space': at * 10, list: [`tick \` ${at}`, '&&', 'a,b'] };
    if (at % 3 === 0) document['naïve'] = true;
    if (at === 5) document['empty'] = '';
    return document;
  });
