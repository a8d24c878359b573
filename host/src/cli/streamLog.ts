import { write as writeFile } from 'node:fs';
import type { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { LogEntry } from '../common/logs.ts';
import { lineOf } from '../runtime/storage/fileLogger.ts';
import { logText } from '../runtime/storage/logText.ts';
import { write } from './terminal.ts';

export const LOG_FORMATS = ['json', 'text'] as const;
/** How entries of the log are written to a stream: one line of JSON for each, or text for people. */
export type LogFormat = (typeof LOG_FORMATS)[number];

const writeTo = promisify(writeFile);

/** Entries that wait for a slow reader; what comes beyond is counted. Characters. */
const MOST_WAITING = 1024 * 1024;
const TRY_AGAIN_MILLISECONDS = 50;
/** How long an end waits for a reader that doesn't read. */
const PATIENCE_MILLISECONDS = 1_000;

/**
 * The log on standard error, for units and containers. A reader that is slow or gone costs entries there, never the host: Node itself would wait for
 * a pipe that isn't read, and answer nothing meanwhile.
 */
export class StreamLog {
  readonly #stream: Writable;
  readonly #format: LogFormat;
  readonly #waiting: string[] = [];
  #waitingCharacters = 0;
  #lost = 0;
  #writing: Promise<void> | undefined;
  #isGone = false;

  constructor(stream: Writable, format: LogFormat) {
    this.#stream = stream;
    this.#format = format;
  }

  add(entry: LogEntry): void {
    if (this.#isGone) return;
    const text = this.#format === 'json' ? lineOf(entry) : logText(entry);
    if (this.#waitingCharacters + text.length > MOST_WAITING) {
      this.#lost += 1;
      return;
    }
    this.#waiting.push(text);
    this.#waitingCharacters += text.length;
    this.#writing ??= this.#write();
  }

  /** Resolves when everything is written, or its reader has had its time. */
  async flush(): Promise<void> {
    const stop = new AbortController();
    const late = delay(PATIENCE_MILLISECONDS, undefined, { signal: stop.signal }).catch(() => undefined);
    await Promise.race([this.#writing, late]);
    stop.abort();
  }

  async #write(): Promise<void> {
    for (let text = this.#waiting.shift(); text !== undefined && !this.#isGone; text = this.#waiting.shift()) {
      this.#waitingCharacters -= text.length;
      try {
        await this.#send(text);
      } catch {
        this.#isGone = true;
      }
      if (this.#waiting.length === 0 && this.#lost > 0) this.#addLost();
    }
    this.#writing = undefined;
  }

  #addLost(): void {
    const lost = this.#lost;
    this.#lost = 0;
    const message = `${lost} entries were not written here, because nothing read them in time`;
    this.add({ time: new Date().toISOString(), level: 'warn', component: 'log', message, fields: { lost } });
  }

  async #send(text: string): Promise<void> {
    const { fd } = this.#stream as Writable & { readonly fd?: unknown };
    if (typeof fd !== 'number') return write(this.#stream, text);
    let rest = Buffer.from(text);
    while (rest.length > 0) rest = rest.subarray(await tryWrite(fd, rest));
  }
}

/** @returns the bytes that were written; 0 where the reader of a pipe has to read first */
async function tryWrite(fd: number, bytes: Buffer): Promise<number> {
  try {
    return (await writeTo(fd, bytes)).bytesWritten;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
    await delay(TRY_AGAIN_MILLISECONDS);
    return 0;
  }
}
