import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RuleTester } from 'eslint';
import tseslint from 'typescript-eslint';
import { afterAll, describe, expect, it } from 'vitest';
import { root } from '../paths.ts';
import { plainWordFaults } from './plainWordList.ts';
import { plainWords } from './plainWords.ts';

RuleTester.describe = describe;
RuleTester.it = it;
RuleTester.itOnly = it;
Object.assign(RuleTester, { afterAll });

const tester = new RuleTester({
  languageOptions: { parser: tseslint.parser, parserOptions: { ecmaFeatures: { jsx: true } } },
});
const code = (text: string, ...options: readonly string[]) => ({ code: text, options: [...options], filename: 'a.tsx' });

tester.run('plain-words', plainWords, {
  valid: [
    code(`const text = "This isn't a number.";`),
    code(`const text = 'There is no backup yet.';`),
    code(`const text = 'The account is no longer valid.';`),
    code(`const text = 'Marks such as ⟨⏎⟩ stand for blank lines.';`),
    code(`const key = 'figures';`),
    code(`import x from './what the author wants.ts';`),
    code(`it('keeps the first value', () => fail('the driver knows it'));`, 'testNames'),
    code('// A pipe has no end of file until its writers close it.', 'comments'),
    code("const text = 'The driver knows it';", 'comments'),
    code('/** Reads `what nobody wants`. */', 'comments'),
  ],
  invalid: [
    { ...code(`const text = 'This is no number.';`), errors: [{ messageId: 'plain' }] },
    { ...code('const text = `“${value}” is no number.`;'), errors: [{ messageId: 'plain' }] },
    { ...code(`const text = 'Nobody told the server.';`), errors: [{ messageId: 'plain' }, { messageId: 'plain' }] },
    { ...code(`const label = 'Figures';`, 'labels'), errors: [{ messageId: 'plain' }] },
    { ...code(`const page = <p>Reading goes on</p>;`), errors: [{ messageId: 'plain' }] },
    { ...code(`it('is built anew', () => {});`, 'testNames'), errors: [{ messageId: 'plain' }] },
    { ...code(`it.each([1])('is built anew', () => {});`, 'testNames'), errors: [{ messageId: 'plain' }] },
    { ...code('it(`is built ${1} time and told`, () => {});', 'testNames'), errors: [{ messageId: 'plain' }] },
    { ...code('// What the driver sends.', 'comments'), errors: [{ messageId: 'plain' }] },
    { ...code('/**\n * The rest is kept\n * by\n * itself.\n */', 'comments'), errors: [{ messageId: 'plain' }] },
  ],
});

/** Pages whose words are plain; a page that becomes plain is added. */
const PLAIN_PAGES = ['README.md', 'docs/reference/errors-host.md', 'docs/reference/errors-driver.md'];

it.each(PLAIN_PAGES)('%s has plain words', (page) => {
  // A line break is a space; code is not a sentence.
  const prose = readFileSync(join(root, page), 'utf8')
    .replaceAll(/```[\s\S]*?```|`[^`]*`/g, '')
    .replaceAll(/\s+/g, ' ');
  expect(plainWordFaults(prose)).toEqual([]);
});
