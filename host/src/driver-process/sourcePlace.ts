import { writeSync } from 'node:fs';

// Taken now: a driver may come upon the module.
const write = writeSync;
const LONGEST_STACK = 4_000;
/** A line of a stack that names a place in a file. */
const FRAME = /(?:\(|at |async )((?:file:\/\/\/?|\/|[A-Za-z]:[\\/])[^()]*?:\d+:\d+)\)?$/;

// Read before the driver is loaded: the process then loses both.
const { sourceMapsEnabled: isDeveloped } = process;
const [, runner] = process.argv;

/** Lines of the stack that are the driver's: not this program's and not Node's. */
function ownLines(stack: string): string[] {
  const isOther = (line: string): boolean => line.includes('node:internal') || (runner !== undefined && line.includes(runner));
  return stack.split('\n').filter((line) => !/^\s+at /.test(line) || !isOther(line));
}

/** Where in its sources a driver failed, `/home/ada/my-driver/src/index.ts:12:3`; undefined for a build without a map. */
export function sourcePlace(error: unknown): string | undefined {
  if (!isDeveloped || !(error instanceof Error)) return undefined;
  const places = ownLines(error.stack ?? '').flatMap((line) => FRAME.exec(line)?.[1] ?? []);
  // An error that a library throws was mostly caused by its caller.
  return places.find((place) => !/[\\/]node_modules[\\/]/.test(place)) ?? places[0];
}

/** Writes the driver's part of the stack to the log of a driver in development: on the way to the host an error is one sentence. */
export function logStack(error: unknown): void {
  if (!isDeveloped || !(error instanceof Error) || error.stack === undefined) return;
  try {
    write(2, `${ownLines(error.stack).join('\n').slice(0, LONGEST_STACK)}\n`);
  } catch {
    // A log that takes nothing now is not worth failing the call for.
  }
}
