import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Filter, Session } from '@tabularium/sdk';
import { isDriverError, NO_FILTER } from '@tabularium/sdk';
import { describeWithServer } from '../server.test-helper.ts';
import type { TestServer } from '../server.test-helper.ts';
import {
  administer,
  apply,
  clientOptions,
  consoleOf,
  importRows,
  open,
  read,
  sessionOf,
  signal,
} from '../session.test-helper.ts';
import { PgClient } from '../wire/pgClient.ts';

type Door = (session: Session, schema: string) => Promise<unknown>;

const of = (schema: string) => ({ namespace: [schema], name: 'thing' });
const selected = (schema: string): string => `SELECT id, name FROM ${schema}.thing`;
const FILTER: Filter = { match: 'all', conditions: [{ column: 'name', operator: 'contains', values: ['a'] }] };

function there<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('The driver lacks it.');
  return part;
}

const DOORS: Readonly<Record<string, Door>> = {
  description: (session, schema) => session.describeTable(of(schema), { signal }),
  page: (session, schema) => read(session, of(schema)),
  filter: (session, schema) => read(session, of(schema), { filter: FILTER }),
  condition: (session, schema) => read(session, of(schema), { filter: { ...NO_FILTER, raw: "name = 'a'" } }),
  count: (session, schema) => there(session.countRows)({ table: of(schema), filter: NO_FILTER }, { signal }),
  row: (session, schema) => there(session.rows).read({ table: of(schema), keys: [[1]] }, { signal }),
  suggestions: (session, schema) =>
    there(session.suggestions).values({ table: of(schema), column: 'name', typed: '', limit: 10 }, { signal }),
  export: (session, schema) => Array.fromAsync(there(session.export).rows({ table: of(schema), filter: NO_FILTER }, { signal })),
  operation: (session, schema) => there(session.tableOperations).plan(of(schema), 'empty', { signal }),
  edit: (session, schema) =>
    apply(session, of(schema), [{ kind: 'update', key: [1], assignments: [{ column: 'name', value: 'b' }] }]),
  import: (session, schema) => importRows(session, of(schema), 'create', [JSON.stringify({ id: 7, name: 'x', n: 1 })]),
  console: (session, schema) => Array.fromAsync(consoleOf(session).run(selected(schema), { maxRows: 10, signal })),
  'console session': async (session, schema) => {
    const own = await sessionOf(session);
    try {
      return await Array.fromAsync(own.run(selected(schema), { maxRows: 10, signal }) as AsyncIterable<unknown>);
    } finally {
      await own.close();
    }
  },
  plan: (session, schema) => there(session.explain).explain(selected(schema), { analyze: false, signal }),
};

/** Doors at which a person's own statement is sent: the server's words about that are theirs. */
const OF_STATEMENTS = new Set(['console', 'console session', 'plan']);

const all = (code: string) => Object.fromEntries(Object.keys(DOORS).map((door) => [door, code]));
const OK = all('answered');
const CHANGED = 'STRUCTURE_CHANGED';
/** Of a table without the column `name`. */
const LACKING = {
  ...OK,
  ...{
    page: CHANGED,
    filter: CHANGED,
    condition: CHANGED,
    row: CHANGED,
    suggestions: CHANGED,
    edit: CHANGED,
    import: 'rejected',
  },
  ...{ console: CHANGED, 'console session': CHANGED, plan: CHANGED },
};
/** Of a table whose columns have other types. */
const RETYPED = {
  ...OK,
  ...{ page: CHANGED, filter: CHANGED, condition: CHANGED, row: CHANGED, edit: 'INVALID_INPUT', import: 'rejected' },
};

/** Changes that another session makes to a table, and the answer of each door then. */
const CHANGES: readonly (readonly [change: string, sql: (schema: string) => string, said: Readonly<Record<string, string>>])[] = [
  ['is dropped', (s) => `DROP TABLE ${s}.thing`, all('NOT_FOUND')],
  ['is renamed', (s) => `ALTER TABLE ${s}.thing RENAME TO other`, all('NOT_FOUND')],
  ['loses its schema', (s) => `DROP SCHEMA ${s} CASCADE`, all('NOT_FOUND')],
  [
    'is made again with other columns',
    (s) => `DROP TABLE ${s}.thing; CREATE TABLE ${s}.thing (code text PRIMARY KEY); GRANT ALL ON ${s}.thing TO clerk`,
    LACKING,
  ],
  [
    'is made again with other types',
    (s) =>
      `DROP TABLE ${s}.thing; CREATE TABLE ${s}.thing (id text PRIMARY KEY, name int, n date); INSERT INTO ${s}.thing VALUES ('one', 5, '2020-01-01'); GRANT ALL ON ${s}.thing TO clerk`,
    RETYPED,
  ],
  ['loses a column', (s) => `ALTER TABLE ${s}.thing DROP COLUMN name`, LACKING],
  ['has a column renamed', (s) => `ALTER TABLE ${s}.thing RENAME COLUMN name TO label`, LACKING],
  ['has a column of another type', (s) => `ALTER TABLE ${s}.thing ALTER COLUMN name TYPE int USING 1`, RETYPED],
  [
    'becomes a view',
    (s) =>
      `ALTER TABLE ${s}.thing RENAME TO other; CREATE VIEW ${s}.thing AS SELECT id, name, n FROM ${s}.other; GRANT ALL ON ${s}.thing TO clerk`,
    { ...OK, operation: 'UNSUPPORTED', edit: 'UNSUPPORTED' },
  ],
  [
    'may not be read any more',
    (s) => `REVOKE ALL ON ${s}.thing FROM clerk`,
    { ...all('ACCESS_REFUSED'), description: 'answered' },
  ],
  [
    'is in a schema that may not be used any more',
    (s) => `REVOKE ALL ON SCHEMA ${s} FROM clerk`,
    { ...all('ACCESS_REFUSED'), description: 'answered' },
  ],
];

/** Words that a person would take for a fault of the program. */
const INTERNAL = /\boid\b|cache lookup|cached plan|undefined|TypeError|operator does not exist/i;

describeWithServer('a table that was described, and then', (server) => {
  let session: Session;
  let last = 0;
  beforeAll(async () => {
    await administer(server(), `CREATE ROLE clerk LOGIN PASSWORD 'clerk'`);
    session = await open(server(), { user: 'clerk', password: 'clerk' });
  });
  afterAll(() => session.close());

  /** A table for each door, which the session has in mind. */
  const described = async (): Promise<ReadonlyMap<string, string>> => {
    const schemas = new Map(Object.keys(DOORS).map((door) => [door, `s${(last += 1)}`]));
    await administer(server(), [...schemas.values()].map(madeIn).join('; '));
    await Promise.all([...schemas.values()].map((schema) => session.describeTable(of(schema), { signal })));
    return schemas;
  };

  it.each(CHANGES)('%s', async (_change, sql, said) => {
    const schemas = await described();
    await administer(server(), [...schemas.values()].map(sql).join('; '));
    const outcomes = await Promise.all(
      Object.entries(DOORS).map(async ([door, enter]) => {
        const schema = schemas.get(door) ?? '';
        const first = await outcomeOf(() => enter(session, schema));
        // A person reloads then.
        const described = await outcomeOf(() => session.describeTable(of(schema), { signal }));
        const reloaded = described.code === 'answered' ? await outcomeOf(() => read(session, of(schema))) : described;
        return { door, schema, first, reloaded };
      }),
    );
    expect(Object.fromEntries(outcomes.map(({ door, first }) => [door, first.code]))).toEqual(said);
    const { page = '' } = said;
    for (const { door, schema, first, reloaded } of outcomes) {
      expect(reloaded.code, door).toBe(page === CHANGED ? 'answered' : page);
      if (first.code === 'answered') continue;
      expect(first.message, door).not.toMatch(INTERNAL);
      if (first.code === CHANGED || first.code === 'NOT_FOUND' || first.code === 'ACCESS_REFUSED')
        expect(first.message, door).toMatch(OF_STATEMENTS.has(door) ? /PostgreSQL says: ./ : new RegExp(`\\b${schema}\\b|thing`));
    }
  });

  it('loses a column while everything waits for it', async () => {
    // A table that is looked at while another transaction holds it is another one when that has ended.
    const schemas = await described();
    const tables = [...schemas.values()];
    const drops = tables.map((schema) => `ALTER TABLE ${schema}.thing DROP COLUMN name`).join('; ');
    const changing = administer(server(), `BEGIN; ${drops}; SELECT pg_sleep(1.5); COMMIT`);
    await untilLocked(server());
    const outcomes = await Promise.all(
      Object.entries(DOORS).map(async ([door, enter]) => [
        door,
        (await outcomeOf(() => enter(session, schemas.get(door) ?? ''))).code,
      ]),
    );
    await changing;
    expect(Object.fromEntries(outcomes)).toEqual({
      ...LACKING,
      export: expect.stringMatching(/^(?:answered|STRUCTURE_CHANGED)$/) as string,
      import: expect.stringMatching(/^(?:rejected|STRUCTURE_CHANGED)$/) as string,
    });
  });

  const ENDINGS: readonly (readonly [ending: string, end: () => Promise<void>, codes: readonly string[]])[] = [
    ['in a database that is renamed', () => endDatabase(server(), 'ALTER DATABASE moving RENAME TO moved'), GONE],
    ['in a database that is dropped', () => endDatabase(server(), 'DROP DATABASE moving'), GONE],
    ['at a server that starts again', () => server().restart(), ['answered', 'CONNECTION_LOST']],
  ];
  it.each(ENDINGS)('is %s', async (_ending, end, codes) => {
    await administer(server(), 'DROP DATABASE IF EXISTS moving WITH (FORCE)');
    await administer(server(), 'CREATE DATABASE moving');
    const schema = `s${(last += 1)}`;
    await administer(server(), madeIn(schema), 'moving');
    const sessions = await Promise.all(
      Object.entries(DOORS).map(async ([door, enter]) => {
        const own = await open(server(), { database: 'moving' });
        await own.describeTable(of(schema), { signal });
        return { door, enter, own };
      }),
    );
    await end();
    for (const { door, enter, own } of sessions) {
      const { code, message } = await outcomeOf(() => enter(own, schema));
      expect(codes, `${door}: ${message}`).toContain(code);
      expect(message, door).not.toMatch(INTERNAL);
      await own.close();
    }
  });
});

/** A session whose connection the server has ended, and one that finds no database when it opens the next. */
const GONE = ['CONNECTION_LOST', 'NOT_FOUND'];

function madeIn(schema: string): string {
  return `CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.thing (id int PRIMARY KEY, name text, n int); INSERT INTO ${schema}.thing VALUES (1, 'a', 2); GRANT USAGE ON SCHEMA ${schema} TO clerk; GRANT ALL ON ${schema}.thing TO clerk`;
}

/** Nothing may be connected to a database that is renamed or dropped. */
async function endDatabase(server: TestServer, sql: string): Promise<void> {
  await administer(server, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'moving'`);
  await administer(server, sql);
}

async function untilLocked(server: TestServer): Promise<void> {
  const held = `SELECT 1 / count(*) FROM pg_locks l JOIN pg_class c ON c.oid = l.relation WHERE l.mode = 'AccessExclusiveLock' AND l.granted AND c.relname = 'thing' HAVING count(*) >= ${Object.keys(DOORS).length}`;
  const client = new PgClient({ ...clientOptions(server), database: 'postgres' });
  await client.connect();
  try {
    for (let turn = 0; turn < 200; turn += 1) if ((await client.query(held)).rows.length > 0) return;
  } finally {
    await client.end();
  }
  throw new Error('Nothing is locked.');
}

interface Outcome {
  readonly code: string;
  readonly message: string;
}

/** The code of an error, also of one that is among the answers. */
async function outcomeOf(enter: () => Promise<unknown>): Promise<Outcome> {
  try {
    const answer = await enter();
    const [first] = Array.isArray(answer)
      ? (answer as readonly { readonly outcome?: string; readonly code?: string; readonly message?: string }[])
      : [];
    const { outcome, code, message = '' } = first ?? {};
    return { code: outcome === 'failed' || outcome === 'rejected' ? (code ?? outcome) : 'answered', message };
  } catch (error) {
    if (!isDriverError(error)) throw error;
    return error;
  }
}
