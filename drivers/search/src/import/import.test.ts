import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '@tabularium/sandbox';
import { sandboxVersions } from '@tabularium/sandbox';
import type { ImportFacet, RowOutcome, Session } from '@tabularium/sdk';
import { ADMIN_KEY, admin, call, open, startFixture } from '../fixture.test-helper.ts';

const many = { namespace: [], name: 'many' };

function importOf(session: Session): ImportFacet {
  if (session.import === undefined) throw new Error('The session has no import.');
  return session.import;
}

let sandbox: Sandbox;
async function using(use: (session: Awaited<ReturnType<typeof open>>) => Promise<void>, key?: string): Promise<void> {
  const session = await open(sandbox, key);
  try {
    await use(session);
  } finally {
    await session.close();
  }
}

/** A splice as a host makes it. */
async function splice(session: Awaited<ReturnType<typeof open>>, mode: string, body: string): Promise<readonly RowOutcome[]> {
  const facet = importOf(session);
  const found = await facet.splice({ table: many, mode }, call);
  if (found === undefined) throw new Error('The driver has no splice.');
  const response = await session.http.request({ ...found.request, body });
  const lines = (await response.text()).split('\n').filter((line) => line !== '');
  const judged = await facet.judge(found, { status: response.status, lines: lines.filter((line) => line !== found.written) });
  return lines.map((line) => (line === found.written ? { outcome: 'written' } : (judged[0] ?? { outcome: 'written' })));
}

for (const version of sandboxVersions) {
  describe(`an import into version ${version}`, () => {
    beforeAll(async () => {
      sandbox = await startFixture(version);
    });
    afterAll(() => sandbox.close());

    it('gives each document its outcome, and stores long integers digit for digit', () =>
      using(async (session) => {
        await admin(sandbox, 'POST', '/collections', '{"name":"long","fields":[{"name":"n","type":"int64"}]}');
        const rows = ['{"id":"a","n":9007199254740993}', '{"id":"b","n":"1"}', '{"id":"a","n":1}', 'no', '{"n":1.50}'];
        const target = { table: { namespace: [], name: 'long' }, mode: 'create' };
        const outcomes = await Array.fromAsync(importOf(session).write(target, rows, call));
        expect(outcomes.map(({ outcome }) => outcome)).toEqual(['written', 'rejected', 'rejected', 'rejected', 'rejected']);
        expect(outcomes[1]).toMatchObject({ column: 'n' });
        expect(outcomes[2]).toMatchObject({ column: 'id', present: true });
        const stored = await session.http.request({ method: 'GET', path: '/collections/long/documents/a' });
        expect(await stored.text()).toContain('9007199254740993');
      }));

    it('is spliced: the line of a written document is the same in every version', () =>
      using(async (session) => {
        expect(await splice(session, 'create', '{"id":"sp1","n":1}\n{"id":"sp2","n":2}')).toEqual([
          { outcome: 'written' },
          { outcome: 'written' },
        ]);
        expect(await splice(session, 'create', '{"id":"sp1","n":1}')).toMatchObject([{ outcome: 'rejected', present: true }]);
        expect(await splice(session, 'update', '{"id":"sp1","n":3}')).toEqual([{ outcome: 'written' }]);
        expect(await splice(session, 'update', '{"id":"nope","n":3}')).toMatchObject([{ outcome: 'rejected' }]);
      }));
  });
}

describe('an import', () => {
  beforeAll(async () => {
    sandbox = await startFixture();
  });
  afterAll(() => sandbox.close());

  it('names what the schema rejects before anything is written', () =>
    using(async (session) => {
      const rows = [
        '{"id":"1","n":1}',
        '{"id":1,"n":1}',
        '{"n":"1"}',
        '{}',
        '[]',
        '{"__proto__":{"n":1}}',
        '{"id":"","n":1}',
        '{"n":1.0}',
      ];
      const problems = await importOf(session).check({ table: many, mode: 'create' }, rows, call);
      expect(problems.map(({ index, column }) => [index, column])).toEqual([
        [1, 'id'],
        [2, 'n'],
        [3, 'n'],
        [4, undefined],
        [5, 'n'],
        [6, 'id'],
        [7, 'n'],
      ]);
      expect(await importOf(session).check({ table: many, mode: 'update' }, ['{"id":"1"}', '{"n":1}'], call)).toMatchObject([
        { index: 1, column: 'id' },
      ]);
      expect(await importOf(session).check({ table: many, mode: 'emplace' }, ['{"id":"1"}'], call)).toEqual([]);
    }));

  it('proposes fields by what the documents hold', () =>
    using(async (session) => {
      const table = { namespace: [], name: 'new' };
      const rows = [
        '{"id":"1","n":9007199254740993,"f":1,"s":"x","l":["a"],"o":{"x":1},"b":true,"mixed":1}',
        '{"id":"2","n":2,"f":1.5,"s":"y","l":[],"o":{"x":2},"b":false,"mixed":"x","p":[{"a":1}],"none":null,"__proto__":1}',
      ];
      const text = (await importOf(session).tables?.propose(table, rows, call)) ?? '';
      expect(JSON.parse(text)).toEqual({
        name: 'new',
        enable_nested_fields: true,
        fields: [
          { name: 'n', type: 'int64' },
          { name: 'f', type: 'float' },
          { name: 's', type: 'string' },
          { name: 'l', type: 'string[]', optional: true },
          { name: 'o', type: 'object' },
          { name: 'b', type: 'bool' },
          { name: 'mixed', type: 'auto' },
          { name: 'p', type: 'object[]', optional: true },
          { name: 'none', type: 'auto', optional: true },
          { name: '__proto__', type: 'int64', optional: true },
        ],
      });
      await expect(importOf(session).tables?.propose(table, ['{".*":1}'], call)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      // A file may lack the id in some rows, or all.
      const bare = await importOf(session).tables?.propose(table, ['{"id":null,"n":-9223372036854775808}'], call);
      expect(JSON.parse(bare ?? '')).toEqual({ name: 'new', fields: [{ name: 'n', type: 'int64' }] });
      await expect(importOf(session).tables?.propose(table, ['{"n":9223372036854775808}'], call)).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        details: { field: 'n' },
      });
    }));

  it('removes a collection without documents, and never one with some or one behind an alias', () =>
    using(async (session) => {
      const discard = (name: string): Promise<void> | undefined =>
        importOf(session).tables?.discard?.({ namespace: [], name }, call);
      await admin(sandbox, 'POST', '/collections', '{"name":"bare","fields":[{"name":"n","type":"int64"}]}');
      await admin(sandbox, 'PUT', '/aliases/barefoot', '{"collection_name":"bare"}');
      await expect(discard('many')).rejects.toMatchObject({ code: 'CONFLICT' });
      await expect(discard('barefoot')).rejects.toMatchObject({ code: 'CONFLICT' });
      await discard('bare');
      await expect(discard('bare')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }));

  it.each([
    ['a line that the server broke off with', 200, 'Internal error', 'SERVER_ERROR'],
    ['a refused key', 401, '{"message":"Forbidden"}', 'ACCESS_REFUSED'],
    ['a server that is not ready', 503, '{"message":"Not Ready or Lagging"}', 'SERVER_NOT_READY'],
    ['a collection that is gone', 404, '{"message":"Collection not found"}', 'NOT_FOUND'],
  ])('ends at %s', (_name, status, line, code) =>
    using(async (session) => {
      const facet = importOf(session);
      const found = await facet.splice({ table: many, mode: 'create' }, call);
      if (found === undefined) throw new Error('The driver has no splice.');
      expect(() => facet.judge(found, { status, lines: [line] })).toThrowError(expect.objectContaining({ code }) as Error);
    }),
  );

  it('works with a key that may import and nothing else', async () => {
    const body = '{"description":"i","actions":["documents:import"],"collections":["*"]}';
    const { value } = JSON.parse(await admin(sandbox, 'POST', '/keys', body)) as { value: string };
    expect(value).not.toBe(ADMIN_KEY);
    await using(async (session) => {
      expect((await importOf(session).form(many, call)).key).toEqual(['id']);
      expect(await splice(session, 'create', '{"id":"narrow","n":1}')).toEqual([{ outcome: 'written' }]);
    }, value);
  });
});
