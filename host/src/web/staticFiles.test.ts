import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { StaticFiles } from './staticFiles.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-static-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Puts another version of the window in the place of the one that is there. */
async function install(version: string): Promise<void> {
  await rm(join(folder, 'assets'), { recursive: true, force: true });
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), version);
  await writeFile(join(folder, 'assets', `part-${version}AAAAAAAA.js`), `part of ${version}`);
}

const partOf = async (files: StaticFiles, version: string): Promise<string | undefined> =>
  (await files.find(`assets/part-${version}AAAAAAAA.js`)?.read())?.toString();

it('serves the parts of a version whose windows are open, after an update has taken them away', async () => {
  await install('one');
  const files = new StaticFiles(folder);
  await files.refresh();
  // Nothing of it was asked for yet; it is read all the same.
  await wait(200);
  await install('two');
  expect(await partOf(files, 'one')).toBe('part of one');
  await files.refresh();
  expect((await files.find('index.html')?.read())?.toString()).toBe('two');
  expect([await partOf(files, 'one'), await partOf(files, 'two')]).toEqual(['part of one', 'part of two']);
});

it('forgets the parts of versions long gone', async () => {
  const files = new StaticFiles(folder);
  for (const version of ['one', 'two', 'three', 'four']) {
    await install(version);
    await files.refresh();
    expect(await partOf(files, version)).toBe(`part of ${version}`);
  }
  expect(await partOf(files, 'one')).toBeUndefined();
  expect(await partOf(files, 'two')).toBe('part of two');
});

it('names a file that went away before it was read', async () => {
  await install('one');
  const files = new StaticFiles(folder);
  await files.refresh();
  await rm(join(folder, 'index.html'));
  await expect(files.find('index.html')?.read()).rejects.toMatchObject({ code: 'ENOENT' });
});
