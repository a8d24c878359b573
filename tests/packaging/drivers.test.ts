import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readArchive } from '@tabularium/sdk/cli';
import { verifyPackageFiles } from '@tabularium/sdk/package';
import { driverFolders } from '../../scripts/build/catalogue.ts';
import { buildStale } from '../../scripts/build/buildStale.ts';
import { allTargets } from '../../scripts/build/targets.ts';
import { packDrivers } from '../../scripts/package/driverPackages.ts';
import { root, workFolder } from '../../scripts/paths.ts';

// The drivers of a release, as a person installs them from files.

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tabularium-release-'));
  await buildStale({
    root,
    workFolder,
    targets: allTargets(root).filter(({ group }) => group === 'drivers'),
    log: () => undefined,
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('are all there, each signed by one key of the checkout, and the same bytes the next time', async () => {
  const folders = driverFolders(root);
  const pack = () =>
    packDrivers({ folders: folders.map((name) => join(root, 'drivers', name)), output: folder, keyFolder: join(folder, 'key') });
  const archives = await pack();
  expect(archives.map((file) => basename(file).replace(/-\d.*/, ''))).toEqual(folders.map((name) => `tabularium-driver-${name}`));
  const first = archives.map((file) => readFileSync(file));
  const keys = new Set<string>();
  for (const archive of archives) {
    const verified = await verifyPackageFiles(await readArchive(archive));
    keys.add(verified.ok ? verified.signature.publicKey : verified.message);
    expect(verified.ok).toBe(true);
  }
  expect(keys.size).toBe(1);
  expect((await pack()).map((file) => readFileSync(file))).toEqual(first);
  expect(readdirSync(folder).toSorted()).toEqual(['key', ...archives.map((file) => basename(file))].toSorted());
});
