import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sandboxVersions } from '@tabularium/sandbox';
import type { Sandbox } from '@tabularium/sandbox';
import type { Session, TableOperationsFacet, TableRef } from '@tabularium/sdk';
import { answering } from './answers.test-helper.ts';
import { connect } from './connect.ts';
import { admin, call, open, startFixture } from './fixture.test-helper.ts';

const ref = (name: string): TableRef => ({ namespace: [], name });

function operationsOf(session: Session): TableOperationsFacet {
  if (session.tableOperations === undefined) throw new Error('The session has no table operations.');
  return session.tableOperations;
}

let sandbox: Sandbox;
async function using(
  use: (operations: TableOperationsFacet, session: Awaited<ReturnType<typeof open>>) => Promise<void>,
  key?: string,
): Promise<void> {
  const session = await open(sandbox, key);
  try {
    await use(operationsOf(session), session);
  } finally {
    await session.close();
  }
}

for (const version of sandboxVersions) {
  describe(`a collection of version ${version}`, () => {
    beforeAll(async () => {
      sandbox = await startFixture(version);
    });
    afterAll(() => sandbox.close());

    it('is emptied, says which way, and keeps its schema with what it has learned', () =>
      using(async (operations, session) => {
        const schema = JSON.parse(await admin(sandbox, 'GET', '/collections/shelf')) as { fields: unknown[] };
        const plan = await operations.plan(ref('bookcase'), 'empty', call);
        const truncates = ['29.0', '30.0'].includes(version);
        expect(plan).toMatchObject({
          consequence: expect.stringMatching(
            /“shelf”, the target of the alias “bookcase”, loses all its documents \(24\).*schema stays/,
          ) as string,
          target: ref('shelf'),
          count: { rows: 24, exact: true },
          text: truncates
            ? 'DELETE /collections/shelf/documents?truncate=true'
            : 'DELETE /collections/shelf/documents?filter_by=id%3A!%3D_tabularium_no_document_',
        });
        expect(plan.consequence).toContain(truncates ? 'truncates' : `has version ${version} and cannot truncate`);
        const before = session.http.requests.length;
        const result = await operations.run(ref('bookcase'), 'empty', plan.target, call);
        expect(result).toMatchObject({
          message: `Emptied “shelf” ${truncates ? 'by truncating it' : 'by a filter that matches all documents'}: 24 documents deleted.`,
          affectedRows: 24,
        });
        const sent = session.http.requests.slice(before).filter(({ method }) => method !== 'GET');
        expect(sent.map(({ method, path, repeatable }) => ({ text: `${method} ${path}`, repeatable }))).toEqual([
          { text: plan.text, repeatable: false },
        ]);
        const after = JSON.parse(await admin(sandbox, 'GET', '/collections/shelf')) as {
          fields: unknown[];
          num_documents: number;
        };
        expect(after.num_documents).toBe(0);
        expect(after.fields).toEqual(schema.fields);
      }));

    it('is deleted by its own name, whatever it was asked for by', () =>
      using(async (operations) => {
        const plan = await operations.plan(ref('a/b ö'), 'delete', call);
        expect(plan).toMatchObject({ target: ref('a/b ö'), count: { rows: 16 }, text: 'DELETE /collections/a%2Fb%20%C3%B6' });
        expect(await operations.run(ref('a/b ö'), 'delete', plan.target, call)).toMatchObject({
          message: 'Deleted the collection “a/b ö” with 16 documents.',
          affectedRows: 16,
        });
        const alias = await operations.plan(ref('bookcase'), 'delete', call);
        expect(alias).toMatchObject({ target: ref('shelf'), text: 'DELETE /collections/shelf' });
        expect(alias.consequence).toContain('The alias “bookcase” stays');
        await operations.run(ref('bookcase'), 'delete', alias.target, call);
        await expect(operations.plan(ref('shelf'), 'delete', call)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      }));
  });
}

describe('operations on a collection', () => {
  beforeAll(async () => {
    sandbox = await startFixture();
  });
  afterEach(() => sandbox.fault(undefined));
  afterAll(() => sandbox.close());

  it('are listed, destructive both', () =>
    using(async (operations) => {
      expect(await operations.list(ref('shelf'), call)).toMatchObject([
        { id: 'empty', label: 'Empty', effect: 'destructive', ability: { allowed: true } },
        { id: 'delete', label: 'Delete', effect: 'destructive', ability: { allowed: true } },
      ]);
      await expect(operations.plan(ref('shelf'), 'truncate', call)).rejects.toMatchObject({ code: 'UNSUPPORTED' });
      await expect(operations.plan({ namespace: ['x'], name: 'shelf' }, 'empty', call)).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
    }));

  it.each(['empty', 'delete'])('%s: changes nothing when the alias points to another collection now', (operation) =>
    using(async (operations, session) => {
      const { target } = await operations.plan(ref('bookcase'), operation, call);
      await admin(sandbox, 'PUT', '/aliases/bookcase', '{"collection_name":"many"}');
      await expect(operations.run(ref('bookcase'), operation, target, call)).rejects.toMatchObject({ code: 'CONFLICT' });
      await expect(operations.run(ref('many'), operation, { namespace: ['x'], name: 'many' }, call)).rejects.toMatchObject({
        code: 'CONFLICT',
      });
      expect(session.http.requests.some(({ method }) => method === 'DELETE')).toBe(false);
      await admin(sandbox, 'PUT', '/aliases/bookcase', '{"collection_name":"shelf"}');
    }),
  );

  it('reports a missing permission and a lost response as such', async () => {
    const body = '{"description":"r","actions":["collections:get","collections:list"],"collections":["*"]}';
    const { value } = JSON.parse(await admin(sandbox, 'POST', '/keys', body)) as { value: string };
    await using(async (operations) => {
      const { target } = await operations.plan(ref('shelf'), 'delete', call);
      await expect(operations.run(ref('shelf'), 'delete', target, call)).rejects.toMatchObject({ code: 'ACCESS_REFUSED' });
    }, value);
    await using(async (operations, session) => {
      sandbox.fault(({ method }) => (method === 'DELETE' ? { kind: 'reset' } : undefined));
      await expect(operations.run(ref('shelf'), 'empty', ref('shelf'), call)).rejects.toMatchObject({
        code: 'CONNECTION_LOST',
        message: expect.stringContaining('so it may have been done') as string,
      });
      expect(session.http.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
    });
  });

  it.each([
    ['that truncates', 200, '?truncate=true', 'truncating'],
    ['that does not', 400, '?filter_by=id%3A!%3D_tabularium_no_document_', 'by a filter'],
  ])('a server %s, without a version: truncating is tried first', async (_name, status, last, way) => {
    const http = answering(({ method, path }) => {
      if (path === '/debug') return { status: 401, body: '{"message":"Forbidden"}' };
      if (method !== 'DELETE')
        return { body: path.startsWith('/collections?') ? '[]' : '{"name":"x","fields":[],"num_documents":3}' };
      const refused = path.endsWith('truncate=true') && status === 400;
      return refused ? { status, body: '{"message":"Parameter `filter_by` must be provided."}' } : { body: '{"num_deleted":3}' };
    });
    const operations = operationsOf(await connect({}, { http, log: () => undefined }, call));
    expect((await operations.plan(ref('x'), 'empty', call)).consequence).toContain("doesn't report its version");
    expect((await operations.run(ref('x'), 'empty', ref('x'), call)).message).toContain(way);
    expect(http.requests.at(-1)?.path).toBe(`/collections/x/documents${last}`);
  });
});
