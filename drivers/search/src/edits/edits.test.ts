import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sandboxVersions } from '@tabularium/sandbox';
import type { Fault, Sandbox } from '@tabularium/sandbox';
import type { Assignment, Cell, ChangeOutcome, EditsFacet, PreparedChange, RowChange, Session } from '@tabularium/sdk';
import { decodeBatch } from '@tabularium/sdk';
import { driverMessages } from '@tabularium/sdk/manifest';
import { createTestHttp } from '@tabularium/sdk/testing';
import { admin, call, collect, keyHeaders, open, startFixture } from '../fixture.test-helper.ts';

const { tabularium } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { tabularium: object };
const german = driverMessages(tabularium, 'de');

const TYPES = {
  name: 'types',
  enable_nested_fields: true,
  fields: [
    { name: 'title', type: 'string' },
    { name: 'n32', type: 'int32', optional: true },
    { name: 'n64', type: 'int64', optional: true },
    { name: 'price', type: 'float', optional: true },
    { name: 'flag', type: 'bool', optional: true },
    { name: 'tags', type: 'string[]', optional: true },
    { name: 'bigs', type: 'int64[]', optional: true },
    { name: 'place', type: 'geopoint', optional: true },
    { name: 'places', type: 'geopoint[]', optional: true },
    { name: 'author', type: 'object', optional: true },
    { name: 'parts', type: 'object[]', optional: true },
    { name: 'free', type: 'object', optional: true, index: false },
  ],
};

const DOCUMENT =
  '{"id":"1","title":"one","n64":9007199254740993,"price":12.50,"author":{"name":"Ann","age":40,"address":{"city":"Paris","zip":75001}},' +
  '"parts":[{"size":1,"serial":9007199254740993}],"free":{"a":1,"b":{"c":9007199254740993,"d":2}},"undeclared":{"x":9007199254740993}}';

const AWKWARD_IDS = ['..', '.', 'a/b c', 'x`y', '100%', 'a+b', '💥', 'q?x=1', 'h#1', 'back\\slash', '"dq"', '%2F', ' blank '];

type Opened = Session & Awaited<ReturnType<typeof open>>;
const table = (name: string): { namespace: []; name: string } => ({ namespace: [], name });
const set = (assignments: Record<string, Cell>): Assignment[] =>
  Object.entries(assignments).map(([column, value]) => ({ column, value }));
const update = (id: string, assignments: Record<string, Cell>): RowChange => ({
  kind: 'update',
  key: [id],
  assignments: set(assignments),
});
const insert = (values: Record<string, Cell>): RowChange => ({ kind: 'insert', values: set(values) });
const remove = (id: string): RowChange => ({ kind: 'delete', key: [id] });

function editsOf(session: Session): EditsFacet {
  if (session.edits === undefined) throw new Error('The session has no edits.');
  return session.edits;
}

async function apply(session: Session, name: string, ...changes: RowChange[]): Promise<ChangeOutcome[]> {
  return collect(editsOf(session).apply(table(name), changes, call));
}

async function prepare(session: Session, name: string, change: RowChange): Promise<PreparedChange | undefined> {
  return (await editsOf(session).prepare(table(name), [change], call))[0];
}

const path = (name: string, id: string): string =>
  `/collections/${encodeURIComponent(name)}/documents/${encodeURIComponent(id).replaceAll('.', '%2E')}`;

let sandbox: Sandbox;
const read = async (id: string, name = 'types'): Promise<string> => admin(sandbox, 'GET', path(name, id));

async function fill(): Promise<void> {
  await admin(sandbox, 'POST', '/collections', JSON.stringify(TYPES));
  await admin(sandbox, 'POST', '/collections/types/documents', DOCUMENT);
}

async function using(use: (session: Opened) => Promise<void>, key?: string): Promise<void> {
  const session = await open(sandbox, key);
  try {
    await use(session);
  } finally {
    await session.close();
  }
}

for (const version of sandboxVersions) {
  describe(`documents of version ${version}`, () => {
    beforeAll(async () => {
      sandbox = await startFixture(version);
      await fill();
    });
    afterAll(() => sandbox.close());

    it('are inserted with or without an id, and reported with their new key', () =>
      using(async (session) => {
        expect(
          await apply(session, 'types', insert({ id: 'new', title: 'x', n64: '-9007199254740993', 'author.name': 'Bo' })),
        ).toEqual([{ index: 0, outcome: 'saved', key: ['new'] }]);
        expect(await read('new')).toMatch(/"n64": ?-9007199254740993/);
        expect(JSON.parse(await read('new'))).toMatchObject({ author: { name: 'Bo' } });
        const [made] = await apply(session, 'types', insert({ id: '', title: 'server’s', n32: null, price: ['absent'] }));
        expect(made).toEqual({ index: 0, outcome: 'saved', key: [expect.stringMatching(/^\d+$/) as string] });
        const id = String(made?.outcome === 'saved' ? made.key?.[0] : '');
        expect(JSON.parse(await read(id))).toEqual({ id, title: 'server’s' });
        await apply(session, 'types', remove('new'), remove(id));
      }));

    it('are updated in the changed fields only, a nested one in its leaf, every other digit untouched', () =>
      using(async (session) => {
        const before = session.http.requests.length;
        expect(await apply(session, 'types', update('1', { 'author.age': 41, n32: '7' }))).toEqual([
          { index: 0, outcome: 'saved', key: ['1'] },
        ]);
        const written = session.http.requests.slice(before).filter(({ method }) => method !== 'GET');
        expect(written.map(({ method, path: sent, body, repeatable }) => ({ method, sent, body, repeatable }))).toEqual([
          { method: 'PATCH', sent: '/collections/types/documents/1', body: '{"author":{"age":41},"n32":7}', repeatable: false },
        ]);
        // The schema, to type the values; the document, for members with a dot in their name; and nothing else.
        expect(session.http.requests.slice(before).map(({ method }) => method)).toEqual(['GET', 'GET', 'PATCH']);
        const after = await read('1');
        expect(JSON.parse(after)).toMatchObject({
          n32: 7,
          author: { name: 'Ann', age: 41, address: { city: 'Paris', zip: 75001 } },
          parts: [{ size: 1 }],
        });
        expect(after.match(/9007199254740993/g)).toHaveLength(4);
        expect(
          await apply(session, 'types', update('1', { 'author.address.city': 'Rome', n32: null, price: ['absent'] })),
        ).toMatchObject([{ outcome: 'saved' }]);
        const cleared = JSON.parse(await read('1')) as Record<string, unknown>;
        expect(cleared).toMatchObject({ author: { name: 'Ann', age: 41, address: { city: 'Rome', zip: 75001 } } });
        expect(Object.keys(cleared)).not.toContain('n32');
        expect(Object.keys(cleared)).not.toContain('price');
      }));

    it('are read as the server holds them, and their lists of objects and undeclared members are changed, digit for digit', () =>
      using(async (session) => {
        const request = {
          table: table('types'),
          keys: [['1']],
          columns: ['id', 'parts', 'undeclared', 'none'],
          documents: true,
        } as const;
        const answer = await session.rows?.read(request, call);
        const { columns, rows } = decodeBatch(answer?.batch ?? new Uint8Array());
        expect(columns.map(({ name }) => name)).toEqual(['id', 'parts', 'undeclared', 'document']);
        expect(answer?.documents).toBe(3);
        expect(rows[0]?.[2]).toBe('{"x":9007199254740993}');
        const document = await read('1');
        expect(rows[0]?.[3]).toBe(document);
        const parts = '[{"size":2,"serial":9007199254740995},{"size":3,"serial":1}]';
        const undeclared = '{"x":9007199254740997,"list":[{"y":[]}]}';
        expect(
          await apply(session, 'types', update('1', { parts: ['json', parts], undeclared: ['json', undeclared] })),
        ).toMatchObject([{ outcome: 'saved' }]);
        const after = (await read('1')).replaceAll(' ', '');
        expect(after).toContain('"parts":[{"serial":9007199254740995,"size":2},{"serial":1,"size":3}]');
        expect(after).toMatch(/"x":9007199254740997/);
        expect(JSON.parse(after)).toMatchObject({ undeclared: { list: [{ y: [] }] } });
        await apply(session, 'types', update('1', { undeclared: ['absent'] }));
        expect(await read('1')).not.toContain('undeclared');
        expect(await apply(session, 'types', update('1', { undeclared: 'plain' }))).toMatchObject([
          { code: 'STRUCTURE_CHANGED' },
        ]);
        await admin(sandbox, 'DELETE', path('types', '1'));
        await admin(sandbox, 'POST', '/collections/types/documents', DOCUMENT);
      }));

    it('an object as a whole becomes the new one: what it lost is gone, and a null is refused', () =>
      using(async (session) => {
        expect(
          await apply(session, 'types', update('1', { free: '{"b":{"c":9007199254740995},"e":[{"f":null}]}' })),
        ).toMatchObject([{ outcome: 'saved' }]);
        expect(await read('1')).toMatch(/"free": ?\{"b": ?\{"c": ?9007199254740995\}, ?"e": ?\[\{"f": ?null\}\]\}/);
        expect(await apply(session, 'types', update('1', { free: '{"b":null}' }))).toMatchObject([
          { outcome: 'failed', code: 'UNSUPPORTED', column: 'free' },
        ]);
      }));

    it('are saved and deleted by ids of every kind', () =>
      using(async (session) => {
        for (const id of AWKWARD_IDS) {
          expect(await apply(session, 'types', insert({ id, title: 'awkward' }), update(id, { title: id }))).toEqual([
            { index: 0, outcome: 'saved', key: [id] },
            { index: 1, outcome: 'saved', key: [id] },
          ]);
          // Not by fetch, which takes an encoded dot for a step upwards.
          const answer = await session.http.request({ method: 'GET', path: path('types', id) });
          expect(JSON.parse(await answer.text())).toEqual({ id, title: id });
          expect(await apply(session, 'types', remove(id))).toEqual([{ index: 0, outcome: 'saved' }]);
        }
        expect((await session.countRows({ table: table('types'), filter: { match: 'all', conditions: [] } }, call)).rows).toBe(1);
      }));

    it('what the server refuses fails with its reason and column, and the next ones are tried', () =>
      using(async (session) => {
        const outcomes = await apply(
          session,
          'types',
          insert({ id: '1', title: 'again' }),
          insert({ id: 'n' }),
          update('absent', { title: 'x' }),
          remove('absent'),
          update('1', { title: 'last' }),
        );
        expect(outcomes).toMatchObject([
          {
            outcome: 'failed',
            code: 'CONFLICT',
            column: 'id',
            details: { status: '409', request: 'POST /collections/types/documents' },
          },
          {
            outcome: 'failed',
            code: 'INVALID_INPUT',
            column: 'title',
            details: { serverMessage: expect.stringContaining('title') as string },
          },
          { outcome: 'failed', code: 'NOT_FOUND', message: expect.stringContaining('absent') as string },
          { outcome: 'failed', code: 'NOT_FOUND' },
          { outcome: 'saved' },
        ]);
        expect(outcomes.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4]);
      }));
  });
}

describe('changes', () => {
  beforeAll(async () => {
    sandbox = await startFixture();
    await fill();
    await admin(sandbox, 'POST', '/collections', '{"name":"flat","fields":[{"name":".*","type":"auto"}]}');
    await admin(sandbox, 'POST', '/collections/flat/documents', '{"id":"1","a.b":1}');
    await admin(
      sandbox,
      'POST',
      '/collections',
      '{"name":"learned","enable_nested_fields":true,"fields":[{"name":".*","type":"auto"}]}',
    );
    await admin(sandbox, 'POST', '/collections/learned/documents', '{"id":"1","a.b":1,"c":{"d":1}}');
    await admin(
      sandbox,
      'POST',
      '/collections',
      '{"name":"leaf","enable_nested_fields":true,"fields":[{"name":"a.b","type":"int32","optional":true}]}',
    );
    await admin(sandbox, 'POST', '/collections/leaf/documents', '{"id":"1","a":{"b":1,"c":2}}');
  });
  afterAll(() => sandbox.close());

  it.each<[string, RowChange, string]>([
    [
      'an insert',
      insert({ id: 'a/b', title: 'x', bigs: '[9007199254740993, 2]' }),
      'POST /collections/types/documents\n{"id":"a/b","title":"x","bigs":[9007199254740993,2]}',
    ],
    [
      'an update',
      update('..', { title: 'ü', flag: 'TRUE' }),
      'PATCH /collections/types/documents/%2E%2E\n{"title":"ü","flag":true}',
    ],
    [
      'null and absent',
      update('1', { n32: null, n64: ['absent'] }),
      'PATCH /collections/types/documents/1\n{"n32":null,"n64":null}',
    ],
    [
      'numbers',
      update('1', { price: '.50', n64: '+0009223372036854775807' }),
      'PATCH /collections/types/documents/1\n{"price":0.50,"n64":9223372036854775807}',
    ],
    ['a zero', update('1', { price: '-0.0' }), 'PATCH /collections/types/documents/1\n{"price":0.0}'],
    [
      'whole numbers of 64 bits',
      update('1', { price: '18446744073709551615' }),
      'PATCH /collections/types/documents/1\n{"price":18446744073709551615}',
    ],
    ['an exponent', update('1', { price: ['number', '-1.5e-3'] }), 'PATCH /collections/types/documents/1\n{"price":-1.5e-3}'],
    [
      'places',
      update('1', { place: '48.85, 2.350', places: '[[1,2]]' }),
      'PATCH /collections/types/documents/1\n{"place":[48.85,2.350],"places":[[1,2]]}',
    ],
    ['a delete', remove('x`y+z'), 'DELETE /collections/types/documents/x%60y%2Bz'],
  ])('are rejected before the request is sent: %s', async (_name, change, text) => {
    await using(async (session) => {
      const before = session.http.requests.length;
      expect(await prepare(session, 'types', change)).toEqual({ ready: true, text, language: 'http' });
      expect(session.http.requests.slice(before).every(({ method }) => method === 'GET')).toBe(true);
    });
  });

  it.each<[string, RowChange, string | undefined, RegExp]>([
    ['a word in an int32', update('1', { n32: 'many' }), 'n32', /^Not an int32: many\./],
    ['a decimal in an int32', update('1', { n32: 1.5 }), 'n32', /^Not an int32: 1\.5\./],
    ['an int32 that is too large', update('1', { n32: 3_000_000_000 }), 'n32', /^Not an int32: 3000000000\..*2147483647/],
    ['an int64 that is too large', update('1', { n64: '9223372036854775808' }), 'n64', /^Not an int64/],
    ['a word in a float', update('1', { price: 'cheap' }), 'price', /^Not a float: cheap/],
    ['an infinite float', update('1', { price: '1e999' }), 'price', /^Not a float/],
    ['a float that would be 0', update('1', { price: '1e-400' }), 'price', /can't store 1e-400 in “price” with every digit/],
    ['a float of more digits than a double', update('1', { price: '0.12345678901234567891' }), 'price', /can't store 0\.1234/],
    ['a whole number beyond 64 bits in a float', update('1', { price: '18446744073709551616' }), 'price', /can't store 184/],
    ['a member of an object that would be 0', update('1', { free: '{"a":[1,{"b":-1e-400}]}' }), 'free', /can't store -1e-400/],
    [
      'a member that would lose digits',
      update('1', { undeclared: ['json', '{"x":99999999999999999999}'] }),
      'undeclared',
      /can't store 999/,
    ],
    ['an infinite element', update('1', { free: '{"a":1e400}' }), 'free', /can't store 1e400/],
    ['a bool that is none', update('1', { flag: 'maybe' }), 'flag', /^Not a bool: maybe/],
    ['a number in a string', update('1', { title: 5 }), 'title', /^Not a string: 5/],
    ['half a character', update('1', { title: 'x\ud800' }), 'title', /half a character/],
    ['no JSON in a list', update('1', { tags: 'one, two' }), 'tags', /^Not JSON: one, two/],
    ['a text for a list', update('1', { tags: '"one"' }), 'tags', /^Not a list: one/],
    ['a number in a list of texts', update('1', { tags: '["a",5]' }), 'tags', /^Element 2 of “tags” is not a string: 5/],
    ['a decimal in a list of integers', update('1', { bigs: '[1, 2.0]' }), 'bigs', /^Element 2 of “bigs” is not an int64: 2\.0/],
    ['a place off the globe', update('1', { place: '[91, 2]' }), 'place', /^Not a place/],
    ['one number for a place', update('1', { place: '[1]' }), 'place', /^Not a place/],
    ['a list for an object', update('1', { free: '[]' }), 'free', /^Not an object/],
    [
      'a field inside a list of objects',
      update('1', { 'parts.size': '[1]' }),
      'parts.size',
      /one entry for each element of “parts”/,
    ],
    ['another id', update('1', { id: '2' }), 'id', /does not rewrite/],
    ['null for what is not optional', update('1', { title: null }), 'title', /not optional/],
    ['null for what is not optional, inserted', insert({ title: null }), 'title', /not optional/],
    ['a field that is not there', update('1', { nope: 1 }), 'nope', /no field “nope”.*Reload/],
    [
      'one field twice',
      { kind: 'update', key: ['1'], assignments: [...set({ n32: 1 }), ...set({ n32: 2 })] },
      'n32',
      /two values/,
    ],
    ['nothing', update('1', {}), undefined, /No field/],
    ['an empty id', remove(''), 'id', /isn't empty/],
    ['an id that is no text', { kind: 'delete', key: [1] }, 'id', /a string that isn't empty/],
    ['a key of two', { kind: 'delete', key: ['1', '2'] }, 'id', /a string that isn't empty/],
  ])('are refused here, with the column: %s', async (_name, change, column, message) => {
    await using(async (session) => {
      const before = session.http.requests.length;
      const refused = { message: expect.stringMatching(message) as string, ...(column === undefined ? {} : { column }) };
      const prepared = await prepare(session, 'types', change);
      expect(prepared).toMatchObject({ ready: false, ...refused });
      const text = prepared?.ready === false ? prepared.texts?.['message'] : undefined;
      expect(german.has(text?.id ?? '')).toBe(true);
      const [outcome] = await apply(session, 'types', change);
      expect(outcome).toMatchObject({ outcome: 'failed', ...(column === undefined ? {} : { column }) });
      expect(session.http.requests.slice(before).every(({ method }) => method === 'GET')).toBe(true);
    });
  });

  it('a dotted name is written where the document has it', () =>
    using(async (session) => {
      expect(await apply(session, 'flat', update('1', { 'a.b': 2 }))).toMatchObject([{ outcome: 'saved' }]);
      expect(JSON.parse(await read('1', 'flat'))).toEqual({ id: '1', 'a.b': 2 });
      expect(await apply(session, 'learned', update('1', { 'a.b': 2, 'c.d': 2 }))).toMatchObject([{ outcome: 'saved' }]);
      expect(JSON.parse(await read('1', 'learned'))).toEqual({ id: '1', 'a.b': 2, c: { d: 2 } });
      expect(await apply(session, 'leaf', update('1', { 'a.b': 2 }))).toMatchObject([{ outcome: 'saved' }]);
      expect(JSON.parse(await read('1', 'leaf'))).toEqual({ id: '1', a: { b: 2, c: 2 } });
      expect(await apply(session, 'leaf', insert({ id: '2', 'a.b': 3 }))).toMatchObject([{ outcome: 'saved' }]);
      expect(JSON.parse(await read('2', 'leaf'))).toEqual({ id: '2', a: { b: 3 } });
    }));

  // Both servers of this machine drop the member with a dot for a change of its namesake, and answer 200.
  it.each([
    ['the member, where the object lacks it', { 'a.b': 1, a: { c: 2 } }, { 'a.b': 9 }, { 'a.b': 9, a: { c: 2 } }],
    ['the leaf, beside a member of the same name', { 'a.b': 1, a: { b: 7 } }, { 'a.b': 9 }, { 'a.b': 1, a: { b: 9 } }],
    ['the whole object', { 'a.b': 1, a: { c: 2 } }, { a: '{"b":9}' }, { 'a.b': 1, a: { b: 9 } }],
    ['a list of objects', { 'l.m': [1], l: [{ m: 2 }] }, { l: '[{"m":9}]' }, { 'l.m': [1], l: [{ m: 9 }] }],
    ['another leaf', { 'a.b': 1, a: { c: 2 } }, { 'a.c': 9 }, { 'a.b': 1, a: { c: 9 } }],
  ] as const)('of a collection with nested fields keep members with a dot in their name: %s', (_name, before, changes, after) =>
    using(async (session) => {
      await admin(sandbox, 'POST', '/collections/learned/documents', '{"id":"first","a":{"b":1,"c":1},"l":[{"m":1}]}').catch(
        () => '',
      );
      await admin(sandbox, 'POST', '/collections/learned/documents?action=upsert', JSON.stringify({ id: 'dots', ...before }));
      expect(await apply(session, 'learned', update('dots', changes))).toEqual([{ index: 0, outcome: 'saved', key: ['dots'] }]);
      expect(JSON.parse(await read('dots', 'learned'))).toEqual({ id: 'dots', ...after });
    }),
  );

  it.each([
    ['a leaf', { 'a.b': null }, 'a.b'],
    ['a leaf of an object', { a: '{"c":2}' }, 'a'],
  ] as const)('are refused where the server would drop such a member: removing %s', (_name, changes, column) =>
    using(async (session) => {
      await admin(sandbox, 'POST', '/collections/learned/documents?action=upsert', '{"id":"both","a.b":1,"a":{"b":7,"c":2}}');
      const prepared = await prepare(session, 'learned', update('both', changes));
      expect(prepared).toMatchObject({ ready: false, column, message: expect.stringContaining('the member “a.b”') as string });
      expect(german.has((prepared?.ready === false ? prepared.texts?.['message']?.id : undefined) ?? '')).toBe(true);
      expect(await apply(session, 'learned', update('both', changes))).toMatchObject([
        { outcome: 'failed', code: 'UNSUPPORTED', column },
      ]);
      expect(JSON.parse(await read('both', 'learned'))).toEqual({ id: 'both', 'a.b': 1, a: { b: 7, c: 2 } });
    }),
  );

  it('are made with the path of the schema by a key that may not read documents', async () => {
    const key = 'writes-without-reading';
    const actions = ['collections:get', 'documents:update', 'documents:search'];
    await admin(sandbox, 'POST', '/keys', JSON.stringify({ description: 'writer', actions, collections: ['*'], value: key }));
    await using(async (session) => {
      expect(await apply(session, 'types', update('1', { 'author.age': 43 }))).toMatchObject([{ outcome: 'saved' }]);
    }, key);
  });

  it('fail when the server ignores them with a 200', () =>
    using(async (session) => {
      sandbox.fault(({ method }) => (method === 'PATCH' ? { kind: 'answer', status: 200, body: DOCUMENT } : undefined));
      expect(await apply(session, 'types', update('1', { 'author.age': 41 }))).toMatchObject([
        { outcome: 'failed', code: 'SERVER_ERROR', column: 'author.age' },
      ]);
      sandbox.fault(undefined);
    }));

  it.each<[string, Fault, string]>([
    ['reset', { kind: 'reset' }, 'unknown'],
    ['silent', { kind: 'silence' }, 'unknown'],
    ['cut off after the head', { kind: 'cut', afterBytes: 3 }, 'saved'],
    ['502', { kind: 'answer', status: 502, body: '<html>' }, 'unknown'],
    ['503', { kind: 'answer', status: 503, body: '{"message":"Not Ready or Lagging"}' }, 'failed'],
    ['429', { kind: 'answer', status: 429, body: '{"message":"Rate limit exceeded"}' }, 'failed'],
  ])('whose answer is %s are never sent twice', async (name, fault, outcome) => {
    const http = createTestHttp(sandbox.url, { credentials: keyHeaders('admin-key-of-the-test'), timeoutMilliseconds: 300 });
    const { driver } = await import('../index.ts');
    const session = await driver.definition.connect({}, { http, log: () => undefined }, call);
    const writes = (): number => http.requests.filter(({ method }) => method === 'PATCH').length;
    sandbox.fault(({ method }) => (method === 'PATCH' ? fault : undefined));
    const outcomes = await apply(session, 'types', update('1', { title: 'a' }), update('1', { title: 'b' }));
    sandbox.fault(undefined);
    expect(outcomes[0]).toMatchObject({ index: 0, outcome });
    // After a lost connection the rest is not tried.
    expect(outcomes.length).toBe(name === 'reset' || name === 'silent' ? 1 : 2);
    expect(writes()).toBe(outcomes.length);
    await session.close();
    http.close();
  });

  it('stop where the iteration is left, and where they are cancelled', () =>
    using(async (session) => {
      for await (const outcome of editsOf(session).apply(
        table('types'),
        [update('1', { title: 'first' }), update('1', { title: 'second' })],
        call,
      )) {
        expect(outcome.outcome).toBe('saved');
        break;
      }
      expect(JSON.parse(await read('1'))).toMatchObject({ title: 'first' });
      const controller = new AbortController();
      const outcomes: ChangeOutcome[] = [];
      const changes = [update('1', { title: 'third' }), update('1', { title: 'fourth' })];
      for await (const outcome of editsOf(session).apply(table('types'), changes, { signal: controller.signal })) {
        outcomes.push(outcome);
        controller.abort();
      }
      expect(outcomes).toMatchObject([{ index: 0, outcome: 'saved' }]);
      expect(JSON.parse(await read('1'))).toMatchObject({ title: 'third' });
    }));

  it('with a key that may write and not read the schema: deletes work, the rest says what is missing', async () => {
    const body = '{"description":"w","actions":["documents:delete","documents:update","documents:create"],"collections":["*"]}';
    const { value } = JSON.parse(await admin(sandbox, 'POST', '/keys', body)) as { value: string };
    await admin(sandbox, 'POST', '/collections/types/documents', '{"id":"gone","title":"x"}');
    await using(async (session) => {
      expect(await apply(session, 'types', update('1', { title: 'x' }), remove('gone'))).toMatchObject([
        { outcome: 'failed', code: 'ACCESS_REFUSED', details: { advice: expect.stringContaining('collections:get') as string } },
        { outcome: 'saved' },
      ]);
    }, value);
  });

  it('in a collection that is not there', () =>
    using(async (session) => {
      await expect(editsOf(session).prepare(table('nope'), [remove('1')], call)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(apply(session, 'nope', remove('1'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }));
});
