import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A part of the whole that runs as a process of its own. */
export interface Service {
  readonly name: string;
  /** The one line of JSON that it printed when it was ready. */
  readonly ready: Readonly<Record<string, unknown>>;
  /** Resolves when it has ended, whatever the reason. */
  readonly ended: Promise<void>;
  /** Closes its stdin, so that it ends, and kills it after {@link GRACE_MILLISECONDS}. */
  stop(): Promise<void>;
}

/** How long a service may take to be ready: the first start on two cores builds sample data and an empty registry. */
const READY_MILLISECONDS = 90_000;
const ASK_MILLISECONDS = 4_000;
const GRACE_MILLISECONDS = 8_000;

/**
 * Starts a program and waits for its line `{"ready":true,…}`. The program's stdin is a pipe without a writer: when this process is gone,
 * even by SIGKILL, the pipe closes and the program ends.
 */
export async function startService(
  name: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  print: (line: string) => void,
  program: string = process.execPath,
): Promise<Service> {
  // In a process group of its own: Ctrl-C in a terminal reaches this process alone, which then ends the services in order.
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: environment,
    detached: process.platform !== 'win32',
  });
  child.stdin.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const lastWords: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    lastWords.push(line);
    if (lastWords.length > 20) lastWords.shift();
    print(`${name}: ${line}`);
  });
  const ready = await readyLine(name, child, lastWords);
  return { name, ready, ended, stop: () => stop(child, ended) };
}

async function readyLine(name: string, child: ChildProcess, lastWords: readonly string[]): Promise<Record<string, unknown>> {
  const { promise, resolve, reject } = Promise.withResolvers<Record<string, unknown>>();
  const timer = setTimeout(
    () => reject(new Error(`${name} was not ready within ${READY_MILLISECONDS / 1000} s.`)),
    READY_MILLISECONDS,
  );
  child.once('error', (error) => reject(new Error(`${name} could not be started: ${error.message}`)));
  child.once('exit', (code) => reject(new Error(`${name} ended before it was ready (exit ${code}).\n${lastWords.join('\n')}`)));
  if (child.stdout === null) throw new Error(`${name} has no standard output.`);
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = parseReady(line);
    if (message !== undefined) resolve(message);
  });
  try {
    return await promise;
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function parseReady(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && 'ready' in value && value.ready === true ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

async function stop(child: ChildProcess, ended: Promise<void>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return ended;
  child.stdin?.end();
  // Electron does not look at its stdin; a service that does is asked twice, and ends once.
  const ask = setTimeout(() => child.kill('SIGTERM'), ASK_MILLISECONDS);
  const insist = setTimeout(() => child.kill('SIGKILL'), GRACE_MILLISECONDS);
  await ended;
  clearTimeout(ask);
  clearTimeout(insist);
}
