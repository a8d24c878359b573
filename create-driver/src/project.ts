import { lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BadAnswer } from './answers.ts';
import type { Answers, Kind } from './answers.ts';
import { facetLines } from './scaffoldedFacets.ts';
import { VERSIONS } from './versions.ts';
import { WriteFailure, writeFailure } from './writeFailure.ts';

/** npm leaves out files that begin with a dot, and reads a .gitignore in a package as its own. */
const DOTTED = /^_(?=git)/;

const CONSOLE = { title: 'Console', language: 'sample', placeholder: 'list planets' };
const CATEGORIES: Readonly<Record<Kind, string>> = { http: 'document', file: 'file', nothing: 'other' };
const TRY_IT: Readonly<Record<Kind, string>> = {
  http: 'Start the sample server (`npm run sample`) and connect to port 8787.',
  file: 'Choose `sample.json` in its form.',
  nothing: 'Its connection needs no more than a name.',
};

const TRY_SERVER = 'Start the sample server (`npm run sample`) and connect to port 8787 with the API key `sample-key`.';
const IN_MEMORY_FILES = [
  '| `src/source.ts` | where the rows come from: begin here                                                  |',
  '| `src/rows.ts`   | filters, sorts and pages over rows in memory, until the database does them            |',
];
const SERVER_FILES = [
  '| `src/link.ts`   | requests to the server, and what its refusals mean: begin here                        |',
  '| `src/tables.ts` | tables and their columns                                                              |',
  '| `src/query.ts`  | filters, sorts and pages in the language of the server                                |',
  '| `src/facets/`   | what the session can do beyond reading tables, one file each                          |',
];

const term = (one: string, other: string): { one: string; other: string } => ({ one, other });

/**
 * Writes the project of a new driver.
 *
 * @param template - the folder of the templates
 * @returns the files, relative to the project
 * @throws BadAnswer when the folder is not empty; WriteFailure when it can't be made or written to
 */
export async function writeProject(
  answers: Answers,
  template: string,
  year = new Date().getFullYear(),
): Promise<readonly string[]> {
  const present = await presentIn(answers.folder);
  if (present.some((name) => name !== '.git'))
    throw new BadAnswer(`The folder ${answers.folder} is not empty. Name one that is new.`);
  const values: Readonly<Record<string, string>> = {
    id: answers.id,
    title: answers.title,
    author: answers.author,
    year: String(year),
    description: descriptionOf(answers),
    tryIt: answers.facets === undefined ? TRY_IT[answers.kind] : TRY_SERVER,
    fileTable: (answers.facets === undefined ? IN_MEMORY_FILES : SERVER_FILES).join('\n'),
  };
  const files = await templateFiles(answers, template);
  const lines = facetLines(answers.facets ?? []);
  const manifest: unknown = JSON.parse(files.get('manifest.json') ?? '{}');
  files.delete('manifest.json');
  files.set('package.json', `${JSON.stringify(packageJson(answers, manifest as object), null, 2)}\n`);
  for (const [path, text] of files) {
    const target = join(answers.folder, path);
    await write(
      answers.folder,
      target,
      text
        .replaceAll(/^( *)\/\/ \{\{(\w+)\}\}\n/gm, (whole, indent: string, name: string) =>
          Object.hasOwn(lines, name) ? (lines[name] ?? []).map((line) => `${indent}${line}\n`).join('') : whole,
        )
        .replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole),
    );
  }
  return [...files.keys()].sort();
}

/** The names in a folder: none where it has yet to be made. */
async function presentIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw writeFailure(error, folder);
  }
  const link = await lstat(folder).catch(() => undefined);
  if (link === undefined) return [];
  throw new WriteFailure(`${folder} is a symbolic link that leads nowhere. Remove the link, or name another folder.`);
}

async function write(folder: string, file: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  } catch (error) {
    throw writeFailure(error, folder);
  }
}

/** The files of the templates that make the project. */
async function templateFiles({ kind, facets }: Answers, template: string): Promise<Map<string, string>> {
  const common = await filesOf(join(template, 'common'));
  if (facets === undefined) return new Map([...common, ...(await filesOf(join(template, kind)))]);
  // The server does what these do in memory.
  common.delete('src/rows.ts');
  const parts = await Promise.all(
    ['server', ...facets.map((name) => join('facets', name))].map((part) => filesOf(join(template, part))),
  );
  return new Map([...common, ...parts.flatMap((part) => [...part])]);
}

async function filesOf(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return new Map(
    await Promise.all(
      files.map(async (entry): Promise<[string, string]> => {
        const file = join(entry.parentPath, entry.name);
        const path = file.slice(folder.length + 1).split(/[\\/]/);
        return [path.map((part) => part.replace(DOTTED, '.')).join('/'), await readFile(file, 'utf8')];
      }),
    ),
  );
}

function descriptionOf({ title }: Answers): string {
  return `Tabularium driver: ${title}.`;
}

function packageJson(answers: Answers, manifest: object): Record<string, unknown> {
  const { name, id, title, kind, author, facets } = answers;
  return {
    // Editors complete and check the manifest by it.
    $schema: './node_modules/@tabularium/sdk/dist/package.schema.json',
    name,
    version: '0.1.0',
    description: descriptionOf(answers),
    keywords: ['tabularium-driver'],
    ...(author === '' ? {} : { author }),
    license: 'MIT',
    type: 'module',
    exports: { '.': './dist/index.js', './package.json': './package.json' },
    files: ['dist/index.js'],
    scripts: {
      dev: 'tabularium-driver dev',
      test: 'vitest run',
      build: 'tsc && tabularium-driver build',
      check: 'npm run build && tabularium-driver check',
      ...(kind === 'http' ? { sample: 'node sample-server.mjs' } : {}),
    },
    devDependencies: VERSIONS,
    engines: { node: '>=20.19' },
    tabularium: {
      manifestVersion: 1,
      id,
      sdk: '^1.0',
      title,
      tagline: descriptionOf(answers),
      category: CATEGORIES[kind],
      icon: 'M4 5h16v14H4zM4 10h16M10 10v9',
      terms: { table: term('Table', 'Tables'), row: term('Row', 'Rows'), column: term('Column', 'Columns') },
      ...manifest,
      reading: { maxSorts: facets === undefined ? 1 : 2 },
      filtering: {
        classes: {
          text: { operators: ['equals', 'contains'] },
          number: { value: 'number', operators: ['equals', 'greaterThan', 'lessThan'] },
        },
        caseControl: { available: false, reason: 'Letter case always counts here.' },
      },
      ...(facets?.includes('console') === true ? { console: CONSOLE } : {}),
    },
  };
}
