import { chmod, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ABSENT, NO_FILTER, decodePage } from '@tabularium/sdk';
import type { Cell, Session } from '@tabularium/sdk';
import { apply, open, read, ref, run, signal } from './session.test-helper.ts';
import { temporaryFolder } from './fixture.test-helper.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let path: string;
const sessions: Session[] = [];

beforeEach(async () => {
  folder = await temporaryFolder();
  path = join(folder.path, 'it is #1 50% ?.db');
});
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
  await folder.close();
});

/** A file made by these statements, opened. */
async function made(sql: string, settings: Parameters<typeof open>[1] = {}): Promise<Session> {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
  const session = await open(path, settings);
  sessions.push(session);
  return session;
}

describe('opening', () => {
  it('creates no file', async () => {
    await expect(open(path)).rejects.toMatchObject({ code: 'NOT_FOUND', details: { field: 'file' } });
    await expect(stat(path)).rejects.toThrow();
  });

  it("reports a file that isn't a database, or is damaged", async () => {
    await writeFile(path, 'This is a text, and it is long enough to be taken for a header of a database file. '.repeat(20));
    await expect(open(path)).rejects.toMatchObject({
      code: 'BAD_ANSWER',
      message: expect.stringMatching(/isn't a SQLite database/) as string,
    });
    const other = join(folder.path, 'damaged.db');
    const database = new DatabaseSync(other);
    database.exec(
      "CREATE TABLE t (a); WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO t SELECT 'row ' || i FROM n",
    );
    database.close();
    await truncate(other, 12_000);
    const outcome = await open(other)
      .then(async (session) => {
        sessions.push(session);
        return session.countRows({ table: ref('t'), filter: { match: 'all', conditions: [] } }, { signal });
      })
      .catch((error: unknown) => error);
    expect(outcome).toMatchObject({ code: 'SERVER_ERROR', message: expect.stringMatching(/damaged/) as string });
  });

  it('reads a file in WAL mode, and what another program writes meanwhile', async () => {
    const session = await made('PRAGMA journal_mode = WAL; CREATE TABLE t (a INTEGER PRIMARY KEY); INSERT INTO t VALUES (1)');
    const other = new DatabaseSync(path);
    other.exec('INSERT INTO t VALUES (2)');
    expect(await read(session, 't')).toEqual([{ a: 1 }, { a: 2 }]);
    other.close();
  });

  it('writes nothing into a file that is opened read-only, and says why nothing can be edited', async () => {
    const session = await made('CREATE TABLE t (a INTEGER PRIMARY KEY, b)', { readOnly: true });
    const before = await readFile(path);
    const { columns } = await session.describeTable(ref('t'), { signal });
    expect(columns[1]?.editable).toMatchObject({ allowed: false, reason: expect.stringMatching(/read-only/) as string });
    await expect(run(session, 'INSERT INTO t VALUES (1, 2)')).rejects.toMatchObject({ code: 'ACCESS_REFUSED' });
    await expect(session.tableOperations?.run(ref('t'), 'drop', ref('t'), { signal })).rejects.toMatchObject({
      code: 'UNSUPPORTED',
    });
    expect(await readFile(path)).toEqual(before);
  });

  it('reports a busy file after the configured timeout', async () => {
    const session = await made('CREATE TABLE t (a INTEGER PRIMARY KEY)', { busySeconds: 0 });
    const other = new DatabaseSync(path);
    other.exec('BEGIN EXCLUSIVE');
    await expect(read(session, 't')).rejects.toMatchObject({
      code: 'SERVER_NOT_READY',
      message: expect.stringMatching(/locked by another program/) as string,
    });
    other.exec('ROLLBACK');
    other.close();
    expect(await read(session, 't')).toEqual([]);
  });

  it('notices that the file is gone', async () => {
    const session = await made('CREATE TABLE t (a)');
    await folder.close();
    await expect(session.ping({ signal })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('opens a file that may not be written for reading', async () => {
    // The superuser may write everything.
    const session = await made('CREATE TABLE t (a INTEGER PRIMARY KEY, b)');
    await session.close();
    await chmod(path, 0o444);
    const again = await open(path);
    sessions.push(again);
    const { columns } = await again.describeTable(ref('t'), { signal });
    const isSuperuser = process.getuid?.() === 0;
    expect(columns[1]?.editable.allowed).toBe(isSuperuser);
    expect(again.findings.some(({ outcome }) => outcome === 'warning')).toBe(!isSuperuser);
  });
});

describe('values', () => {
  it('are what they are, whatever their column was declared as', async () => {
    const session = await made(`
      CREATE TABLE t (i INTEGER, t TEXT, r REAL, b BLOB, f BOOLEAN, j JSON, n, d DATE);
      INSERT INTO t VALUES (9223372036854775807, 'x', 1.5, x'00ff', 1, '{"a":1}', 1, '2026-01-31');
      INSERT INTO t VALUES ('text', 5, 'no', 'not bytes', 7, 'no json', 2, 20260131);
      INSERT INTO t VALUES (1.5, x'01', 9e999, 3, NULL, NULL, 3, NULL)`);
    expect(await read(session, 't')).toEqual([
      { rowid: 1, i: '9223372036854775807', t: 'x', r: 1.5, b: 'AP8=', f: true, j: '{"a":1}', n: 1, d: '2026-01-31' },
      {
        rowid: 2,
        i: ['text', 'text'],
        t: '5',
        r: ['text', 'no'],
        b: ['text', 'not bytes'],
        f: ['number', '7'],
        j: ['text', 'no json'],
        n: 2,
        d: ['number', '20260131'],
      },
      {
        rowid: 3,
        i: ['number', '1.5'],
        t: ['bytes', 'AQ=='],
        r: ['text', 'Infinity'],
        b: ['number', '3'],
        f: null,
        j: null,
        n: 3,
        d: null,
      },
    ]);
  });

  it('of large blobs are placeholders in a page, and whole in an export', async () => {
    const session = await made(
      "CREATE TABLE t (a INTEGER PRIMARY KEY, b BLOB); INSERT INTO t VALUES (1, zeroblob(70000)), (2, x'01'), (3, NULL)",
    );
    const { batch } = await session.readPage(
      { table: ref('t'), filter: NO_FILTER, sorts: [], position: { from: 'start' }, limit: 10, placeholders: { over: 65_536 } },
      { signal },
    );
    expect(decodePage(batch).rows.map((row) => row[1])).toEqual([['unread', { bytes: 93_336 }], 'AQ==', null]);
    const cells: unknown[] = [];
    for await (const event of session.export?.rows({ table: ref('t'), filter: { match: 'all', conditions: [] } }, { signal }) ??
      [])
      if (event.type === 'rows') cells.push(...event.rows.map((row) => row[1]));
    expect(String(cells[0])).toHaveLength(Math.ceil(70_000 / 3) * 4);
  });
});

describe('what is too large to be handed over', () => {
  it('is refused in words, and what is not is cut into pieces that fit', async () => {
    const session = await made(`
      CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT);
      INSERT INTO t SELECT value, replace(hex(zeroblob(2000000)), '00', 'ab') FROM json_each('[1,2,3]')`);
    const sizes: number[] = [];
    const exported = async (): Promise<void> => {
      for await (const event of session.export?.rows({ table: ref('t'), filter: { match: 'all', conditions: [] } }, { signal }) ??
        [])
        if (event.type === 'rows') sizes.push(JSON.stringify(event).length);
    };
    await exported();
    expect(sizes).toHaveLength(3);
    await run(session, 'UPDATE t SET b = b || b WHERE a = 2');
    await expect(exported()).rejects.toMatchObject({ code: 'TOO_LARGE' });
  });
});

describe('structure', () => {
  it('describes keys, generated columns, foreign keys, indexes and triggers', async () => {
    const session = await made(`
      CREATE TABLE a (id INTEGER PRIMARY KEY, u TEXT UNIQUE);
      CREATE TABLE b (x TEXT, y INT, a_id INT REFERENCES a (id) , g INT AS (y * 2) STORED, PRIMARY KEY (x, y)) WITHOUT ROWID, STRICT;
      CREATE INDEX b_y ON b (y) WHERE y > 0;
      CREATE TRIGGER b_in AFTER INSERT ON b BEGIN SELECT 1; END;`);
    const description = await session.describeTable(ref('b'), { signal });
    expect(description.key).toEqual(['x', 'y']);
    expect(description.columns.map(({ name, editable, note }) => [name, editable.allowed, note])).toEqual([
      ['x', false, 'Primary key, part 1'],
      ['y', false, 'Primary key, part 2'],
      ['a_id', true, undefined],
      ['g', false, undefined],
    ]);
    expect(description.notes.join(' ')).toMatch(/^Without rowid[^.]*\. Strict[^.]*\.$/);
    expect(description.definition?.text).toMatch(/^CREATE TABLE b .*CREATE INDEX b_y .*CREATE TRIGGER b_in /s);
  });

  it('names rows by the rowid where a key may be null, under a name that no column hides', async () => {
    const session = await made(`
      CREATE TABLE k (code TEXT PRIMARY KEY, v); INSERT INTO k VALUES (NULL, 1), (NULL, 2);
      CREATE TABLE h (rowid TEXT, oid TEXT); INSERT INTO h VALUES ('a', 'b');
      CREATE TABLE all_hidden (rowid, _rowid_, oid); INSERT INTO all_hidden VALUES (1, 2, 3);`);
    expect((await session.describeTable(ref('k'), { signal })).key).toEqual(['rowid']);
    expect(await apply(session, 'k', [{ kind: 'update', key: [2], assignments: [{ column: 'v', value: '9' }] }])).toMatchObject([
      { outcome: 'saved' },
    ]);
    expect((await read(session, 'k')).map(({ v }) => v)).toEqual([1, 9]);
    expect((await session.describeTable(ref('h'), { signal })).key).toEqual(['_rowid_']);
    const hidden = await session.describeTable(ref('all_hidden'), { signal });
    expect(hidden.key).toEqual([]);
    expect(hidden.columns[0]?.editable).toMatchObject({
      allowed: false,
      reason: expect.stringMatching(/It has no key/) as string,
    });
  });

  it('lists tables, views and virtual tables, and none of SQLite', async () => {
    const session = await made(
      'CREATE TABLE "Z a" (a INTEGER PRIMARY KEY AUTOINCREMENT); CREATE VIEW v AS SELECT 1 AS one; CREATE VIRTUAL TABLE f USING fts5 (body); INSERT INTO f VALUES (\'words\')',
    );
    expect((await session.listTables({ signal })).map(({ ref: { name }, kind }) => [name, kind])).toEqual([
      ['f', 'table'],
      ['v', 'view'],
      ['Z a', 'table'],
    ]);
    expect(await read(session, 'v')).toEqual([{ one: 1 }]);
    expect((await session.describeTable(ref('v'), { signal })).columns[0]?.editable).toMatchObject({ allowed: false });
    expect((await session.describeTable(ref('f'), { signal })).columns[0]?.editable).toMatchObject({ allowed: false });
  });
});

describe('filters', () => {
  it('cannot be left by a raw condition, and it cannot write', async () => {
    const session = await made("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT); INSERT INTO t VALUES (1, 'x'), (2, 'Y')");
    const raw = (text: string) =>
      read(session, 't', {
        filter: { match: 'all', conditions: [{ column: 'a', operator: 'equals', values: ['1'] }], raw: text },
      });
    expect(await raw("b = 'Y' OR 1")).toHaveLength(1);
    expect(await raw("b <> 'q' -- a notice")).toHaveLength(1);
    for (const text of ['1) OR (1', '1; DELETE FROM t', "'", '(1', '?', '1 /* open', 'no_such_column = 1', '1 = ']) {
      await expect(raw(text), text).rejects.toMatchObject({
        code: expect.stringMatching(/INVALID_INPUT|SERVER_ERROR/) as string,
      });
    }
    await expect(raw("load_extension('x')")).rejects.toThrow();
    await expect(raw('a IN (SELECT a FROM t UNION SELECT a FROM pragma_writable_schema)')).rejects.toThrow();
    expect(await read(session, 't')).toHaveLength(2);
  });

  it('compare letters as “match case” says, and take % and _ for what they are', async () => {
    const session = await made(
      "CREATE TABLE t (a TEXT); INSERT INTO t VALUES ('Straße 50%'), ('strasse'), ('STRA_E'), ('a\\b'), (NULL), ('')",
    );
    const found = async (operator: 'contains' | 'equals' | 'notContains' | 'endsWith', value: string, matchCase?: boolean) =>
      (
        await read(session, 't', {
          filter: {
            match: 'all',
            conditions: [{ column: 'a', operator, values: [value] }],
            ...(matchCase === undefined ? {} : { matchCase }),
          },
        })
      ).map(({ a }) => a);
    expect(await found('contains', 'stra')).toEqual(['Straße 50%', 'strasse', 'STRA_E']);
    expect(await found('contains', 'stra', true)).toEqual(['strasse']);
    expect(await found('contains', '%')).toEqual(['Straße 50%']);
    expect(await found('contains', '_')).toEqual(['STRA_E']);
    expect(await found('contains', '\\')).toEqual(['a\\b']);
    expect(await found('equals', 'STRASSE')).toEqual(['strasse']);
    expect(await found('equals', 'STRASSE', true)).toEqual([]);
    expect(await found('endsWith', '50%', true)).toEqual(['Straße 50%']);
    expect(await found('notContains', 'a')).toEqual([null, '']);
  });

  it('look behind a zero character, with which a text is not empty', async () => {
    const session = await made(
      "CREATE TABLE t (a TEXT); INSERT INTO t VALUES ('x' || char(0) || 'End'), (char(0)), (''), ('end')",
    );
    const count = async (
      operator: 'contains' | 'endsWith' | 'startsWith' | 'isEmpty' | 'isNotEmpty',
      matchCase: boolean,
      value?: string,
    ) =>
      (
        await read(session, 't', {
          filter: {
            match: 'all',
            matchCase,
            conditions: [{ column: 'a', operator, values: value === undefined ? [] : [value] }],
          },
        })
      ).length;
    expect([await count('contains', false, 'eND'), await count('contains', true, 'End')]).toEqual([2, 1]);
    expect([await count('endsWith', false, 'END'), await count('endsWith', true, 'End')]).toEqual([2, 1]);
    expect([await count('startsWith', false, 'X'), await count('endsWith', true, '')]).toEqual([1, 4]);
    expect([await count('isEmpty', false), await count('isNotEmpty', false)]).toEqual([1, 3]);
  });

  it('find text in columns of other kinds, numbers as a whole, and a large number by the digits that are shown', async () => {
    const session = await made(
      `CREATE TABLE t (id INTEGER PRIMARY KEY, n INT, r REAL, f BOOLEAN, b BLOB);
      INSERT INTO t VALUES (1, 'n/a', 1739116158155268400, 'maybe', 'a note'), (2, 312, 1e20, 1, x'6e6f7465'), (3, 12, -9e999, 0, 12)`,
    );
    const found = async (column: string, operator: 'contains' | 'equals' | 'notEquals', value: string) =>
      (await read(session, 't', { filter: { match: 'all', conditions: [{ column, operator, values: [value] }] } })).map(
        ({ id }) => id,
      );
    expect([await found('n', 'contains', 'N/'), await found('n', 'contains', '12')]).toEqual([[1], [3]]);
    expect([await found('f', 'contains', 'may'), await found('f', 'contains', '1.0')]).toEqual([[1], []]);
    // Bytes that spell a text are none.
    expect([await found('b', 'contains', 'note'), await found('b', 'contains', '12.0')]).toEqual([[1], [3]]);
    expect([await found('r', 'equals', '1739116158155268400'), await found('r', 'notEquals', '1739116158155268400')]).toEqual([
      [1],
      [2, 3],
    ]);
    expect([await found('r', 'contains', '1e20'), await found('r', 'contains', '-inf')]).toEqual([[2], [3]]);
    await expect(found('n', 'equals', 'n/a')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describe('changes', () => {
  it('are not made to a row that was changed since it was read, and say what it is now', async () => {
    const session = await made("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT, c INT); INSERT INTO t VALUES (1, 'old', 1)");
    const update = (expected: string) =>
      apply(session, 't', [
        { kind: 'update', key: [1], assignments: [{ column: 'b', value: 'mine' }], expected: [{ column: 'b', value: expected }] },
      ]);
    await run(session, "UPDATE t SET b = 'theirs'");
    expect(await update('old')).toMatchObject([
      {
        outcome: 'failed',
        code: 'CONFLICT',
        column: 'b',
        message: expect.stringMatching(/changed since you read it.*'theirs' now/) as string,
      },
    ]);
    expect(await read(session, 't')).toEqual([{ a: 1, b: 'theirs', c: 1 }]);
    expect(await update('theirs')).toMatchObject([{ outcome: 'saved' }]);
  });

  it('are not made to a row that was seen with a column that the table no longer has', async () => {
    const session = await made("CREATE TABLE t (a INTEGER PRIMARY KEY, z TEXT); INSERT INTO t VALUES (1, 'another'), (2, 'row')");
    const remove = (value: Cell) => apply(session, 't', [{ kind: 'delete', key: [1], expected: [{ column: 'b', value }] }]);
    expect(await remove('seen')).toMatchObject([{ outcome: 'failed', code: 'STRUCTURE_CHANGED', column: 'b' }]);
    expect(await read(session, 't')).toHaveLength(2);
    expect(await remove(ABSENT)).toMatchObject([{ outcome: 'saved' }]);
    expect(await read(session, 't')).toEqual([{ a: 2, z: 'row' }]);
  });

  it('are made all or none, and say which rule of the table forbids one', async () => {
    const session = await made(`
      CREATE TABLE p (id INTEGER PRIMARY KEY);
      CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT UNIQUE, c INT CHECK (c > 0), d INT REFERENCES p (id), e TEXT NOT NULL DEFAULT 'x');
      INSERT INTO t (a, b) VALUES (1, 'one')`);
    const attempt = async (values: Record<string, string | number | null>) => {
      const outcomes = await apply(session, 't', [
        { kind: 'insert', values: [{ column: 'b', value: 'fine' }] },
        { kind: 'insert', values: Object.entries(values).map(([column, value]) => ({ column, value })) },
      ]);
      expect(await read(session, 't')).toHaveLength(1);
      return outcomes;
    };
    expect(await attempt({ b: 'one' })).toMatchObject([{ index: 1, outcome: 'failed', code: 'CONFLICT', column: 'b' }]);
    expect(await attempt({ a: 1 })).toMatchObject([{ outcome: 'failed', code: 'CONFLICT' }]);
    expect(await attempt({ c: -1 })).toMatchObject([{ outcome: 'failed', code: 'INVALID_INPUT' }]);
    expect(await attempt({ d: 5 })).toMatchObject([{ outcome: 'failed', code: 'CONFLICT' }]);
    expect(await attempt({ e: null })).toMatchObject([{ outcome: 'failed', code: 'INVALID_INPUT', column: 'e' }]);
    expect(await apply(session, 't', [{ kind: 'insert', values: [{ column: 'b', value: 'two' }] }])).toEqual([
      { index: 0, outcome: 'saved', key: [2] },
    ]);
    expect(await apply(session, 't', [{ kind: 'insert', values: [] }])).toMatchObject([{ outcome: 'saved', key: [3] }]);
  });

  it('are shown as the statements that make them', async () => {
    const session = await made("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT, c BLOB); INSERT INTO t VALUES (1, 'x', NULL)");
    const texts = await session.edits?.prepare(
      ref('t'),
      [
        {
          kind: 'update',
          key: [1],
          assignments: [
            { column: 'b', value: "it's ?" },
            { column: 'c', value: 'AP8=' },
          ],
          expected: [{ column: 'b', value: 'x' }],
        },
        { kind: 'delete', key: [1] },
        {
          kind: 'delete',
          key: [1],
          expected: [
            { column: 'a', value: 1 },
            { column: 'b', value: 'x' },
          ],
        },
      ],
      { signal },
    );
    expect(texts).toMatchObject([
      { ready: true, text: `UPDATE main."t" SET "b" = 'it''s ?', "c" = x'00ff' WHERE "a" = 1 AND "b" IS 'x'` },
      { ready: true, text: 'DELETE FROM main."t" WHERE "a" = 1' },
      { ready: true, text: `DELETE FROM main."t" WHERE "a" = 1 AND "b" IS 'x'` },
    ]);
  });
});

describe('the console', () => {
  it('runs what writes, and says how many rows; schema changes count none', async () => {
    const session = await made('CREATE TABLE t (a INTEGER PRIMARY KEY, b)');
    expect(await run(session, "INSERT INTO t (b) VALUES ('x'), ('y')")).toMatchObject([{ type: 'done', affectedRows: 2 }]);
    const [created] = await run(session, 'CREATE INDEX i ON t (b)');
    expect(created).toEqual({ type: 'done', truncated: false, milliseconds: expect.any(Number) as number });
    expect(await run(session, 'UPDATE t SET b = upper(b) RETURNING a, b AS a')).toMatchObject([
      { type: 'rowsBegin', columns: [{ name: 'a' }, { name: 'a (2)' }] },
      {
        type: 'rows',
        rows: [
          [1, 'X'],
          [2, 'Y'],
        ],
      },
      { type: 'done', affectedRows: 2 },
    ]);
    await run(session, 'VACUUM');
    expect(await run(session, 'PRAGMA integrity_check')).toMatchObject([{}, { rows: [['ok']] }, {}]);
  });

  it('explains what writes, without running it, also in a file that is opened to be read only', async () => {
    const session = await made(
      'CREATE TABLE t (a INTEGER PRIMARY KEY, b); INSERT INTO t VALUES (1, 2); CREATE VIEW v AS SELECT 1',
    );
    const readOnly = await open(path, { readOnly: true });
    sessions.push(readOnly);
    for (const write of [
      'DELETE FROM t',
      'INSERT OR REPLACE INTO t VALUES (1, 3)',
      'WITH c AS (SELECT 1) UPDATE t SET b = 3 RETURNING a',
      'DROP TABLE t',
      'DROP VIEW v',
      'CREATE TABLE u (a)',
      'ALTER TABLE t RENAME TO u',
      'VACUUM',
    ])
      for (const one of [session, readOnly]) {
        const [begin, ...rest] = await run(one, `EXPLAIN ${write}`);
        expect(begin, write).toMatchObject({
          type: 'rowsBegin',
          columns: [{ name: 'addr' }, { name: 'opcode' }, {}, {}, {}, {}, {}, {}],
        });
        expect(rest.at(-1), write).not.toHaveProperty('affectedRows');
        await expect(run(one, `EXPLAIN QUERY PLAN ${write}`), write).resolves.toBeDefined();
      }
    expect(await read(session, 't')).toEqual([{ a: 1, b: 2 }]);
  });

  it('runs only an EXPLAIN with its permission: a wall behind the classification', async () => {
    await made('CREATE TABLE t (a)');
    const { SqliteDatabase } = await import('./database.ts');
    const database = new SqliteDatabase(path, { readOnly: false, busyMilliseconds: 0, foreignKeys: true });
    for (const text of ['INSERT INTO t VALUES (1)', 'DELETE FROM t RETURNING a', 'CREATE TABLE u (a)', 'VACUUM'])
      expect(() => database.prepare(text, 'explain').run(), text).toThrow(/was not run/);
    for (const text of ['EXPLAIN PRAGMA user_version = 3', 'EXPLAIN ATTACH 1 AS x', 'EXPLAIN CREATE TEMP TABLE x (a)'])
      expect(() => database.prepare(text, 'explain').run(), text).toThrow(/not authorized|authorization denied/);
    database.close();
  });

  it('refuses other files even where the words get past it: SQLite itself asks', async () => {
    const session = await made('CREATE TABLE t (a)');
    const other = join(folder.path, 'other.db');
    await expect(run(session, `ATTACH '${other}' AS o`)).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    await expect(run(session, `VACUUM INTO '${other}'`)).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    const { SqliteDatabase } = await import('./database.ts');
    const database = new SqliteDatabase(path, { readOnly: false, busyMilliseconds: 0, foreignKeys: true });
    for (const text of [
      `ATTACH '${other}' AS o`,
      `ATTACH ('${folder.path}' || '/other.db') AS o`,
      `VACUUM INTO '${other}'`,
      'PRAGMA writable_schema = 1',
      'CREATE TEMP TABLE x (a)',
      'CREATE TABLE temp.t (a)',
      'CREATE VIEW "temp".t AS SELECT 1',
      'CREATE TRIGGER temp.x AFTER INSERT ON main.t BEGIN SELECT 1; END',
    ])
      expect(() => database.prepare(text, 'write').run(), text).toThrow(/not authorized|authorization denied/);
    for (const text of ['INSERT INTO t VALUES (1)', 'DELETE FROM t', 'CREATE TABLE x (a)', 'PRAGMA user_version = 3', 'VACUUM'])
      expect(() => database.prepare(text, 'read').run(), text).toThrow(/not authorized|authorization denied/);
    database.close();
    await expect(stat(other)).rejects.toThrow();
  });

  it('completes tables, columns of the tables that are named, and words; nothing inside a string', async () => {
    const session = await made('CREATE TABLE "odd name" (alpha, "select" INT)');
    const at = async (text: string) =>
      (await session.console?.complete?.(text, text.length, { signal }))?.items.map(({ insert }) => insert) ?? [];
    expect(await at('SELECT * FROM od')).toEqual(['"odd name"']);
    expect(await at('SELECT * FROM "odd name" WHERE al')).toEqual(['alpha', 'ALTER TABLE']);
    expect(await at("SELECT 'al")).toEqual([]);
    expect(await at('SEL')).toEqual(['SELECT']);
  });
});

describe('names longer than the contract carries', () => {
  const wire = 1_000;

  it('of an expression is cut, and stays unique', async () => {
    const session = await made('CREATE TABLE t (n INTEGER)');
    const expression = `CASE ${Array.from({ length: 60 }, (_, index) => `WHEN n = ${index} THEN 'bucket ${index}'`).join(' ')} END`;
    const begin = (await run(session, `SELECT ${expression}, ${expression}, n FROM t`)).find(({ type }) => type === 'rowsBegin');
    const names = begin?.type === 'rowsBegin' ? begin.columns.map(({ name }) => name) : [];
    expect(names).toEqual([expect.stringMatching(/^CASE .*…$/), expect.stringMatching(/^CASE .*… \(2\)$/), 'n']);
    expect(Math.max(...names.map(({ length }) => length))).toBeLessThanOrEqual(wire);
  });

  it('of a table or a column leave the other tables as they are', async () => {
    const session = await made(
      `CREATE TABLE fine (a); CREATE TABLE "${'t'.repeat(wire + 1)}" (a); CREATE TABLE "${'u'.repeat(wire)}" (a); CREATE TABLE odd (a, "${'c'.repeat(wire + 1)}")`,
    );
    const names = (await session.listTables({ signal })).map(({ ref: { name } }) => name);
    expect(names).toEqual(['fine', 'odd', 'u'.repeat(wire)]);
    await expect(session.describeTable(ref('odd'), { signal })).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    await expect(session.describeTable(ref('fine'), { signal })).resolves.toMatchObject({ key: ['rowid'] });
  });
});
