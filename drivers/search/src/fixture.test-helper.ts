import { startSandbox } from '@tabularium/sandbox';
import type { Sandbox, SandboxVersion } from '@tabularium/sandbox';
import type { CallOptions, Cell, Session } from '@tabularium/sdk';
import { createTestHttp } from '@tabularium/sdk/testing';
import type { KnownEdit, KnownPrincipals, KnownRow, KnownTable, TestHttp } from '@tabularium/sdk/testing';
import { driver } from './index.ts';

export const ADMIN_KEY = 'admin-key-of-the-test';

/** The key headers that the host would add. */
export function keyHeaders(key: string): Record<string, string> {
  return { 'X-SEARCH-API-KEY': key, 'X-TYPESENSE-API-KEY': key };
}

/** An own key or none, and no key at all. */
export function httpOf(sandbox: Pick<Sandbox, 'url'>, key = ADMIN_KEY): TestHttp {
  return createTestHttp(sandbox.url, { credentials: keyHeaders(key) });
}

export const call: CallOptions = { signal: new AbortController().signal };

export async function open(sandbox: Pick<Sandbox, 'url'>, key = ADMIN_KEY): Promise<Session & { readonly http: TestHttp }> {
  const http = httpOf(sandbox, key);
  const session = await driver.definition.connect({ host: '127.0.0.1' }, { http, log: () => undefined }, call);
  return {
    ...session,
    http,
    async close() {
      await session.close();
      http.close();
    },
  };
}

export async function collect<T>(events: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** A request beside the driver, to fill the server. */
export async function admin(sandbox: Pick<Sandbox, 'url'>, method: string, path: string, body?: string): Promise<string> {
  const response = await fetch(`${sandbox.url}${path}`, {
    method,
    headers: { 'x-typesense-api-key': ADMIN_KEY, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  if (path.includes('/import') && text.includes('"success":false')) throw new Error(text);
  return text;
}

const fixtureSchema = {
  enable_nested_fields: true,
  fields: [
    { name: 'title', type: 'string' },
    { name: 'sku', type: 'string', sort: true },
    { name: 'pages', type: 'int32' },
    { name: 'big', type: 'int64', optional: true },
    { name: 'price', type: 'float', optional: true },
    { name: 'in_stock', type: 'bool', optional: true, facet: true },
    { name: 'tags', type: 'string[]', optional: true, facet: true },
    { name: 'place', type: 'geopoint', optional: true },
    { name: 'maker', type: 'object', optional: true },
    { name: 'parts', type: 'object[]', optional: true },
    { name: 'note', type: 'string', optional: true, index: false },
  ],
};

const titles = ['Pear', 'apple pie', 'Éclair', 'fig', 'Quince', 'banana split', 'Zest', 'cherry'];

/** The JSON text of one document, and the row that must come of it. */
function fixtureDocument(index: number): { json: string; row: KnownRow } {
  const id = String((index * 37) % 101);
  const title = `${titles[index % titles.length] ?? ''} number${(index * 7) % 24}`;
  const members: [name: string, json: string][] = [
    ['id', JSON.stringify(id)],
    ['title', JSON.stringify(title)],
    ['sku', JSON.stringify(`s-${String((index * 11) % 24).padStart(2, '0')}`)],
    ['pages', String((index * 13) % 17)],
  ];
  const row: Record<string, Cell> = {
    id,
    title,
    sku: `s-${String((index * 11) % 24).padStart(2, '0')}`,
    pages: (index * 13) % 17,
  };
  if (index % 3 !== 0) {
    const big = `90071992547409${String(90 + ((index * 5) % 7))}`;
    members.push(['big', big]);
    row['big'] = String(Number(big)) === big ? Number(big) : big;
  }
  if (index % 4 !== 1) {
    members.push(['price', String(((index * 29) % 23) + 0.5)]);
    row['price'] = ((index * 29) % 23) + 0.5;
  }
  if (index % 5 !== 2) {
    members.push(['in_stock', String(index % 2 === 0)]);
    row['in_stock'] = index % 2 === 0;
  }
  if (index % 2 === 1) {
    members.push(['tags', `["t${index % 3}","two words"]`]);
    row['tags'] = `["t${index % 3}","two words"]`;
  }
  if (index % 6 === 0) {
    members.push(['place', `[${48.5 + index},2.25]`]);
    row['place'] = `[${48.5 + index},2.25]`;
  }
  if (index % 4 !== 3) {
    members.push(['maker', `{"name":"Maker ${index % 5}","address":{"city":"City ${index % 3}"}}`]);
    row['maker.name'] = `Maker ${index % 5}`;
    row['maker.address.city'] = `City ${index % 3}`;
  }
  if (index % 3 === 1) {
    members.push(['parts', '[{"size":1,"serial":9007199254740993},{"size":2}]']);
    row['parts.size'] = '[1,2]';
    row['parts.serial'] = '[9007199254740993,null]';
  }
  if (index % 7 === 0) {
    members.push(['note', '"not indexed"']);
    row['note'] = 'not indexed';
  }
  return { json: `{${members.map(([name, json]) => `"${name}":${json}`).join(',')}}`, row };
}

const fixture = Array.from({ length: 24 }, (_, index) => fixtureDocument(index));
export const manyRows: KnownRow[] = Array.from({ length: 640 }, (_, index) => ({
  id: `d${(index * 251) % 641}`,
  n: (index * 97) % 331,
}));
const awkwardIds = [
  '..',
  '.',
  'a/b c',
  'x`y',
  'p(q)',
  'a&&b',
  "it's",
  '100%',
  'a+b',
  '日本',
  '[z]',
  'q?x=1',
  'h#1',
  '"dq"',
  'back\\slash',
  '💥',
];
const awkwardRows: KnownRow[] = awkwardIds.map((id, index) => ({
  id,
  'a.b': `v${index}`,
  n: index === 3 ? '9007199254740993' : 100 - index,
}));

/** A document of plain members, with long integers unquoted. */
function jsonOf(row: KnownRow): string {
  return JSON.stringify(row).replace(/"(\d{16,})"/g, '$1');
}

const ref = (name: string): KnownTable['ref'] => ({ namespace: [], name });

/** The content of the filled server. */
export const knownTables: readonly KnownTable[] = [
  {
    ref: ref('shelf'),
    rows: fixture.map(({ row }) => row),
    filters: [
      {
        name: 'a word in a text, in another letter case',
        filter: { match: 'all', conditions: [{ column: 'title', operator: 'contains', values: ['APPLE'] }] },
        passes: (row) => String(row['title']).includes('apple'),
      },
      {
        name: 'a range of numbers, and a truth value',
        filter: {
          match: 'all',
          conditions: [
            { column: 'pages', operator: 'between', values: ['3', '11'] },
            { column: 'in_stock', operator: 'equals', values: ['true'] },
          ],
        },
        passes: (row) => Number(row['pages']) >= 3 && Number(row['pages']) <= 11 && row['in_stock'] === true,
      },
      {
        name: 'any of two conditions',
        filter: {
          match: 'any',
          conditions: [
            { column: 'pages', operator: 'lessThan', values: ['2'] },
            { column: 'maker.address.city', operator: 'equals', values: ['City 1'] },
          ],
        },
        passes: (row) => Number(row['pages']) < 2 || row['maker.address.city'] === 'City 1',
      },
      {
        name: 'conditions beside a raw filter with an or of its own',
        filter: {
          match: 'all',
          conditions: [{ column: 'pages', operator: 'greaterThan', values: ['5'] }],
          raw: 'price:<3 || price:>20',
        },
        passes: (row) =>
          Number(row['pages']) > 5 && row['price'] !== undefined && (Number(row['price']) < 3 || Number(row['price']) > 20),
      },
      {
        name: 'an element of a list',
        filter: { match: 'all', conditions: [{ column: 'tags', operator: 'equals', values: ['t1'] }] },
        passes: (row) => String(row['tags']).includes('"t1"'),
      },
      {
        name: 'a beginning',
        filter: { match: 'all', conditions: [{ column: 'title', operator: 'startsWith', values: ['quin'] }] },
        passes: (row) => String(row['title']).startsWith('Quin'),
      },
      {
        name: 'not in a list',
        filter: { match: 'all', conditions: [{ column: 'sku', operator: 'notIn', values: ['s-03', 's-04'] }] },
        passes: (row) => row['sku'] !== 's-03' && row['sku'] !== 's-04',
      },
    ],
  },
  { ref: ref('many'), rows: manyRows },
  { ref: ref('a/b ö'), rows: awkwardRows },
];

/** Documents that are not there, with ids that are hard to write. */
export const knownEdits: readonly KnownEdit[] = [
  {
    table: ref('shelf'),
    row: {
      id: 'kit `/..%2F+💥',
      title: 'Kit "quoted" \\ and `ticked`',
      sku: 's-kit',
      pages: -2_147_483_648,
      big: '-9007199254740993',
      price: 0.5,
      in_stock: false,
      tags: '["a, b","c"]',
      place: '[-89.5,179.25]',
      'maker.name': 'Kit',
      'maker.address.city': 'Köln',
      note: 'first',
    },
    changed: {
      title: '',
      big: '9223372036854775807',
      price: null,
      in_stock: true,
      tags: '[]',
      'maker.address.city': '東京',
      note: ['absent'],
    },
    refused: [
      { column: 'pages', value: 'many' },
      { column: 'pages', value: 3_000_000_000 },
      { column: 'big', value: '9223372036854775808' },
      { column: 'price', value: 'NaN' },
      { column: 'in_stock', value: 'maybe' },
      { column: 'tags', value: '["a",1]' },
      { column: 'place', value: '[1]' },
      { column: 'title', value: null },
    ],
  },
  {
    table: ref('a/b ö'),
    row: { id: '...', 'a.b': 'literal', n: '9007199254740995' },
    changed: { 'a.b': 'changed' },
    refused: [{ column: 'n', value: '1.5' }],
  },
];

export const knownPrincipals: KnownPrincipals = {
  input: {
    description: ['made by the kit'],
    actions: ['documents:search'],
    collections: ['shelf'],
    expiresAt: ['2999-01-01T00:00:00Z'],
  },
};

/** Sends one request to the server that is filled, and throws where it fails. */
type Fill = (method: 'POST', path: string, body: string) => Promise<unknown>;

/** Fills a server with {@link knownTables}, their names after a prefix. */
export async function fillKnownTables(fill: Fill, prefix = ''): Promise<void> {
  const collection = async (schema: object, name: string, lines: readonly string[]): Promise<void> => {
    await fill('POST', '/collections', JSON.stringify({ ...schema, name: `${prefix}${name}` }));
    await fill('POST', `/collections/${encodeURIComponent(`${prefix}${name}`)}/documents/import`, lines.join('\n'));
  };
  await collection(
    fixtureSchema,
    'shelf',
    fixture.map(({ json }) => json),
  );
  await collection({ fields: [{ name: 'n', type: 'int32' }] }, 'many', manyRows.map(jsonOf));
  await collection({ fields: [{ name: '.*', type: 'auto' }] }, 'a/b ö', awkwardRows.map(jsonOf));
}

/** A sandbox that holds {@link knownTables} and an alias. */
export async function startFixture(version: SandboxVersion = '29.0'): Promise<Sandbox> {
  const sandbox = await startSandbox({ version, apiKey: ADMIN_KEY, port: 0, sampleData: false });
  await fillKnownTables((method, path, body) => admin(sandbox, method, path, body));
  await admin(sandbox, 'PUT', '/aliases/bookcase', JSON.stringify({ collection_name: 'shelf' }));
  return sandbox;
}

/** An analytics rule in the form of a server's version, such as `29.0`. */
export function recordingRule(version: string, name: string, type: string, collection: string, destination: string): string {
  const rule =
    Number(version.split('.')[0]) >= 30
      ? { collection, event_type: 'search', params: { destination_collection: destination, limit: 100 } }
      : { params: { source: { collections: [collection] }, destination: { collection: destination }, limit: 100 } };
  return JSON.stringify({ name, type, ...rule });
}
