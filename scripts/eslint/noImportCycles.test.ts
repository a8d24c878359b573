import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { noImportCycles } from './noImportCycles.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tabularium-cycles-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The rule's messages for `a.ts` among these files. */
function messages(files: Readonly<Record<string, string>>): readonly string[] {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return new Linter({ cwd: folder })
    .verify(
      files['a.ts'] ?? '',
      [
        {
          files: ['**/*.ts'],
          languageOptions: { parser: tseslint.parser },
          plugins: { house: { rules: { 'no-import-cycles': noImportCycles } } },
          rules: { 'house/no-import-cycles': 'error' },
        },
      ],
      join(folder, 'a.ts'),
    )
    .map(({ message }) => message);
}

it('reports an import that closes a cycle, with the way round', () => {
  expect(
    messages({ 'a.ts': `import { b } from './b.ts';`, 'b.ts': `import './c/c.ts';`, 'c/c.ts': `export * from '../a.ts';` }),
  ).toEqual(['This import closes a cycle: a.ts → b.ts → c/c.ts → a.ts. Move what both need to a file of its own.']);
});

it.each([
  ['types', `import type { A } from './a.ts';`],
  ['an import type', `export type B = import('./a.ts').A;`],
  ['a dynamic import', `export const load = () => import('./a.ts');`],
  ['itself', ''],
])('counts a cycle by %s', (_, back) => {
  const files: Readonly<Record<string, string>> =
    back === '' ? { 'a.ts': `import './a.ts';` } : { 'a.ts': `import './b.ts';`, 'b.ts': back };
  expect(messages(files)).toHaveLength(1);
});

it('accepts a file that two others import', () => {
  expect(
    messages({ 'a.ts': `import './b.ts'; import './c.ts';`, 'b.ts': `import './c.ts';`, 'c.ts': `import 'node:fs';` }),
  ).toEqual([]);
});
