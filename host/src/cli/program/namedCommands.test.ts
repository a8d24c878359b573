import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { CommanderError } from 'commander';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../usageError.ts';
import { buildProgram } from './program.ts';

// Every text of this program that names one of its commands in quotation marks.

const source = new URL('../..', import.meta.url).pathname;

interface NamedCommand {
  readonly file: string;
  readonly text: string;
}

function namedCommands(): NamedCommand[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test(-helper)?\.tsx?$|\.browser\./.test(name) && !name.startsWith('renderer/'))
    .flatMap((name) =>
      [
        ...readFileSync(join(source, name), 'utf8').matchAll(
          /(["'`])(tabularium (?:drivers|restore|connections|secrets|mcp config|tokens|tables|serve|doctor|url|open|metrics|import|relevance|logs|backup) ?(?:(?!\1)[^\n])*)\1/g,
        ),
      ].map(([, , text = '']) => ({
        file: relative(source, join(source, name)),
        // A value of the text itself is some word.
        text: text
          .replaceAll(/\$\{grants[^}]*\}/g, 'network')
          .replaceAll(/\$\{[^}]*broken[^}]*\}/g, 'cursor')
          .replaceAll('${typedWord(verb)}', 'rollback')
          .replaceAll('GRANT', 'network')
          .replaceAll(/'?\$\{[^}]*\}'?/g, 'word')
          .replaceAll('<driver>', 'word'),
      })),
    );
}

/** Of advice and checks, which people type as they are. Elsewhere a command may be named without its arguments. */
const WHOLE = /^(?:common\/errors|runtime\/(?:checkup|storage|credentials\/(?!environment)|drivers))/;

class Reached extends Error {}

function program(): Command {
  const reached = (): never => {
    throw new Reached();
  };
  return buildProgram({
    terminal: {
      stdin: Object.assign(Readable.from(['a value']), { isTTY: false }),
      stdout: new PassThrough(),
      stderr: new PassThrough(),
    },
    ...{ folder: '/', version: '1.2.3', env: {}, signal: new AbortController().signal },
    ...{ link: reached, serve: reached, serveHidden: reached, serveDocumentation: reached, restore: reached },
    ...{ useSecretPlace: reached, home: reached, beginAnswer: reached, setExitCode: () => undefined },
  });
}

/** @returns undefined for a command line that is understood */
async function faultOf(text: string): Promise<string | undefined> {
  try {
    await program().parseAsync(text.split(' ').slice(1), { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError || error instanceof UsageError) return error.message;
  }
  return undefined;
}

describe('a command that a text names', () => {
  const commands = namedCommands();

  it('is found in many texts', () => {
    expect(commands.filter(({ file }) => WHOLE.test(file)).length).toBeGreaterThan(15);
  });

  it('is refused while a host runs where it changes the place of secrets, so a text that names it says to stop the host', () => {
    const lines = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !/\.test(-helper)?\.tsx?$|\.browser\./.test(name))
      .flatMap((name) => readFileSync(join(source, name), 'utf8').split('\n'))
      .filter(
        (line) => /tabularium secrets use|\$\{TAKE_UP_AGAIN\}/.test(line) && !line.startsWith('export const TAKE_UP_AGAIN'),
      );
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.filter((line) => !/[Ss]top the host/.test(line))).toEqual([]);
  });

  it.each(commands.filter(({ file }) => WHOLE.test(file)))('is whole in $file: $text', async ({ text }) => {
    expect(await faultOf(text)).toBeUndefined();
  });

  it.each(commands.filter(({ file }) => !WHOLE.test(file)))('exists in $file: $text', ({ text }) => {
    let command: Command | undefined = program();
    const words = text.split(' ').slice(1);
    while (command !== undefined && command.commands.length > 0) {
      const word = words.shift();
      command = command.commands.find((each) => each.name() === word);
    }
    expect(command).toBeDefined();
    const options = words.filter((word) => word.startsWith('--'));
    expect(options.filter((option) => command?.options.every(({ long }) => long !== option))).toEqual([]);
  });
});
