import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { root } from '../paths.ts';
import { findUntypedValues } from './typedCommands.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tabularium-commands-'));
  mkdirSync(join(folder, 'host/src'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const found = (template: string): number => {
  writeFileSync(join(folder, 'host/src/a.ts'), `const a = \`${template}\`;\n`);
  return findUntypedValues(folder).length;
};

it('a value in a command of a text is one word of a shell: use typedWord, typedOr or typedConnection', () => {
  expect(findUntypedValues(root)).toEqual([]);
});

it.each([
  'Run: tabularium connections confirm ${name}',
  'Run: tabularium connections confirm ${JSON.stringify(name)}',
  'tabularium restore "${file}"',
  '"tabularium drivers allow ${typedWord(id)} ${grants.join(\' \')}".',
  'with "tabularium drivers trust \'${fingerprint}\'"',
  'For ${title}: tabularium operations resume ${run}',
  'Add --yes --confirm ${name}.',
  'Option --map ${name}=',
])('finds one in %s', (template) => {
  expect(found(template)).toBe(1);
});

it.each([
  'Run: tabularium connections confirm ${typedConnection(of)} --code ${typedWord(code)}',
  '"tabularium drivers allow ${typedWord(id)} ${grants.map(typedWord).join(\' \')}".',
  'Run "tabularium connections list" to see ${name}.',
  'Start tabularium serve. Then open ${name}.',
  'tabularium window session\\n${origin}',
  '--set ${assignment}: write field=value',
])('finds none in %s', (template) => {
  expect(found(template)).toBe(0);
});
