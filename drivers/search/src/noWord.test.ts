import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Filter, TableRef } from '@tabularium/sdk';
import type { Sandbox } from '@tabularium/sandbox';
import { ADMIN_KEY, admin, call, collect, open, startFixture } from './fixture.test-helper.ts';
import { collectionOf } from './schema.ts';
import { Schemas } from './schemas.ts';
import type { SearchClient } from './client.ts';
import { namingTokenizer } from './noWord.ts';
import { serverError } from './serverErrors.ts';

const WORDS = {
  name: 'words',
  fields: [{ name: 'plain' }, { name: 'thai', locale: 'th' }].map((field) => ({ ...field, type: 'string' })),
};
const MARKS = { ...WORDS, name: 'marks', symbols_to_index: ['+', '#'], token_separators: ['-'] };

let sandbox: Sandbox;
let searchKey: string;
beforeAll(async () => {
  sandbox = await startFixture();
  for (const schema of [WORDS, MARKS]) await admin(sandbox, 'POST', '/collections', JSON.stringify(schema));
  const body = JSON.stringify({ description: 'search only', actions: ['documents:search'], collections: ['.*'] });
  searchKey = (JSON.parse(await admin(sandbox, 'POST', '/keys', body)) as { value: string }).value;
});
afterAll(() => sandbox.close());

const refOf = (name: string): TableRef => ({ namespace: [], name });
const filterOn = (column: string, operator: 'equals' | 'contains', value: string): Filter => ({
  match: 'all',
  conditions: [{ column, operator, values: [value] }],
});

type Way = 'page' | 'count' | 'export';

async function ask(way: Way, name: string, filter: Filter, key = ADMIN_KEY): Promise<unknown> {
  const session = await open(sandbox, key);
  const table = refOf(name);
  try {
    switch (way) {
      case 'page':
        return await session.readPage({ table, filter, sorts: [], position: { from: 'start' }, limit: 10 }, call);
      case 'count':
        return await session.countRows?.({ table, filter }, call);
      case 'export':
        return session.export === undefined ? undefined : await collect(session.export.rows({ table, filter }, call));
    }
  } finally {
    await session.close();
  }
}

describe('a value in which the server finds no word', () => {
  it.each(['page', 'count', 'export'] as const)('names the default locale: %s', async (way) => {
    await expect(ask(way, 'words', filterOn('plain', 'equals', '!!!'))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: 'The server found no word in the value for “plain”, which has the default locale (en).',
      details: { field: 'plain', serverMessage: 'Error with filter field `plain`: Filter value cannot be empty.' },
      advice: expect.stringContaining('such as de, ja, th or zh') as string,
    });
  });

  it('names the field’s own locale', async () => {
    await expect(ask('page', 'words', filterOn('thai', 'contains', '!!!'))).rejects.toMatchObject({
      message: 'The server found no word in the value for “thai”, which has the locale th.',
      advice:
        'Filter by a value with letters or digits. To find symbols, add them to symbols_to_index of the field, or of the collection when you create it.',
    });
  });

  it('names the characters that the collection sets', async () => {
    await expect(ask('page', 'marks', filterOn('plain', 'equals', '!!!'))).rejects.toMatchObject({
      message:
        'The server found no word in the value for “plain”, which has the default locale (en), symbols_to_index “+” “#” and token_separators “-”.',
    });
    await expect(ask('count', 'marks', filterOn('plain', 'equals', '+'))).resolves.toMatchObject({ rows: 0 });
  });

  it('keeps the short sentence where the key may not read the schema', async () => {
    await expect(ask('page', 'words', filterOn('plain', 'equals', '!!!'), searchKey)).rejects.toMatchObject({
      message: 'The server found no word in the value for “plain”.',
      advice: expect.stringContaining('its locale in the schema') as string,
    });
  });

  it('names the locale of now, not the one of when the structure was read', async () => {
    const session = await open(sandbox);
    const table = refOf('changing');
    const field = { name: 'plain', type: 'string' };
    await admin(sandbox, 'POST', '/collections', JSON.stringify({ name: 'changing', fields: [field] }));
    try {
      await session.describeTable(table, call);
      const fields = [
        { name: 'plain', drop: true },
        { ...field, locale: 'ja' },
      ];
      await admin(sandbox, 'PATCH', '/collections/changing', JSON.stringify({ fields }));
      const filter = filterOn('plain', 'equals', '!!!');
      await expect(
        session.readPage({ table, filter, sorts: [], position: { from: 'start' }, limit: 10 }, call),
      ).rejects.toMatchObject({
        message: 'The server found no word in the value for “plain”, which has the locale ja.',
        advice: expect.stringContaining('Japanese characters') as string,
      });
    } finally {
      await session.close();
    }
  });

  it('leaves other errors, and fields without words, as they are', async () => {
    const schema = { name: 'c', fields: [{ name: 'done', type: 'bool' }] };
    const client: Pick<SearchClient, 'read'> = { read: () => Promise.resolve({ value: schema, marked: false }) };
    const schemas = new Schemas(client as SearchClient);
    for (const words of [
      'Error with filter field `done`: Filter value cannot be empty.',
      'Error with filter field `x`: Not an int32.',
    ]) {
      const error = serverError(400, words, 'POST /multi_search');
      await expect(namingTokenizer('c', schemas, call.signal, () => Promise.reject(error))).rejects.toBe(error);
    }
  });
});

it('a field’s own characters replace the collection’s', () => {
  const text = { type: 'string' };
  const fields = [
    { name: 'a', ...text, symbols_to_index: ['!'] },
    { name: 'b', ...text, locale: 'ja', token_separators: [] },
  ];
  expect(collectionOf({ name: 'c', symbols_to_index: ['+'], token_separators: ['-', 7], fields })?.fields).toMatchObject([
    { name: 'a', locale: '', symbolsToIndex: ['!'], tokenSeparators: ['-'] },
    { name: 'b', locale: 'ja', symbolsToIndex: ['+'], tokenSeparators: ['-'] },
  ]);
});
