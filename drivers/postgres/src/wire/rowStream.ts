import type { Connection } from 'pg';
import { ExpectedMessages } from './expectedMessages.ts';
import type { Field, PgStep, TextRow } from './batch.ts';
import type { LinkMemory } from './linkMemory.ts';
import { sizeOfFields, sizeOfRow } from './retainedRows.ts';
import { sendStage } from './statementStage.ts';

/** Some rows of an answer, in their order. */
export interface RowPiece {
  readonly fields: readonly Field[];
  readonly rows: readonly TextRow[];
}

/** Characters of rows that wait to be taken, above which the server has to wait. */
const MOST_WAITING = 1024 * 1024;
/** Of one piece, roughly. */
const PIECE = 256 * 1024;
const MOST_ROWS = 1_000;

/** The calls of the library's connection that are made here. */
interface Sender {
  close(message: { readonly type: 'S' | 'P'; readonly name: string }): void;
  parse(query: { readonly text: string; readonly name?: string }): void;
  bind(config: { readonly values: readonly (string | null)[]; readonly portal?: string; readonly statement?: string }): void;
  describe(message: { readonly type: 'P'; readonly name: string }): void;
  execute(config: { readonly portal?: string; readonly rows?: number }): void;
  sync(): void;
  sendCopyFail(reason: string): void;
  readonly stream: { readonly memory: LinkMemory; cork(): void; uncork(): void; pause(): void; resume(): void };
}

/**
 * Statements in one round trip, of which the last one's rows are passed on as they come. The server sends no faster than rows are taken: memory is bounded,
 * and no row costs a round trip.
 */
export class RowStream extends ExpectedMessages {
  readonly #steps: readonly PgStep[];
  readonly #most: number;
  readonly #runsOn: boolean;
  readonly #onDropped: () => void;
  #taken = 0;
  #sender: Sender | undefined;
  #step = 0;
  #fields: readonly Field[] = [];
  #waiting: TextRow[] = [];
  #sizes: number[] = [];
  #size = 0;
  /** Bytes of memory of each row that waits. */
  #rowBytes: number[] = [];
  /** Of all that is counted: of the rows that wait, of those of the last piece, and of the columns. */
  #memory = 0;
  #ofPiece = 0;
  #isPaused = false;
  #discards = false;
  #isNudged = false;
  #hasFailedCopy = false;
  #wake: (() => void) | undefined;
  #error: { readonly reason: unknown } | undefined;
  /** Of the last statement; empty until it is known. */
  tag = '';
  /** Whether there are more rows than were asked for. */
  isCut = false;
  isFinished = false;
  readonly finished: Promise<void>;
  #finish!: () => void;

  /**
   * @param most - rows of the last statement; 0 for all of them
   * @param runsOn - whether the statement runs to its end all the same, as one does whose rows come from functions that write
   * @param onDropped - called for each row that isn't kept, where the server may send as many as it likes
   */
  constructor(steps: readonly PgStep[], most: number, runsOn = false, onDropped: () => void = () => undefined) {
    super();
    this.#steps = steps;
    this.#most = most;
    this.#runsOn = runsOn;
    this.#onDropped = onDropped;
    this.finished = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  get fields(): readonly Field[] {
    return this.#fields;
  }

  submit(connection: Connection): void {
    this.begin(connection);
    const sender = connection as unknown as Sender;
    this.#sender = sender;
    sender.stream.cork();
    try {
      for (const [index, step] of this.#steps.entries()) {
        const { text, values = [], stage } = step;
        // One more than wanted: that there is one is how a cut answer differs from a whole one.
        const rows = index === this.#steps.length - 1 && this.#most > 0 && !this.#runsOn ? this.#most + 1 : undefined;
        if (stage !== undefined) {
          sendStage(sender, step, stage, rows);
          continue;
        }
        sender.parse({ text });
        sender.bind({ values });
        sender.describe({ type: 'P', name: '' });
        sender.execute(rows === undefined ? {} : { rows });
      }
      sender.sync();
    } finally {
      sender.stream.uncork();
    }
  }

  /** The rows that have come, or the next ones; undefined at the end. @throws what the server reported */
  async next(): Promise<RowPiece | undefined> {
    for (;;) {
      if (this.#waiting.length > 0) return this.#take();
      if (this.#error !== undefined) throw this.#error.reason;
      if (this.isFinished) return undefined;
      if (this.#isNudged) {
        this.#isNudged = false;
        return { fields: this.#fields, rows: [] };
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Gives a piece without rows now, where none comes: something else is to be looked at. */
  nudge(): void {
    this.#isNudged = true;
    this.#call();
  }

  /** Nothing of what was counted is kept any more: all rows were taken, or are dropped. */
  release(): void {
    this.#count(-this.#memory);
    this.#ofPiece = 0;
  }

  /** Drops the rows that still come. */
  discard(): void {
    this.#discards = true;
    this.#waiting = [];
    this.#sizes = [];
    this.#size = 0;
    this.#rowBytes = [];
    this.release();
    this.#resume();
  }

  override handleRowDescription(message: { readonly fields: readonly Field[] }): void {
    if (this.#step !== this.#steps.length - 1) return;
    this.#count(sizeOfFields(message.fields) - sizeOfFields(this.#fields));
    this.#fields = message.fields;
  }
  override handleDataRow(message: { readonly fields: TextRow; readonly length: number }): void {
    const isLast = this.#step === this.#steps.length - 1;
    if (this.#discards || !isLast) {
      if (this.#discards) this.#onDropped();
      return;
    }
    if (this.#most > 0 && this.#taken === this.#most) {
      this.isCut = true;
      // Of a statement that doesn't run on, the server was asked for one row more.
      if (this.#runsOn) this.#onDropped();
      return;
    }
    this.#taken += 1;
    const row = message.fields;
    let size = 16;
    for (const value of row) size += value === null ? 4 : value.length + 4;
    this.#waiting.push(row);
    this.#sizes.push(size);
    this.#size += size;
    const bytes = sizeOfRow(row, message.length);
    this.#rowBytes.push(bytes);
    this.#count(bytes);
    if (this.#size > MOST_WAITING && !this.#isPaused) {
      this.#isPaused = true;
      this.#sender?.stream.pause();
    }
    if (this.#size > PIECE) this.#call();
    // Rows that come slowly are shown as they come.
    else if (this.#waiting.length === 1) setImmediate(() => this.#call());
  }
  override handleCommandComplete(message: { readonly text: string }): void {
    if (this.#step === this.#steps.length - 1) this.tag = message.text;
    this.#step += 1;
  }
  override handleEmptyQuery(): void {
    this.#step += 1;
  }
  override handlePortalSuspended(): void {
    this.#step += 1;
  }
  override handleCopyInResponse(connection: Connection): void {
    const sender = connection as unknown as Sender;
    // Each answer to a flood of them would wait in memory until the server reads it.
    if (this.#hasFailedCopy) return this.refuse();
    this.#hasFailedCopy = true;
    sender.sendCopyFail('No rows are sent here.');
  }
  override handleCopyData(): void {
    // Rows of a COPY, which is never sent here.
  }
  handleReadyForQuery(): void {
    this.#end();
  }
  handleError(reason: unknown): void {
    if (this.#sender?.stream.memory.isRefused === true) this.discard();
    this.#error ??= { reason };
    this.#end();
  }

  #end(): void {
    this.isFinished = true;
    this.#resume();
    this.#finish();
    this.#call();
  }

  #call(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }

  #resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#sender?.stream.resume();
  }

  #count(by: number): void {
    this.#memory += by;
    this.#sender?.stream.memory.change(by);
  }

  #take(): RowPiece {
    // The piece before has been passed on.
    this.#count(-this.#ofPiece);
    this.#ofPiece = 0;
    let size = 0;
    let count = 0;
    while (count < this.#waiting.length && count < MOST_ROWS && (count === 0 || size + (this.#sizes[count] ?? 0) <= PIECE)) {
      size += this.#sizes[count] ?? 0;
      this.#ofPiece += this.#rowBytes[count] ?? 0;
      count += 1;
    }
    const rows = this.#waiting.slice(0, count);
    this.#waiting = this.#waiting.slice(count);
    this.#sizes = this.#sizes.slice(count);
    this.#rowBytes = this.#rowBytes.slice(count);
    this.#size -= size;
    if (this.#size <= MOST_WAITING / 2) this.#resume();
    return { fields: this.#fields, rows };
  }
}
