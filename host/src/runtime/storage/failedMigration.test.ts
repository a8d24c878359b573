import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openHome } from './home.ts';
import type { Home } from './home.ts';
import { openHomeDatabase } from './homeDatabase.ts';
import type { HomeDatabase } from './homeDatabase.ts';
import { silentLogger } from './logger.ts';
import { MIGRATIONS } from './migrations.ts';

let folder: string;
let home: Home;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-migration-'));
  home = await openHome(join(folder, 'home'));
  open().database[Symbol.dispose]();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const open = (extra: typeof MIGRATIONS = []): HomeDatabase => openHomeDatabase(home, [...MIGRATIONS, ...extra], silentLogger);
const failing = [{ id: '9000-failing', sql: 'ALTER TABLE connections ADD COLUMN name TEXT' }];

function backupsNow(): readonly string[] {
  const { database, backups } = open();
  database[Symbol.dispose]();
  return backups
    .list()
    .filter(({ kind }) => kind === 'migration')
    .map(({ name }) => name);
}

describe('a migration that fails', () => {
  it('is named with its reason, and no other application nor a backup', () => {
    expect(() => open(failing)).toThrow(
      expect.objectContaining({
        code: 'HOME_UNUSABLE',
        message: expect.stringMatching(/could not be converted .*9000-failing failed \(duplicate column name: name\)/) as string,
        advice: expect.not.stringContaining('tabularium restore') as string,
      }),
    );
    // It is as it was.
    open().database[Symbol.dispose]();
  });

  it('makes one backup for one state of the database, however often it is tried', () => {
    for (let time = 0; time < 6; time += 1) expect(() => open(failing)).toThrow();
    const first = backupsNow();
    expect(first).toHaveLength(1);
    using file = new DatabaseSync(join(home.folder, 'tabularium.db'));
    file.exec("INSERT INTO preferences (name, value) VALUES ('test', '1')");
    file.close();
    for (let time = 0; time < 6; time += 1) expect(() => open(failing)).toThrow();
    expect(backupsNow()).toHaveLength(2);
    expect(backupsNow()).toContain(first[0]);
  });
});
