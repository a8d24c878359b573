import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeMetricsToken } from '../measures/metricsToken.ts';
import { openHome } from '../storage/home.ts';
import type { Home } from '../storage/home.ts';
import { HOME_FILES } from '../storage/homeEntries.ts';
import { backupName } from '../storage/backupName.ts';
import { homeIdentity } from '../storage/homeIdentity.ts';
import { PendingRestore } from '../storage/pendingRestore.ts';
import { errorReport } from '../errors/errorReport.ts';
import type { CheckupFact } from './checked.ts';
import { dataDirectoryFinding } from './dataDirectoryFinding.ts';

const OTHER_USER = 65_534;

let folder: string;
let home: Home;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-directory-'));
  home = await openHome(join(folder, 'home'));
  await homeIdentity(home.folder);
  await writeMetricsToken(home.folder);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** An error is a finding, as `checked` has it. */
async function finding(): Promise<CheckupFact> {
  return dataDirectoryFinding(home).catch((error: unknown) => {
    const { message, advice, details } = errorReport(error);
    return { finding: message, advice: typeof details['advice'] === 'string' ? details['advice'] : advice };
  });
}

describe('the check of the data directory', () => {
  it('finds a sound one sound', async () => {
    expect(await finding()).toEqual({ finding: `${home.folder} belongs to you, and no other user can read it.` });
  });

  it.each([...HOME_FILES, 'cache/catalogue.json', 'trust/registry.json', 'drivers/tiny'])(
    "names %s where it belongs to another user or can't be read",
    async (name) => {
      if (process.platform === 'win32') return;
      const file = join(home.folder, name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, '', { flag: 'a' });
      // Root reads whatever the mode says; only root may give a file away.
      await (process.getuid?.() === 0 ? chown(file, OTHER_USER, OTHER_USER) : chmod(file, 0));
      const { finding: found, advice } = await finding();
      expect(found).toContain(file);
      expect(advice).toMatch(/chown|chmod/);
    },
  );

  it.each(['home-identity.json', 'metrics-token'])('names %s where it has something else, and what to do', async (name) => {
    const file = join(home.folder, name);
    for (const content of ['', 'something else', '{}', '\0'.repeat(100)]) {
      await writeFile(file, content);
      const { finding: found, advice } = await finding();
      expect(found, content).toContain(file);
      expect(advice, content).toMatch(/move the file elsewhere|tabularium metrics on/);
    }
  });

  it.each([
    ['secret-bindings.key', /answer the questions/],
    ['secret-move.json', /Delete the file/],
    ['backups/restore.json', /tabularium restore FILE/],
  ])('names %s where it is damaged, and what to do', async (name, expected) => {
    const file = join(home.folder, name);
    await mkdir(dirname(file), { recursive: true });
    for (const content of ['', 'something else', '{}', '\0'.repeat(100)]) {
      await writeFile(file, content);
      const { finding: found, advice } = await finding();
      expect(found, content).toContain(file);
      expect(advice, content).toMatch(expected);
    }
  });

  it('names a backup that is to be restored and is missing', async () => {
    const restore = new PendingRestore(home.backups);
    const name = backupName(new Date(), 'manual');
    await mkdir(home.backups, { recursive: true });
    await restore.set(name);
    expect((await finding()).finding).toContain(join(home.backups, name));
    await writeFile(join(home.backups, name), '');
    expect((await finding()).advice).toBeUndefined();
  });
});
