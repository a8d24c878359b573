import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { z } from 'zod';
import type { PackageFiles } from '../../package/files.ts';
import { travellingPackageJson } from '../../package/travelling.ts';
import { CliError, systemCodeOf } from '../cliError.ts';
import { NOTICE_FILES } from '../notices/writeNotices.ts';

const sourceSchema = z.looseObject({
  name: z.string(),
  version: z.string(),
  keywords: z.array(z.string()).default([]),
  files: z.array(z.string()).optional(),
  scripts: z.record(z.string(), z.unknown()).optional(),
});

/** A package.json of the source folder, unchanged. */
export type DriverSource = z.output<typeof sourceSchema>;

const ALWAYS_PACKED = /^(readme|changelog|licen[cs]e|notice)(\.[a-z]+)?$/i;

/** @throws CliError `PROJECT_INVALID` */
export async function readDriverSource(folder: string): Promise<DriverSource> {
  const file = join(folder, 'package.json');
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
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
    `${file} isn't a package's: "${issue?.path.join('.') ?? ''}": ${issue?.message ?? 'it cannot be read'}.`,
    'Give it a name and a version.',
  );
}

async function filesBelow(folder: string, path: string): Promise<string[]> {
  const entry = await stat(join(folder, path)).catch((cause: unknown) => {
    const glob = /[*?{!]/.test(path) ? ' Patterns are not read here: name files and folders.' : '';
    throw new CliError(
      'PROJECT_INVALID',
      `"files" in package.json names "${path}", which does not exist.${glob}`,
      'Build the driver first (tabularium-driver build), or correct "files".',
      { cause },
    );
  });
  if (!entry.isDirectory()) return [path];
  const names = await readdir(join(folder, path));
  return (await Promise.all(names.map((name) => filesBelow(folder, posix.join(path, name))))).flat();
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
  const named = await Promise.all(
    (source.files ?? ['dist/index.js']).map((path) => filesBelow(folder, posix.normalize(path).replace(/\/$/, ''))),
  );
  // Authors need not name them: what is bundled has licences that ask for their text to travel along.
  const notices = [...new Set(named.flat().map((path) => posix.dirname(path)))]
    .flatMap((place) => NOTICE_FILES.map((name) => posix.join(place, name)))
    .filter((path) => existsSync(join(folder, path)));
  const paths = [...new Set([...named.flat(), ...notices, ...extra])].sort();
  const json = travellingPackageJson({ ...source, version: version ?? source.version });
  const files = new Map<string, Uint8Array<ArrayBuffer>>([
    ['package.json', new TextEncoder().encode(`${JSON.stringify(json, null, 2)}\n`)],
  ]);
  const own = await realpath(folder);
  for (const path of paths) {
    const real = await realpath(join(folder, path));
    // Publishing can't be undone: a link may lead to a credential.
    if (!real.startsWith(own.endsWith(sep) ? own : `${own}${sep}`)) {
      throw new CliError(
        'PROJECT_INVALID',
        `"${path}" leads out of the folder of the driver, to ${real}.`,
        'Put a copy of the file in its place, or take it out of "files" in package.json.',
      );
    }
  }
  for (const path of paths) files.set(path, new Uint8Array(await readFile(join(folder, path))));
  return files;
}
