import { randomUUID } from 'node:crypto';
import type { ApprovalAnswer, ApprovalAnswered, PendingApproval } from '../../../common/integrations.ts';
import type { ApprovalQuestion } from './approvalQuestion.ts';
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

export type QueueDecision = 'allowed' | 'denied' | 'nobody' | 'noAnswer' | 'tooMany';

interface Pending {
  readonly question: ApprovalQuestion;
  readonly shown: PendingApproval;
  settle(decision: QueueDecision): void;
}

/** Where requests wait for a person in the window. A dialog shows what waits and nothing else: it outlives no request. */
export class ApprovalQueue {
  static readonly inject: Inject<typeof ApprovalQueue> = [GrantStore];

  readonly #grants: GrantStore;
  readonly #now: () => number;
  readonly #pending = new Map<string, Pending>();
  /** Requests that ended without an answer, so that one that crosses with the end is not lost. */
  readonly #ended = new Map<string, { readonly question: ApprovalQuestion; readonly until: number }>();
  /** Approvals that came too late, by digest: good for the same request, once. */
  readonly #late = new Map<string, number>();
  readonly #watchers = new Set<() => void>();
  #absence: NodeJS.Timeout | undefined;

  constructor(grants: GrantStore, now: () => number = Date.now) {
    this.#grants = grants;
    this.#now = now;
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
    const until = this.#late.get(digest);
    this.#late.delete(digest);
    return until !== undefined && this.#now() < until;
  }

  /** Waits for a person's answer. Ends with the signal, which rejects. */
  async ask(question: ApprovalQuestion, signal: AbortSignal): Promise<QueueDecision> {
    signal.throwIfAborted();
    if (this.#watchers.size === 0) return 'nobody';
    if (this.#pending.size >= MOST_PENDING) return 'tooMany';
    const id = randomUUID();
    const { promise, resolve, reject } = Promise.withResolvers<QueueDecision>();
    const { principal, client, connection, tool, effect, summary, text, digest } = question;
    const asked = this.#now();
    this.#pending.set(id, {
      question,
      settle: resolve,
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
      if (!answered) this.#remember(id, question);
      this.#notify();
    }
  }

  /**
   * Takes a person's answer. One that comes after the request has ended is not lost: it holds for the same request made again.
   *
   * @param digest - of the request that the person saw; an answer to another one counts for nothing
   */
  answer(id: string, answer: ApprovalAnswer, digest: string): ApprovalAnswered {
    const waiting = this.#pending.get(id);
    const question = waiting?.question ?? this.#ended.get(id)?.question;
    if (question === undefined || question.digest !== digest) return { outcome: 'gone' };
    if (answer === 'connection' && question.effect !== 'destructive') {
      this.#grants.grant(question.principal, question.connection.id);
    }
    if (waiting !== undefined) {
      waiting.settle(answer === 'deny' ? 'denied' : 'allowed');
      return { outcome: 'taken' };
    }
    this.#ended.delete(id);
    if (answer !== 'deny') this.#late.set(question.digest, this.#now() + LATE_ANSWER_MILLISECONDS);
    return { outcome: 'late' };
  }

  #remember(id: string, question: ApprovalQuestion): void {
    const now = this.#now();
    for (const [key, { until }] of this.#ended) if (until <= now) this.#ended.delete(key);
    for (const [key, until] of this.#late) if (until <= now) this.#late.delete(key);
    this.#ended.set(id, { question, until: now + LATE_ANSWER_MILLISECONDS });
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
