import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ForeignKey, Session } from '@tabularium/sdk';
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
  const path = join(folder.path, 'keys.db');
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  database.exec(sql);
  database.close();
  session = await open(path);
  return (await session.describeTable(ref('child'), { signal })).foreignKeys;
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
