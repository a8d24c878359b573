import type { Argument, Command, Option } from 'commander';
import { argumentMeaning, argumentSyntax, commandsOf, optionMeaning, sentence } from './commandReference.test-helper.ts';

/** The manual page of the command, in the language of `man`. Without version and date: it changes when a command does, and at no release. */
export function manualPage(program: Command): string {
  const commands = commandsOf(program).filter(({ command }) => !isHidden(program, command));
  const lines = [
    '.\\" Generated from the definitions of the commands by "npm run api". Change those, not this page.',
    '.TH TABULARIUM 1 "" "Tabularium" "User Commands"',
    '.SH NAME',
    'tabularium \\- database client whose drivers are plug\\-ins',
    '.SH SYNOPSIS',
    '.B tabularium',
    '.I command',
    '.RI [ arguments ]',
    '.RI [ options ]',
    '.SH DESCRIPTION',
    ...paragraphs(
      sentence(program.description().replace(/\.$/u, '')),
      'A command talks to the host that owns the data directory. Where none runs, the command does the work in its own process.',
      'Every command takes --json and prints one line of JSON then. With --help it lists its own options.',
    ),
    '.SH COMMANDS',
    ...commands.flatMap(({ words, command }) => [
      `.SS "${quoted(['tabularium', words, ...command.registeredArguments.map(argumentSyntax)].join(' '))}"`,
      text(sentence(command.description())),
      ...command.registeredArguments.flatMap(argumentLines),
      ...command.options.filter(({ hidden, long }) => !hidden && long !== '--json').flatMap(optionLines),
    ]),
    '.SH EXIT STATUS',
    ...entry('0', 'The command succeeded.'),
    ...entry('1', 'The command failed.'),
    ...entry('2', 'The command line is wrong.'),
    ...entry('130', 'The command was interrupted.'),
    '.SH ENVIRONMENT',
    ...entry('TABULARIUM_HOME', 'The data directory, where it is another than the usual one.'),
    '.SH FILES',
    ...entry('$XDG_DATA_HOME/tabularium', 'The data directory, usually ~/.local/share/tabularium. Only its owner can read it.'),
    '.SH SEE ALSO',
    '.BR tabularium\\-mcp (1)',
  ];
  return `${lines.join('\n')}\n`;
}

/** Commander has no public member that says it; its help leaves such commands out. */
function isHidden(program: Command, command: Command): boolean {
  const parent = command.parent ?? program;
  return !program.createHelp().visibleCommands(parent).includes(command);
}

function argumentLines(argument: Argument): string[] {
  return entry(argumentSyntax(argument), sentence(argumentMeaning(argument)));
}

function optionLines(option: Option): string[] {
  return entry(option.flags, sentence(optionMeaning(option)));
}

function entry(name: string, meaning: string): string[] {
  return ['.TP', `.B ${text(name)}`, text(meaning)];
}

function paragraphs(...sentences: readonly string[]): string[] {
  return sentences.flatMap((each, index) => (index === 0 ? [text(each)] : ['.PP', text(each)]));
}

/** Text as it is: a hyphen that can be copied, and no line that begins as a request does. */
function text(plain: string): string {
  const escaped = plain.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll(/\s+/gu, ' ');
  return /^[.']/u.test(escaped) ? `\\&${escaped}` : escaped;
}

/** Text as one argument of a request. */
function quoted(plain: string): string {
  return text(plain).replaceAll('"', '""');
}
