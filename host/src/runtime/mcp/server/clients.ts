import type { ExternalClient } from '../access/externalClient.ts';

/** Clients that are remembered at once; beyond, the one that was away longest is forgotten. */
const MOST_CLIENTS = 200;
/** A client that has not asked for anything for so long is no longer shown. */
const CLIENT_SHOWN_MILLISECONDS = 15 * 60_000;

/** A client that was here lately. */
export interface SeenClient {
  readonly principal: Pick<ExternalClient, 'id' | 'tokenId' | 'kind' | 'name'>;
  /** Its own name; untrusted. */
  readonly client: { readonly name: string; readonly version: string } | undefined;
  readonly protocolVersion: string | undefined;
  readonly firstSeen: number;
  readonly lastSeen: number;
  readonly requests: number;
}

/** Recent clients, by token and by the name that a client gives itself. In memory: a restart clears it. */
export class Clients {
  readonly #now: () => number;
  readonly #seen = new Map<string, SeenClient>();

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  seen(principal: ExternalClient, client: SeenClient['client'], protocolVersion: string | undefined): void {
    const key = JSON.stringify([principal.id, client?.name, client?.version]);
    const before = this.#seen.get(key);
    const now = this.#now();
    const { id, tokenId, kind, name } = principal;
    // Taken out and put in again, so that the map is in the order of use.
    this.#seen.delete(key);
    this.#seen.set(key, {
      principal: { id, tokenId, kind, name },
      client,
      protocolVersion,
      firstSeen: before?.firstSeen ?? now,
      lastSeen: now,
      requests: (before?.requests ?? 0) + 1,
    });
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > MOST_CLIENTS && oldest !== undefined) this.#seen.delete(oldest);
  }

  /** Last seen first. */
  list(): readonly SeenClient[] {
    const limit = this.#now() - CLIENT_SHOWN_MILLISECONDS;
    return [...this.#seen.values()].filter(({ lastSeen }) => lastSeen > limit).toReversed();
  }

  forget(tokenId: string): void {
    for (const [key, { principal }] of this.#seen) if (principal.tokenId === tokenId) this.#seen.delete(key);
  }

  clear(): void {
    this.#seen.clear();
  }
}
