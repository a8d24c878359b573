import fc from 'fast-check';
import { decodeBatch, decodePage, encodeBatch } from '@tabularium/sdk';
import type { BatchColumn, ColumnKind, RowBatch } from '@tabularium/sdk';
import { describe, expect, it } from 'vitest';
import { parseExact } from '../exactJson.ts';
import type { JsonObject } from '../guards.ts';
import type { PageColumn } from '../pageColumns.ts';
import { pageRowReader, rowReader } from '../rowReader.ts';
import { PageEncoder } from './pageEncoder.ts';

const COLUMNS: readonly BatchColumn[] = [
  { name: 'id', kind: 'text' },
  { name: 'active', kind: 'boolean' },
  { name: 'count', kind: 'integer' },
  { name: 'offers.price', kind: 'json' },
  { name: 'offers.vendor', kind: 'json' },
  { name: 'place', kind: 'geo' },
  { name: 'price', kind: 'decimal' },
  { name: 'seller.city', kind: 'text' },
  { name: 'seller.home.street', kind: 'text' },
  { name: 'tags', kind: 'json' },
];

interface Result {
  readonly documents: readonly string[];
  readonly before?: string;
  readonly after?: string;
}

/** The answer as a server writes it. */
function answer(...results: readonly Result[]): string {
  const written = results.map(({ documents, before = '"facet_counts":[],"found":7', after = '"page":1' }) => {
    const hits = documents.map((document) => `{"document":${document},"highlight":{},"highlights":[]}`);
    return `{${before},"hits":[${hits.join(',')}],${after}}`;
  });
  return `{"results":[${written.join(',')}]}`;
}

function encode(text: string | Uint8Array, chunk = Infinity, columns: readonly PageColumn[] = COLUMNS) {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const encoder = new PageEncoder(columns, 16);
  for (let at = 0; at < bytes.length; at += chunk) encoder.push(bytes.subarray(at, Math.min(at + chunk, bytes.length)));
  expect(Buffer.from(encoder.content).equals(bytes)).toBe(true);
  return encoder.finish();
}

/** The same rows by the ordinary way. */
function ordinary(text: string, columns = COLUMNS): RowBatch {
  const { value, marked } = parseExact(text);
  const row = rowReader(columns);
  const { results } = value as { results: { hits: { document: JsonObject }[] }[] };
  return decodeBatch(
    encodeBatch({ columns, rows: results.flatMap(({ hits }) => hits.map(({ document }) => row(document, marked))) }),
  );
}

function expectTheSame(text: string): void {
  const encoded = encode(text);
  expect(encoded).toBeDefined();
  expect(decodeBatch(encoded?.batch ?? new Uint8Array())).toEqual(ordinary(text));
}

describe('an answer as servers write it', () => {
  it.each([
    [
      'every kind',
      '{"active":true,"count":5,"id":"1","place":[1.5,2.5],"price":9.75,"seller":{"city":"Zürich","home":{"street":"A"}},"tags":["a","b"]}',
    ],
    ['nothing at all', '{}'],
    ['nulls', '{"active":null,"count":null,"id":null,"offers":null,"seller":null,"tags":null}'],
    ['an integer that no double holds', '{"count":9007199254740993,"id":"-9223372036854775808","price":-9223372036854775808}'],
    ['a long integer that a double holds', '{"count":9007199254740991}'],
    ['an integer beyond a double in a list', '{"tags":[9007199254740993,-1]}'],
    ['fractions and exponents', '{"count":1.5,"price":1e-7,"tags":[1e+21,0.1]}'],
    ['a long fraction', '{"price":0.12345678901234567}'],
    [
      'values of other kinds than their columns',
      '{"active":"yes","count":"5","id":7,"price":true,"seller":{"city":["a"]},"tags":"one","place":5}',
    ],
    ['an object where a list of objects was', '{"offers":{"price":1,"vendor":"x"}}'],
    [
      'a list of objects',
      '{"offers":[{"price":1,"vendor":"a \\"b\\" \\\\"},{"price":null},{},{"other":{"x":[1]},"vendor":{"deep":["é"]}}]}',
    ],
    ['an empty list of objects', '{"offers":[]}'],
    ['a text where objects were', '{"seller":"gone","offers":7}'],
    ['escapes', '{"id":"a\\"b\\\\c\\n\\u0041\\ud83d\\ude00","seller":{"city":"\\t"},"tags":["\\"","\\\\"]}'],
    ['fields that are no columns', '{"extra":{"a":{"b":[1,{"c":"d"}]}},"id":"1","more":"x","seller":{"age":3,"city":"B"}}'],
    ['another order', '{"tags":[],"price":1,"id":"z","active":false}'],
    ['names of members that every object has', '{"__proto__":{"id":"x"},"constructor":1,"id":"1","toString":"y"}'],
  ])('gives the rows of the ordinary way: %s', (_what, document) => {
    expectTheSame(answer({ documents: [document] }));
  });

  it('passes on JSON as the server wrote it', () => {
    const encoded = encode(answer({ documents: ['{"tags":{"10":1.50,"2":"\\u00e9"}}'] }));
    expect(decodeBatch(encoded?.batch ?? new Uint8Array()).rows[0]?.at(-1)).toBe('{"10":1.50,"2":"\\u00e9"}');
  });

  it('gives the members of each result, and its hits', () => {
    const encoded = encode(
      answer(
        { documents: ['{"id":"1"}', '{"id":"2"}'], before: '"found":70', after: '"search_time_ms":3,"request_params":{"q":"*"}' },
        { documents: [], before: '"found":70' },
      ),
    );
    expect(encoded?.hits).toEqual([2, 0]);
    expect(encoded?.rowCount).toBe(2);
    expect(encoded?.results).toEqual([
      { found: 70, search_time_ms: 3, request_params: { q: '*' } },
      { found: 70, page: 1 },
    ]);
  });

  it('reports a failed search unchanged', () => {
    const encoded = encode('{"results":[{"code":404,"error":"Not found."}]}');
    expect(encoded?.results).toEqual([{ code: 404, error: 'Not found.' }]);
    expect(encoded?.hits).toEqual([0]);
  });

  it('does not depend on where the answer is cut', () => {
    const text = answer(
      { documents: ['{"count":9007199254740993,"id":"é\\"","offers":[{"price":1},{}],"seller":{"city":"ß"}}', '{"id":"2"}'] },
      { documents: ['{"active":false,"price":-0.5e+3,"tags":[null,true]}'] },
    );
    for (let chunk = 1; chunk < Buffer.byteLength(text); chunk += 1) {
      const encoded = encode(text, chunk);
      expect(decodeBatch(encoded?.batch ?? new Uint8Array())).toEqual(ordinary(text));
    }
  });

  it('gives the rows of the ordinary way, whatever the documents hold', () => {
    const leaf = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    );
    const value = fc.oneof(
      leaf,
      fc.array(leaf, { maxLength: 3 }),
      fc.dictionary(fc.string({ maxLength: 3 }), leaf, { maxKeys: 3 }),
    );
    const document = fc.record(
      {
        id: value,
        active: value,
        count: value,
        offers: fc.oneof(
          value,
          fc.array(fc.record({ price: value, vendor: value, x: value }, { requiredKeys: [] }), { maxLength: 3 }),
        ),
        place: value,
        price: value,
        seller: fc.oneof(
          value,
          fc.record({ city: value, home: fc.oneof(value, fc.record({ street: value })) }, { requiredKeys: [] }),
        ),
        tags: value,
        zzz: value,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(document, { maxLength: 4 }), fc.integer({ min: 1, max: 200 }), (documents, chunk) => {
        const text = answer({ documents: documents.map(exactText) });
        const encoded = encode(text, chunk);
        // A field with a dot or an escape in its name is left to the ordinary way.
        if (encoded !== undefined) expect(decodeBatch(encoded.batch)).toEqual(ordinary(text));
      }),
      { numRuns: 500 },
    );
  });
});

/** JSON text with every digit of a bigint. */
function exactText(value: unknown): string {
  const text = JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? { bigint: String(part) } : part));
  return text.replace(/\{"bigint":"(-?\d+)"\}/g, '$1');
}

describe('what is left to the ordinary way', () => {
  const found = '"found":1';
  it.each([
    ['another beginning', '{"hits":[]}'],
    ['blanks', '{"results": []}'],
    ['blanks in a document', answer({ documents: ['{"id": "1"}'] })],
    ['a field twice', answer({ documents: ['{"id":"1","id":"2"}'] })],
    ['an object twice', answer({ documents: ['{"seller":{"city":"a"},"seller":{"city":"b"}}'] })],
    ['a name with dots', answer({ documents: ['{"seller.city":"Bern"}'] })],
    ['a name with an escape', answer({ documents: ['{"\\u0069d":"1"}'] })],
    ['a list of something else than objects', answer({ documents: ['{"offers":[{"price":1},5]}'] })],
    ['a hit without a document', `{"results":[{${found},"hits":[{"highlight":{}}]}]}`],
    ['a result without hits', `{"results":[{${found}}]}`],
    ['hits twice', `{"results":[{${found},"hits":[],"hits":[]}]}`],
    ['an end that is missing', answer({ documents: ['{"id":"1"}'] }).slice(0, -1)],
    ['something behind the end', `${answer({ documents: [] })}\n`],
    ['a control character in a text', answer({ documents: ['{"id":"a\nb"}'] })],
    ['an escape that is none', answer({ documents: ['{"id":"\\x41"}'] })],
    ['half an escape', answer({ documents: ['{"id":"\\u00g1"}'] })],
    ['a leading zero', answer({ documents: ['{"count":007}'] })],
    ['a lonely minus', answer({ documents: ['{"count":-}'] })],
    ['a number that ends with its point', answer({ documents: ['{"price":1.}'] })],
    ['a word that is none', answer({ documents: ['{"active":tru}'] })],
    ['a comma too many', answer({ documents: ['{"id":"1",}'] })],
    ['a comma too few', answer({ documents: ['{"id":"1""count":1}'] })],
    ['lists in lists without end', answer({ documents: [`{"tags":${'['.repeat(200_000)}${']'.repeat(200_000)}}`] })],
  ])('%s', (_what, text) => {
    expect(encode(text)).toBeUndefined();
  });

  it("bytes that aren't UTF-8", () => {
    const bytes = Buffer.from(answer({ documents: ['{"id":"?"}'] }));
    bytes[bytes.indexOf('?')] = 0xff;
    expect(encode(bytes)).toBeUndefined();
  });

  it('a column that is also the object of another', () => {
    const column = (name: string, kind: ColumnKind = 'text'): BatchColumn => ({ name, kind });
    const text = answer({ documents: ['{"a":{"b":"1","c":"2"}}'] });
    expect(encode(text, Infinity, [column('a', 'json'), column('a.b')])).toBeUndefined();
    expect(encode(text, Infinity, [column('a.b'), column('a', 'json')])).toBeUndefined();
    expect(encode(text, Infinity, [column('a.b'), column('a.c')])).toBeDefined();
  });
});

describe('placeholders', () => {
  const SHORT = COLUMNS.map((column, place) => (place === 0 ? column : { ...column, over: 12 }));

  it.each([
    [
      'texts, lists and objects',
      '{"id":"a very long id indeed","seller":{"city":"Llanfairpwllgwyngyll"},"tags":["abcdef","ghijkl"],"place":[1.25,2.25,3]}',
    ],
    ['what just fits', '{"seller":{"city":"twelve bytes"},"tags":["abcdefgh"]}'],
    [
      'letters of several bytes, and escapes',
      '{"seller":{"city":"ÄÖÜäöüß","home":{"street":"\\"\\"\\"\\"\\"\\"\\u00e9\\n\\\\\\\\"}}}',
    ],
    ['letters that are two code units', `{"seller":{"city":"${'😀'.repeat(150)}"}}`],
    ['a list of objects', '{"offers":[{"price":1,"vendor":"a \\"b\\""},{"price":2.25},{},{"vendor":null},{"price":12345678}]}'],
    [
      'values of other kinds than their columns',
      '{"active":"a text that is long","count":["a","list","here"],"price":{"an":"object"}}',
    ],
  ])('are those of the ordinary way: %s', (_what, document) => {
    const text = answer({ documents: [document, '{}'] });
    const { value, marked } = parseExact(text);
    const { results } = value as { results: { hits: { document: JsonObject }[] }[] };
    const row = pageRowReader(SHORT);
    const rows = results.flatMap(({ hits }) => hits.map((hit) => row(hit.document, marked)));
    const encoded = encode(text, 7, SHORT);
    expect(decodePage(encoded?.batch ?? new Uint8Array()).rows).toEqual(JSON.parse(JSON.stringify(rows)));
  });

  it('are in every row in place of a field that was not read', () => {
    const columns = COLUMNS.map((column) =>
      column.name === 'tags' ? { ...column, instead: ['unread', { dimensions: 3 }] as const } : column,
    );
    const encoded = encode(answer({ documents: ['{"id":"1"}', '{"id":"2","tags":["sent all the same"]}'] }), Infinity, columns);
    const { rows } = decodePage(encoded?.batch ?? new Uint8Array());
    expect(rows.map((row) => row.at(-1))).toEqual([
      ['unread', { dimensions: 3 }],
      ['unread', { dimensions: 3 }],
    ]);
  });
});
