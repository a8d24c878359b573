import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { escapedJson, visibleText } from '@tabularium/sdk';
import { Interruption } from './interruption.ts';
import { UsageError } from './usageError.ts';

/** Where a command reads and writes. Answers go to stdout; everything said meanwhile goes to stderr. */
export interface CommandTerminal {
  readonly stdin: Readable & { readonly isTTY?: boolean; setRawMode?(on: boolean): unknown };
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean };
}

/**
 * Writes text for people and waits until there is room for more. Every command's text ends here, so no part of it can steer the terminal: hidden
 * characters are made visible, from any source.
 */
export async function write(stream: Writable, text: string): Promise<void> {
  await send(stream, visibleText(text, 'text', Infinity));
}

/** Writes JSON, or a piece of it between two tokens. Its values stay exact: hidden characters are written as their escapes. */
export async function writeJson(stream: Writable, json: string): Promise<void> {
  await send(stream, escapedJson(json));
}

/** As {@link write}, or {@link writeJson}, for what can't be shown again. @returns why it didn't leave this process; undefined when it did */
export async function deliver(stream: Writable, text: string, form: 'text' | 'json'): Promise<Error | undefined> {
  const safe = form === 'json' ? escapedJson(text) : visibleText(text, 'text', Infinity);
  return new Promise((resolve) => stream.write(safe, (error) => resolve(error ?? undefined)));
}

/** Writes what another program may read: exact, but for a terminal, which no character of it may steer. */
export async function writeContent(stream: CommandTerminal['stdout'], content: string): Promise<void> {
  await (stream.isTTY === true ? write(stream, content) : send(stream, content));
}

/** Writes a line over the one that the cursor is in; an empty one erases it. For terminals alone. */
export async function rewriteLine(stream: Writable, text: string): Promise<void> {
  await send(stream, `\r\u001b[K${visibleText(text, 'name')}`);
}

async function send(stream: Writable, text: string): Promise<void> {
  if (stream.destroyed || stream.write(text)) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      stream.off('drain', done).off('close', done);
      resolve();
    };
    stream.on('drain', done).on('close', done);
  });
}

/** A person can be asked. */
export function canAskPerson(terminal: CommandTerminal): boolean {
  return terminal.stdin.isTTY === true && terminal.stderr.isTTY === true;
}

/**
 * Asks for yes or no; anything but yes is no, also the end of the input.
 *
 * @throws Interruption for Ctrl-C
 */
export async function confirm(terminal: CommandTerminal, question: string, signal: AbortSignal): Promise<boolean> {
  const lines = createInterface({ input: terminal.stdin, output: terminal.stderr });
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  const interrupted = new Promise<never>((_resolve, reject) => lines.once('SIGINT', () => reject(new Interruption())));
  try {
    const answer = lines.question(`${visibleText(question, 'text')} [y/N] `, { signal });
    return /^\s*y(es)?\s*$/i.test(await Promise.race([answer, ended, interrupted]));
  } finally {
    lines.close();
  }
}

/**
 * Reads secrets, in order: one for each line of a pipe or file (the last one may lack its line end), or typed unseen at a terminal.
 *
 * @throws UsageError when one is missing
 * @throws Interruption for Ctrl-C at a terminal
 */
export async function readSecrets(terminal: CommandTerminal, labels: readonly string[], signal: AbortSignal): Promise<string[]> {
  if (labels.length === 0) return [];
  const values = terminal.stdin.isTTY === true ? await typeUnseen(terminal, labels, signal) : await readLines(terminal.stdin);
  return labels.map((label, index) => {
    const value = values[index];
    if (value === undefined || value === '')
      throw new UsageError(`Standard input holds no ${label}. Pipe it in, one line for each.`);
    return value;
  });
}

const LARGEST_INPUT = 100_000;

async function readLines(stdin: Readable): Promise<string[]> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin as AsyncIterable<Buffer | string>) {
    const bytes = Buffer.from(chunk);
    size += bytes.byteLength;
    if (size > LARGEST_INPUT) throw new UsageError('Standard input holds more than secrets.');
    chunks.push(bytes);
  }
  return Buffer.concat(chunks)
    .toString('utf8')
    .split('\n')
    .map((line) => line.replace(/\r$/, ''));
}

async function typeUnseen(terminal: CommandTerminal, labels: readonly string[], signal: AbortSignal): Promise<string[]> {
  const { stdin, stderr } = terminal;
  const values: string[] = [];
  stdin.setRawMode?.(true);
  try {
    for (const label of labels) {
      await write(stderr, `${visibleText(label)}: `);
      values.push(await typeOne(stdin, signal));
      await write(stderr, '\n');
    }
  } finally {
    stdin.setRawMode?.(false);
    stdin.pause();
  }
  return values;
}

const ENTER = ['\r', '\n'];
const CONTROL_C = '\u0003';
const CONTROL_D = '\u0004';
const ERASE = ['\u007f', '\b'];

function typeOne(stdin: Readable, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    let value = '';
    const end = (finish: () => void): void => {
      stdin.off('data', typed);
      signal.removeEventListener('abort', aborted);
      finish();
    };
    const aborted = (): void => end(() => reject(new DOMException('Cancelled.', 'AbortError')));
    const interrupted = (): void => end(() => reject(new Interruption()));
    const typed = (chunk: Buffer | string): void => {
      for (const character of chunk.toString()) {
        if (ENTER.includes(character) || character === CONTROL_D) return end(() => resolve(value));
        // The terminal is raw, so that it sends no signal.
        if (character === CONTROL_C) return interrupted();
        value = ERASE.includes(character) ? [...value].slice(0, -1).join('') : value + character;
      }
    };
    signal.addEventListener('abort', aborted, { once: true });
    stdin.on('data', typed).resume();
  });
}
