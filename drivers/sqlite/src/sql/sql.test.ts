import { describe, expect, it } from 'vitest';
import { judge } from './classify.ts';
import { splitSql } from './split.ts';
import { tokens } from './tokens.ts';

describe('tokens', () => {
  it('cuts a text as SQLite does: strings, names of every kind, blobs, numbers, comments', () => {
    const text = `SELECT 'it''s', "a""b", [c d], \`e\`, x'00ff', 1.5e3, 0x1F, ?1, :n /* ; */ -- ;\n FROM größe`;
    expect(tokens(text).map(({ kind, text: token }) => [kind, token])).toEqual([
      ['word', 'SELECT'],
      ['string', "it's"],
      ['symbol', ','],
      ['name', 'a"b'],
      ['symbol', ','],
      ['name', 'c d'],
      ['symbol', ','],
      ['name', 'e'],
      ['symbol', ','],
      ['blob', "x'00ff'"],
      ['symbol', ','],
      ['number', '1.5e3'],
      ['symbol', ','],
      ['number', '0x1F'],
      ['symbol', ','],
      ['parameter', '?1'],
      ['symbol', ','],
      ['parameter', ':n'],
      ['word', 'FROM'],
      ['word', 'GRÖSSE'],
    ]);
  });

  it.each(["'open", '"open', '[open', "x'0'", "x'zz'", '\u0000', '{'])('rejects %j as SQL', (text) => {
    expect(tokens(text)[0]?.kind).toBe('bad');
  });
});

describe('split', () => {
  it('ends nothing inside strings, comments and the bodies of triggers', () => {
    const text = `SELECT ';'; -- ;
      CREATE TEMP TRIGGER t AFTER INSERT ON a BEGIN SELECT CASE WHEN 1 THEN 2 END; DELETE FROM b; END; SELECT 2 /* ; */ ;;`;
    const found = splitSql(text);
    expect(found.map((statement) => statement.text.slice(0, 12))).toEqual(["SELECT ';'", 'CREATE TEMP ', 'SELECT 2']);
    for (const { text: own, start, end } of found) expect(text.slice(start, end)).toBe(own);
  });

  it.each(['', 'EXPLAIN ', 'explain query plan '])('leaves a trigger after %j whole', (prefix) => {
    const trigger = `${prefix}CREATE TEMPORARY TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM b; DELETE FROM c; END`;
    expect(splitSql(`${trigger}; SELECT 1`).map(({ text }) => text)).toEqual([trigger, 'SELECT 1']);
  });
});

describe('a statement without a condition', () => {
  it.each([
    ['DELETE FROM books', 'books'],
    ['delete from main."my books";', 'my books'],
    ['UPDATE OR IGNORE books SET a = (SELECT 1 FROM c WHERE 1)', 'books'],
    ['WITH c AS (SELECT 1 WHERE 1) UPDATE books SET a = 1 FROM c', 'books'],
    ["UPDATE 'books' SET a = 1", 'books'],
    ["DELETE FROM main.'it''s'", "it's"],
    ['UPDATE replace SET a = 1', 'replace'],
    ['UPDATE OR FAIL ignore SET a = 1', 'ignore'],
  ])('%s names the table of which it changes every row', (text, name) => {
    expect(judge(text).everyRowOf).toEqual({ namespace: [], name });
  });

  it.each([
    'DELETE FROM books WHERE id = 1',
    'UPDATE books SET a = 1 WHERE 1',
    'INSERT INTO books VALUES (1)',
    'SELECT 1',
    'DROP TABLE books',
  ])('%s changes no table whole', (text) => {
    expect(judge(text)).not.toHaveProperty('everyRowOf');
  });
});

describe('classify', () => {
  it.each([
    ['SELECT 1', 'read'],
    ['VALUES (1)', 'read'],
    ['-- note\nselect 1;', 'read'],
    ['WITH RECURSIVE c(x) AS (SELECT 1 UNION SELECT x FROM c) SELECT * FROM c', 'read'],
    ['WITH "insert" AS (SELECT 1) SELECT * FROM "insert"', 'read'],
    ['WITH c AS (SELECT 1) UPDATE t SET a = 1', 'write'],
    ['WITH c AS (SELECT 1) REPLACE INTO t SELECT * FROM c', 'destructive'],
    ['WITH c AS (SELECT 1) DELETE FROM t', 'destructive'],
    ['WITH replace AS (SELECT 1) DELETE FROM t', 'destructive'],
    ['WITH c (a, b) AS NOT MATERIALIZED (VALUES (1, 2)), replace AS (SELECT 1) DELETE FROM t AS replace', 'destructive'],
    ['WITH c AS (SELECT 1)\uFEFFDELETE FROM t AS replace', 'destructive'],
    ['CREATE TRIGGER x AFTER DELETE ON t BEGIN INSERT INTO u VALUES (1); END', 'write'],
    ['CREATE TRIGGER IF NOT EXISTS x AFTER INSERT ON t BEGIN DELETE FROM u; END', 'destructive'],
    ['EXPLAIN QUERY PLAN DROP TABLE t', 'read'],
    ['explain /* x */ WITH c AS (SELECT 1) DELETE FROM t', 'read'],
    // Pragmas take effect while they are prepared.
    ['EXPLAIN PRAGMA user_version = 7', 'destructive'],
    ['EXPLAIN QUERY PLAN PRAGMA user_version = 7', 'destructive'],
    ['EXPLAIN PRAGMA user_version', 'read'],
    ["INSERT INTO t VALUES ('DROP TABLE t')", 'write'],
    ['INSERT OR REPLACE INTO t SELECT 1', 'destructive'],
    ['/* DROP */ UPDATE t SET a = 1', 'write'],
    ['insert /* x */ or -- y\n replace INTO t SELECT 1', 'destructive'],
    ['UPDATE OR REPLACE t SET a = 1', 'destructive'],
    ['INSERT OR IGNORE INTO t SELECT 1', 'write'],
    ['INSERT INTO t VALUES (1) ON CONFLICT DO UPDATE SET a = 2', 'write'],
    ["UPDATE t SET a = replace(a, 'x', 'y')", 'write'],
    ['CREATE TRIGGER x AFTER INSERT ON t BEGIN INSERT OR REPLACE INTO u VALUES (1); END', 'destructive'],
    ["CREATE TRIGGER x AFTER INSERT ON t BEGIN UPDATE u SET a = replace(a, 'x', 'y'); END", 'write'],
    ['CREATE UNIQUE INDEX i ON t (a)', 'write'],
    ['PRAGMA optimize', 'write'],
    ['DELETE FROM t', 'destructive'],
    ['drop index i', 'destructive'],
    ['ALTER TABLE t RENAME TO u', 'write'],
    ['ALTER TABLE t DROP COLUMN c', 'destructive'],
    ['CREATE TABLE t (a)', 'write'],
    ['ANALYZE', 'write'],
    ['REINDEX', 'write'],
    ['VACUUM', 'destructive'],
    ['PRAGMA journal_mode', 'read'],
    ['PRAGMA main.table_info("t")', 'read'],
    ['PRAGMA integrity_check', 'read'],
    ['PRAGMA journal_mode = WAL', 'destructive'],
    ['PRAGMA user_version(7)', 'destructive'],
    ['PRAGMA application_id = -1', 'destructive'],
    ['PRAGMA wal_checkpoint', 'write'],
  ])('%s is a %s', (statement, effect) => {
    expect(judge(statement)).toMatchObject({ effect });
  });

  it.each([
    'CREATE VIRTUAL TABLE v USING fts5(a)',
    'ALTER TABLE t FORGET a',
    'CREATE TRIGGER x BEFORE INSERT ON t BEGIN SELECT RAISE(IGNORE); END',
    'create/**/trigger if not exists x after insert on t begin insert into replaced values (1); end',
  ])('%s is unknown', (statement) => {
    expect(judge(statement)).toMatchObject({ effect: 'write', unknown: true });
  });

  it.each([
    "ATTACH 'x' AS y",
    'attach database "x" as y',
    '/**/DETACH y',
    "VACUUM INTO 'x'",
    "VACUUM main INTO 'x'",
    "SELECT load_extension('x')",
    'SELECT "load_extension" (1)',
    "SELECT WRITEFILE('a', 'b')",
    "SELECT readfile('a')",
    'BEGIN',
    'BEGIN IMMEDIATE',
    'COMMIT',
    'END',
    'ROLLBACK',
    'SAVEPOINT s',
    'RELEASE s',
    'CREATE TEMP TABLE t (a)',
    'CREATE TEMPORARY VIEW v AS SELECT 1',
    'PRAGMA writable_schema = ON',
    'PRAGMA writable_schema',
    'PRAGMA journal_mode = OFF',
    'PRAGMA journal_mode = MEMORY',
    'PRAGMA trusted_schema = ON',
    'PRAGMA foreign_keys = OFF',
    'PRAGMA temp_store_directory = "/tmp"',
    'PRAGMA key = "x"',
    'PRAGMA locking_mode = EXCLUSIVE',
    'PRAGMA synchronous = 0',
    "EXPLAIN ATTACH 'x' AS y",
  ])('%s is refused with a reason', (statement) => {
    expect(() => judge(statement)).toThrow(expect.objectContaining({ code: 'UNSUPPORTED' }));
  });

  it.each([
    '',
    ';',
    '-- nothing',
    'no_such_verb x',
    'SELECT 1; DELETE FROM t',
    "SELECT 'open",
    'SELECT ?',
    'SELECT :a',
    '(',
    '1',
    'WITH c AS (SELECT 1)',
    'EXPLAIN',
    'PRAGMA',
  ])('rejects %j as a statement', (statement) => {
    expect(() => judge(statement)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
  });

  it.each([
    'EXPLAIN EXPLAIN SELECT 1',
    'WITH a AS (SELECT 1) WITH b AS (SELECT 1) SELECT 1',
    'WITH a AS (SELECT 1) EXPLAIN SELECT 1',
  ])('refuses %j, and reads none within the other, however many there are', (statement) => {
    expect(() => judge(statement)).toThrow(/^A statement of SQLite has no (?:EXPLAIN|WITH) behind its (?:EXPLAIN|WITH)\.$/);
    expect(() => judge(statement.replace(/^(?:EXPLAIN|WITH a AS \(SELECT 1\)) /, (first) => first.repeat(15_000)))).toThrow(
      'A statement of SQLite has no',
    );
  });

  it('names the tables, not those of its own WITH, and holds no value in its summary', () => {
    const names = (statement: string): string[] => judge(statement).tables.map(({ name }) => name);
    expect(names('SELECT * FROM a, b AS x, main."c d" JOIN [e] ON a.i = e.i WHERE k IN (SELECT k FROM f)')).toEqual([
      'a',
      'b',
      'c d',
      'e',
      'f',
    ]);
    expect(names('WITH w AS (SELECT 1 FROM inner_one) INSERT OR IGNORE INTO t (a) SELECT * FROM w')).toEqual(['inner_one', 't']);
    expect(names('UPDATE OR FAIL t SET a = 1')).toEqual(['t']);
    expect(names('DROP TABLE IF EXISTS "t 1"')).toEqual(['t 1']);
    expect(names("SELECT * FROM json_each('[1]')")).toEqual([]);
    expect(judge("UPDATE t SET secret = 'hunter2'").summary).not.toContain('hunter2');
  });
});
