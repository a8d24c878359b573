import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '@tabularium/sandbox';
import type { Filter, Sort, Suggestions } from '@tabularium/sdk';
import { admin, call, open, startFixture } from './fixture.test-helper.ts';

let sandbox: Sandbox;
let session: Awaited<ReturnType<typeof open>>;
const table = { namespace: [], name: 'wines' };

beforeAll(async () => {
  sandbox = await startFixture();
  await admin(
    sandbox,
    'POST',
    '/collections',
    JSON.stringify({
      name: 'wines',
      enable_nested_fields: true,
      fields: [
        { name: 'name', type: 'string' },
        { name: 'grape', type: 'string', facet: true },
        { name: 'notes', type: 'string[]', facet: true },
        { name: 'year', type: 'int32', facet: true },
        { name: 'price', type: 'float' },
        { name: 'score', type: 'float', facet: true },
        { name: 'sparkling', type: 'bool' },
        { name: 'barcode', type: 'int64' },
        { name: 'cellar', type: 'object', optional: true },
        { name: 'cellar.town', type: 'string', optional: true },
        { name: 'hidden', type: 'string', index: false, optional: true },
      ],
    }),
  );
  const wines = Array.from(
    { length: 300 },
    (_, at) =>
      `{"id":"w${at}","name":"Château ${at % 40}","grape":"${['Merlot', 'Malbec', 'Riesling'][at % 3]}","notes":["plum","n${at % 5}"],` +
      `"year":${1990 + (at % 10)},"price":${at}.5,"score":${at / 3},"sparkling":${at % 2 === 0},"barcode":90071992547409${93 + (at % 3)},` +
      `"cellar":{"town":"Town ${at % 4}"},"hidden":"${'x'.repeat(300)}"}`,
  );
  await admin(sandbox, 'POST', '/collections/wines/documents/import', wines.join('\n'));
  session = await open(sandbox);
});
afterAll(async () => {
  await session?.close();
  await sandbox?.close();
});

const values = async (column: string, typed = '', limit = 20): Promise<Suggestions> => {
  const { suggestions } = session;
  if (suggestions === undefined) throw new Error('There are no suggestions.');
  return suggestions.values({ table, column, typed, limit }, call);
};
const texts = async (column: string, typed = '', limit = 20): Promise<readonly string[]> =>
  (await values(column, typed, limit)).values.map(({ value }) => value);

describe('values for a filter', () => {
  it('are counted by the server where the field is a facet', async () => {
    expect(await values('grape')).toEqual({
      values: ['Merlot', 'Malbec', 'Riesling'].map((value) => ({ value, rows: 100 })),
      from: 'all',
    });
    expect(await values('grape', 'mal')).toEqual({ values: [{ value: 'Malbec', rows: 100 }], from: 'all' });
    expect((await values('notes', '', 2)).from).toBe('some');
    expect(await texts('notes', 'n3')).toEqual(['n3']);
    expect(await texts('year', '199', 3)).toHaveLength(3);
    expect(await texts('year', '1997')).toEqual(['1997']);
  });

  it('are those of documents that a search finds, or of the first ones, where it is none', async () => {
    expect(await texts('name', 'château 3')).toContain('Château 3');
    expect((await values('name', 'chât')).from).toBe('some');
    expect(await texts('name', 'nothing of the kind')).toEqual([]);
    expect(await texts('price', '112')).toContain('112.5');
    // The server counts it as 20.3333, which a filter doesn't find.
    expect(await texts('score', '20.333')).toEqual(['20.333333333333332']);
    expect(await texts('barcode', '9007199254740993')).toEqual(['9007199254740993']);
    expect(await texts('id', 'w112')).toContain('w112');
    expect(await texts('cellar.town', 'town 2')).toEqual(['Town 2']);
  });

  it('are true and false where there is nothing else', async () => {
    expect(await values('sparkling')).toEqual({ values: [{ value: 'false' }, { value: 'true' }], from: 'all' });
    expect(await texts('sparkling', 'tr')).toEqual(['true']);
  });

  it('are refused where nothing can be filtered by, and cancelled', async () => {
    await expect(values('hidden')).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    await expect(values('cellar')).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    await expect(values('nowhere')).rejects.toMatchObject({ code: 'STRUCTURE_CHANGED' });
    const request = { table, column: 'grape', typed: '', limit: 5 };
    await expect(session.suggestions?.values(request, { signal: AbortSignal.abort() })).rejects.toThrow();
  });

  it('come in one small request each', async () => {
    await values('grape');
    const before = session.http.requests.length;
    await values('name', 'château');
    expect(session.http.requests).toHaveLength(before + 1);
  });
});

describe('what is sent for a filter and sorts', () => {
  const ofRead = (filter: Filter, sorts: readonly Sort[] = []) => session.expressions?.ofRead({ table, filter, sorts }, call);

  it('is shown to the letter, with the sorts that are dropped', async () => {
    const filter: Filter = {
      match: 'any',
      conditions: [
        { column: 'grape', operator: 'equals', values: ['Merlot'] },
        { column: 'price', operator: 'between', values: ['1', '2'] },
      ],
      raw: 'year:>1995',
    };
    const sorts: readonly Sort[] = [
      { column: 'price', direction: 'descending' },
      { column: 'name', direction: 'ascending' },
    ];
    const before = session.http.requests.length;
    expect(await ofRead(filter, sorts)).toEqual({
      parts: [
        { label: 'filter_by', text: '(grape:=`Merlot`) || (price:[1..2]) || (year:>1995)' },
        { label: 'sort_by', text: 'price:desc' },
      ],
      droppedSorts: [
        {
          column: 'name',
          reason: expect.stringContaining('sort') as unknown,
          texts: { reason: { id: 'field.textWithoutSort' } },
        },
      ],
    });
    expect(session.http.requests).toHaveLength(before);
  });

  it('is refused as the read is', async () => {
    const filter: Filter = { match: 'all', conditions: [{ column: 'grape', operator: 'equals', values: ['a`b'] }] };
    await expect(ofRead(filter)).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'grape' } });
  });
});

describe('the request that a statement stands for', () => {
  const describeRequest = async (statement: string) => session.console?.describeRequest?.(statement);

  it('is described as it is sent, without a key', async () => {
    expect(await describeRequest('GET /collections/a b?q=ü&&x=1')).toEqual({
      method: 'GET',
      path: '/collections/a%20b?q=%C3%BC%26%26x=1',
    });
    expect(await describeRequest('POST /multi_search\n{"n":9007199254740993}')).toEqual({
      method: 'POST',
      path: '/multi_search',
      body: '{"n":9007199254740993}',
      headers: { 'content-type': 'application/json' },
    });
    await expect(describeRequest('SELECT 1')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});
