import { spawn } from 'node:child_process';
import { builtinModules } from 'node:module';
import { Readable } from 'node:stream';
import { z } from 'zod';
import type { Manifest } from '../../manifest.ts';
import { importProblem, isImportable } from '../../sandbox/importProblem.ts';

/** How long a driver may take to be loaded, and one to be connected by its plan. */
const PROBE_MILLISECONDS = 20_000;
const LONGEST_COMPLAINT = 2_000;

/** The result of the program that inspects a driver: its answer, or why there is none. */
export type Probed<T> = { readonly ok: true; readonly answer: T } | { readonly ok: false; readonly problem: string };

/** Asks the entry of a packed driver who it is. The driver's output is not ours: the answer goes over a descriptor of its own. */
export const LOAD_PROGRAM = `
import { writeSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { pathToFileURL } from 'node:url';
const refused = JSON.parse(process.argv[2]);
// Node before 22.15 has no such hooks; there the host finds it.
nodeModule.registerHooks?.({
  resolve(specifier, context, next) {
    const name = specifier.startsWith('node:') ? specifier.slice(5) : specifier;
    if (nodeModule.isBuiltin(specifier) && Object.hasOwn(refused, name)) throw new Error(refused[name]);
    return next(specifier, context);
  },
});
const answer = (value) => { writeSync(3, JSON.stringify(value)); process.exit(0); };
let loaded;
try { loaded = await import(pathToFileURL(process.argv[1]).href); }
catch (error) { answer({ problem: 'It cannot be loaded. ' + (error instanceof Error ? error.name + ': ' + error.message : String(error)) }); }
const { driver } = loaded;
if (driver?.$$type !== '@tabularium/driver' || typeof driver.definition?.connect !== 'function')
  answer({ problem: 'It does not export what defineDriver returns under the name "driver".' });
answer({ id: String(driver.definition.id), contract: String(driver.contract) });
`;

/** Connects as the conformance plan says and returns the facets of the session. */
export const CONNECT_PROGRAM = `
import { writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
const answer = (value) => { writeSync(3, JSON.stringify(value)); process.exit(0); };
const [file, ...facets] = process.argv.slice(1);
try {
  const { plan } = await import(pathToFileURL(file).href);
  if (typeof plan?.open !== 'function') answer({ problem: 'It does not export "plan".' });
  const { settings, context, close } = await plan.open();
  const { signal } = new AbortController();
  const session = await plan.driver.definition.connect(settings, { ...context, log: () => undefined }, { signal });
  const found = facets.filter((name) => session[name] !== undefined);
  await session.close();
  await close?.();
  answer({ facets: found });
} catch (error) {
  answer({ problem: error instanceof Error ? error.name + ': ' + error.message : String(error) });
}
`;

/**
 * The restrictions of a host while a package is loaded: an archive from elsewhere is looked at on the machine where the key is that signs
 * it. Node before 22.13 cannot.
 *
 * @param folder - the one that it may read, a real path
 */
export function confinementOf(manifest: Manifest, folder: string): readonly string[] {
  const known = (flag: string): readonly string[] => (process.allowedNodeEnvironmentFlags.has(flag) ? [flag] : []);
  if (known('--permission').length === 0) return [];
  const grants = manifest.permissions.unconfined?.grants ?? [];
  return [
    '--permission',
    `--allow-fs-read=${grants.includes('files') ? '*' : folder}`,
    ...(grants.includes('files') ? ['--allow-fs-write=*'] : []),
    ...(grants.includes('addons') ? known('--allow-addons') : []),
    ...(grants.includes('network') ? known('--allow-net') : []),
    ...(grants.includes('sqlite') ? [] : known('--experimental-sqlite').map(() => '--no-experimental-sqlite')),
  ];
}

/** The modules of Node that a host refuses to a driver, each with the sentence that says so: the second argument of LOAD_PROGRAM. */
export function refusedModules(manifest: Manifest): string {
  const grants = manifest.permissions.unconfined?.grants ?? [];
  const names = builtinModules.map((name) => name.replace(/^node:/, '')).filter((name) => !isImportable(name, grants));
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, importProblem(name)])));
}

/**
 * Runs one of the programs above on a file, in a process of its own.
 *
 * @param shape - of the answer
 */
export async function probe<T>(
  program: string,
  args: readonly string[],
  options: {
    readonly cwd: string;
    readonly shape: z.ZodType<T>;
    readonly signal: AbortSignal;
    /** Options of Node that keep it from what is none of its business. */
    readonly confinement?: readonly string[];
    /** Default: empty. */
    readonly env?: Readonly<Record<string, string>>;
  },
): Promise<Probed<T>> {
  const child = spawn(
    process.execPath,
    [...(options.confinement ?? []), '--no-warnings', '--input-type=module', '--eval', program, '--', ...args],
    {
      cwd: options.cwd,
      env: options.env ?? {},
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
      signal: AbortSignal.any([options.signal, AbortSignal.timeout(PROBE_MILLISECONDS)]),
      killSignal: 'SIGKILL',
    },
  );
  const [, , stderr, answers] = child.stdio;
  if (!(stderr instanceof Readable) || !(answers instanceof Readable)) throw new TypeError('the pipes were not made');
  let complaint = '';
  let text = '';
  stderr.setEncoding('utf8').on('data', (chunk: string) => (complaint = (complaint + chunk).slice(-LONGEST_COMPLAINT)));
  answers.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const ended = await new Promise<string>((resolve) => {
    child.once('error', (error) =>
      resolve(error.name === 'AbortError' ? `took longer than ${PROBE_MILLISECONDS / 1_000} s` : error.message),
    );
    child.once('close', (code, signal) => resolve(endOf(code, signal)));
  });
  options.signal.throwIfAborted();
  if (text === '') return { ok: false, problem: `It ${ended}. ${complaint.trim()}`.trim() };
  const value: unknown = JSON.parse(text);
  const problem = z.object({ problem: z.string() }).safeParse(value);
  if (problem.success) return { ok: false, problem: problem.data.problem };
  return { ok: true, answer: options.shape.parse(value) };
}

/** Node's exit code where a module at the top awaits what never comes. */
const NEVER_SETTLED = 13;

/** How a process ended that has not answered. */
function endOf(code: number | null, signal: NodeJS.Signals | null): string {
  if (signal !== null) return `ended with ${signal}`;
  if (code === NEVER_SETTLED) return 'never finished loading: something at its top level is awaited that never comes';
  return code === 0
    ? 'ended its own process while it was loaded, before it could be asked: it must not call process.exit'
    : `ended with exit code ${code ?? 'unknown'}`;
}
