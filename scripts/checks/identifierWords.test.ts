import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { root } from '../paths.ts';
import { findHouseWords } from './identifierWords.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tabularium-words-'));
  mkdirSync(join(folder, 'host/src'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const namesIn = (source: string, file = 'host/src/a.ts'): string[] => {
  mkdirSync(join(folder, file, '..'), { recursive: true });
  writeFileSync(join(folder, file), source);
  return findHouseWords(folder).map(({ name }) => name);
};

it("a declared name uses the field's terms: replace a word that is found by its term", () => {
  expect(findHouseWords(root)).toEqual([]);
});

it.each([
  ['const toldOnce = 1;', 'toldOnce'],
  ['class A { #tell(): void {} }', '#tell'],
  ['interface A { readonly laneIdle: number }', 'laneIdle'],
  ['const DESK_MILLISECONDS = 1;', 'DESK_MILLISECONDS'],
  ['function f({ tell }: A): void {}', 'tell'],
  ['const toldTwice = 1;', 'toldTwice'],
  ['const MOST_ROWS_KEPT = 1;', 'MOST_ROWS_KEPT'],
])('a word of the house is found in "%s"', (source, name) => {
  expect(namesIn(source)).toEqual([name]);
});

it.each([
  'drivers/search/src/a.ts',
  'drivers/sqlite/src/sql/a.ts',
  'tests/e2e/a.test.ts',
  'tests/conformance/a.ts',
  'scripts/a.ts',
  'registry/src/a.ts',
  'create-driver/src/a.ts',
  'create-driver/template/http/src/a.ts',
  'host/src/renderer/a.tsx',
])('a word of the house is found in %s', (file) => {
  expect(namesIn('const keptRows = 1;', file)).toEqual(['keptRows']);
});

it('a name that others read already stays in its files, and nowhere else', () => {
  expect(namesIn('const counts = { kept: 0 };', 'sdk/src/testing/report.ts')).toEqual([]);
  expect(namesIn('const counts = { kept: 0 };', 'sdk/src/testing/other.ts')).toEqual(['kept']);
});

it.each([
  '// What is told of it.',
  "const text = 'Nobody told the desk.';",
  'const plane = 1; const intelligent = 2; const desktop = 3; const scenery = 4;',
  'other.tell(1);',
  "import { tell } from 'other';",
])('"%s" declares none', (source) => {
  expect(namesIn(source)).toEqual([]);
});
