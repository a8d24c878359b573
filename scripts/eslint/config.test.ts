import { join } from 'node:path';
import { ESLint } from 'eslint';
import type { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { describe, expect, it } from 'vitest';
import { root } from '../paths.ts';

const eslint = new ESLint({ cwd: root });
/** Without the types of the whole project, which take longer than all the rest. */
const withoutTypes = new ESLint({ cwd: root, overrideConfig: tseslint.configs.disableTypeChecked as Linter.Config });

async function rulesBrokenBy(file: string, code: string, linter = withoutTypes): Promise<(string | null)[]> {
  const [result] = await linter.lintText(code, { filePath: join(root, file) });
  return result?.messages.map(({ ruleId }) => ruleId) ?? [];
}

const runtimeFile = 'scripts/paths.ts';
const testFile = 'scripts/eslint/config.test.ts';
/** An existing file of the smallest project: rules that need types know files that a tsconfig names. */
const typedFile = 'create-driver/src/main.ts';

describe('the lint settings fail on', () => {
  it.each([
    ['any', `export const a = (b: any): number => Number(b);\n`, '@typescript-eslint/no-explicit-any'],
    ['a default export', `export default 1;\n`, 'no-restricted-exports'],
    ['@ts-ignore', `// @ts-ignore because\nexport const a = 1;\n`, '@typescript-eslint/ban-ts-comment'],
    ['@ts-nocheck', `// @ts-nocheck\nexport const a = 1;\n`, '@typescript-eslint/ban-ts-comment'],
    ['a file of more than 600 lines', 'export {};\n'.repeat(601), 'max-lines'],
    ['an upward import', `import '../host/src/runtime/main.ts';\n`, 'house/imports-go-down'],
  ])('%s', async (_name, code, rule) => {
    expect(await rulesBrokenBy(runtimeFile, code)).toContain(rule);
  });

  it.each([
    ['a floating promise', `Promise.resolve(1);\n`, '@typescript-eslint/no-floating-promises'],
    ['a promise as a condition', `if (Promise.resolve(1)) console.log('a');\n`, '@typescript-eslint/no-misused-promises'],
    [
      'a switch that forgets a case',
      `export const a = (b: 'c' | 'd'): void => {\n  switch (b) {\n    case 'c':\n  }\n};\n`,
      '@typescript-eslint/switch-exhaustiveness-check',
    ],
  ])('%s', async (_name, code, rule) => {
    expect(await rulesBrokenBy(typedFile, code, eslint)).toContain(rule);
  });

  it('a composition of more than 150 lines', async () => {
    const lines = (count: number): string => 'export {};\n'.repeat(count);
    expect(await rulesBrokenBy('host/src/runtime/composition.ts', lines(151))).toContain('max-lines');
    expect(await rulesBrokenBy('host/src/runtime/composition.ts', lines(150))).not.toContain('max-lines');
  });

  it('any, whatever a comment says', async () => {
    const code = `// eslint-disable-next-line\nexport const a = (b: any): number => Number(b);\n`;
    expect(await rulesBrokenBy(runtimeFile, code)).toContain('@typescript-eslint/no-explicit-any');
  });

  it('a driver named in the host', async () => {
    const code = `export const isSpecial = (driver: string): boolean => driver === 'search';\n`;
    expect(await rulesBrokenBy('host/src/common/fetchHandler.ts', code)).toContain('house/host-names-no-database');
  });

  it.each(['one[name]', 'one[columnName]', 'one[column.name]', 'one[columns.at(0)?.name]'])(
    'a lookup by the name of a column: %s',
    async (code) => {
      const lines = `export const a = (one, name, columnName, column, columns) => ${code};\n`;
      expect(await rulesBrokenBy('host/src/renderer/grid/model/find.ts', lines)).toContain('no-restricted-syntax');
    },
  );

  it('text that reaches a person unmarked', async () => {
    const rule = 'house/outside-text-has-one-way';
    expect(await rulesBrokenBy('host/src/cli/usageError.ts', `process.stdout.write('a');\n`)).toContain(rule);
    expect(await rulesBrokenBy('host/src/renderer/ui/theme.ts', `document.title = location.hash;\n`)).toContain(rule);
  });

  it('a time that runs from the loading of a module, in a test', async () => {
    const time = 'AbortSignal.timeout(1)';
    const broken = (code: string) => rulesBrokenBy(testFile, code);
    expect(await broken(`export const signal = ${time};\n`)).toContain('no-restricted-syntax');
    expect(await broken(`const signal = ${time};\nexport { signal };\n`)).toContain('no-restricted-syntax');
    expect(await broken(`export const signal = () => ${time};\n`)).not.toContain('no-restricted-syntax');
  });

  it('a request whose signal can lose its source', async () => {
    const rule = 'no-restricted-syntax';
    const file = 'host/src/cli/ownerApi.ts';
    expect(await rulesBrokenBy(file, `export const one = (signal) => new Request('http://a', { signal });\n`)).toContain(rule);
    expect(await rulesBrokenBy(file, `export const two = (more) => new Request('http://a', { ...more });\n`)).toContain(rule);
  });

  it('a button for files that reports the same file only once', async () => {
    const [file, rule] = ['host/src/renderer/plugins/PluginBrowser.tsx', 'no-restricted-syntax'];
    expect(await rulesBrokenBy(file, `export const one = <FileButton onChange={take} />;\n`)).toContain(rule);
    expect(await rulesBrokenBy(file, `export const two = <FileButton resetRef={forget} onChange={take} />;\n`)).not.toContain(
      rule,
    );
  });

  it('tests that are skipped or that keep others from running', async () => {
    const calls = [
      'it.skip',
      'it.only',
      'describe.only',
      'it.todo',
      'it.concurrent.skip',
      'it.skipIf(true)',
      'test.runIf(false)',
    ];
    const lines = calls.map((call) => `${call}('a', () => undefined);`);
    const code = [`import { describe, it, test } from 'vitest';`, ...lines, 'export { describe, it, test };', ''].join('\n');
    const [result] = await withoutTypes.lintText(code, { filePath: join(root, testFile) });
    const broken = result?.messages.filter(({ ruleId }) => ruleId === 'no-restricted-syntax').map(({ line }) => calls[line - 2]);
    expect(broken).toEqual(calls);
  });
});
