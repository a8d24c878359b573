import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import type { BuildProblem } from '../build/problem.ts';
import { toolEnvironment } from '../toolEnvironment.ts';
import { regularFileText } from '../package/regularFileContent.ts';

const MOST_PROBLEMS = 100;
const MOST_OUTPUT = 1_000_000;
/** `src/index.ts(12,3): error TS2322: Type 'string' is not assignable to type 'number'.` */
const PROBLEM = /^(?<file>[^\n(]+)\((?<line>\d+),(?<column>\d+)\): error (?<message>TS\d+: [^\n]*)$/;
/** A fault of the configuration has no place. */
const GENERAL = /^error (?<message>TS\d+: [^\n]*)$/;

const packageSchema = z.object({ version: z.string(), bin: z.record(z.string(), z.string()) });

/** The outcome of a check of types: the problems, at most 100 of them, or why nothing could be checked. */
export type TypeCheck =
  | { readonly ok: true; readonly problems: readonly BuildProblem[]; readonly milliseconds: number }
  | { readonly ok: false; readonly reason: string };

/**
 * Checks the types of a project with its own TypeScript, as `npx tsc --noEmit` does.
 *
 * @throws the signal's reason when it is aborted; the compiler is ended then
 */
export async function checkTypes(folder: string, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<TypeCheck> {
  if (!existsSync(join(folder, 'tsconfig.json'))) return { ok: false, reason: `${folder} has no tsconfig.json.` };
  const compiler = await compilerOf(folder);
  if (compiler === undefined) return { ok: false, reason: 'TypeScript is not installed in this project.' };
  const begun = performance.now();
  const { code, output } = await run(compiler, folder, env, signal);
  const problems = problemsIn(output, folder);
  if (code !== 0 && problems.length === 0)
    return { ok: false, reason: `tsc ended with exit code ${code ?? 'unknown'}. ${output.trim().slice(0, 2_000)}`.trim() };
  return { ok: true, problems, milliseconds: Math.round(performance.now() - begun) };
}

/** The program of the TypeScript that the project has installed. */
async function compilerOf(folder: string): Promise<string | undefined> {
  try {
    const file = createRequire(join(folder, 'package.json')).resolve('typescript/package.json');
    const { tsc } = packageSchema.parse(JSON.parse(await regularFileText(file))).bin;
    return tsc === undefined ? undefined : join(dirname(file), tsc);
  } catch {
    return undefined;
  }
}

async function run(
  compiler: string,
  folder: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<{ readonly code: number | null; readonly output: string }> {
  signal.throwIfAborted();
  const child = spawn(process.execPath, [compiler, '--noEmit', '--pretty', 'false'], {
    cwd: folder,
    env: toolEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
    killSignal: 'SIGKILL',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (output = (output + chunk).slice(0, MOST_OUTPUT)));
  return new Promise((settle, fail) => {
    child.once('error', (error) => fail(signal.aborted ? (signal.reason as Error) : error));
    child.once('close', (code) => settle({ code, output }));
  });
}

function problemsIn(output: string, folder: string): readonly BuildProblem[] {
  const lines = stripVTControlCharacters(output).split(/\r?\n/);
  return lines
    .flatMap((text): BuildProblem[] => {
      const { file, line, column, message } = PROBLEM.exec(text)?.groups ?? GENERAL.exec(text)?.groups ?? {};
      if (message === undefined) return [];
      if (file === undefined) return [{ message }];
      return [{ message, file: resolve(folder, file), line: Number(line), column: Number(column) }];
    })
    .slice(0, MOST_PROBLEMS);
}
