import { parseArgs } from 'node:util';
import { CLI_ERRORS, CliError } from './cliError.ts';
import { COMMANDS } from './commands/index.ts';
import type { Command, CommandContext, OptionSpecs } from './commands/command.ts';
import { KeyStore, keyFolder } from './keys/keyStore.ts';
import { openSystemStore } from './keys/systemStore.ts';
import type { SystemStore } from './keys/systemStore.ts';
import type { Terminal } from './terminal.ts';

export interface ProgramOptions {
  readonly words: readonly string[];
  readonly terminal: Terminal;
  readonly env: NodeJS.ProcessEnv;
  readonly folder: string;
  readonly version: string;
  readonly signal: AbortSignal;
  /** Default: the operating system's. */
  readonly systemStore?: () => Promise<SystemStore>;
}

const NAME = 'tabularium-driver';
const COMMON = {
  json: { type: 'boolean', help: 'print one line of JSON instead' },
  help: { type: 'boolean', help: 'say what the command does' },
} as const;

/** Runs one command line. @returns the exit code */
export async function runDriverProgram(options: ProgramOptions): Promise<number> {
  const { terminal, words } = options;
  const print = (text: string): void => void terminal.stdout.write(`${text}\n`);
  const json = words.slice(0, words.includes('--') ? words.indexOf('--') : undefined).includes('--json');
  try {
    const command = findCommand(words);
    if (command === undefined) {
      if (words[0] === '--version') print(options.version);
      else if (words.length === 0 || words.some((word) => word === '--help' || word === 'help')) print(overview());
      else throw usage(`There is no command "${words.filter((word) => !word.startsWith('-')).join(' ')}".`);
      return words.length === 0 ? CLI_ERRORS.USAGE : 0;
    }
    const input = parse(command, words.slice(command.name.split(' ').length));
    if (input === undefined) {
      print(helpOf(command));
      return 0;
    }
    const context: CommandContext = {
      terminal,
      env: options.env,
      get folder() {
        return options.folder;
      },
      signal: options.signal,
      keys: new KeyStore(keyFolder(options.env), options.systemStore ?? openSystemStore),
      json,
      say: (line) => void (json || terminal.stderr.write(`${line}\n`)),
    };
    const { facts, text, exitCode = 0 } = await command.run(input, context);
    if (json) print(JSON.stringify(facts));
    else if (text !== '') print(text);
    return exitCode;
  } catch (error) {
    return report(error, { terminal, json, signal: options.signal });
  }
}

function findCommand(words: readonly string[]): Command | undefined {
  return [2, 1]
    .map((count) => COMMANDS.find(({ name }) => name === words.slice(0, count).join(' ')))
    .find((found) => found !== undefined);
}

/** @returns undefined when help was asked for */
function parse(command: Command, words: readonly string[]): Parameters<Command['run']>[0] | undefined {
  const end = words.indexOf('--');
  const rest = end === -1 ? [] : words.slice(end + 1);
  if (rest.length > 0 && command.takesRest !== true) throw usage(`${NAME} ${command.name} takes nothing after "--".`);
  const specs = { ...command.options, ...COMMON };
  let parsed;
  try {
    parsed = parseArgs({
      args: [...(end === -1 ? words : words.slice(0, end))],
      allowPositionals: true,
      options: Object.fromEntries(Object.entries(specs).map(([name, { type }]) => [name, { type }])),
    });
  } catch (cause) {
    const why = cause instanceof Error ? (cause.message.split('. ')[0] ?? '') : '';
    throw usage(`${why}.`, command, cause);
  }
  if (parsed.values['help'] === true) return undefined;
  if (parsed.positionals.length > command.most)
    throw usage(`${NAME} ${command.name} does not take "${parsed.positionals[command.most] ?? ''}".`, command);
  const values = parsed.values as Readonly<Record<string, string | boolean | undefined>>;
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, { type }]) => [name, values[name] ?? (type === 'boolean' ? false : undefined)]),
  );
  return { operands: parsed.positionals, options, rest };
}

function usage(message: string, command?: Command, cause?: unknown): CliError {
  const help = command === undefined ? `${NAME} --help` : `${NAME} ${command.name} --help`;
  return new CliError('USAGE', message, `${help} says what there is.`, { cause });
}

function report(error: unknown, { terminal, json, signal }: { terminal: Terminal; json: boolean; signal: AbortSignal }): number {
  const known = knownError(error, signal);
  const { code, message, advice, facts } = known;
  if (json && code !== 'USAGE') terminal.stdout.write(`${JSON.stringify({ error: { code, message, advice, ...facts } })}\n`);
  else terminal.stderr.write(`${message}\n${advice}\n`);
  return CLI_ERRORS[code];
}

function knownError(error: unknown, signal: AbortSignal): CliError {
  // First: whatever a process that was interrupted too has failed with is a consequence.
  if (signal.aborted) return new CliError('CANCELLED', 'Interrupted.', 'Nothing further was done.', { cause: error });
  if (error instanceof CliError) return error;
  // A package that no host would install, found while it was signed.
  if (error instanceof Error && error.name === 'PackageFault')
    return new CliError('CHECK_FAILED', error.message, `${NAME} check looks at everything at once.`, { cause: error });
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new CliError('INTERNAL', `${NAME} failed unexpectedly: ${what}`, 'Report this with the command that you gave.', {
    cause: error,
  });
}

function overview(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length)) + 2;
  return [
    `Usage: ${NAME} COMMAND [options]`,
    '',
    'Builds, checks, signs and publishes a database driver for Tabularium.',
    '',
    ...COMMANDS.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`),
    '',
    `${NAME} COMMAND --help says more. Every command takes --json.`,
  ].join('\n');
}

/** The output of `--help`. */
function helpOf(command: Command): string {
  const all: OptionSpecs = { ...command.options, ...COMMON };
  const specs = Object.entries(all).map(
    ([name, { value, help }]) => [`--${name}${value === undefined ? '' : ` ${value}`}`, help] as const,
  );
  const width = Math.max(...specs.map(([left]) => left.length)) + 2;
  const operands = command.operands === undefined ? '' : ` ${command.operands}`;
  const rest = command.takesRest === true ? ' [-- OPTIONS OF NPM]' : '';
  return [
    `Usage: ${NAME} ${command.name}${operands} [options]${rest}`,
    '',
    command.summary,
    '',
    ...specs.map(([left, help]) => `  ${left.padEnd(width)}${help}`),
  ].join('\n');
}
