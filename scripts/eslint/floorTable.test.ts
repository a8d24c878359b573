import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { root } from '../paths.ts';
import { floorOf, floors, isTestFile } from './floorTable.ts';

const tsconfigSchema = z.object({ references: z.array(z.object({ path: z.string() })).default([]) });

/** The folders of the projects that a tsconfig.json references, relative to the repository. */
function references(folder: string): string[] {
  const json: unknown = JSON.parse(readFileSync(join(root, folder, 'tsconfig.json'), 'utf8'));
  return tsconfigSchema.parse(json).references.map(({ path }) => relative(root, join(root, folder, path)).replaceAll('\\', '/'));
}

const projects = globSync('{sdk,create-driver,host,drivers,registry,scripts,tests}/**/tsconfig.json', {
  cwd: root,
  exclude: ['**/node_modules/**', '**/dist/**', 'create-driver/template/**'],
})
  .map((file) => dirname(file).replaceAll('\\', '/'))
  .filter((folder) => !folder.startsWith('tests/fixtures/'));

/** sdk/tsconfig.json is beside src, those of the host are inside it. */
const floorOfProject = (folder: string) =>
  floorOf(existsSync(join(root, folder, 'src')) && floorOf(folder) === undefined ? `${folder}/src` : folder);

describe('the table of floors', () => {
  it('is what the project references say too', () => {
    for (const project of projects.filter((folder) => folder !== 'tests')) {
      const floor = floorOfProject(project);
      if (floor === undefined) throw new Error(`${project} is on no floor`);
      const allowed = [floor.name, ...floor.mayImport, ...(floor.mayImportTypesOf ?? [])];
      const referenced = references(project).map((folder) => floorOfProject(folder)?.name);
      expect(allowed, project).toEqual(expect.arrayContaining(referenced));
    }
  });

  it('names floors that exist, below the one that imports them', () => {
    const seen = new Set<string>();
    for (const { name, mayImport, mayImportTypesOf = [] } of floors) {
      for (const lower of [...mayImport, ...mayImportTypesOf]) expect([...seen], `${name} → ${lower}`).toContain(lower);
      seen.add(name);
    }
  });

  it('covers every source file', () => {
    const files = globSync('{sdk,create-driver,host,drivers,registry,scripts,tests}/**/*.{ts,tsx}', {
      cwd: root,
      exclude: ['**/node_modules/**', '**/dist/**', '**/.tsbuild/**', 'create-driver/template/**'],
    }).map((file) => file.replaceAll('\\', '/'));
    expect(files.length).toBeGreaterThan(100);
    expect(files.filter((file) => !isTestFile(file) && floorOf(file) === undefined)).toEqual([]);
  });

  it('is built as a whole: the root references every project', () => {
    expect(references('.').sort()).toEqual(projects.sort());
  });
});
