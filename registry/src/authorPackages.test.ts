import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { publishedVersions } from './publish.ts';
import { startRegistry } from './startRegistry.ts';
import type { RunningRegistry } from './startRegistry.ts';

let folder: string;
let registry: RunningRegistry;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-author-packages-'));
  registry = await startRegistry({ stateFolder: join(folder, 'state') });
});
afterAll(async () => {
  await registry.close();
  await rm(folder, { recursive: true, force: true });
});

const name = '@tabularium-test/sdk';
const documentSchema = z.object({
  versions: z.record(z.string(), z.object({ bin: z.unknown(), dist: z.object({ fileCount: z.number() }) })),
});

async function written(code: string): Promise<string> {
  const project = join(folder, 'sdk');
  await mkdir(join(project, 'dist/inner'), { recursive: true });
  await writeFile(
    join(project, 'package.json'),
    JSON.stringify({ name, version: '1.0.0', bin: { x: 'dist/x.js' }, files: ['dist'] }),
  );
  for (const file of ['README.md', 'LICENSE', 'secret.key', 'dist/inner/more.js']) await writeFile(join(project, file), file);
  await writeFile(join(project, 'dist/x.js'), code);
  return project;
}

describe('a package for authors of drivers', () => {
  it('is served with its files under its own version, and replaced when it changed', async () => {
    expect(await registry.publishForAuthors(await written('1'))).toBe(true);
    expect(await registry.publishForAuthors(await written('1'))).toBe(false);
    const before = (await publishedVersions(registry.url, name)).get('1.0.0');
    expect(await registry.publishForAuthors(await written('2'))).toBe(true);
    const after = await publishedVersions(registry.url, name);
    expect([...after.keys()]).toEqual(['1.0.0']);
    expect(after.get('1.0.0')).not.toBe(before);
    const document = documentSchema.parse(await (await fetch(new URL(name.replace('/', '%2f'), registry.url))).json());
    expect(document.versions['1.0.0']).toMatchObject({ bin: { x: 'dist/x.js' }, dist: { fileCount: 5 } });
  });

  it('is left out of the signed catalogue of drivers', async () => {
    await registry.publishForAuthors(await written('3'));
    expect(registry.catalogue.has(name, '1.0.0')).toBe(false);
  });
});
