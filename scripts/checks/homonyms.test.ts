import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { root } from '../paths.ts';
import { findHomonyms } from './homonyms.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tabularium-homonyms-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(file: string, source: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), source);
}

it('every exported name of the sources means one thing: rename one of two that share a name', () => {
  expect(findHomonyms(root)).toEqual([]);
});

it('names with several declarations are found across floors and packages, whatever they declare', () => {
  write(
    'host/src/cli/a.ts',
    'export interface Pane {}\nexport async function open(): Promise<void> {}\nexport const both = 1;\n',
  );
  write('host/src/renderer/b.tsx', 'export type Pane = string;\n');
  write('sdk/src/c.ts', 'export function open(): void {}\n');
  write('drivers/one/src/d.ts', 'export abstract class both {}\n');
  expect(findHomonyms(folder)).toEqual([
    { name: 'Pane', files: ['host/src/cli/a.ts', 'host/src/renderer/b.tsx'] },
    { name: 'both', files: ['drivers/one/src/d.ts', 'host/src/cli/a.ts'] },
    { name: 'open', files: ['host/src/cli/a.ts', 'sdk/src/c.ts'] },
  ]);
});

it("a re-exported name, a test, the strings of a language and the same part of two drivers aren't homonyms", () => {
  write('host/src/cli/a.ts', 'export interface Pane {}\nconst inner = 1;\nexport { inner };\n');
  write('host/src/cli/b.ts', "export type { Pane } from './a.ts';\nexport const inner = 2;\n");
  write('host/src/cli/a.test.ts', 'export const Pane = 1;\n');
  write('host/src/renderer/i18n/en/pane.ts', 'export const Pane = 1;\n');
  write('drivers/one/src/d.ts', 'export const connect = 1;\n');
  write('drivers/two/src/d.ts', 'export const connect = 1;\n');
  expect(findHomonyms(folder)).toEqual([]);
});
