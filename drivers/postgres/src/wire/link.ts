import { NoticeBuffer } from './noticeBuffer.ts';
import { PgClient } from './pgClient.ts';
import { guardSignIn } from './guardSignIn.ts';
import type { Submittable } from 'pg';
import { DriverError } from '@tabularium/sdk';
import type { DriverSocket, SocketCapability } from '@tabularium/sdk';
import {
  connectionClosed,
  connectionBroke,
  faultTexts,
  postgresError,
  serverEnded,
  signInError,
  stopIfCancelled,
} from '../fault.ts';
import { Batch } from './batch.ts';
import type { PgAnswer, PgStep } from './batch.ts';
import { CopyIn } from './copyIn.ts';
import { beginEncryption } from './encryption.ts';
import type { ServerNotice } from './notice.ts';
import { noticeOf, sizeOfNotice } from './notice.ts';
import { ParameterQuestion } from './parameterQuestion.ts';
import { RowStream } from './rowStream.ts';
import type { RowPiece } from './rowStream.ts';
import { PreparedStatements } from './preparedStatements.ts';
import { SocketStream } from './socketStream.ts';

/** The user and the database of a sign-in. */
export interface SignIn {
  readonly user: string;
  readonly password: string | undefined;
  readonly database: string;
}

const SIGN_IN_MILLISECONDS = 20_000;
/** A server that doesn't end a statement within this time after it was asked to loses the connection. */
const CANCEL_MILLISECONDS = 3_000;
/** A statement that is still there then is asked to stop once more. */
const CANCEL_AGAIN_MILLISECONDS = 250;

/** The forms of values, for statements that run outside of a transaction. */
export const SESSION_FORMS: PgStep = {
  text: `SELECT pg_catalog.set_config('DateStyle', 'ISO, YMD', false), pg_catalog.set_config('IntervalStyle', 'postgres', false),
 pg_catalog.set_config('bytea_output', 'hex', false), pg_catalog.set_config('extra_float_digits', '1', false),
 pg_catalog.set_config('client_encoding', 'UTF8', false), pg_catalog.set_config('standard_conforming_strings', 'on', false)`,
};

const DATABASE: PgStep = { text: 'SELECT pg_catalog.current_database(), pg_catalog.pg_backend_pid()' };

/** A transaction of a connection. */
export type TransactionState = 'none' | 'open' | 'failed';

/** Where connections get their sockets. */
export interface LinkSockets extends Pick<SocketCapability, 'tls' | 'open' | 'endpoint'> {
  /** In place of `open`, for a request that ends a statement. */
  readonly openToCancel?: SocketCapability['open'];
}

/** One connection to the server. It does one thing at a time. */
export class Link {
  readonly #client: PgClient;
  readonly #stream: SocketStream;
  readonly #sockets: LinkSockets;
  readonly #notices: NoticeBuffer<ServerNotice>;
  #running: RowStream | undefined;
  readonly #prepared = new PreparedStatements();
  #database = '';
  #isDirect = false;
  #transaction: TransactionState = 'none';
  #isReady = true;
  readonly #settling: (() => void)[] = [];
  #lost: unknown;
  #isOpen = true;
  readonly #over = new AbortController();

  private constructor(client: PgClient, stream: SocketStream, sockets: LinkSockets) {
    this.#client = client;
    this.#stream = stream;
    this.#sockets = sockets;
    this.#notices = new NoticeBuffer(sizeOfNotice, (bytes) => stream.memory.change(bytes));
    client.on('error', (error) => this.#lose(error));
    client.on('end', () => this.#lose(serverEnded()));
    client.on('notice', (message) => {
      this.#notices.add(noticeOf(message));
      this.#running?.nudge();
    });
    const { connection } = client as unknown as { connection: NodeJS.EventEmitter };
    connection.on('readyForQuery', ({ status }: { readonly status: string }) => {
      this.#transaction = status === 'T' ? 'open' : status === 'E' ? 'failed' : 'none';
      this.#isReady = true;
      for (const wake of this.#settling.splice(0)) wake();
    });
  }

  /** @throws DriverError on the way to the server, and when it rejects the sign-in */
  static async open(sockets: LinkSockets, { user, password, database }: SignIn, signal: AbortSignal): Promise<Link> {
    const { socket, received } = await openSocket(sockets, signal);
    const stream = new SocketStream(socket, received, sockets.endpoint);
    const client = new PgClient({
      user,
      // Without one the library would look for a file with passwords.
      password: password ?? '',
      database,
      host: 'server',
      ssl: false,
      application_name: 'Tabularium',
      stream: () => stream,
    });
    const deadline = AbortSignal.timeout(SIGN_IN_MILLISECONDS);
    const ends = AbortSignal.any([signal, deadline]);
    const stop = (): void =>
      void stream.destroy(
        deadline.aborted
          ? new DriverError('TIMEOUT', `${sockets.endpoint} didn't complete the sign-in in time.`, {
              details: { texts: faultTexts('signIn.slow', { server: sockets.endpoint }) },
            })
          : new DriverError('CANCELLED'),
      );
    ends.addEventListener('abort', stop, { once: true });
    // An error after the sign-in has an owner below; one that comes in between must not end the process.
    client.on('error', () => undefined);
    guardSignIn(client, sockets.tls === 'upgrade', (error) => void stream.destroy(error));
    try {
      stopIfCancelled(signal);
      await client.connect().catch((error: unknown) => {
        throw signInError(stream.errored ?? error, signal);
      });
      const link = new Link(client, stream, sockets);
      const [, answer] = await link.batch([SESSION_FORMS, DATABASE], ends);
      const [database, process] = answer?.rows[0] ?? [];
      link.#database = database ?? '';
      link.#isDirect = process !== undefined && Number(process) === link.process;
      return link;
    } catch (error) {
      stream.destroy();
      throw postgresError(stream.errored ?? error, signal);
    } finally {
      ends.removeEventListener('abort', stop);
    }
  }

  /** Whether it can be used again. */
  get isOpen(): boolean {
    return this.#isOpen && this.#lost === undefined;
  }

  /** The database that it is in. A pooler between may lead to another one than was asked for. */
  get database(): string {
    return this.#database;
  }

  /** The statements that it has under a name; undefined where a pooler is between, which may send each transaction to another process. */
  get prepared(): PreparedStatements | undefined {
    return this.#isDirect ? this.#prepared : undefined;
  }

  /** Whether the server has planned statements of this connection that are asked again and again. */
  get hasPrepared(): boolean {
    return this.#prepared.hasAny;
  }

  /** Whether nothing runs on it. */
  get isIdle(): boolean {
    return this.#isReady;
  }

  /** The error that ended it; undefined while it is open, and where this side closed it. */
  get lost(): unknown {
    return this.#lost;
  }

  /** The number of its process at the server; of a pooler between, the one that the pooler made up. */
  get process(): number | undefined {
    return (this.#client as unknown as { processID: number | null }).processID ?? undefined;
  }

  /** The transaction as the server reported it with its last answer. */
  get transaction(): TransactionState {
    return this.#transaction;
  }

  /** Messages of the server beside its answers. A flood of them is counted by the meter of the stream. */
  get notices(): Pick<NoticeBuffer<ServerNotice>, 'begin' | 'take' | 'takeLast'> {
    return this.#notices;
  }

  /**
   * Several statements in one round trip; all rows of all of them.
   *
   * @param prepared - {@link Link.prepared}, where those that have a name may stay at the server
   */
  async batch(steps: readonly PgStep[], signal: AbortSignal, prepared?: PreparedStatements): Promise<readonly PgAnswer[]> {
    this.#begin(signal);
    const batch = new Batch(steps, prepared);
    try {
      const answers = await this.#during(signal, () => {
        this.#client.query(batch as unknown as Submittable);
        return batch.answers;
      });
      prepared?.add(steps);
      return answers;
    } catch (error) {
      prepared?.clear();
      throw error;
    }
  }

  /** One statement. */
  async run(text: string, values: readonly (string | null)[], signal: AbortSignal): Promise<PgAnswer> {
    const [answer] = await this.batch([{ text, values }], signal);
    return answer ?? { fields: [], rows: [], tag: '' };
  }

  /** One `COPY … FROM STDIN` that reads this content. @returns the tag of its answer, such as `COPY 3` */
  async copyIn(text: string, content: Buffer, signal: AbortSignal): Promise<string> {
    this.#begin(signal);
    const copy = new CopyIn(text, content);
    return await this.#during(signal, () => {
      this.#client.query(copy as unknown as Submittable);
      return copy.tag;
    });
  }

  /** Waits until the server is ready again: an error comes before the state that it left behind. */
  async settled(): Promise<void> {
    if (this.#isReady || !this.isOpen) return;
    await new Promise<void>((resolve) => void this.#settling.push(resolve));
  }

  /** The types of a statement's parameters, by their numbers at the server. The statement is parsed and not run. */
  async parametersOf(text: string, signal: AbortSignal): Promise<readonly number[]> {
    this.#begin(signal);
    const question = new ParameterQuestion(text);
    return await this.#during(signal, () => {
      this.#client.query(question as unknown as Submittable);
      return question.types;
    });
  }

  /**
   * Statements in one round trip, of which the last one's rows come in pieces. Ending the iteration early ends the statement.
   *
   * @param most - rows of the last statement; 0 for all of them
   * @param runsOn - whether it runs to its end all the same: one that writes isn't ended by the number of rows that are shown
   */
  stream(steps: readonly PgStep[], most: number, runsOn = false): LinkStream {
    // Rows that aren't kept need no memory, however many there are.
    const stream = new RowStream(steps, most, runsOn, () => this.#stream.meter.begin());
    const pieces = async function* (this: Link, signal: AbortSignal): AsyncGenerator<RowPiece, void, undefined> {
      this.#begin(signal);
      this.#client.query(stream as unknown as Submittable);
      this.#running = stream;
      // While rows wait, the stream is paused: the end of the statement would wait behind them.
      const discard = (): void => stream.discard();
      signal.addEventListener('abort', discard, { once: true });
      try {
        for (;;) {
          const piece = await this.#during(signal, () => stream.next());
          if (piece === undefined) return;
          this.#stream.meter.begin();
          yield piece;
          stopIfCancelled(signal);
        }
      } finally {
        signal.removeEventListener('abort', discard);
        this.#running = undefined;
        if (!stream.isFinished) await this.#abandon(stream);
        stream.release();
      }
    };
    return { pieces: (signal) => pieces.call(this, signal), state: stream };
  }

  /** Asks the server to stop and lets pass what it had sent: then the connection can be used again. */
  async #abandon(stream: RowStream): Promise<void> {
    stream.discard();
    const hurry = setTimeout(() => this.destroy(), CANCEL_MILLISECONDS);
    await this.stop().catch(() => this.destroy());
    await stream.finished;
    clearTimeout(hurry);
  }

  /** Back to a connection as it was opened, whatever a statement has set. */
  async reset(): Promise<void> {
    if (!this.isOpen) return;
    const signal = AbortSignal.timeout(CANCEL_MILLISECONDS);
    this.#prepared.clear();
    try {
      await this.run('DISCARD ALL', [], signal);
      await this.batch([SESSION_FORMS], signal);
    } catch {
      this.destroy();
    }
  }

  /** A stream of the library's that takes the connection over, such as that of a COPY. */
  submit<T extends object>(stream: T): T {
    this.#client.query(stream as unknown as Submittable);
    return stream;
  }

  /**
   * Asks the server to stop what runs, until it has. A request that comes before the statement has begun is lost, and the statement would run on with its locks, also after its connection is closed.
   *
   * @throws DriverError where no connection for the request can be had
   */
  async stop(): Promise<void> {
    for (const deadline = AbortSignal.timeout(CANCEL_MILLISECONDS); ;) {
      await this.#cancel();
      const again = Promise.withResolvers<void>();
      const timer = setTimeout(again.resolve, CANCEL_AGAIN_MILLISECONDS);
      await Promise.race([this.settled(), again.promise]);
      clearTimeout(timer);
      if (this.#isReady || !this.isOpen || deadline.aborted) return;
    }
  }

  /** Asks the server once to end the statement that runs. */
  async #cancel(): Promise<void> {
    const { processID, secretKey } = this.#client as unknown as { processID: number | null; secretKey: number | null };
    if (processID === null || secretKey === null) return this.destroy();
    const request = Buffer.alloc(16);
    request.writeInt32BE(16, 0);
    request.writeInt32BE(80_877_102, 4);
    request.writeInt32BE(processID, 8);
    request.writeInt32BE(secretKey, 12);
    // Not for longer than the connection itself is there.
    const signal = AbortSignal.any([AbortSignal.timeout(CANCEL_MILLISECONDS), this.#over.signal]);
    const { socket, received } = await openSocket(this.#sockets, signal, true);
    const stop = (): void => socket.close();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    try {
      await socket.write(request);
      socket.end();
      // The server says nothing and closes the socket when the signal is on its way.
      await received.next();
    } finally {
      signal.removeEventListener('abort', stop);
      socket.close();
    }
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#over.abort(connectionClosed());
    const hurry = setTimeout(() => this.#stream.destroy(), 1_000);
    await this.#client.end().catch(() => undefined);
    clearTimeout(hurry);
    this.#stream.destroy();
  }

  /** At once: what runs fails. */
  destroy(): void {
    this.#isOpen = false;
    this.#over.abort(connectionClosed());
    this.#stream.destroy();
    for (const wake of this.#settling.splice(0)) wake();
  }

  #begin(signal: AbortSignal): void {
    stopIfCancelled(signal);
    if (!this.isOpen) throw this.#faultOf(this.#lost ?? connectionClosed());
    this.#stream.meter.begin();
    this.#isReady = false;
  }

  async #during<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    let hurry: ReturnType<typeof setTimeout> | undefined;
    let cancelling: Promise<void> | undefined;
    const stop = (): void => {
      hurry = setTimeout(() => this.destroy(), CANCEL_MILLISECONDS);
      cancelling = this.stop().catch(() => this.destroy());
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await work();
    } catch (error) {
      throw this.#faultOf(this.#stream.errored ?? error, signal);
    } finally {
      signal.removeEventListener('abort', stop);
      // A cancel that comes late would end the statement after this one.
      await cancelling;
      clearTimeout(hurry);
    }
  }

  /** An error of this connection. Where neither the server nor the host said why it broke, the error names the server. */
  #faultOf(error: unknown, signal?: AbortSignal): DriverError {
    const fault = postgresError(error, signal);
    if (!this.#isOpen || fault.code !== 'CONNECTION_LOST' || fault.details.status !== undefined) return fault;
    return connectionBroke(this.#sockets.endpoint, fault);
  }

  #lose(error: unknown): void {
    this.#lost ??= this.#stream.errored ?? error;
    this.#over.abort(connectionClosed());
    this.#stream.destroy();
    for (const wake of this.#settling.splice(0)) wake();
  }
}

/** A statement in progress. */
export interface LinkStream {
  /** @throws DriverError what the server reported */
  pieces(signal: AbortSignal): AsyncGenerator<RowPiece, void, undefined>;
  /** Facts that are known by now. */
  readonly state: Pick<RowStream, 'fields' | 'tag' | 'isCut'>;
}

async function openSocket(
  sockets: LinkSockets,
  signal: AbortSignal,
  toCancel = false,
): Promise<{ readonly socket: DriverSocket; readonly received: AsyncIterator<Uint8Array> }> {
  const socket =
    toCancel && sockets.openToCancel !== undefined ? await sockets.openToCancel({ signal }) : await sockets.open({ signal });
  const received = socket.received[Symbol.asyncIterator]();
  // Between the answer and this line it may have been cancelled: no event reports that any more.
  if (signal.aborted) {
    socket.close();
    throw postgresError(new DriverError('CANCELLED'), signal);
  }
  if (sockets.tls !== 'upgrade') return { socket, received };
  const stop = (): void => socket.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await beginEncryption(socket, received, sockets.endpoint);
    return { socket, received };
  } catch (error) {
    socket.close();
    throw postgresError(error, signal);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
