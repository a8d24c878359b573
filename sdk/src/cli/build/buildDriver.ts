import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { mkdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RolldownLog } from 'rolldown';
import { CliError } from '../cliError.ts';
import { bundledPackages } from '../notices/bundledPackage.ts';
import { writeNotices } from '../notices/writeNotices.ts';
import { readDriverSource } from '../package/collect.ts';
import { driverEntry } from './driverEntry.ts';
import { placePlatformFiles } from './placePlatformFiles.ts';
import { buildProblemOf, buildProblemText } from './problem.ts';
import type { BuildProblem } from './problem.ts';

/** How to build a driver. */
export interface BuildOptions {
  readonly folder: string;
  /** Relative to the folder. Default: src/index.ts, .mts, .js or .mjs. */
  readonly source?: string | undefined;
  /** For development: positions in errors are those of the sources. A release has none, because the map isn't in the package. */
  readonly sourceMaps: boolean;
}

/** The result of a build. */
export interface Built {
  /** Relative to the folder. */
  readonly entry: string;
  readonly bytes: number;
  readonly milliseconds: number;
  /** All source files, absolute: what to watch. */
  readonly sources: readonly string[];
}

/** The sources of a driver do not build. */
export class BuildFailed extends CliError {
  readonly problems: readonly BuildProblem[];

  constructor(problems: readonly BuildProblem[], folder: string) {
    super(
      'BUILD_FAILED',
      `The driver failed to build:\n${problems.map((problem) => `  ${buildProblemText(problem, folder)}`).join('\n')}`,
      'Correct what is named above.',
      { facts: { problems } },
    );
    this.problems = problems;
  }
}

const SOURCES = ['src/index.ts', 'src/index.mts', 'src/index.js', 'src/index.mjs'];

/** The file that a driver's project begins with, absolute. @throws CliError `PROJECT_INVALID` */
export function sourceOf(folder: string, source?: string): string {
  const found = (source === undefined ? SOURCES : [source]).find((path) => existsSync(join(folder, path)));
  const place = found === undefined ? undefined : resolve(folder, found);
  // The bundler would wait for a pipe for ever.
  if (place !== undefined && statSync(place).isFile()) return place;
  if (place !== undefined)
    throw new CliError('PROJECT_INVALID', `${place} is not a file.`, 'Put the file that exports the driver in its place.');
  throw new CliError(
    'PROJECT_INVALID',
    source === undefined ? `${folder} has no src/index.ts.` : `The file ${source} does not exist.`,
    'Name the file that exports the driver: tabularium-driver build --source FILE.',
  );
}

/** The bundler is the project's own, so that its version is the author's to choose. */
async function loadBundler(): Promise<typeof import('rolldown')> {
  return import('rolldown').catch((cause: unknown) => {
    throw new CliError(
      'PROJECT_INVALID',
      'The bundler is not installed.',
      'Install it: npm install --save-dev rolldown. (Or bundle with a tool of your own; check, pack and publish do not ask how.)',
      { cause },
    );
  });
}

/**
 * Bundles a driver with all that it imports into the one file that its package.json names, and writes the licences and the bill of materials of
 * what it bundled beside it.
 *
 * @throws BuildFailed with the position of every problem; CliError `PROJECT_INVALID`
 */
export async function buildDriver(options: BuildOptions): Promise<Built> {
  const { folder, sourceMaps } = options;
  const started = performance.now();
  const [{ rolldown }, entry] = await Promise.all([loadBundler(), driverEntry(folder)]);
  const file = join(folder, entry);
  const problems: BuildProblem[] = [];
  const bundle = await rolldown({
    cwd: folder,
    input: sourceOf(folder, options.source),
    platform: 'node',
    external: (id) => isBuiltin(id),
    logLevel: 'warn',
    // An import that is not found would stay in the bundle, and the driver's process has no packages.
    onLog: (_level, log: RolldownLog) => void (log.code === 'UNRESOLVED_IMPORT' && problems.push(buildProblemOf(log))),
  });
  try {
    const { output } = await bundle.generate({
      format: 'es',
      file,
      codeSplitting: false,
      sourcemap: sourceMaps,
      // Whole addresses: the host runs a copy of the built files, from where a relative one would lead nowhere.
      sourcemapPathTransform: (source, map) => pathToFileURL(resolve(dirname(map), source)).href,
    });
    if (problems.length > 0) throw new BuildFailed(problems, folder);
    const [chunk] = output;
    await mkdir(dirname(file), { recursive: true });
    // The map first, so that a reader of the new code finds its map.
    if (chunk.map !== null) await replace(`${file}.map`, chunk.map.toString());
    else await rm(`${file}.map`, { force: true });
    await replace(file, chunk.code);
    const own = await realpath(folder);
    const platformFiles = await placePlatformFiles(folder, await readDriverSource(folder));
    await writeNotices(own, dirname(file), 'library', await bundledPackages(chunk.moduleIds, own));
    return {
      entry,
      bytes: Buffer.byteLength(chunk.code),
      milliseconds: Math.round(performance.now() - started),
      sources: [...(await bundle.watchFiles), ...platformFiles],
    };
  } catch (error) {
    if (error instanceof BuildFailed) throw error;
    const logs =
      error instanceof Error && 'errors' in error && Array.isArray(error.errors) ? (error.errors as RolldownLog[]) : [];
    if (logs.length === 0) throw error;
    throw new BuildFailed(logs.map(buildProblemOf), folder);
  } finally {
    await bundle.close();
  }
}

/** A host may read the file at any time: it finds the old one or the new one. */
async function replace(file: string, content: string): Promise<void> {
  const temporary = join(dirname(file), `.${basename(file)}.${randomUUID()}`);
  await writeFile(temporary, content);
  await rename(temporary, file);
}
