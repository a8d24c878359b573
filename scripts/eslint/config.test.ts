import { join } from 'node:path';
import { ESLint } from 'eslint';
import { describe, expect, it } from 'vitest';
import { root } from '../paths.ts';

const eslint = new ESLint({ cwd: root });

/** Lints `code` as though it stood in an existing file: type-aware rules only know files that a tsconfig names. */
async function rulesBrokenBy(file: string, code: string): Promise<(string | null)[]> {
  const [result] = await eslint.lintText(code, { filePath: join(root, file) });
  return result?.messages.map(({ ruleId }) => ruleId) ?? [];
}

const runtimeFile = 'scripts/paths.ts';
const testFile = 'scripts/eslint/config.test.ts';

describe('the lint settings fail on', () => {
  it.each([
    ['any', `export const a = (b: any): number => Number(b);\n`, '@typescript-eslint/no-explicit-any'],
    ['a default export', `export default 1;\n`, 'no-restricted-exports'],
    ['@ts-ignore', `// @ts-ignore because\nexport const a = 1;\n`, '@typescript-eslint/ban-ts-comment'],
    ['@ts-nocheck', `// @ts-nocheck\nexport const a = 1;\n`, '@typescript-eslint/ban-ts-comment'],
    ['a floating promise', `Promise.resolve(1);\n`, '@typescript-eslint/no-floating-promises'],
    ['a file of more than 600 lines', 'export {};\n'.repeat(601), 'max-lines'],
    ['an upward import', `import '../host/src/runtime/main.ts';\n`, 'house/imports-go-down'],
  ])('%s', async (_name, code, rule) => {
    expect(await rulesBrokenBy(runtimeFile, code)).toContain(rule);
  });

  it('any, whatever a comment says', async () => {
    const code = `// eslint-disable-next-line\nexport const a = (b: any): number => Number(b);\n`;
    expect(await rulesBrokenBy(runtimeFile, code)).toContain('@typescript-eslint/no-explicit-any');
  });

  it('a driver named in the host', async () => {
    const code = `export const isSpecial = (driver: string): boolean => driver === 'search';\n`;
    expect(await rulesBrokenBy('host/src/common/fetchHandler.ts', code)).toContain('house/host-names-no-database');
  });

  it('text that reaches a person unmarked', async () => {
    const rule = 'house/outside-text-has-one-way';
    expect(await rulesBrokenBy('host/src/cli/usageError.ts', `process.stdout.write('a');\n`)).toContain(rule);
    expect(await rulesBrokenBy('host/src/renderer/ui/theme.ts', `document.title = location.hash;\n`)).toContain(rule);
  });

  it.each(['it.skip', 'it.only', 'describe.only', 'it.todo', 'it.concurrent.skip', 'it.skipIf(true)', 'test.runIf(false)'])(
    '%s',
    async (call) => {
      const code = `import { describe, it, test } from 'vitest';\n${call}('a', () => undefined);\nexport { describe, it, test };\n`;
      expect(await rulesBrokenBy(testFile, code)).toContain('no-restricted-syntax');
    },
  );
});
