import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ForeignKey, ReferringKey, Session, TableDescription } from '@tabularium/sdk';
import { temporaryFolder } from './fixture.test-helper.ts';
import { open, ref, signal } from './session.test-helper.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let session: Session | undefined;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(async () => {
  await session?.close();
  await folder.close();
});

/** The foreign keys of `child`, in a file that is made by these statements. */
async function foreignKeysOfChild(sql: string): Promise<readonly ForeignKey[] | undefined> {
  return (await described('child', sql)).foreignKeys;
}

/** The keys that refer to `parent`. */
async function referringKeysOfParent(sql: string): Promise<readonly ReferringKey[] | undefined> {
  return (await described('parent', sql)).referredBy;
}

async function described(table: string, sql: string): Promise<TableDescription> {
  const path = join(folder.path, 'keys.db');
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  database.exec(sql);
  database.close();
  session = await open(path);
  return session.describeTable(ref(table), { signal });
}

it('lead to the columns that the definition names, in its order, by the names of the tables themselves', async () => {
  const keys = await foreignKeysOfChild(`
    CREATE TABLE "Parent" ("Code" TEXT, "No" INT, UNIQUE ("No", "Code"));
    CREATE TABLE child (id INTEGER PRIMARY KEY, boss INT REFERENCES child (ID), no INT, code TEXT,
      FOREIGN KEY (no, code) REFERENCES pARENT ("NO", code));`);
  expect(keys).toEqual([
    { columns: ['boss'], references: ref('child'), referencedColumns: ['id'] },
    { columns: ['no', 'code'], references: ref('Parent'), referencedColumns: ['No', 'Code'] },
  ]);
});

it('lead to the primary key where the definition names no columns, in the order of that key', async () => {
  const keys = await foreignKeysOfChild(`
    CREATE TABLE parent (a INT, b INT, PRIMARY KEY (b, a));
    CREATE TABLE child (x INT, y INT, FOREIGN KEY (x, y) REFERENCES parent);`);
  expect(keys).toEqual([{ columns: ['x', 'y'], references: ref('parent'), referencedColumns: ['b', 'a'] }]);
});

it('are left out where they lead nowhere', async () => {
  const keys = await foreignKeysOfChild(`
    CREATE TABLE keyless (a INT);
    CREATE TABLE pair (a INT, b INT, PRIMARY KEY (a, b));
    CREATE VIEW seen AS SELECT 1 AS a;
    CREATE TABLE child (gone INT REFERENCES nowhere (id), lacking INT REFERENCES keyless (b), without INT REFERENCES keyless,
      part INT REFERENCES pair, shown INT REFERENCES seen (a), own INT REFERENCES sqlite_schema (rootpage),
      twice INT, FOREIGN KEY (twice, twice) REFERENCES pair);`);
  expect(keys).toBeUndefined();
});

it('are named at the table that they refer to, with those of the table itself, however its name is written', async () => {
  const keys = await referringKeysOfParent(`
    CREATE TABLE parent (id INTEGER PRIMARY KEY, a INT, b INT, boss INT REFERENCES PARENT, UNIQUE (a, b));
    CREATE TABLE "Chi""ld" (x INT REFERENCES Parent, y INT, z INT, FOREIGN KEY (y, z) REFERENCES "pareNT" (B, a));
    CREATE TABLE other (id INT REFERENCES elsewhere);
    CREATE TABLE broken (id INT REFERENCES parent (missing));
    CREATE VIEW seen AS SELECT * FROM parent;`);
  expect(keys).toEqual([
    { table: ref('Chi"ld'), columns: ['x'], referencedColumns: ['id'] },
    { table: ref('Chi"ld'), columns: ['y', 'z'], referencedColumns: ['b', 'a'] },
    { table: ref('parent'), columns: ['boss'], referencedColumns: ['id'] },
  ]);
});

it('are absent where no table refers to one, as to a view', async () => {
  const sql =
    'CREATE TABLE parent (id INTEGER PRIMARY KEY); CREATE VIEW seen AS SELECT 1; CREATE TABLE child (id INT REFERENCES seen)';
  expect(await referringKeysOfParent(sql)).toBeUndefined();
});

it('are found among 5,000 tables without a wait', async () => {
  const tables = Array.from({ length: 5_000 }, (_, index) => `CREATE TABLE t${index} (a INT REFERENCES other, b INT)`);
  const { referredBy } = await described(
    'parent',
    `CREATE TABLE parent (id INTEGER PRIMARY KEY); CREATE TABLE child (p INT REFERENCES parent); ${tables.join(';')}`,
  );
  expect(referredBy).toEqual([{ table: ref('child'), columns: ['p'], referencedColumns: ['id'] }]);
  const began = performance.now();
  await session?.describeTable(ref('parent'), { signal });
  expect(performance.now() - began).toBeLessThan(2_000);
});
