import { DatabaseSync } from 'node:sqlite';
import type { Session } from '@tabularium/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apply, open, ref, signal } from '../session.test-helper.ts';
import { temporaryFolder } from '../fixture.test-helper.ts';
import { holdClassifier } from './lossProperty.test-helper.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.close());

it('a read changes nothing and a write loses no row, whatever the schema', async () => {
  const seen = await holdClassifier(folder.path, 80);
  // The test has looked at something only if each kind came, and did something.
  for (const kind of ['read', 'write changed', 'destructive lost', 'unknown']) expect(seen[kind] ?? 0).toBeGreaterThan(0);
});

describe('by what SQLite makes of it', () => {
  let session: Session;

  beforeAll(async () => {
    const path = `${folder.path}/known.db`;
    const database = new DatabaseSync(path);
    database.exec(`
      CREATE TABLE plain (id INTEGER PRIMARY KEY, a);
      CREATE TABLE trap (a UNIQUE ON CONFLICT REPLACE, b);
      CREATE TABLE bare (id INTEGER PRIMARY KEY ON CONFLICT REPLACE, b);
      CREATE TABLE parent (id INTEGER PRIMARY KEY);
      CREATE TABLE child (p REFERENCES parent (id) ON UPDATE CASCADE ON DELETE CASCADE, u UNIQUE ON CONFLICT REPLACE);
      CREATE TABLE first (a); CREATE TABLE second (a); CREATE TABLE logged (a); CREATE TABLE log (a);
      CREATE TRIGGER one AFTER INSERT ON first BEGIN INSERT INTO second VALUES (new.a); END;
      CREATE TRIGGER two AFTER INSERT ON second BEGIN DELETE FROM plain WHERE a = new.a; END;
      CREATE TRIGGER notes AFTER INSERT ON logged BEGIN INSERT INTO log VALUES (new.a); END;
      CREATE VIEW shown AS SELECT * FROM plain;
      CREATE TRIGGER three INSTEAD OF UPDATE ON shown BEGIN DELETE FROM plain; END;
      CREATE VIRTUAL TABLE words USING fts5 (body);
      CREATE TABLE indexed (a);
      CREATE TRIGGER four AFTER INSERT ON indexed BEGIN INSERT INTO words VALUES (new.a); END;
      INSERT INTO trap VALUES (1, 'kept');
    `);
    database.close();
    session = await open(path);
  });
  afterAll(() => session.close());

  it.each([
    ['INSERT INTO plain (a) VALUES (1)', 'write'],
    ['UPDATE plain SET a = 1', 'write'],
    ['UPDATE plain SET id = id + 1', 'write'],
    ['INSERT INTO plain VALUES (1, 2) ON CONFLICT DO UPDATE SET a = 3', 'write'],
    ['WITH RECURSIVE n (i) AS (SELECT 1 UNION SELECT i + 1 FROM n WHERE i < 5) INSERT INTO plain (a) SELECT i FROM n', 'write'],
    ['UPDATE parent SET id = id + 1', 'write'],
    ['INSERT INTO logged VALUES (1) RETURNING a', 'write'],
    ['INSERT INTO trap VALUES (1, 2)', 'destructive'],
    ['INSERT OR ABORT INTO trap VALUES (1, 2)', 'write'],
    ['UPDATE trap SET a = 1', 'destructive'],
    ['UPDATE trap SET b = 1', 'write'],
    ['INSERT INTO bare VALUES (1, 2)', 'destructive'],
    ['INSERT INTO child VALUES (1, 2)', 'destructive'],
    ['INSERT INTO first VALUES (1)', 'destructive'],
    ['UPDATE shown SET a = 1', 'destructive'],
    ["INSERT INTO words (words) VALUES ('delete-all')", 'unknown'],
    ['INSERT INTO indexed VALUES (1)', 'unknown'],
    ['INSERT INTO not_yet VALUES (1)', 'unknown'],
  ])('%s is %s', async (statement, effect) => {
    const found = await session.console?.classify(statement, { signal });
    expect(found?.unknown === true ? 'unknown' : found?.effect).toBe(effect);
  });

  it('an edited row replaces no other, and one that sets off a loss says so', async () => {
    const insert = (values: Readonly<Record<string, number>>) =>
      ({ kind: 'insert', values: Object.entries(values).map(([column, value]) => ({ column, value })) }) as const;
    const prepared = async (table: string) => session.edits?.prepare(ref(table), [insert({ a: 1 })], { signal });
    expect(await prepared('trap')).toMatchObject([{ ready: true, text: expect.stringMatching(/^INSERT OR ABORT /) as string }]);
    expect((await prepared('trap'))?.[0]).not.toHaveProperty('effect');
    expect((await prepared('plain'))?.[0]).not.toHaveProperty('effect');
    for (const table of ['first', 'second', 'indexed'])
      expect(await prepared(table)).toMatchObject([{ ready: true, effect: 'destructive' }]);
    expect(await apply(session, 'trap', [insert({ a: 1, b: 2 })])).toMatchObject([{ outcome: 'failed', code: 'CONFLICT' }]);
  });
});
