import { randomInt, randomUUID } from 'node:crypto';
import type { ConsentAnswer, PendingConsent } from '../../../common/integrations.ts';
import type { Inject } from '../../container/inject.ts';
import type { OAuthClient } from './oauthClientStore.ts';

/** How long a person has to answer. */
export const CONSENT_MILLISECONDS = 300_000;
/** How long the browser can ask how it ended. */
const ENDED_MILLISECONDS = 600_000;
/** Questions at once, and of one client. */
export const MOST_CONSENTS = 3;
/** Questions a minute, of all clients: a program that asks without end must not wear a person down. */
export const CONSENTS_PER_MINUTE = 10;
const MINUTE_MILLISECONDS = 60_000;
const MOST_ENDED = 50;

/** A sign-in as a client asked for it. */
export interface AuthorizationRequest {
  readonly client: OAuthClient;
  readonly redirect: string;
  readonly challenge: string;
  /** Scopes by the client's own wish; a person decides. */
  readonly scopes: readonly string[];
  readonly state: string | undefined;
  readonly resource: string;
  readonly issuer: string;
}

export type ConsentDecision = Extract<ConsentAnswer, { allow: true }>;

/** A sign-in and how far it is. `allowed` and `denied` hold once: the browser is led back to the client with them. */
export interface Consent {
  readonly id: string;
  readonly request: AuthorizationRequest;
  /** Six digits that the browser and the window both show. */
  readonly number: string;
  readonly expiresAt: number;
  readonly phase: 'waiting' | 'allowed' | 'denied' | 'expired';
  readonly decision?: ConsentDecision;
  /** Whether the browser was led back already. */
  readonly returned: boolean;
}

/** Sign-ins that wait for a person in the window. Everything is in memory and ends with the host: nothing is durable before the client redeems a code. */
export class ConsentQueue {
  static readonly inject: Inject<typeof ConsentQueue> = [];

  readonly #now: () => number;
  /** Oldest first. */
  readonly #consents = new Map<string, Consent>();
  readonly #watchers = new Set<() => void>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #asked: number[] = [];

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Whether a window is open. */
  get isWatched(): boolean {
    return this.#watchers.size > 0;
  }

  /**
   * Puts a question. One that the client asked before, and that waits, ends: a person sees the newest.
   *
   * @returns undefined when there are too many, and no question is put
   */
  ask(request: AuthorizationRequest): Consent | undefined {
    const now = this.#now();
    this.#asked = this.#asked.filter((time) => Math.abs(now - time) < MINUTE_MILLISECONDS);
    if (this.#asked.length >= CONSENTS_PER_MINUTE) return undefined;
    const waiting = this.#waiting();
    const before = waiting.find((known) => known.request.client.id === request.client.id);
    if (before === undefined && waiting.length >= MOST_CONSENTS) return undefined;
    if (before !== undefined) this.#end(before, 'expired');
    this.#asked.push(now);
    const id = randomUUID();
    const consent: Consent = {
      id,
      request,
      number: String(randomInt(1_000_000))
        .padStart(6, '0')
        .replace(/^(\d{3})/, '$1 '),
      expiresAt: now + CONSENT_MILLISECONDS,
      phase: 'waiting',
      returned: false,
    };
    this.#consents.set(id, consent);
    const timer = setTimeout(() => this.#notify(), CONSENT_MILLISECONDS + 50);
    this.#timers.set(id, timer.unref());
    this.#notify();
    return consent;
  }

  find(id: string): Consent | undefined {
    this.#expire();
    return this.#consents.get(id);
  }

  /** Notes that the browser is led back. @returns false when it was before */
  takeReturn(id: string): boolean {
    const consent = this.#consents.get(id);
    if (consent === undefined || consent.returned) return false;
    this.#consents.set(id, { ...consent, returned: true });
    return true;
  }

  /** Takes a person's answer. @returns false when the question is over */
  answer(id: string, answer: ConsentAnswer): boolean {
    this.#expire();
    const consent = this.#consents.get(id);
    if (consent?.phase !== 'waiting') return false;
    if (answer.allow) this.#end({ ...consent, decision: answer }, 'allowed');
    else this.#end(consent, 'denied');
    return true;
  }

  /** Ends all, when OAuth is switched off. */
  clear(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.#consents.clear();
    this.#notify();
  }

  pending(): readonly PendingConsent[] {
    return this.#waiting().map(({ id, request, number, expiresAt }) => ({
      id,
      number,
      clientName: request.client.name,
      redirect: request.redirect,
      scopes: [...request.scopes],
      expiresAt: new Date(expiresAt).toISOString(),
    }));
  }

  /** Yields what waits, at once and after every change, until the signal aborts. */
  async *watch(signal: AbortSignal): AsyncGenerator<readonly PendingConsent[], void> {
    let change = Promise.withResolvers<void>();
    const onChange = (): void => change.resolve();
    this.#watchers.add(onChange);
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
    }
  }

  #waiting(): readonly Consent[] {
    this.#expire();
    return [...this.#consents.values()].filter(({ phase }) => phase === 'waiting');
  }

  #expire(): void {
    const now = this.#now();
    const ended = [...this.#consents.values()].filter(({ phase }) => phase !== 'waiting').length;
    let spare = ended - MOST_ENDED;
    for (const consent of this.#consents.values()) {
      const { id, phase, expiresAt } = consent;
      const isOld = now >= expiresAt + ENDED_MILLISECONDS;
      if (phase === 'waiting' && now >= expiresAt) this.#consents.set(id, { ...consent, phase: 'expired' });
      else if (phase !== 'waiting' && (isOld || spare-- > 0)) this.#consents.delete(id);
    }
  }

  #end(consent: Consent, phase: Consent['phase']): void {
    clearTimeout(this.#timers.get(consent.id));
    this.#timers.delete(consent.id);
    this.#consents.set(consent.id, { ...consent, phase });
    this.#notify();
  }

  #notify(): void {
    for (const watcher of this.#watchers) watcher();
  }
}
