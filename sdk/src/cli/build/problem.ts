import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** Something wrong in a source file. */
export interface BuildProblem {
  readonly message: string;
  /** Absolute. */
  readonly file?: string;
  /** From 1. */
  readonly line?: number;
  /** From 1. */
  readonly column?: number;
}

/** An error or a warning of rolldown; its types leave these members out where they are not always there. */
interface BundlerLog {
  readonly message: string;
  readonly id?: string | undefined;
  readonly loc?: { readonly file?: string | undefined; readonly line: number; readonly column: number } | undefined;
}

/** The first line says what is wrong; the others draw the source, which an editor shows better. */
export function buildProblemOf(log: BundlerLog): BuildProblem {
  const message = (stripVTControlCharacters(log.message).split('\n')[0] ?? '').replace(/^\[\w+\]\s*/, '');
  const file = log.loc?.file ?? log.id;
  return {
    message,
    ...(file === undefined ? {} : { file }),
    // Columns come from 0.
    ...(log.loc === undefined ? {} : { line: log.loc.line, column: log.loc.column + 1 }),
  };
}

/** `src/index.ts:12:3: message`, as editors and terminals make links of it. */
export function buildProblemText({ message, file, line, column }: BuildProblem, folder: string): string {
  if (file === undefined) return message;
  const place = [relative(folder, file), ...(line === undefined ? [] : [line, column ?? 1])].join(':');
  return `${place}: ${message}`;
}
