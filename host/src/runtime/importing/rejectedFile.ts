import { open, truncate } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { RejectedRow } from './importPart.ts';
import { writeRejectedRow } from './rejectedRow.ts';

/** Characters that wait to be written together. */
const HELD = 64 * 1024;

/** The file of the rows that an import rejected, with their reasons. Only the owner reads it. */
export class RejectedFile implements AsyncDisposable {
  readonly #path: string;
  #handle: FileHandle | undefined;
  #held = '';
  /** Written and held so far. */
  bytes: number;

  /** @param bytes - of the file that are kept; what is behind them is of a part that is sent again */
  constructor(path: string, bytes: number) {
    this.#path = path;
    this.bytes = bytes;
  }

  /** Takes back what an interrupted run wrote behind its last safe place. */
  async begin(): Promise<void> {
    if (this.bytes === 0) return;
    await truncate(this.#path, this.bytes);
  }

  async add({ line, message, row }: RejectedRow): Promise<void> {
    const text = writeRejectedRow(line, message, row);
    this.#held += text;
    this.bytes += Buffer.byteLength(text);
    if (this.#held.length >= HELD) await this.flush();
  }

  async flush(): Promise<void> {
    if (this.#held === '') return;
    const text = this.#held;
    this.#held = '';
    const isNew = this.bytes === Buffer.byteLength(text);
    this.#handle ??= await open(this.#path, isNew ? 'w' : 'a', 0o600);
    await this.#handle.appendFile(text);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.flush();
    await this.#handle?.close();
  }
}
