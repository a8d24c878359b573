import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { root, workFolder } from '../paths.ts';
import { buildStale } from './buildStale.ts';
import { driverFolders } from './catalogue.ts';
import { allTargets } from './targets.ts';

// The bills of materials that travel in our packages, held against the lock file and against npm's own.

const billSchema = z.object({
  components: z.array(
    z.looseObject({
      name: z.string(),
      version: z.string(),
      purl: z.string(),
      licenses: z.array(z.looseObject({ license: z.looseObject({ id: z.string() }).optional() })).optional(),
    }),
  ),
});
const lockSchema = z.object({
  packages: z.record(z.string(), z.looseObject({ version: z.string().optional(), license: z.string().optional() })),
});

const packages = ['sdk', 'create-driver', 'host', ...driverFolders(root).map((name) => `drivers/${name}`)];
const read = (folder: string, file: string): string => readFileSync(join(root, folder, 'dist', file), 'utf8');
const billOf = (folder: string): z.output<typeof billSchema>['components'] =>
  billSchema.parse(JSON.parse(read(folder, 'sbom.cdx.json'))).components;

/** The packages of the lock file: `name@version`, and the licence that the package states. */
const locked = new Map(
  Object.entries(lockSchema.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))).packages).flatMap(
    ([place, { name, version, license }]): [string, string | undefined][] =>
      place === '' || version === undefined
        ? []
        : [[`${typeof name === 'string' ? name : place.slice(place.lastIndexOf('node_modules/') + 13)}@${version}`, license]],
  ),
);

/** The repository's manifests alone, without development dependencies: npm leaves out what any workspace names as one, also where another runs with it. */
function withoutDevelopment(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tabularium-bill-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const file of ['package.json', 'package-lock.json', ...packages.map((name) => `${name}/package.json`)]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    const content = JSON.parse(readFileSync(join(root, file), 'utf8'), (key, value: unknown) =>
      key === 'devDependencies' ? undefined : value,
    ) as unknown;
    writeFileSync(join(folder, file), JSON.stringify(content));
  }
  return folder;
}

beforeAll(() => buildStale({ root, workFolder, targets: allTargets(root), log: () => undefined }));

describe('the bill of materials', () => {
  it.each(packages)('of %s names packages of the lock file, by the same version and licence', (folder) => {
    const components = billOf(folder);
    for (const { name, version, licenses } of components) {
      expect([...locked.keys()]).toContain(`${name}@${version}`);
      const license = locked.get(`${name}@${version}`);
      if (license !== undefined && !license.includes(' ')) expect(licenses?.[0]?.license?.id, name).toBe(license);
    }
    expect(components.length > 0).toBe(folder !== 'create-driver');
  });

  it.each(['sdk', 'host'])('of %s has everything that npm would install with it', (folder) => {
    const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--omit', 'dev', '--workspace', folder];
    const text = execFileSync('npm', args, { cwd: withoutDevelopment(), encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const npms = billSchema
      .parse(JSON.parse(text))
      .components.filter(({ purl }) => !purl.startsWith(`pkg:npm/%40tabularium/${folder}@`));
    expect(npms.length).toBeGreaterThan(3);
    const ours = billOf(folder).map(({ purl }) => purl);
    for (const { purl } of npms) expect(ours).toContain(purl);
  });

  it('of the host names what the window bundles, what the command bundles and what is installed beside them', () => {
    const names = billOf('host').map(({ name }) => name);
    for (const name of [
      'react',
      '@mantine/core',
      '@codemirror/view',
      'undici',
      'tsyringe',
      '@napi-rs/keyring',
      '@tabularium/sdk',
    ]) {
      expect(names).toContain(name);
    }
    for (const name of ['vitest', 'eslint', 'electron', 'playwright-core']) expect(names).not.toContain(name);
  });

  it('of a driver names the SDK that it bundles', () => {
    expect(billOf('drivers/search').map(({ name }) => name)).toContain('@tabularium/sdk');
  });

  it.each(packages)('of %s has its licences beside it', (folder) => {
    const notices = read(folder, 'THIRD-PARTY-NOTICES.txt');
    for (const { name } of billOf(folder)) expect(notices).toContain(`\n${name} `);
  });

  it.each(packages)('of %s names no folder of this machine', (folder) => {
    expect(read(folder, 'sbom.cdx.json') + read(folder, 'THIRD-PARTY-NOTICES.txt')).not.toContain(root);
  });
});
