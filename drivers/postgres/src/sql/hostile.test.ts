import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Session } from '@tabularium/sdk';
import {
  HARMLESS_STATEMENTS,
  HONEST_CHANGES,
  HOSTILE_CHANGES,
  HOSTILE_OBJECTS,
  HOSTILE_STATEMENTS,
  REFUSED_STATEMENTS,
} from '../hostileStatements.test-helper.ts';
import { arrayOf } from './arrayOf.ts';
import { RUNS_QUERIES } from './harmless.ts';
import { describeWithServer } from '../server.test-helper.ts';
import { administer, open, run, signal } from '../session.test-helper.ts';

describeWithServer('statements that hide what they do', (server) => {
  let session: Session;
  beforeAll(async () => {
    await administer(server(), HOSTILE_OBJECTS);
    session = await open(server());
  });
  afterAll(() => session.close());
  const classify = (statement: string) => session.console?.classify(statement, { signal });

  it('count as more than reading, every one of them', async () => {
    const read: string[] = [];
    for (const statement of HOSTILE_STATEMENTS) if ((await classify(statement))?.effect === 'read') read.push(statement);
    expect(read.filter((statement) => !statement.includes('dblink'))).toEqual([]);
  });

  it('are unknown or destroy, where they are changes that do more', async () => {
    const plain: string[] = [];
    for (const statement of HOSTILE_CHANGES) {
      const { effect, unknown } = (await classify(statement)) ?? {};
      if (effect !== 'destructive' && unknown !== true) plain.push(statement);
    }
    expect(plain).toEqual([]);
  });

  it('leave honest changes alone, which count as writing', async () => {
    const found: unknown[] = [];
    for (const statement of HONEST_CHANGES) {
      const { effect, unknown, summary } = (await classify(statement)) ?? {};
      if (effect !== 'write' || unknown === true) found.push([statement, effect, unknown, summary]);
    }
    expect(found).toEqual([]);
  });

  it.each(['watched', 'assigned', 'quoted', 'dotted', 'parted', 'ruled'])(
    'may be triggers and rules of a table, and an import into %s destroys',
    async (name) => {
      const form = await session.import?.form({ namespace: ['hostile'], name }, { signal });
      expect(form?.modes.map(({ effect }) => effect)).toEqual(form?.modes.map(() => 'destructive'));
    },
  );

  it('follow the keys of a table where an import changes rows, and not where it adds some', async () => {
    const form = await session.import?.form({ namespace: ['hostile'], name: 'keys' }, { signal });
    expect(form?.modes.map(({ id, effect }) => [id, effect])).toEqual([
      ['create', 'write'],
      ['upsert', 'destructive'],
    ]);
  });

  it.each(['plainly', 'stamped', 'victim', 'users'])('may be none, and an import into %s writes', async (name) => {
    const form = await session.import?.form({ namespace: ['hostile'], name }, { signal });
    expect(form?.modes.map(({ effect }) => effect)).toEqual(form?.modes.map(() => 'write'));
  });

  it('are never run where they would outlive their statement', async () => {
    for (const statement of REFUSED_STATEMENTS) {
      await expect(run(session, statement), statement).rejects.toMatchObject({
        code: expect.stringMatching(/INVALID_INPUT|UNSUPPORTED/) as string,
      });
    }
  });

  it('are called what they are where they are commands of psql', async () => {
    for (const [statement, command] of [
      ['\\dt', '\\dt'],
      ['  \\d+ hostile.victim', '\\d+'],
      ['\\copy victim to /tmp/x', '\\copy'],
    ] as const)
      await expect(run(session, statement), statement).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: `“${command}” is a command of psql, not SQL.`,
      });
  });

  it('leave honest statements alone, which run and change nothing', async () => {
    for (const statement of HARMLESS_STATEMENTS) {
      expect(await classify(statement), statement).toMatchObject({ effect: 'read' });
      expect((await run(session, statement)).at(-1), statement).toMatchObject({ type: 'done' });
    }
    expect(await run(session, 'SELECT count(*) FROM hostile.victim')).toContainEqual({ type: 'rows', rows: [[2]] });
  });

  it("use none of the server's own operators and casts, which call what changes nothing and aren't looked up", async () => {
    const events = await run(
      session,
      `SELECT p.proname FROM pg_proc p WHERE (p.provolatile = 'v' OR p.proname = ANY ('${arrayOf(RUNS_QUERIES)}'))
       AND p.oid IN (SELECT oprcode FROM pg_operator WHERE oid < 16384 UNION SELECT castfunc FROM pg_cast WHERE oid < 16384)`,
    );
    expect(events.filter(({ type }) => type === 'rows')).toEqual([]);
  });

  it('are refused in the WHERE row', async () => {
    const table = { namespace: ['hostile'], name: 'victim' };
    for (const raw of [
      'hostile.deletes() > 0',
      "set_config('a.b', 'c', false) IS NOT NULL",
      'id = (SELECT pg_terminate_backend(0)::int)',
      'EXISTS (SELECT FROM hostile.sly_view)',
      'true) OR (true',
      'true; DELETE FROM hostile.victim',
      'true /*',
      "E'a'\n'\\'' = '') OR hostile.deletes() > 0 --'",
      "E'a'\n'\\'' = '' OR hostile.deletes() > 0 --'",
      'id IN (WITH x AS (DELETE FROM hostile.victim RETURNING id) SELECT id FROM x)',
    ]) {
      const filter = { match: 'all' as const, conditions: [], raw };
      await expect(session.countRows({ table, filter }, { signal }), raw).rejects.toMatchObject({
        code: expect.stringMatching(/INVALID_INPUT|UNSUPPORTED/) as string,
      });
    }
    const filter = { match: 'all' as const, conditions: [], raw: 'id > 1 -- and nothing else' };
    expect(await session.countRows({ table, filter }, { signal })).toEqual({ rows: 1, exact: true });
  });
});
