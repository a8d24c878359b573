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

const namesIn = (source: string): string[] => {
  writeFileSync(join(folder, 'host/src/a.ts'), source);
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
])('a word of the house is found in "%s"', (source, name) => {
  expect(namesIn(source)).toEqual([name]);
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
