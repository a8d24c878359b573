import { DriverError } from '@tabularium/sdk';
import { randomUUID } from 'node:crypto';
import type { ApprovalAnswer, ApprovalAnswered, PendingApproval } from '../../../common/integrations.ts';
import type { ApprovalQuestion } from './approvalQuestion.ts';
import { BoundedEntries } from './boundedEntries.ts';
import { ConnectionStore } from '../../connections/connectionStore.ts';
import { connectionTarget } from '../../connections/connectionTarget.ts';
import { GrantStore } from './grantStore.ts';
import type { Inject } from '../../container/inject.ts';

/** How long a request waits for a person in the window. */
const QUEUE_MILLISECONDS = 240_000;
/** A window that is being reloaded is back within this time. */
const WINDOW_RETURNS_MILLISECONDS = 10_000;
/** How long an answer that came after its request had ended is kept for the same request made again. */
export const LATE_ANSWER_MILLISECONDS = 300_000;
/** Requests that wait for a person at once; further ones are refused. */
const MOST_PENDING = 50;
/** Of one principal. */
export const MOST_PENDING_OF_ONE = 10;
/** Ended requests that can still be answered: a dialog shows one at a time. */
const ENDED = { all: 100, ofOne: MOST_PENDING_OF_ONE, milliseconds: LATE_ANSWER_MILLISECONDS };

export type QueueDecision = 'allowed' | 'denied' | 'nobody' | 'noAnswer' | 'tooMany';

interface Pending {
  readonly question: ApprovalQuestion;
  readonly shown: PendingApproval;
  settle(decision: QueueDecision): void;
  fail(reason: Error): void;
}

/** All of a request that an answer needs: its text may be long. */
type Answerable = Pick<ApprovalQuestion, 'connection' | 'effect' | 'digest'> & {
  readonly principal: Pick<ApprovalQuestion['principal'], 'id' | 'name'>;
};

/** Where requests wait for a person in the window. A dialog shows what waits and nothing else: it outlives no request. */
export class ApprovalQueue {
  static readonly inject: Inject<typeof ApprovalQueue> = [GrantStore, ConnectionStore];

  readonly #grants: GrantStore;
  readonly #connections: Pick<ConnectionStore, 'list' | 'onChange'>;
  readonly #now: () => number;
  readonly #pending = new Map<string, Pending>();
  /** Requests that ended without an answer, so that one that crosses with the end is not lost. */
  readonly #ended: BoundedEntries<Answerable>;
  /** Approvals that came too late, by digest: good for the same request, once. */
  readonly #late: BoundedEntries<true>;
  readonly #watchers = new Set<() => void>();
  #absence: NodeJS.Timeout | undefined;

  constructor(grants: GrantStore, connections: Pick<ConnectionStore, 'list' | 'onChange'>, now: () => number = Date.now) {
    this.#grants = grants;
    this.#connections = connections;
    this.#now = now;
    this.#ended = new BoundedEntries(ENDED, now);
    this.#late = new BoundedEntries(ENDED, now);
    connections.onChange(({ connection }) => this.#onConnectionChanged(connection.id));
  }

  /** Pending requests, oldest first. */
  pending(): readonly PendingApproval[] {
    return [...this.#pending.values()].map(({ shown }) => shown);
  }

  /** Says what waits, at once and after every change, until the signal. While somebody watches, there is somebody to ask. */
  async *watch(signal: AbortSignal): AsyncGenerator<readonly PendingApproval[]> {
    let change = Promise.withResolvers<void>();
    const onChange = (): void => change.resolve();
    this.#watchers.add(onChange);
    clearTimeout(this.#absence);
    signal.addEventListener('abort', onChange, { once: true });
    try {
      while (!signal.aborted) {
        change = Promise.withResolvers<void>();
        yield this.pending();
        await change.promise;
      }
    } finally {
      signal.removeEventListener('abort', onChange);
      this.#watchers.delete(onChange);
      if (this.#watchers.size === 0) this.#waitForWindow();
    }
  }

  /** Whether this very request was approved after it had ended. The approval is used up. */
  redeemLate(digest: string): boolean {
    return this.#late.take(digest) === true;
  }

  /** Waits for a person's answer. Ends with the signal, which rejects. */
  async ask(question: ApprovalQuestion, signal: AbortSignal): Promise<QueueDecision> {
    signal.throwIfAborted();
    if (this.#watchers.size === 0) return 'nobody';
    if (this.#pending.size >= MOST_PENDING || this.#pendingOf(question.principal.id) >= MOST_PENDING_OF_ONE) return 'tooMany';
    const id = randomUUID();
    const { promise, resolve, reject } = Promise.withResolvers<QueueDecision>();
    const { principal, client, connection, tool, effect, summary, text, digest } = question;
    const asked = this.#now();
    this.#pending.set(id, {
      question,
      settle: resolve,
      fail: reject,
      shown: {
        id,
        principalName: principal.name,
        principalKind: principal.kind,
        ...(client === undefined ? {} : { client: { name: client.name, version: client.version } }),
        connectionId: connection.id,
        connectionName: connection.name,
        tool,
        effect,
        summary,
        text,
        digest,
        askedAt: new Date(asked).toISOString(),
        expiresAt: new Date(asked + QUEUE_MILLISECONDS).toISOString(),
      },
    });
    this.#notify();
    const timer = setTimeout(() => resolve('noAnswer'), QUEUE_MILLISECONDS);
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    let answered = false;
    try {
      const decision = await promise;
      answered = decision === 'allowed' || decision === 'denied';
      return decision;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      this.#pending.delete(id);
      if (!answered && this.#leadsTo(question)) this.#remember(id, question);
      this.#notify();
    }
  }

  /**
   * Takes a person's answer. One that comes after the request has ended is not lost: it holds for the same request made again. One about a
   * connection that leads elsewhere by now, or is gone, counts for nothing.
   *
   * @param digest - of the request that the person saw; an answer to another one counts for nothing
   */
  answer(id: string, answer: ApprovalAnswer, digest: string): ApprovalAnswered {
    const waiting = this.#pending.get(id);
    const question = waiting?.question ?? this.#ended.get(id);
    if (question === undefined || question.digest !== digest || !this.#leadsTo(question)) return { outcome: 'gone' };
    if (answer === 'connection' && question.effect !== 'destructive') {
      this.#grants.grant(question.principal, question.connection);
    }
    if (waiting !== undefined) {
      waiting.settle(answer === 'deny' ? 'denied' : 'allowed');
      return { outcome: 'taken' };
    }
    this.#ended.take(id);
    if (answer !== 'deny') this.#late.set(question.digest, question.principal.id, true);
    return { outcome: 'late' };
  }

  #remember(id: string, { principal, connection, effect, digest }: ApprovalQuestion): void {
    const answerable = { principal: { id: principal.id, name: principal.name }, connection, effect, digest };
    this.#ended.set(id, principal.id, answerable);
  }

  #pendingOf(principalId: string): number {
    return [...this.#pending.values()].filter(({ question }) => question.principal.id === principalId).length;
  }

  /** Whether the connection leads where it led when the question was made. */
  #leadsTo({ connection: { id, target } }: Answerable): boolean {
    const now = this.#connections.list().find((connection) => connection.id === id);
    return now !== undefined && connectionTarget(now) === target;
  }

  /** A dialog about a server that the connection does not lead to any more would be answered for the new one. */
  #onConnectionChanged(id: string): void {
    const isMoot = (question: Answerable): boolean => question.connection.id === id && !this.#leadsTo(question);
    this.#ended.removeWhere(isMoot);
    for (const pending of this.#pending.values()) {
      const { question } = pending;
      if (!isMoot(question)) continue;
      pending.fail(
        new DriverError(
          'CONFLICT',
          `The settings of "${question.connection.name}" were changed while a person was asked, so it may lead to another server. Nothing was changed.`,
          { details: { advice: 'Call again: the person is asked about the server that it leads to now.' } },
        ),
      );
    }
  }

  #waitForWindow(): void {
    this.#absence = setTimeout(() => {
      for (const waiting of this.#pending.values()) waiting.settle('nobody');
    }, WINDOW_RETURNS_MILLISECONDS).unref();
  }

  #notify(): void {
    for (const watcher of this.#watchers) watcher();
  }
}
