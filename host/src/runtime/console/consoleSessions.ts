import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { DriverError, isDriverError } from '@tabularium/sdk';
import type {
  ConsoleContext,
  ConsoleSession,
  ExplainFacet,
  SessionEvent,
  SessionRunOptions,
  StatementClassification,
  StatementEffect,
  StatementParameter,
} from '@tabularium/sdk';
import { MOST_CONSOLE_SESSIONS } from '@tabularium/sdk/protocol';
import type { ConsoleSessionState, EndTransaction, OpenedConsoleSession, SessionStatement } from '../../common/console.ts';
import { HostError } from '../../common/errors.ts';
import type { Inject } from '../container/inject.ts';
import { ON_TABLES_CHANGED } from '../data/onTablesChanged.ts';
import { Sessions } from '../data/sessions.ts';
import { MAY_HAVE_CHANGED, QueryHistory } from './queryHistory.ts';
import type { StatementEnd } from './queryHistory.ts';
import { loggerOf } from '../storage/logger.ts';
import type { Logger } from '../storage/logger.ts';

/** A session in which no statement ran for so long is closed: an open transaction holds locks that others wait for. */
const IDLE_MILLISECONDS = 60 * 60_000;
/** A window that opened one follows it at once; one that lost its host comes back within this time. */
const UNFOLLOWED_MILLISECONDS = 20_000;
/** How often a session in which nothing runs is asked whether it is still there. */
const CHECK_MILLISECONDS = 15_000;
/** How often one with an open transaction is: a person relies on it, and its driver answers without asking the server. */
const CHECK_TRANSACTION_MILLISECONDS = 1_000;
/** Ends that are remembered, for a window that comes back. */
const MOST_ENDS = 200;

/** A window that was loaded again may still be followed as it was before, for a moment. */
const LEAVING_MILLISECONDS = 3_000;
const LOOK_MILLISECONDS = 50;

const FORGOTTEN: Ended = { is: 'ended', why: 'closed', hadTransaction: false, isUncertain: false, isForgotten: true };

type Ended = Extract<ConsoleSessionState, { is: 'ended' }>;

/** A session as it is opened, and what is asked of one whose driver has a process of its own. */
interface Opened extends ConsoleSession {
  readContext?(signal: AbortSignal): Promise<ConsoleContext>;
}

interface Live {
  readonly connectionId: string;
  readonly session: Opened;
  context: ConsoleContext;
  followers: number;
  running: number;
  /** Of those, calls whose changes may stay although their answer is lost. */
  writing: number;
  check: NodeJS.Timeout | undefined;
  idle: NodeJS.Timeout | undefined;
  unfollowed: NodeJS.Timeout | undefined;
  changed: PromiseWithResolvers<void>;
  /** Ends the listening to its connection. */
  forget: () => void;
}

/** Where the statements of a tab run. */
export interface StatementRunner {
  classify(statement: string, options: { readonly signal: AbortSignal }): Promise<StatementClassification>;
  /** @param effect - as the statement was classified */
  run(statement: string, options: SessionRunOptions, effect: StatementEffect): AsyncIterable<SessionEvent>;
  /** The transaction of its session now. Absent where statements run in none. */
  transaction?(): ConsoleContext['transaction'];
}

/**
 * The console sessions that windows have opened. Each belongs to the tab that follows it, and is closed when the tab, its window or the connection
 * goes. Its id is a secret of that window: nothing lists them, so that neither a command nor an external client comes near a person's transaction.
 */
export class ConsoleSessions implements AsyncDisposable {
  static readonly inject: Inject<typeof ConsoleSessions> = {
    sessions: Sessions,
    logger: loggerOf('console'),
    onWritten: ON_TABLES_CHANGED,
    history: QueryHistory,
  };

  readonly #sessions: Pick<Sessions, 'use'>;
  readonly #logger: Pick<Logger, 'warn'>;
  readonly #onWritten: (connectionId: string) => void;
  readonly #history: Pick<QueryHistory, 'begin' | 'end'> | undefined;
  readonly #idle: number;
  readonly #unfollowed: number;
  readonly #checks: number;
  readonly #leaving: number;
  readonly #live = new Map<string, Live>();
  readonly #ends = new Map<string, Ended>();
  readonly #opening = new Map<string, number>();

  constructor(services: {
    sessions: Pick<Sessions, 'use'>;
    logger: Pick<Logger, 'warn'>;
    /** Called when a transaction was committed, or may have been. */
    onWritten?: (connectionId: string) => void;
    /** Remembers the ends of transactions. */
    history?: Pick<QueryHistory, 'begin' | 'end'>;
    /** Default: an hour. */
    idleMilliseconds?: number;
    /** Default: 20 seconds. */
    unfollowedMilliseconds?: number;
    /** Default: 15 seconds, and a second while a transaction is open. */
    checkMilliseconds?: number;
    /** Default: 3 seconds. */
    leavingMilliseconds?: number;
  }) {
    this.#sessions = services.sessions;
    this.#logger = services.logger;
    this.#onWritten = services.onWritten ?? (() => undefined);
    this.#history = services.history;
    this.#idle = services.idleMilliseconds ?? IDLE_MILLISECONDS;
    this.#unfollowed = services.unfollowedMilliseconds ?? UNFOLLOWED_MILLISECONDS;
    this.#checks = services.checkMilliseconds ?? CHECK_MILLISECONDS;
    this.#leaving = services.leavingMilliseconds ?? LEAVING_MILLISECONDS;
  }

  /** @throws HostError `SESSION_LIMIT` where as many are open as may be, DriverError `UNSUPPORTED`, and what opening throws */
  async open(connectionId: string, signal: AbortSignal): Promise<OpenedConsoleSession> {
    const opening = this.#opening.get(connectionId) ?? 0;
    const open = [...this.#live.values()].filter((live) => live.connectionId === connectionId).length;
    if (open + opening >= MOST_CONSOLE_SESSIONS)
      throw new HostError(
        'SESSION_LIMIT',
        `The connection has ${MOST_CONSOLE_SESSIONS} console sessions open, the most there can be.`,
      );
    this.#opening.set(connectionId, opening + 1);
    try {
      return await this.#sessions.use(
        connectionId,
        async ({ session, manifest, ended }) => {
          if (session.console?.openSession === undefined)
            throw new DriverError('UNSUPPORTED', `The console of ${manifest.title} has no sessions.`);
          const own = await session.console.openSession({ signal });
          if (signal.aborted || ended?.aborted === true) {
            await own.close();
            throw new DriverError('CANCELLED');
          }
          return this.#add(connectionId, own, ended);
        },
        { signal },
      );
    } finally {
      const left = (this.#opening.get(connectionId) ?? 1) - 1;
      if (left === 0) this.#opening.delete(connectionId);
      else this.#opening.set(connectionId, left);
    }
  }

  /** @throws DriverError `CONNECTION_LOST` for a session that has ended, or that belongs to another connection */
  of(sessionId: string, connectionId: string): StatementRunner {
    const live = this.#get(sessionId);
    if (live.connectionId !== connectionId) throw ended(undefined);
    return {
      classify: (statement, options) => this.#watching(sessionId, live, () => live.session.classify(statement, options)),
      run: (statement, options, effect) => this.#run(sessionId, live, live.session.run(statement, options), effect !== 'read'),
      transaction: () => live.context.transaction,
    };
  }

  /**
   * Plans as the session would make them; undefined where its driver makes none for a session.
   *
   * @throws DriverError as {@link of} does
   */
  explainOf(sessionId: string, connectionId: string): ExplainFacet | undefined {
    const live = this.#get(sessionId);
    if (live.connectionId !== connectionId) throw ended(undefined);
    const { explain } = live.session;
    if (explain === undefined) return undefined;
    return {
      classify: (statement, options) => this.#watching(sessionId, live, () => explain.classify(statement, options)),
      explain: (statement, options) => this.#watching(sessionId, live, () => explain.explain(statement, options)),
    };
  }

  /** The namespace of a session; undefined for one that has ended, or that belongs to another connection. */
  namespaceOf(sessionId: string, connectionId: string): readonly string[] | undefined {
    const live = this.#live.get(sessionId);
    return live?.connectionId === connectionId ? live.context.namespace : undefined;
  }

  /** The parameters of a statement. It isn't run. */
  async parameters({ sessionId, statement }: SessionStatement, signal: AbortSignal): Promise<readonly StatementParameter[]> {
    const live = this.#get(sessionId);
    return this.#watching(sessionId, live, async () => (await live.session.parameters?.(statement, { signal })) ?? []);
  }

  /**
   * @returns the context then
   * @throws HostError `CONNECTION_READ_ONLY` for a commit in read-only mode, DriverError `CONFLICT` where no transaction is open and for a commit that
   *   ended in a rollback, and what else the driver throws
   */
  async endTransaction({ sessionId, way }: EndTransaction, signal: AbortSignal): Promise<ConsoleContext> {
    const live = this.#get(sessionId);
    // A COMMIT or ROLLBACK that was stopped may have ended it: that it did is known when the database has let go of it.
    if (live.running > 0) await this.#settle(sessionId, live, signal);
    if (live.context.transaction === 'none') throw nothingToEnd(way);
    const noteEnd = this.#remember(live.connectionId, way);
    try {
      const context = await this.#watching(sessionId, live, () => live.session.endTransaction(way, { signal }), way === 'commit');
      noteEnd({ outcome: 'ok' });
      return context;
    } catch (error) {
      const isStopped = isDriverError(error) && (error.code === 'CANCELLED' || error.code === 'TIMEOUT');
      const context: ConsoleContext = live.context;
      const outcome = isStopped ? 'cancelled' : 'failed';
      const isLost = isStopped || isLoss(error) || (isDriverError(error) && error.code === 'DRIVER_CRASHED');
      noteEnd({ outcome, ...(way === 'commit' && isLost ? { status: MAY_HAVE_CHANGED } : {}) });
      if (way === 'commit' && isStopped && context.transaction === 'none') throw uncertainCommit(error);
      throw error;
    } finally {
      if (way === 'commit') this.#onWritten(live.connectionId);
    }
  }

  /** Rolls back what isn't committed. Does nothing for a session that has ended. */
  async close(sessionId: string): Promise<void> {
    await this.#end(sessionId, 'closed');
  }

  /**
   * Ends a session for the window that had it before it was loaded again: the window that went may not have been heard. One that another window follows
   * stays open, because a copy of a tab of the browser has the ids of the tab that it was copied from.
   *
   * @returns what became of it
   */
  async leave(sessionId: string, signal: AbortSignal): Promise<ConsoleSessionState> {
    const until = performance.now() + this.#leaving;
    for (;;) {
      const live = this.#live.get(sessionId);
      if (live === undefined) return this.#ends.get(sessionId) ?? FORGOTTEN;
      if (live.followers === 0) await this.#end(sessionId, 'closed');
      else if (performance.now() >= until) return { is: 'open', context: live.context };
      else await delay(LOOK_MILLISECONDS, undefined, { signal });
    }
  }

  /** The present state first, then each change; `ended` is the last. As long as somebody watches, the session stays. */
  async *watch(sessionId: string, signal: AbortSignal): AsyncGenerator<ConsoleSessionState, void, undefined> {
    const live = this.#live.get(sessionId);
    if (live === undefined) {
      yield this.#ends.get(sessionId) ?? FORGOTTEN;
      return;
    }
    const stopped = Promise.withResolvers<void>();
    const onStop = (): void => stopped.resolve();
    signal.addEventListener('abort', onStop, { once: true });
    live.followers += 1;
    clearTimeout(live.unfollowed);
    try {
      while (!signal.aborted) {
        const changed = live.changed.promise;
        const end = this.#ends.get(sessionId);
        if (end !== undefined) {
          yield end;
          return;
        }
        yield { is: 'open', context: live.context };
        await Promise.race([changed, stopped.promise]);
      }
    } finally {
      signal.removeEventListener('abort', onStop);
      live.followers -= 1;
      this.#await(sessionId, live);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#live.keys()].map((id) => this.#end(id, 'closed')));
  }

  #add(connectionId: string, session: Opened, over: AbortSignal | undefined): OpenedConsoleSession {
    const sessionId = randomUUID();
    const live: Live = {
      connectionId,
      session,
      context: session.context,
      followers: 0,
      running: 0,
      writing: 0,
      check: undefined,
      idle: undefined,
      unfollowed: undefined,
      changed: Promise.withResolvers(),
      forget: () => undefined,
    };
    this.#live.set(sessionId, live);
    this.#await(sessionId, live);
    this.#relax(sessionId, live);
    const onOver = (): void => void this.#end(sessionId, isDriverError(over?.reason) ? 'lost' : 'closed');
    over?.addEventListener('abort', onOver, { once: true });
    live.forget = () => over?.removeEventListener('abort', onOver);
    return { sessionId, context: session.context, takesParameters: session.parameters !== undefined };
  }

  /** Notes in the history that a transaction is ended. The host may be stopping: what can't be remembered any more is interrupted. */
  #remember(connectionId: string, way: EndTransaction['way']): (end: Omit<StatementEnd, 'milliseconds'>) => void {
    const began = performance.now();
    // A full disk of this computer keeps no transaction of a server open.
    const attempt = <T>(write: () => T): T | undefined => {
      try {
        return write();
      } catch (error) {
        this.#logger.warn(`the end of a transaction was not remembered: ${String(error)}`);
        return undefined;
      }
    };
    const entry = attempt(() => this.#history?.begin(connectionId, way === 'commit' ? 'COMMIT' : 'ROLLBACK', false));
    return (end) => {
      if (entry === undefined) return;
      attempt(() => this.#history?.end(entry, { ...end, milliseconds: Math.round((performance.now() - began) * 10) / 10 }));
    };
  }

  #get(sessionId: string): Live {
    const live = this.#live.get(sessionId);
    if (live === undefined) throw ended(this.#ends.get(sessionId));
    return live;
  }

  async *#run(
    sessionId: string,
    live: Live,
    events: AsyncIterable<SessionEvent>,
    writes: boolean,
  ): AsyncGenerator<SessionEvent, void, undefined> {
    this.#begin(live, writes);
    try {
      for await (const event of events) {
        if (event.type === 'context') this.#set(live, event.context);
        yield event;
      }
    } catch (error) {
      await this.#noteLoss(sessionId, live, error);
      throw error;
    } finally {
      this.#rest(sessionId, live, writes);
    }
  }

  async #watching<T>(sessionId: string, live: Live, work: () => Promise<T>, writes = false): Promise<T> {
    this.#begin(live, writes);
    try {
      return await work();
    } catch (error) {
      await this.#noteLoss(sessionId, live, error);
      throw error;
    } finally {
      this.#rest(sessionId, live, writes);
    }
  }

  /** Ends a session whose server is gone. A statement may lose another connection, such as that to a foreign server: the session itself is asked. */
  async #noteLoss(sessionId: string, live: Live, error: unknown): Promise<void> {
    if (!isLoss(error)) return;
    const isThere = await live.session.readContext?.(AbortSignal.timeout(this.#checks)).then(
      () => true,
      (problem: unknown) => !isLoss(problem),
    );
    if (isThere !== true) void this.#end(sessionId, 'lost');
  }

  /** Waits until nothing runs in the session. */
  async #settle(sessionId: string, live: Live, signal: AbortSignal): Promise<void> {
    const context = await this.#watching(sessionId, live, async () => live.session.readContext?.(signal));
    if (context !== undefined) this.#set(live, context);
  }

  #begin(live: Live, writes: boolean): void {
    live.running += 1;
    if (writes) live.writing += 1;
    clearTimeout(live.idle);
    clearTimeout(live.check);
  }

  /** After a call, whatever became of it: its session says how it was left. */
  #rest(sessionId: string, live: Live, writes: boolean): void {
    live.running -= 1;
    if (writes) live.writing -= 1;
    if (this.#live.get(sessionId) !== live) return;
    // Also where the context is the same: a window that stopped the call hears by this that it is over.
    if (!this.#set(live, live.session.context) && writes) this.#notify(live);
    this.#relax(sessionId, live);
  }

  #relax(sessionId: string, live: Live): void {
    if (live.running > 0) return;
    clearTimeout(live.idle);
    live.idle = setTimeout(() => void this.#end(sessionId, 'idle'), this.#idle).unref();
    this.#checkLater(sessionId, live);
  }

  /** A session that the server ended while nothing ran in it is reported when it is noticed, and not with the next statement. */
  #checkLater(sessionId: string, live: Live): void {
    clearTimeout(live.check);
    if (live.session.readContext === undefined) return;
    const pause = live.context.transaction === 'none' ? this.#checks : Math.min(this.#checks, CHECK_TRANSACTION_MILLISECONDS);
    live.check = setTimeout(() => void this.#check(sessionId, live), pause).unref();
  }

  async #check(sessionId: string, live: Live): Promise<void> {
    try {
      const context = await live.session.readContext?.(AbortSignal.timeout(this.#checks));
      if (context !== undefined && live.running === 0) this.#set(live, context);
    } catch (error) {
      if (isLoss(error)) void this.#end(sessionId, 'lost');
    }
    if (this.#live.get(sessionId) === live && live.running === 0) this.#checkLater(sessionId, live);
  }

  /** Closes a session that no window follows any more. */
  #await(sessionId: string, live: Live): void {
    if (live.followers > 0 || this.#live.get(sessionId) !== live) return;
    clearTimeout(live.unfollowed);
    live.unfollowed = setTimeout(() => void this.#end(sessionId, 'closed'), this.#unfollowed).unref();
  }

  /** @returns whether it differs from the one before, which its followers are notified of then */
  #set(live: Live, context: ConsoleContext): boolean {
    if (isDeepStrictEqual(live.context, context)) return false;
    live.context = context;
    this.#notify(live);
    return true;
  }

  #notify(live: Live): void {
    const { changed } = live;
    live.changed = Promise.withResolvers();
    changed.resolve();
  }

  async #end(sessionId: string, why: Ended['why']): Promise<void> {
    const live = this.#live.get(sessionId);
    if (live === undefined) return;
    this.#live.delete(sessionId);
    live.forget();
    clearTimeout(live.idle);
    clearTimeout(live.unfollowed);
    clearTimeout(live.check);
    this.#ends.set(sessionId, {
      is: 'ended',
      why,
      hadTransaction: live.context.transaction !== 'none',
      isUncertain: live.writing > 0,
    });
    for (const [oldest] of this.#ends) {
      if (this.#ends.size <= MOST_ENDS) break;
      this.#ends.delete(oldest);
    }
    this.#notify(live);
    await live.session.close().catch((error: unknown) => this.#logger.warn(`closing a console session: ${String(error)}`));
  }
}

function ended(end: Ended | undefined): DriverError {
  const why = {
    closed: 'The session of this console is closed.',
    idle: 'The session of this console was closed, because no statement ran in it for an hour.',
    lost: 'The session of this console ended.',
  }[end?.why ?? 'closed'];
  const changes =
    end?.isUncertain === true
      ? ' Whether the changes of its last statement stay is not known.'
      : end?.hadTransaction === true
        ? ' Its transaction was rolled back.'
        : '';
  return new DriverError('CONNECTION_LOST', `${why}${changes}`, { details: { advice: 'Open a new session.' } });
}

function isLoss(error: unknown): boolean {
  return isDriverError(error) && error.code === 'CONNECTION_LOST';
}

function uncertainCommit(cause: DriverError): DriverError {
  return new DriverError(
    cause.code,
    'The commit was stopped before its answer came, so it is not known whether the changes stay.',
    {
      cause,
      details: { advice: 'Look at the data before you repeat the changes.' },
    },
  );
}

function nothingToEnd(way: EndTransaction['way']): DriverError {
  const what = way === 'commit' ? 'commit' : 'roll back';
  return new DriverError('CONFLICT', `The session has no open transaction, so there is nothing to ${what}.`, {
    details: { advice: 'Look whether its changes are there before you make them again.' },
  });
}
