import { DatabaseSync } from 'node:sqlite';
import { isDriverError } from '@tabularium/sdk';
import type { Session } from '@tabularium/sdk';
import fc from 'fast-check';
import { open, run, signal } from '../session.test-helper.ts';

// Schemas and statements at random, and what a statement did to the rows. Each row has a tag that SQLite gives it and that no statement
// sets: a row whose tag is gone was lost, also where another row took its place and its key.

const TABLES = ['t0', 't1', 't2'] as const;
const ON_CONFLICT = ['', '', ' ON CONFLICT REPLACE', ' ON CONFLICT IGNORE', ' ON CONFLICT FAIL'];
const OR = ['', '', ' OR REPLACE', ' OR IGNORE', ' OR FAIL', ' OR ROLLBACK', ' OR ABORT'];
const ACTIONS = ['CASCADE', 'SET NULL', 'SET DEFAULT', 'NO ACTION', 'RESTRICT'];
const VALUES = ['1', '2', '3', 'NULL', "'DELETE FROM t0'", "'x'"];

const of = <T>(values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const text = (...parts: (fc.Arbitrary<string> | string)[]): fc.Arbitrary<string> =>
  fc.tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part))).map((found) => found.join(''));
const table = of(TABLES);
const value = of(VALUES);
const where = of(['', ' WHERE v = 1', ' WHERE u > 1', ' WHERE EXISTS (SELECT 1 FROM t1)', ' WHERE 0']);

const insert = fc.oneof(
  text('INSERT', of(OR), ' INTO ', table, ' (id, u, v) VALUES (', value, ', ', value, ', ', value, ')'),
  text('INSERT', of(OR), ' INTO ', table, ' (u, v, r) SELECT u, v, r FROM ', table),
  text('REPLACE INTO ', table, ' (id, u) VALUES (', value, ', ', value, ')'),
  text('INSERT INTO ', table, ' (id, u) VALUES (', value, ', ', value, ') ON CONFLICT DO UPDATE SET v = ', value),
  text(
    'INSERT INTO ',
    table,
    ' (id, u) VALUES (1, 2), (2, 3) ON CONFLICT (id) DO UPDATE SET u = ',
    value,
    ' ON CONFLICT DO NOTHING',
  ),
  text('INSERT INTO ', table, ' DEFAULT VALUES'),
);
const update = fc.oneof(
  text('UPDATE', of(OR), ' ', table, ' SET ', of(['v', 'u', 'r', 'id']), ' = ', value, where),
  text('UPDATE', of(OR), ' ', table, ' SET u = u + 1', where),
  text('UPDATE', of(OR), ' ', table, ' SET v = o.v FROM ', table, ' AS o WHERE o.u = ', value),
);
const remove = text('DELETE FROM ', table, where);
const change = fc.oneof(insert, update, remove);

const column = (name: string): fc.Arbitrary<string> =>
  text(`${name} `, of(['', 'INTEGER', 'TEXT']), of(['', ' UNIQUE']), of(ON_CONFLICT)).map((found) =>
    found.includes('UNIQUE') ? found : found.replace(/ ON CONFLICT.*/, ''),
  );

const create = (name: string): fc.Arbitrary<string> =>
  text(
    `CREATE TABLE ${name} (id `,
    of(['INTEGER PRIMARY KEY', 'INTEGER PRIMARY KEY', 'TEXT PRIMARY KEY', 'UNIQUE']),
    of(ON_CONFLICT),
    ', tag TEXT DEFAULT (hex(randomblob(8))), ',
    column('u'),
    ', ',
    column('v'),
    ', r DEFAULT 1 REFERENCES ',
    table,
    ' (id) ON DELETE ',
    of(ACTIONS),
    ' ON UPDATE ',
    of(ACTIONS),
    ')',
  );

const trigger = (number: number): fc.Arbitrary<string> =>
  text(
    `CREATE TRIGGER g${number} `,
    of(['BEFORE', 'AFTER']),
    ' ',
    of(['INSERT', 'INSERT', 'UPDATE', 'UPDATE OF v', 'DELETE']),
    ' ON ',
    table,
    ' BEGIN ',
    change,
    '; ',
    fc.oneof(
      change.map((found) => `${found}; `),
      fc.constant(''),
    ),
    'END',
  );

const instead = text('CREATE TRIGGER w INSTEAD OF ', of(['INSERT', 'UPDATE', 'DELETE']), ' ON shown BEGIN ', change, '; END');

/** Statements that make a database. A trigger that SQLite does not take is left out. */
const schema: fc.Arbitrary<readonly string[]> = fc
  .tuple(
    fc.tuple(...TABLES.map(create)),
    fc.array(fc.integer({ min: 0, max: 9 }).chain(trigger), { maxLength: 3 }),
    instead,
    fc.array(insert, { minLength: 3, maxLength: 6 }),
  )
  .map(([tables, triggers, view, rows]) => [
    ...tables,
    ...TABLES.map((name) => `INSERT OR IGNORE INTO ${name} (id, u, v) VALUES (1, 1, 1), (2, 2, 2), (3, 3, 3)`),
    ...rows,
    'CREATE VIEW shown AS SELECT * FROM t0',
    ...triggers,
    view,
    'CREATE VIRTUAL TABLE words USING fts5(body)',
    "INSERT INTO words VALUES ('one'), ('two')",
  ]);

const prefix = of(['', '', '-- DELETE\n', '/* ; */ ', '\uFEFF', 'WITH replace AS (SELECT 1) ', 'WITH c (x) AS (VALUES (1)) ']);
const other = fc.oneof(
  text('SELECT * FROM ', table, where),
  text('SELECT replace(tag, 1, 2), u FROM ', table, ' UNION SELECT 1, 2'),
  text('EXPLAIN ', change),
  text('EXPLAIN QUERY PLAN ', change),
  text('INSERT', of(OR), ' INTO shown (id, u, v) VALUES (', value, ', 1, 1)'),
  text('UPDATE shown SET v = 2', where),
  text(
    'ALTER TABLE ',
    table,
    ' ',
    of(['RENAME TO t9', 'ADD COLUMN extra', 'RENAME COLUMN v TO w', 'DROP COLUMN v', 'DROP COLUMN r']),
  ),
  text('CREATE TABLE copied AS SELECT * FROM ', table),
  text('CREATE INDEX i ON ', table, ' (v)'),
  text('CREATE TRIGGER late AFTER UPDATE ON ', table, ' BEGIN ', change, '; END'),
  text('DROP ', of(['TABLE t0', 'VIEW shown', 'TABLE IF EXISTS t7', 'TRIGGER IF EXISTS g1'])),
  of([
    'REINDEX',
    'ANALYZE',
    'VACUUM',
    'PRAGMA user_version = 3',
    'PRAGMA user_version',
    'PRAGMA table_info(t0)',
    'PRAGMA optimize',
  ]),
  of([
    "INSERT INTO words (words) VALUES ('delete-all')",
    "INSERT INTO words (words) VALUES ('rebuild')",
    "INSERT INTO words VALUES ('x')",
  ]),
  of(['PRAGMA foreign_keys = OFF', 'PRAGMA writable_schema = ON', "ATTACH 'x' AS y", 'BEGIN', 'DELETE FROM sqlite_schema']),
);

/** Statements as people and clients write them. */
const statement: fc.Arbitrary<string> = fc
  .tuple(prefix, fc.oneof({ weight: 3, arbitrary: change }, { weight: 1, arbitrary: other }), of(['', '', ' RETURNING tag', ';']))
  .map(([before, found, after]) => `${before}${found}${/^(?:INSERT|UPDATE|REPLACE|DELETE)/.test(found) ? after : ''}`);

/** Makes the file. */
function build(path: string, statements: readonly string[]): void {
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  // Many files are made and thrown away: they need not outlive a power cut.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF');
  for (const sql of statements) attempt(() => database.exec(sql));
  database.close();
}

function attempt(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Error) || !('errcode' in error)) throw error;
  }
}

/** Everything that a file holds, and the tags of its rows with how often each is there. */
interface Contents {
  readonly all: string;
  readonly tags: ReadonlyMap<string, number>;
}

function contentsOf(path: string): Contents {
  const database = new DatabaseSync(path, { readOnly: true, returnArrays: true });
  try {
    const rows = (sql: string): unknown[][] => database.prepare(sql).all() as unknown as unknown[][];
    const master = rows('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name');
    const tags = new Map<string, number>();
    const tables = master
      .filter(([type, name]) => type === 'table' && !/^(?:sqlite_|words_)/.test(String(name)))
      .map(([, name]) => {
        const quoted = `"${String(name)}"`;
        const hasTag = rows(`PRAGMA table_info(${quoted})`).some(([, found]) => found === 'tag');
        if (hasTag)
          for (const [tag] of rows(`SELECT tag FROM ${quoted}`)) tags.set(String(tag), (tags.get(String(tag)) ?? 0) + 1);
        return [name, rows(`SELECT * FROM ${quoted} ORDER BY 1, 2, 3`.replace(/ORDER BY.*/, name === 'words' ? '' : '$&'))];
      });
    return { all: JSON.stringify([master, tables, rows('PRAGMA user_version')]), tags };
  } finally {
    database.close();
  }
}

interface Tried {
  readonly effect: 'read' | 'write' | 'destructive' | 'unknown' | 'refused';
  readonly changed: boolean;
  readonly lost: number;
}

/** Classifies a statement and runs it, as a console does. What fails has changed what it has changed. */
async function tryStatement(session: Session, path: string, sql: string): Promise<Tried> {
  const before = contentsOf(path);
  const found = await session.console?.classify(sql, { signal }).catch(refusal);
  await run(session, sql).catch(refusal);
  const after = contentsOf(path);
  const lost = [...before.tags].filter(([tag, count]) => (after.tags.get(tag) ?? 0) < count).length;
  const effect = found === undefined ? 'refused' : found.unknown === true ? 'unknown' : found.effect;
  return { effect, changed: before.all !== after.all, lost };
}

function refusal(error: unknown): undefined {
  if (!isDriverError(error) || error.code === 'DRIVER_FAULT') throw error;
  return undefined;
}

async function opened(path: string): Promise<Session & AsyncDisposable> {
  const session = await open(path);
  return Object.assign(session, { [Symbol.asyncDispose]: () => session.close() });
}

/** Holds the classifier to what its statements did. @returns how often each kind was seen */
export async function holdClassifier(folder: string, runs: number): Promise<Readonly<Record<string, number>>> {
  const seen: Record<string, number> = {};
  const count = (name: string): void => {
    seen[name] = (seen[name] ?? 0) + 1;
  };
  let file = 0;
  await fc.assert(
    fc.asyncProperty(schema, fc.array(statement, { minLength: 4, maxLength: 8 }), async (made, statements) => {
      file += 1;
      const path = `${folder}/${file}.db`;
      build(path, made);
      await using session = await opened(path);
      for (const sql of statements) {
        const { effect, changed, lost } = await tryStatement(session, path, sql);
        count(effect);
        if (changed) count(`${effect} changed`);
        if (lost > 0) count(`${effect} lost`);
        if ((effect === 'read' || effect === 'refused') && changed) throw new Error(`${effect}, and changed something: ${sql}`);
        if (effect === 'write' && lost > 0) throw new Error(`write, and lost ${lost} rows: ${sql}`);
      }
    }),
    { numRuns: runs },
  );
  return seen;
}
