import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { print } from '../json/print.ts';
import { parse } from '../json/parse.ts';
import { isObject } from '../json/value.ts';
import { startSandbox } from '../sandbox.ts';
import type { Sandbox } from '../sandbox.ts';
import { ask, textOf } from '../testing.test-helper.ts';
import { judgedQueries } from './judgedQueries.ts';
import { ODD_COLLECTION } from './oddNames.ts';
import { makeProducts } from './products.ts';

const PRODUCTS = 500;
const odd = encodeURIComponent(ODD_COLLECTION);

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ apiKey: 'test-key', sampleData: { products: PRODUCTS } });
});

afterAll(() => sandbox.close());

const search = async (collection: string, query: string) =>
  (await ask(sandbox.url, `/collections/${collection}/documents/search?q=*&${query}`)).json;

describe('products', () => {
  test('are the same every time', () => {
    const digest = (): string => {
      const hash = createHash('sha256');
      for (const { text } of makeProducts(200)) hash.update(text);
      return hash.digest('hex');
    };
    expect(digest()).toBe(digest());
  });

  test('are generated as the server would store them', () => {
    for (const { document, text } of makeProducts(300)) {
      expect(print(parse(text))).toBe(text);
      expect(print(document)).toBe(text);
    }
  });

  test('fit the schema that is declared for them, learned leaves included', async () => {
    await using fresh = await startSandbox({ apiKey: 'test-key' });
    const sample = (await ask(sandbox.url, '/collections/products')).json;
    const fields = isObject(sample) && Array.isArray(sample['fields']) ? sample['fields'] : [];
    const declared = fields.filter((field) => isObject(field) && !textOf(field['name']).includes('.'));
    const schema = print({ name: 'products', enable_nested_fields: true, fields: declared });
    expect((await ask(fresh.url, '/collections', { body: schema })).status).toBe(201);
    const lines = [...makeProducts(PRODUCTS)].map(({ text }) => text).join('\n');
    const imported = await ask(fresh.url, '/collections/products/documents/import', { body: lines });
    expect(new Set(imported.body.split('\n'))).toEqual(new Set(['{"success":true}']));
    const learned = (await ask(fresh.url, '/collections/products')).json;
    const leaves = (value: typeof learned) =>
      isObject(value) && Array.isArray(value['fields']) ? value['fields'].map((field) => print(field)).sort() : [];
    expect(leaves(learned)).toEqual(leaves(sample));
  });

  test('hold what is hard to show: exact integers, absent values, arrays of objects that lack leaves', async () => {
    expect((await ask(sandbox.url, '/collections/products/documents/1')).body).toContain('"barcode":9007199254740993');
    expect(await search('products', 'filter_by=discount:>0&per_page=0')).not.toMatchObject({ found: PRODUCTS });
    expect(await search('products', 'filter_by=offers.%7Bcolour:=moss%20%26%26%20price:>1%7D&per_page=0')).not.toMatchObject({
      found: 0,
    });
    expect(await search('products', 'sort_by=description:asc')).toMatchObject({
      message: 'Could not find a field named `description` in the schema for sorting.',
    });
    expect(await search('products', 'sort_by=name:asc&per_page=1')).toMatchObject({ found: PRODUCTS });
  });

  test('answer to the alias as well', async () => {
    expect((await ask(sandbox.url, '/collections/shop')).json).toMatchObject({ name: 'products', num_documents: PRODUCTS });
  });
});

describe('articles', () => {
  test('have a schema that was learned', async () => {
    const shown = (await ask(sandbox.url, '/collections/articles')).json;
    const fields = isObject(shown) && Array.isArray(shown['fields']) ? shown['fields'] : [];
    const types = Object.fromEntries(fields.filter(isObject).map((field) => [textOf(field['name']), field['type']]));
    expect(shown).toMatchObject({ num_documents: 1204 });
    expect(types).toMatchObject({
      '.*': 'auto',
      author: 'object',
      'author.contact.email': 'string',
      comments: 'object[]',
      'comments.likes': 'int64[]',
      published: 'bool',
      reading_minutes: 'float',
      topics: 'string[]',
      words: 'int64',
    });
  });
});

describe('the tuning of articles', () => {
  test.each(['29.0', '30.0'] as const)('has a synonym and a rule that searches of %s follow', async (version) => {
    await using tuned = await startSandbox({ apiKey: 'test-key', version, sampleData: { products: 1 } });
    const found = async (words: string) =>
      (await ask(tuned.url, `/collections/articles/documents/search?q=${words}&query_by=title&per_page=250`)).json;
    const titles = (answer: Awaited<ReturnType<typeof found>>): string[] => {
      const hits = isObject(answer) && Array.isArray(answer['hits']) ? answer['hits'] : [];
      return hits.filter(isObject).map(({ document }) => (isObject(document) ? textOf(document['title']) : ''));
    };
    expect(titles(await found('typing%20machine'))).toContain('In praise of typewriters');
    const cranes = await found('harbour');
    expect(cranes).toMatchObject({ hits: expect.arrayContaining([expect.objectContaining({ curated: true })]) as object });
    expect(titles(cranes)[0]).toBe('Everything you know about harbour cranes');
    expect(print(cranes)).not.toContain('"article-0002"');
  });
});

describe('the judged queries of articles', () => {
  test('are the file of the examples; "npx vitest run -u" on this file writes it', async () => {
    await expect(judgedQueries()).toMatchFileSnapshot('../../../../docs/examples/articles-queries.csv');
  });
});

describe('odd names', () => {
  test('can all be read by their encoded ids and found by a filter', async () => {
    const all = await ask(sandbox.url, `/collections/${odd}/documents/export?include_fields=id`);
    const ids = all.body.split('\n').map((line) => {
      const value = parse(line);
      return isObject(value) ? textOf(value['id']) : '';
    });
    expect(ids).toHaveLength(12);
    for (const id of ids) {
      expect((await ask(sandbox.url, `/collections/${odd}/documents/${encodeURIComponent(id)}`)).json).toMatchObject({ id });
      if (id.includes('`')) continue;
      const filter = encodeURIComponent(`id:=\`${id}\``);
      expect(await search(odd, `filter_by=${filter}`)).toMatchObject({ found: 1, hits: [{ document: { id } }] });
    }
  });
});
