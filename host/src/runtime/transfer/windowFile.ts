import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { HostError } from '../../common/errors.ts';
import type { TransferDecision } from '../../common/transfer.ts';
import type { ExportFile } from './exportFile.ts';
import { withNotice } from './exportRun.ts';
import type { DecidedFile, ExportQuestion } from './fileQuestion.ts';

/** How long an export that has ended waits for the window to read. */
const HEAD_MILLISECONDS = 1_000;

/**
 * A file that a window saves with its browser's own dialog: the host has its name and not its folder. The window takes the bytes from a stream,
 * and gives the file its content when the stream has ended well; a stream that breaks leaves the file as it was.
 */
export class WindowFile implements ExportFile {
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #name: string;
  readonly #stallMilliseconds: number;
  /** For the answer to the window. */
  readonly body: ReadableStream<Uint8Array>;
  #bytes = 0;
  #isOver = false;

  /**
   * @param onGone - called once when the window stops reading before the end
   * @param stallMilliseconds - how long it may read nothing while there is something for it
   */
  constructor(name: string, onGone: () => void, stallMilliseconds = 60_000) {
    this.#stallMilliseconds = stallMilliseconds;
    this.#name = name;
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    this.body = readable;
    this.#writer = writable.getWriter();
    this.#writer.closed.catch(() => {
      if (!this.#isOver) onGone();
    });
  }

  get bytes(): number {
    return this.#bytes;
  }

  async write(data: Uint8Array): Promise<void> {
    if (data.length === 0) return;
    try {
      await this.#beforeItStalls(this.#writer.ready.then(() => this.#writer.write(data)));
    } catch (error) {
      throw this.#gone(error);
    }
    this.#bytes += data.length;
  }

  async finish(): Promise<void> {
    this.#isOver = true;
    try {
      await this.#writer.close();
    } catch (error) {
      throw this.#gone(error);
    }
  }

  async abandon(): Promise<string> {
    this.#isOver = true;
    // The head of the answer goes out first: without one, the window would take the host for gone. It leaves a turn after the body is read first.
    await Promise.race([this.#writer.ready.catch(() => undefined), delay(HEAD_MILLISECONDS)]);
    await nextTurn();
    // Not awaited: a part that the window has not read yet keeps it from ending.
    void this.#writer.abort(new Error('The export did not end well.')).catch(() => undefined);
    return `${this.#name} was not saved.`;
  }

  /** A window that reads nothing for so long is asleep or gone, and keeps a connection to the server from everybody else. */
  async #beforeItStalls(written: Promise<unknown>): Promise<void> {
    const stalled = Promise.withResolvers<never>();
    const timer = setTimeout(() => stalled.reject(new Error('The window reads nothing.')), this.#stallMilliseconds);
    try {
      await Promise.race([written, stalled.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  #gone(cause: unknown): HostError {
    return new HostError('FILE_UNWRITABLE', `The window stopped saving ${this.#name}.`, {
      cause,
      details: { advice: 'Export again, and leave the window open until the export has ended.' },
    });
  }
}

/** A file in a window that a person may keep although its number of rows differs from the database's count. The stream stays open meanwhile. */
export class WindowFileQuestion implements ExportQuestion {
  readonly #file: WindowFile;
  readonly #failure: Error;

  /** @param failure - of the export, when the file is not kept */
  constructor(file: WindowFile, failure: Error) {
    this.#file = file;
    this.#failure = failure;
  }

  async decide(decision: TransferDecision): Promise<DecidedFile> {
    if (decision === 'delete') return { isSaved: false, failure: withNotice(this.#failure, await this.#file.abandon()) };
    try {
      await this.#file.finish();
      return { isSaved: true };
    } catch (failure) {
      if (!(failure instanceof HostError)) throw failure;
      return { isSaved: false, failure };
    }
  }
}
