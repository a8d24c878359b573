import type { Argument, Command, Option } from 'commander';
import { boundaryShapes } from '../../common/boundaryShapes.test-helper.ts';
import { ShapeWriter } from '../../common/shapeText.test-helper.ts';
import { commandExamples } from './commandExamples.test-helper.ts';
import { JsonAnswer } from './jsonAnswer.ts';

/** A command that can be run, with the words that name it. */
export interface NamedCommand {
  /** Without the name of the program: `connections add`. */
  readonly words: string;
  readonly command: Command;
}

/** The commands that do something, in the order of the help. */
export function commandsOf(command: Command): NamedCommand[] {
  const below = command.commands.flatMap(commandsOf);
  if (below.length === 0) return [{ words: command.name(), command }];
  const prefix = command.name() === 'tabularium' ? '' : `${command.name()} `;
  return below.map((leaf) => ({ words: prefix + leaf.words, command: leaf.command }));
}

/** The shape of a command's JSON; undefined for one that answers none. */
export function jsonAnswerOf(command: Command): JsonAnswer | undefined {
  return command.options.find((option) => option instanceof JsonAnswer);
}

/** The page of all commands with their arguments and options, in Markdown. */
export function commandReference(program: Command): string {
  const writer = new ShapeWriter(boundaryShapes);
  const sections = commandsOf(program).map(({ words, command }) => {
    const given = command.registeredArguments;
    const options = command.options.filter(({ hidden }) => !hidden);
    const rows = [...given.map(argumentRow), ...options.map(optionRow)];
    return [
      `## \`tabularium ${words}\``,
      `${sentence(command.description())}`,
      `\`\`\`text\ntabularium ${[words, ...given.map(argumentSyntax), ...(options.length > 0 ? ['[options]'] : [])].join(' ')}\n\`\`\``,
      ...(rows.length > 0 ? [['| Argument or option | Meaning |', '| --- | --- |', ...rows].join('\n')] : []),
      ...answerLines(words, jsonAnswerOf(command), writer),
    ].join('\n\n');
  });
  return [
    '# All commands and their options',
    '<!-- Generated from the definitions of the commands by "npm run api". Change those, not this page. -->',
    'This page lists what `tabularium COMMAND --help` prints, for every command. What each one does and answers is in [the `tabularium` command](command-line.md).',
    'Every command exits with 0 when it succeeded, 1 when it failed, 2 when the command line is wrong, and 130 when it was interrupted.',
    'Below a command is the shape of the JSON that it prints, and an example. A command prints one line; the page shows it on several. `?` marks a field that may be absent, and a name that begins with a capital letter is [a shape](#shapes) at the end of the page. The shapes are those of [the procedures](api.md) that the commands call.',
    ...sections,
    '## Shapes',
    ...writer.described().map(({ name, parts }) => `### \`${name}\`\n\n\`\`\`text\n${parts}\n\`\`\``),
  ].join('\n\n');
}

function answerLines(words: string, answer: JsonAnswer | undefined, writer: ShapeWriter): string[] {
  if (answer === undefined) return [];
  return [
    `\`\`\`text\n${writer.parts(answer.schema, 'output', 110)}\n\`\`\``,
    ...(commandExamples[words] ?? []).map(
      ({ line, answer: printed }) => `\`tabularium ${line}\`\n\n\`\`\`json\n${JSON.stringify(printed, null, 2)}\n\`\`\``,
    ),
  ];
}

export function argumentSyntax(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

export function argumentMeaning(argument: Argument): string {
  return joined([argument.description, ...choicesOf(argument)]);
}

export function optionMeaning(option: Option): string {
  const { defaultValue } = option as { readonly defaultValue?: unknown };
  const preset = typeof defaultValue === 'string' || typeof defaultValue === 'number' ? [`default: ${defaultValue}`] : [];
  return joined([option.description, ...choicesOf(option), ...preset, ...(option.mandatory ? ['required'] : [])]);
}

const joined = (parts: readonly string[]): string => parts.filter((part) => part !== '').join('; ');

function argumentRow(argument: Argument): string {
  return row(argumentSyntax(argument), argumentMeaning(argument));
}

function optionRow(option: Option): string {
  return row(option.flags, optionMeaning(option));
}

function choicesOf({ argChoices }: { readonly argChoices?: readonly string[] | undefined }): string[] {
  return argChoices === undefined ? [] : [`one of ${argChoices.join(', ')}`];
}

function row(name: string, meaning: string): string {
  return `| \`${name.replaceAll('|', '\\|')}\` | ${meaning.replaceAll('|', '\\|').replaceAll('<', '\\<')} |`;
}

export function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}
