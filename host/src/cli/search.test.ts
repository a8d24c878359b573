import { DriverError } from '@tabularium/sdk';
import type { SearchAnswer, SearchRequest } from '@tabularium/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeMachine } from './cli.test-helper.ts';

let machine: FakeMachine;
let asked: SearchRequest[];
let answer: SearchAnswer;

beforeEach(async () => {
  machine = await FakeMachine.create();
  asked = [];
  answer = {
    found: 12,
    isCutOff: false,
    hits: [
      {
        key: ['7'],
        document: '{"id":"7","serial":9007199254740993,"name":"Oak table"}',
        highlights: [
          {
            field: 'name',
            parts: [
              { text: 'Oak ', isMatch: false },
              { text: 'table', isMatch: true },
            ],
          },
        ],
        score: '578730123365711977',
        explanation: [],
        marks: [{ label: 'Pinned', detail: 'A rule put it here.' }],
      },
    ],
    facets: [{ column: 'brand', values: [{ value: 'Oakhouse', rows: 5 }] }],
    leftOut: [],
    droppedSorts: [],
    request: { method: 'POST', path: '/search' },
    code: [],
    notes: [],
  };
  machine.database.tables = [{ ref: { namespace: [], name: 'products' }, kind: 'table' }];
  machine.database.search = {
    form: async () => ({
      fields: [{ name: 'name', isDefault: true }],
      facets: ['brand'],
      options: [
        { id: 'typos', label: 'Typos', group: 'Matching', type: 'number', default: 2, minimum: 0, maximum: 2 },
        { id: 'prefix', label: 'Prefix', group: 'Matching', type: 'switch', default: true },
        {
          id: 'mode',
          label: 'Mode',
          group: 'Matching',
          type: 'choice',
          default: 'off',
          choices: [{ value: 'off', label: 'Off' }],
        },
        { id: 'pin', label: 'Pin', group: 'Rules', type: 'text', default: '' },
      ],
    }),
    search: async (request) => {
      asked.push(request);
      if (request.text === 'refused') throw new DriverError('INVALID_INPUT', 'The search is not understood.');
      return answer;
    },
  };
  await machine.run(['connections', 'add', '--driver', 'fixture', '--name', 'Shop', '--access-key-env', 'K'], {
    env: { K: 'k' },
  });
});
afterEach(() => machine[Symbol.asyncDispose]());

const search = (...line: readonly string[]) => machine.run(['search', 'Shop', 'products', ...line]);

describe('tabularium search', () => {
  it('prints hits with their digits, marks and counted values as JSON', async () => {
    const { code, out } = await search('table', '--facets', 'brand', '--json');
    expect(code).toBe(0);
    expect(out).toContain('"serial":9007199254740993');
    expect(JSON.parse(out)).toMatchObject({
      found: 12,
      hits: [{ key: ['7'], score: '578730123365711977', marks: ['Pinned'], document: { id: '7', name: 'Oak table' } }],
      facets: [{ column: 'brand', values: [{ value: 'Oakhouse', rows: 5 }] }],
    });
  });

  it('prints ranks, places of the words and the number of hits for a person', async () => {
    answer = { ...answer, isCutOff: true };
    const { out, err } = await search('table', '--offset', '20');
    expect(out).toMatch(/21 +7 +578730123365711977 +name: Oak \[table\]; \(Pinned\)/);
    expect(out).toMatch(/Oakhouse +5/);
    expect(err).toContain('12 found, cut off');
  });

  it('sends fields with weights, the filter, sorts, and options of their own types', async () => {
    await search(
      ...['table', '--by', 'name:3,a:b', '--filter', 'price:>5', '--sort', 'price:desc', '--limit', '3', '--offset', '2'],
      ...['--option', 'typos=0', '--option', 'prefix=false', '--option', 'mode=off', '--option', 'pin=a=b'],
    );
    expect(asked).toEqual([
      expect.objectContaining({
        text: 'table',
        fields: [{ name: 'name', weight: 3 }, { name: 'a:b' }],
        filter: expect.objectContaining({ raw: 'price:>5' }) as object,
        sorts: [{ column: 'price', direction: 'descending' }],
        options: { typos: 0, prefix: false, mode: 'off', pin: 'a=b' },
        limit: 3,
        offset: 2,
      }),
    ]);
  });

  it.each([
    ['nope=1', /no option "nope".*typos, prefix, mode, pin/s],
    ['typos=many', /whole number from 0 to 2/],
    ['typos=3', /whole number from 0 to 2/],
    ['prefix=yes', /true or false/],
    ['mode=on', /one of off/],
  ])('refuses the option %s and says which there are', async (option, says) => {
    const { code, err } = await search('table', '--option', option);
    expect(code).not.toBe(0);
    expect(err).toMatch(says);
    expect(asked).toEqual([]);
  });

  it('looks in other tables together, and says of each hit from which one it is', async () => {
    const products = { namespace: [], name: 'products' };
    const orders = { namespace: ['sales'], name: 'orders' };
    machine.database.tables = [products, orders].map((ref) => ({ ref, kind: 'table' }));
    const refused = await search('table', '--also-in', 'sales.orders');
    expect(refused.err).toContain('This database searches one table at a time.');
    expect(asked).toEqual([]);
    const { search: facet } = machine.database;
    if (facet === undefined) throw new Error('There is no ranked search.');
    machine.database.search = {
      ...facet,
      form: async (table, options) => ({ ...(await facet.form(table, options)), mostTables: 2 }),
    };
    const [found] = answer.hits;
    if (found === undefined) throw new Error('There is no hit.');
    answer = { ...answer, hits: [found, { ...found, table: orders }], facets: [] };
    const { out } = await search('table', '--also-in', 'sales.orders');
    expect(asked).toMatchObject([{ table: products, alsoIn: [orders] }]);
    expect(out).toMatch(/1 +products +7 /);
    expect(out).toMatch(/2 +sales\.orders +7 /);
    const json = JSON.parse((await search('table', '--also-in', 'sales.orders', '--json')).out) as { hits: { table?: string }[] };
    expect(json.hits.map(({ table }) => table)).toEqual([undefined, 'sales.orders']);
    expect((await search('table', '--also-in', 'sales.orders,products')).err).toContain('at most 2 tables');
  });

  it('refuses an option without a value, a search that the driver refuses, and a sort that it drops', async () => {
    expect((await search('table', '--option', 'typos')).err).toContain('--option takes the id of an option');
    expect((await search('refused')).err).toContain('The search is not understood.');
    answer = { ...answer, droppedSorts: [{ column: 'name', reason: 'It has no order.' }] };
    expect((await search('table', '--sort', 'name')).err).toContain('The hits cannot be sorted by "name": It has no order.');
  });

  it('says of a driver without ranked search that it has none', async () => {
    delete machine.database.search;
    const { code, err } = await search('table');
    expect(code).not.toBe(0);
    expect(err).toContain('has no ranked search');
  });
});
