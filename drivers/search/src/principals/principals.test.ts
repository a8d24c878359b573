import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sandboxVersions } from '@tabularium/sandbox';
import type { Sandbox } from '@tabularium/sandbox';
import type { PrincipalInput, PrincipalsFacet, Session } from '@tabularium/sdk';
import { answering, json } from '../answers.test-helper.ts';
import { connect } from '../connect.ts';
import { admin, call, open, startFixture } from '../fixture.test-helper.ts';

function principalsOf(session: Session): PrincipalsFacet {
  if (session.principals === undefined) throw new Error('The session has no principals.');
  return session.principals;
}

let sandbox: Sandbox;
async function using(
  use: (keys: PrincipalsFacet, session: Awaited<ReturnType<typeof open>>) => Promise<void>,
  key?: string,
): Promise<void> {
  const session = await open(sandbox, key);
  try {
    await use(principalsOf(session), session);
  } finally {
    await session.close();
  }
}

const input: PrincipalInput = {
  description: ['reader'],
  actions: ['documents:search', 'documents:get'],
  collections: ['shelf', 'many'],
};

for (const version of sandboxVersions) {
  describe(`API keys of version ${version}`, () => {
    beforeAll(async () => {
      sandbox = await startFixture(version);
    });
    afterAll(() => sandbox.close());

    it('are added, their value handed out once, listed without it, used, and deleted', () =>
      using(async (keys, session) => {
        const expiresAt = '2999-12-31T23:59:00.000Z';
        const { principal, secret } = await keys.create({ ...input, expiresAt: [expiresAt] }, call);
        expect(principal).toEqual({
          id: expect.stringMatching(/^\d+$/) as string,
          label: 'reader',
          reach: 'shelf, many',
          serverWide: false,
          actions: ['documents:search', 'documents:get'],
          attributes: [
            { label: 'Number', value: principal.id },
            { label: 'Starts with', value: secret?.value.slice(0, 4) },
          ],
          expiresAt,
          removable: { allowed: true },
        });
        expect(secret?.value.length).toBeGreaterThan(16);
        const listed = await keys.list(call);
        expect(listed).toEqual([principal]);
        expect(JSON.stringify(listed)).not.toContain(secret?.value);
        expect(session.http.requests.some(({ path }) => path.includes(secret?.value ?? '?'))).toBe(false);
        await using(async (_keys, narrow) => {
          const page = { filter: { match: 'all', conditions: [] }, sorts: [], position: { from: 'start' }, limit: 1 } as const;
          expect((await narrow.readPage({ table: { namespace: [], name: 'many' }, ...page }, call)).rowCount).toBe(1);
        }, secret?.value);
        await keys.remove(principal.id, call);
        expect(await keys.list(call)).toEqual([]);
        await expect(keys.remove(principal.id, call)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      }));

    it('with an own value, for everything and for ever', () =>
      using(async (keys) => {
        const everything = {
          description: ['all'],
          actions: ['*', 'typed:action'],
          collections: ['*'],
          value: ['my-own-value-1234'],
        };
        const { principal, secret } = await keys.create(everything, call);
        expect(secret).toEqual({ label: 'API key', value: 'my-own-value-1234' });
        expect(principal).toMatchObject({ reach: 'Server-wide', serverWide: true, actions: ['*', 'typed:action'] });
        expect(principal).not.toHaveProperty('expiresAt');
        const again = keys.create(everything, call);
        await expect(again).rejects.toMatchObject({ code: 'CONFLICT', details: { field: 'value' } });
        await expect(again).rejects.not.toThrow('my-own-value-1234');
        await keys.remove(principal.id, call);
      }));
  });
}

describe('API keys', () => {
  beforeAll(async () => {
    sandbox = await startFixture();
  });
  afterEach(() => sandbox.fault(undefined));
  afterAll(() => sandbox.close());

  it('cannot be changed, and it is said why', () =>
    using(async (keys) => {
      expect(keys.editable).toMatchObject({ allowed: false, reason: expect.stringContaining('cannot change a key') as string });
      expect(keys.term).toEqual({ one: 'API Key', other: 'API Keys' });
    }));

  it('have a form with the catalogue of actions and the collections there are', () =>
    using(async (keys) => {
      const form = await keys.form(call);
      expect(form.map(({ id, type, required }) => `${id} ${type} ${String(required)}`)).toEqual([
        'description text true',
        'actions list true',
        'collections list true',
        'expiresAt time false',
        'value secret false',
      ]);
      const values = (id: string): string[] => (form.find((field) => field.id === id)?.options ?? []).map(({ value }) => value);
      for (const action of [
        '*',
        'documents:search',
        'documents:*',
        'collections:list',
        'keys:*',
        'metrics.json:list',
        'debug:list',
      ]) {
        expect(values('actions')).toContain(action);
      }
      expect(values('collections')).toEqual(['*', 'a/b ö', 'bookcase', 'many', 'shelf']);
      expect(form.find(({ id }) => id === 'actions')?.default).toEqual(['documents:search']);
    }));

  it.each<[string, PrincipalInput, string]>([
    ['no description', { ...input, description: [' '] }, 'description'],
    ['no action', { ...input, actions: [] }, 'actions'],
    ['no collection', { ...input, collections: [''] }, 'collections'],
    ['a time that is none', { ...input, expiresAt: ['soon'] }, 'expiresAt'],
    ['a time that is over', { ...input, expiresAt: ['2001-01-01T00:00:00Z'] }, 'expiresAt'],
    ['a value that no header carries', { ...input, value: ['schlüssel'] }, 'value'],
    ['a value with a line feed', { ...input, value: ['a\nb'] }, 'value'],
  ])('are not added with %s', async (_name, wrong, field) => {
    await using(async (keys, session) => {
      const before = session.http.requests.length;
      await expect(keys.create(wrong, call)).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field } });
      expect(session.http.requests.length).toBe(before);
    });
  });

  it('are never asked for by anything but a number', () =>
    using(async (keys, session) => {
      const before = session.http.requests.length;
      for (const id of ['abc', '', '1/2', '..', '1 ', '-1', '1e3']) {
        await expect(keys.remove(id, call)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      }
      expect(session.http.requests.length).toBe(before);
    }));

  it('a key without keys:* sees what it lacks, not an empty list', async () => {
    const { value } = JSON.parse(
      await admin(sandbox, 'POST', '/keys', '{"description":"s","actions":["documents:search"],"collections":["*"]}'),
    ) as { value: string };
    await using(async (keys) => {
      await expect(keys.list(call)).rejects.toMatchObject({
        code: 'ACCESS_REFUSED',
        message: "The connection’s API key can't list keys: it lacks the action keys:list, or keys:*.",
      });
      await expect(keys.create(input, call)).rejects.toMatchObject({
        code: 'ACCESS_REFUSED',
        message: expect.stringContaining('keys:create') as string,
      });
      await expect(keys.remove('0', call)).rejects.toMatchObject({
        code: 'ACCESS_REFUSED',
        message: expect.stringContaining('keys:delete') as string,
      });
    }, value);
  });

  it('whose answer was lost may have been added, and the error does not hold the value', () =>
    using(async (keys, session) => {
      sandbox.fault(({ method }) => (method === 'POST' ? { kind: 'reset' } : undefined));
      const error: unknown = await keys
        .create({ ...input, value: ['very-secret-value'] }, call)
        .catch((caught: unknown) => caught);
      expect(error).toMatchObject({
        code: 'CONNECTION_LOST',
        details: { advice: expect.stringContaining('delete it') as string },
      });
      expect(JSON.stringify(error) + String(error)).not.toContain('very-secret-value');
      expect(session.http.requests.filter(({ method }) => method === 'POST').length).toBe(1);
    }));

  it('are shown with what their records say', async () => {
    const http = answering(({ path }) =>
      path === '/keys'
        ? json({
            keys: [
              {
                id: 10,
                description: '',
                actions: ['*'],
                collections: [],
                expires_at: 64_723_363_199,
                value_prefix: 'abcd',
                autodelete: false,
              },
              { id: 2, description: 'old', actions: ['*'], collections: ['*', 'x'], expires_at: 1_000, autodelete: true },
            ],
          })
        : json([]),
    );
    const keys = await principalsOf(await connect({}, { http, log: () => undefined }, call)).list(call);
    expect(keys).toMatchObject([
      {
        id: '2',
        label: 'old',
        serverWide: true,
        expiresAt: '1970-01-01T00:16:40.000Z',
        attributes: [{ value: '2' }, { label: 'State', value: 'Expired' }, { value: 'Deleted by the server' }],
      },
      {
        id: '10',
        label: 'Key #10',
        reach: 'Server-wide',
        attributes: [{ value: '10' }, { label: 'Starts with', value: 'abcd' }],
      },
    ]);
    const odd = answering(({ path }) => (path === '/keys' ? json({ keys: [{ id: 'x' }] }) : json([])));
    await expect(principalsOf(await connect({}, { http: odd, log: () => undefined }, call)).list(call)).rejects.toMatchObject({
      code: 'BAD_ANSWER',
    });
  });
});
