import type { Connection } from 'pg';
import { ExpectedMessages } from './expectedMessages.ts';
import type { LinkMemory } from './linkMemory.ts';
import { RetainedRows } from './retainedRows.ts';
import type { PreparedStatements } from './preparedStatements.ts';
import { sendStage } from './statementStage.ts';
import type { StatementStage } from './statementStage.ts';

/** One statement of a {@link Batch}, with a `$1` for each value. */
export interface PgStep {
  readonly text: string;
  readonly values?: readonly (string | null)[];
  /** A short name of a text that never changes, under which a connection may leave it parsed and planned at the server. */
  readonly name?: string;
  /** The server parses it and doesn't run it: it gives no answer. Its tables stay locked until the end of the transaction. */
  readonly isOnlyParsed?: true;
  /** Of several steps for the same statement. Only running gives an answer. */
  readonly stage?: StatementStage;
}

/** The column of an answer. */
export interface Field {
  readonly name: string;
  readonly tableID: number;
  readonly columnID: number;
  readonly dataTypeID: number;
  readonly dataTypeModifier: number;
}

/** A row as the server wrote it: text, exact in every digit. */
export type TextRow = readonly (string | null)[];

/** The answer to one statement. */
export interface PgAnswer {
  readonly fields: readonly Field[];
  readonly rows: readonly TextRow[];
  /** Such as `UPDATE 3`. */
  readonly tag: string;
}

/** The calls of the library's connection that are made here; its types leave some values out. */
interface Sender {
  close(message: { readonly type: 'S' | 'P'; readonly name: string }): void;
  parse(query: { readonly text: string; readonly name?: string }): void;
  bind(config: { readonly values: readonly (string | null)[]; readonly statement?: string; readonly portal?: string }): void;
  describe(message: { readonly type: 'P'; readonly name: string }): void;
  execute(config: { readonly portal?: string }): void;
  sync(): void;
  sendCopyFail(reason: string): void;
  readonly stream: { readonly memory: LinkMemory; cork(): void; uncork(): void };
}

/**
 * Several statements in one round trip, by the extended protocol: the server stops at the first that fails. A transaction around a read costs nothing
 * this way, and no message ever holds two statements.
 */
export class Batch extends ExpectedMessages {
  readonly answers: Promise<readonly PgAnswer[]>;
  readonly #steps: readonly PgStep[];
  readonly #prepared: PreparedStatements | undefined;
  #found: PgAnswer[] = [];
  /** How many answers there can be. */
  readonly #most: number;
  #retained: RetainedRows | undefined;
  #fields: readonly Field[] = [];
  #rows: TextRow[] = [];
  #hasFailedCopy = false;
  #resolve!: (answers: readonly PgAnswer[]) => void;
  #reject!: (error: unknown) => void;

  /** @param prepared - those of the connection; without them no step has a name */
  constructor(steps: readonly PgStep[], prepared?: PreparedStatements) {
    super();
    this.#steps = steps;
    this.#prepared = prepared;
    this.#most = steps.filter(({ isOnlyParsed, stage }) => isOnlyParsed !== true && (stage?.does ?? 'run') === 'run').length;
    this.answers = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  submit(connection: Connection): void {
    const sender = connection as unknown as Sender;
    this.begin(connection);
    this.#retained = new RetainedRows(sender.stream.memory);
    sender.stream.cork();
    try {
      for (const step of this.#steps) {
        const { text, values = [] } = step;
        if (step.stage !== undefined) {
          sendStage(sender, step, step.stage);
          continue;
        }
        const place = this.#prepared?.of(step);
        if (place === undefined) sender.parse({ text });
        else if (!place.isThere) {
          // Closing one that isn't there is no error, and another one under its name would be.
          sender.close({ type: 'S', name: place.name });
          sender.parse({ text, name: place.name });
        }
        if (step.isOnlyParsed === true) continue;
        sender.bind({ values, ...(place === undefined ? {} : { statement: place.name }) });
        sender.describe({ type: 'P', name: '' });
        sender.execute({});
      }
      sender.sync();
    } finally {
      sender.stream.uncork();
    }
  }

  override handleRowDescription(message: { readonly fields: readonly Field[] }): void {
    this.#fields = message.fields;
    this.#retained?.addFields(message.fields);
  }
  override handleDataRow(message: { readonly fields: TextRow; readonly length: number }): void {
    this.#rows.push(message.fields);
    this.#retained?.addRow(message.fields, message.length);
  }
  override handleCommandComplete(message: { readonly text: string }): void {
    this.#finish(message.text);
  }
  override handleEmptyQuery(): void {
    this.#finish('');
  }
  override handleCopyInResponse(connection: Connection): void {
    // Each answer to a flood of them would wait in memory until the server reads it.
    if (this.#hasFailedCopy) return this.refuse();
    this.#hasFailedCopy = true;
    (connection as unknown as Sender).sendCopyFail('No rows are sent here.');
  }
  override handleCopyData(): void {
    // Rows of a COPY … TO STDOUT: they lead nowhere.
  }
  handleReadyForQuery(): void {
    this.#retained?.close();
    this.#resolve(this.#found);
  }
  handleError(error: unknown): void {
    this.#drop();
    this.#reject(error);
  }

  #finish(tag: string): void {
    if (this.#found.length >= this.#most) return this.refuse();
    this.#found.push({ fields: this.#fields, rows: this.#rows, tag });
    this.#fields = [];
    this.#rows = [];
  }

  /** Keeps nothing of what has come: the call fails. */
  #drop(): void {
    this.#retained?.close();
    this.#found = [];
    this.#rows = [];
    this.#fields = [];
  }
}
