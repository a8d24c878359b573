import { closeSync, openSync, writeSync } from 'node:fs';
import { devNull } from 'node:os';

/** Files that Node and its packages have open at once while the program is loaded; measured: 6 on Linux. */
const DESCRIPTORS_TO_LOAD = 8;
const MOST_CAUSES = 8;
const FAILED = 1;

/** The answer for a part of the program that cannot be loaded; the fields that every error of a command has. */
export interface LoadFailure {
  readonly code: 'TOO_MANY_FILES' | 'INSTALLATION_DAMAGED';
  readonly message: string;
  readonly advice: string;
  readonly details: { readonly cause?: string };
}

/**
 * Why the program cannot be loaded. The entry imports this file alone, and this file nothing of ours: it has to work where nothing else can be
 * loaded, so it repeats two entries of the table of errors (a test compares them).
 */
export function loadFailure(error: unknown): LoadFailure {
  if (isOutOfFiles(error)) {
    return {
      code: 'TOO_MANY_FILES',
      message: 'Too many files are open.',
      advice: 'Close other programs, or raise the limit (on Linux and macOS: "ulimit -n 1024"), then try again.',
      details: {},
    };
  }
  const cause = (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
  return {
    code: 'INSTALLATION_DAMAGED',
    message: `A part of Tabularium can't be loaded: ${cause}`,
    advice: 'Reinstall Tabularium.',
    details: { cause },
  };
}

/** Writes the failure as a command writes its errors, and sets the exit code. No stream of Node's: a terminal's needs a descriptor. */
export function reportLoadFailure(error: unknown, words: readonly string[]): void {
  const failure = loadFailure(error);
  process.exitCode = FAILED;
  const json = words.includes('--json');
  try {
    if (json) writeSync(1, `${JSON.stringify({ error: failure })}\n`);
    else writeSync(2, `${failure.message}\n${failure.advice}\n`);
  } catch {
    // The exit code is all that is left.
  }
}

function isOutOfFiles(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < MOST_CAUSES && current instanceof Error; depth += 1) {
    if ('code' in current && (current.code === 'EMFILE' || current.code === 'ENFILE')) return true;
    // Node's reader of package.json and the loader of native libraries have the system's words only.
    if (/too many open files/i.test(current.message)) return true;
    current = current.cause;
  }
  // Node reports a package.json that it could not open as a package that does not exist.
  return !canOpen(DESCRIPTORS_TO_LOAD);
}

function canOpen(count: number): boolean {
  const opened: number[] = [];
  try {
    while (opened.length < count) opened.push(openSync(devNull, 'r'));
    return true;
  } catch {
    return false;
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}
