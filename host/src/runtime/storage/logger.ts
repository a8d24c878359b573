import { appendFile, mkdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { visibleText } from '@tabularium/sdk';
import { token } from '../container/inject.ts';

export const LOGGER = token<Logger>('LOGGER');

/** Where the host writes what people may need to find a fault. No line holds a credential, a row or a statement. */
export interface Logger {
  info(message: string): void;
  warn(message: string): void;
  error(message: string, cause?: unknown): void;
}

const LARGEST_LOG_BYTES = 5 * 1024 * 1024;
/** Characters of one line. An error may quote a whole request. */
const LONGEST_LINE = 16_000;

/** A logger that writes nothing. */
export const silentLogger: Logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Writes lines to `host.log` in a folder, in order; one older file is kept. A log that cannot be written never stops the host. */
export class FileLogger implements Logger {
  readonly #file: string;
  readonly #folder: string;
  #queue: Promise<void> = Promise.resolve();
  #redact: (text: string) => string = (text) => text;

  constructor(folder: string) {
    this.#folder = folder;
    this.#file = join(folder, 'host.log');
  }

  /** Lets every line from here on pass through `redact`: an unforeseen error may quote anything, also a credential. */
  redactWith(redact: (text: string) => string): void {
    this.#redact = redact;
  }

  info(message: string): void {
    this.#write('info', message);
  }

  warn(message: string): void {
    this.#write('warn', message);
  }

  error(message: string, cause?: unknown): void {
    const text =
      cause instanceof Error
        ? `${message}: ${cause.stack ?? cause.message}`
        : cause === undefined
          ? message
          : `${message}: ${inspect(cause)}`;
    this.#write('error', text);
  }

  /** Resolves when everything written so far is on disk. */
  async flush(): Promise<void> {
    await this.#queue;
  }

  #write(level: string, message: string): void {
    const bounded = lineOf(this.#redact(message.slice(0, 2 * LONGEST_LINE)), message.length);
    // A message may quote a server or a driver. Lines after the first are indented, so that none passes for an entry.
    const text = visibleText(bounded, 'text').replaceAll('\n', '\n  ');
    const line = `${new Date().toISOString()} ${level} ${text}\n`;
    this.#queue = this.#queue.then(() => this.#append(line)).catch(() => undefined);
  }

  async #append(line: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const size = await stat(this.#file).then(
      (entry) => entry.size,
      () => 0,
    );
    if (size > LARGEST_LOG_BYTES) await rename(this.#file, `${this.#file}.1`);
    await appendFile(this.#file, line, { mode: 0o600 });
  }
}

/** A credential that the first cut has split is beyond the second. */
function lineOf(redacted: string, whole: number): string {
  return redacted.length <= LONGEST_LINE && whole <= 2 * LONGEST_LINE ? redacted : `${redacted.slice(0, LONGEST_LINE)}…`;
}
