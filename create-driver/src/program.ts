import { relative, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { BadAnswer, checkAnswers, isKind, KINDS, suggestions } from './answers.ts';
import type { Answers } from './answers.ts';
import { Cancelled } from './cancelled.ts';
import { writeProject } from './project.ts';
import { facetsOf, SCAFFOLDED_FACETS } from './scaffoldedFacets.ts';
import { shellWord } from './shellWord.ts';
import { WriteFailure } from './writeFailure.ts';

export interface CreateDriverOptions {
  readonly words: readonly string[];
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  readonly folder: string;
  readonly template: string;
}

const usage = `Usage: npm create @tabularium/driver [FOLDER] [-- options]

Creates the project of a new database driver for Tabularium, ready to build, test and run.

  --name NAME    the name of the package (default: tabularium-driver-ID)
  --id ID        the id of the database type (default: made of the folder's name)
  --title TITLE  its name in the window (default: made of the id)
  --kind KIND    what it connects to: ${Object.entries(KINDS)
    .map(([kind, what]) => `${kind} (${what})`)
    .join(', ')}
  --facets LIST  for a server that speaks HTTP: the driver has the server filter, sort and count, and has these facets (or "none"):
${Object.entries(SCAFFOLDED_FACETS)
  .map(([name, { what }]) => `                   ${name.padEnd(10)}${what}`)
  .join('\n')}
  --author NAME  for LICENSE and package.json
  --yes          don't ask: options that aren't given have their defaults, and the kind is "nothing"
  --json         print one line of JSON`;

/** Runs one command line. @returns the exit code */
export async function runCreateDriver(options: CreateDriverOptions): Promise<number> {
  const { stdout, stderr } = options;
  try {
    const given = parse(options.words);
    if (given.help) {
      stdout.write(`${usage}\n`);
      return 0;
    }
    const answers = await complete(given, options);
    checkAnswers(answers);
    const files = await writeProject(answers, options.template);
    const place = relative(options.folder, answers.folder);
    stdout.write(given.json ? `${JSON.stringify({ ...answers, files })}\n` : `${nextSteps(place === '' ? '.' : place, files)}\n`);
    return 0;
  } catch (error) {
    return report(error, stderr);
  }
}

/**
 * Says what went wrong in one sentence, never with a stack.
 *
 * @returns the exit code: 2 for an answer that can't be used, 130 when it was broken off, else 1
 */
export function report(error: unknown, stderr: NodeJS.WritableStream): number {
  if (error instanceof Cancelled) {
    stderr.write('\nCancelled\n');
    return 130;
  }
  const message = error instanceof Error ? error.message : String(error);
  const expected = error instanceof BadAnswer || error instanceof WriteFailure;
  stderr.write(
    expected ? `${message}\n` : `The project can't be made: ${message}. Report this with the command that you gave.\n`,
  );
  return error instanceof BadAnswer ? 2 : 1;
}

interface Given {
  readonly folder: string | undefined;
  readonly name: string | undefined;
  readonly id: string | undefined;
  readonly title: string | undefined;
  readonly kind: string | undefined;
  readonly author: string | undefined;
  readonly facets: string | undefined;
  readonly yes: boolean;
  readonly json: boolean;
  readonly help: boolean;
}

function parse(words: readonly string[]): Given {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: { name: text, id: text, title: text, kind: text, author: text, facets: text, yes: flag, json: flag, help: flag },
    });
    if (positionals.length > 1) throw new BadAnswer(`“${positionals[1] ?? ''}” is an extra argument. Name one folder.`);
    const { name, id, title, kind, author, facets, yes, json, help } = values;
    return { folder: positionals[0], name, id, title, kind, author, facets, yes, json, help };
  } catch (error) {
    if (error instanceof BadAnswer || !(error instanceof TypeError)) throw error;
    throw new BadAnswer(`${error.message.split('. ')[0] ?? ''}. --help says what there is.`, { cause: error });
  }
}

/** Asks for what is not given, where somebody can be asked. */
async function complete(given: Given, { stdin, stderr, folder }: CreateDriverOptions): Promise<Answers> {
  const asks = !given.yes && !given.json && stdin.isTTY === true;
  if (!asks && !given.yes && given.folder === undefined) throw new BadAnswer('Name the folder of the new project, or add --yes.');
  const lines = asks ? createInterface({ input: stdin, output: stderr }) : undefined;
  // Ctrl-C and Ctrl-D close the input. Whether the question then fails or stays open forever depends on the version of Node.
  const closed = new Promise<never>((_resolve, reject) => void lines?.once('close', () => reject(new Cancelled())));
  closed.catch(() => undefined);
  const ask = async (question: string, preset: string): Promise<string> => {
    const answered = lines?.question(`${question} (${preset}): `).catch(() => closed);
    const typed = (await Promise.race([answered, ...(lines === undefined ? [] : [closed])]))?.trim();
    return typed === undefined || typed === '' ? preset : typed;
  };
  try {
    const place = given.folder ?? (await ask('Folder', 'my-driver'));
    const preset = suggestions(place);
    const id = given.id ?? (await ask('Id of the database type', preset.id));
    const title =
      given.title ?? (await ask('Its name in the window', given.id === undefined ? preset.title : suggestions(id).title));
    const name = given.name ?? (await ask('Name of the package', `tabularium-driver-${id}`));
    const facets = chosenFacets(given);
    const served = facets === undefined ? undefined : 'http';
    const kind = given.kind ?? served ?? (await ask(`What it connects to: ${Object.keys(KINDS).join(', ')}`, 'nothing'));
    if (!isKind(kind)) throw new BadAnswer(`There is no kind “${kind}”. Use ${Object.keys(KINDS).join(', ')}.`);
    if (facets !== undefined && kind !== 'http')
      throw new BadAnswer(
        `--facets makes a driver for a server that speaks HTTP, and “${kind}” isn't one. Leave one of them out.`,
      );
    const author = given.author ?? '';
    return { folder: resolve(folder, place), name, id, title, kind, author, ...(facets === undefined ? {} : { facets }) };
  } finally {
    lines?.close();
  }
}

/** @returns undefined where none were asked for */
function chosenFacets({ facets }: Given): Answers['facets'] {
  if (facets === undefined) return undefined;
  const found = facetsOf(facets === 'none' ? '' : facets);
  if (!('unknown' in found)) return found;
  throw new BadAnswer(
    `“${found.unknown}” can't be scaffolded. Use ${Object.keys(SCAFFOLDED_FACETS).join(', ')}, or none. The guide says how to add other facets.`,
  );
}

function nextSteps(place: string, files: readonly string[]): string {
  return [
    `Made ${files.length} files in ${place}. Now:`,
    '',
    ...(place === '.' ? [] : [`  cd ${shellWord(place)}`]),
    '  npm install',
    '  npm test',
    '  npm run dev    (with Tabularium running)',
  ].join('\n');
}
