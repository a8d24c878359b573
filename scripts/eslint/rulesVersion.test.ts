import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ESLint } from 'eslint';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { rulesVersion } from './rulesVersion.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tabularium-rules-'));
  writeFileSync(join(folder, 'rule.ts'), 'one');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('changes with a rule and with a new table, and not with a test', () => {
  const before = rulesVersion(folder);
  writeFileSync(join(folder, 'rule.test.ts'), 'a test');
  expect(rulesVersion(folder)).toBe(before);
  writeFileSync(join(folder, 'rule.ts'), 'two');
  const changed = rulesVersion(folder);
  expect(changed).not.toBe(before);
  writeFileSync(join(folder, 'table.ts'), '');
  expect(rulesVersion(folder)).not.toBe(changed);
});

it('decides whether a cached file is checked again', async () => {
  const file = join(folder, 'a.js');
  writeFileSync(file, 'debugger;\n');
  const messagesWith = async (reports: boolean): Promise<number> => {
    const house = {
      meta: { name: 'house', version: rulesVersion(folder) },
      rules: {
        rule: { create: (context) => ({ DebuggerStatement: (node) => reports && context.report({ node, message: 'no' }) }) },
      },
    } satisfies ESLint.Plugin;
    const eslint = new ESLint({
      cwd: folder,
      overrideConfigFile: true,
      overrideConfig: { plugins: { house }, rules: { 'house/rule': 'error' } },
      cache: true,
      cacheStrategy: 'content',
      cacheLocation: join(folder, 'cache'),
    });
    return (await eslint.lintFiles(['a.js'])).flatMap(({ messages }) => messages).length;
  };
  expect(await messagesWith(false)).toBe(0);
  // The rule of the cache is still the old one.
  expect(await messagesWith(true)).toBe(0);
  writeFileSync(join(folder, 'rule.ts'), 'two');
  expect(await messagesWith(true)).toBe(1);
});
