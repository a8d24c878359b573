import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { describe, expect, it } from 'vitest';
import { commandExamples } from './commandExamples.test-helper.ts';
import { commandReference, commandsOf, jsonAnswerOf } from './commandReference.test-helper.ts';
import { manualPage } from './manualPage.test-helper.ts';
import { buildProgram } from './program.ts';

const page = readFileSync(new URL('../../../../docs/reference/command-line.md', import.meta.url), 'utf8');

const unused = (): never => {
  throw new Error('not used');
};
const program = buildProgram({
  terminal: { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr },
  folder: '/',
  version: '1.2.3',
  env: {},
  signal: new AbortController().signal,
  link: unused,
  serve: unused,
  serveHidden: unused,
  serveDocumentation: unused,
  restore: unused,
  useSecretPlace: unused,
  home: unused,
  beginAnswer: unused,
  setExitCode: unused,
});

describe('the reference of the command line', () => {
  it.each(commandsOf(program))('has "$words" with all its options', ({ words, command }) => {
    // From where the command is shown to the next one.
    const start = page.indexOf(`\n\`${words}`);
    expect(start).toBeGreaterThan(-1);
    const text = page.slice(start, page.indexOf('\n## ', start));
    for (const option of command.options.filter(({ hidden, long }) => !hidden && long !== '--json')) {
      expect(text).toContain(option.long);
    }
  });

  it.each(commandsOf(program).filter(({ words }) => words !== 'open-url'))(
    'has an example of "$words", in the shape of its answer',
    ({ words, command }) => {
      const examples = commandExamples[words] ?? [];
      expect(examples.length).toBeGreaterThan(0);
      for (const { line, answer } of examples) {
        expect(`${line} `.startsWith(`${words} `)).toBe(true);
        expect(jsonAnswerOf(command)?.schema.parse(answer)).toEqual(answer);
      }
    },
  );

  it('has no example of a command that does not exist', () => {
    const words = new Set(commandsOf(program).map((command) => command.words));
    expect(Object.keys(commandExamples).filter((name) => !words.has(name))).toEqual([]);
  });

  it('replaces a file that a person names by --overwrite alone', () => {
    const writers = commandsOf(program).filter(
      ({ words, command }) =>
        command.options.some(({ long }) => long === '--output') || ['connections export', 'drivers bundle'].includes(words),
    );
    expect(writers.length).toBeGreaterThan(6);
    for (const { words, command } of writers)
      expect([words, command.options.some(({ long }) => long === '--overwrite')]).toEqual([words, true]);
  });

  it('says of every command that it takes --json, and every one does', () => {
    expect(page).toContain('Every command takes `--json`');
    for (const { words, command } of commandsOf(program)) {
      expect([words, command.options.some(({ long }) => long === '--json')]).toEqual([words, true]);
    }
  });
});

it('the page of all options is that of the definitions; "npm run api" writes it', async () => {
  const file = fileURLToPath(new URL('../../../../docs/reference/command-options.md', import.meta.url));
  const text = await format(commandReference(program), { ...(await resolveConfig(file)), parser: 'markdown' });
  await expect(text).toMatchFileSnapshot(file);
});

it('the manual page is that of the definitions; "npm run api" writes it', async () => {
  const file = fileURLToPath(new URL('../../../man/tabularium.1', import.meta.url));
  const page = manualPage(program);
  expect(page).not.toContain('open\\-url');
  await expect(page).toMatchFileSnapshot(file);
});
