import { readdir } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { z } from 'zod';
import type { PackageFiles } from '../../package/files.ts';
import { travellingPackageJson } from '../../package/travelling.ts';
import { PACKAGE_LIMITS } from '../../package/files.ts';
import { issueSentence } from '../../issueText.ts';
import { CliError, systemCodeOf } from '../cliError.ts';
import { NOTICE_FILES } from '../notices/writeNotices.ts';
import { filesToPack } from './filesToPack.ts';
import type { FileToPack } from './filesToPack.ts';
import { NotRegularFile, regularFileContent, regularFileText } from './regularFileContent.ts';

const sourceSchema = z.looseObject({
  name: z.string(),
  version: z.string(),
  keywords: z.array(z.string()).default([]),
  files: z.array(z.string()).optional(),
  scripts: z.record(z.string(), z.unknown()).optional(),
});

/** A package.json of the source folder, unchanged. */
export type DriverSource = z.output<typeof sourceSchema>;

const CHECK = { id: 'contents', title: 'The files that are to ship are in the folder' };
const ALWAYS_PACKED = /^(readme|changelog|licen[cs]e|notice)(\.[a-z]+)?$/i;

/** @throws CliError `PROJECT_INVALID` */
export async function readDriverSource(folder: string): Promise<DriverSource> {
  const file = join(folder, 'package.json');
  let text: string;
  try {
    text = await regularFileText(file);
  } catch (cause) {
    if (cause instanceof NotRegularFile)
      throw new CliError('PROJECT_INVALID', `${cause.message}.`, 'Put the package.json of the driver in its place.', { cause });
    throw new CliError(
      'PROJECT_INVALID',
      `${file} cannot be read (${systemCodeOf(cause) ?? 'no reason given'}).`,
      'Run the command in the folder of a driver, or name the folder with --folder.',
      { cause },
    );
  }
  if (text.startsWith('\uFEFF'))
    throw new CliError(
      'PROJECT_INVALID',
      `${file} begins with a byte order mark (BOM), which JSON does not allow.`,
      'Save the file as UTF-8 without BOM.',
    );
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : '';
    throw new CliError('PROJECT_INVALID', `${file} is not JSON: ${why}.`, 'Correct the file.', { cause });
  }
  const parsed = sourceSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new CliError(
    'PROJECT_INVALID',
    `${file} isn't a package's: ${issue === undefined ? 'It cannot be read.' : issueSentence(issue, 'the whole file')}`,
    'Give it a name and a version, and correct what is named.',
  );
}

async function filesBelow(folder: string, path: string): Promise<readonly FileToPack[]> {
  return filesToPack(folder, path, CHECK).catch((cause: unknown) => {
    if (cause instanceof CliError) throw cause;
    const glob = /[*?{!]/.test(path) ? ' Patterns are not read here: name files and folders.' : '';
    throw new CliError(
      'PROJECT_INVALID',
      `"files" in package.json names "${path}", which does not exist.${glob}`,
      'Build the driver first (tabularium-driver build), or correct "files".',
      { cause, check: CHECK },
    );
  });
}

/**
 * The files of a driver's folder that belong into its package: package.json as it travels, what `files` names (else dist/index.js), readme,
 * changelog and licence, and the notices and bill of materials beside what `files` names.
 *
 * @param version - instead of the one in package.json
 * @throws CliError `PROJECT_INVALID`
 */
export async function collectDriver(folder: string, version?: string): Promise<PackageFiles> {
  const source = await readDriverSource(folder);
  const extra = (await readdir(folder)).filter((name) => ALWAYS_PACKED.test(name));
  const named: FileToPack[] = [];
  for (const path of source.files ?? ['dist/index.js'])
    named.push(...(await filesBelow(folder, posix.normalize(path).replace(/\/$/, ''))));
  // Authors need not name them: what is bundled has licences that ask for their text to travel along.
  const notices = [...new Set(named.map(({ path }) => posix.dirname(path)))]
    .flatMap((place) => NOTICE_FILES.map((name) => posix.join(place, name)))
    .filter((path) => existsSync(join(folder, path)));
  for (const path of [...notices, ...extra]) named.push(...(await filesBelow(folder, path)));
  // Before anything is read, because a file of many gigabytes can't be.
  const large = named.find(({ size }) => size > PACKAGE_LIMITS.fileBytes);
  if (large !== undefined)
    throw new CliError(
      'PROJECT_INVALID',
      `The file "${large.path}" has ${large.size} bytes; a file of a package has at most ${PACKAGE_LIMITS.fileBytes}.`,
      'Take it out of "files" in package.json. Native files have larger limits: put them into platforms/<platform>/.',
      { check: CHECK },
    );
  const paths = [...new Set(named.map(({ path }) => path))].sort();
  const json = travellingPackageJson({ ...source, version: version ?? source.version });
  const files = new Map<string, Uint8Array<ArrayBuffer>>([
    ['package.json', new TextEncoder().encode(`${JSON.stringify(json, null, 2)}\n`)],
  ]);
  for (const path of paths) files.set(path, new Uint8Array(await regularFileContent(join(folder, path))));
  return files;
}
