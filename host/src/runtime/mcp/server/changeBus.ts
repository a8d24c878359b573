import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ExternalClient } from '../access/externalClient.ts';
import { CallerAccess } from './callerAccess.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import { CONNECTIONS_URI, parseUri } from './uris.ts';

interface Listener {
  readonly access: CallerAccess;
  readonly hear: (event: ServerEvent) => void;
  readonly principal: ExternalClient;
  /** The connections that it could see at the last notification. */
  seen: string;
  /** The names of the tools that it could use then. */
  tools: string;
}

/**
 * Notifications for open `subscriptions/listen` streams. Each stream gets changes that its principal may see, and no others: a
 * connection that is hidden from it changes in silence, and one that disappears is a shorter list.
 */
export class ChangeBus implements ServerEventBus {
  readonly #connections: Pick<ConnectionStore, 'list' | 'onChange'>;
  readonly #listeners = new Set<Listener>();
  readonly #principal = new AsyncLocalStorage<ExternalClient>();

  readonly #toolsOf: (principal: ExternalClient) => readonly string[];

  /** @param toolsOf - the names of the tools that a principal can use now */
  constructor(
    connections: Pick<ConnectionStore, 'list' | 'onChange'>,
    toolsOf: (principal: ExternalClient) => readonly string[] = () => [],
  ) {
    this.#connections = connections;
    this.#toolsOf = toolsOf;
  }

  accessOf(principal: ExternalClient): CallerAccess {
    return new CallerAccess(principal, this.#connections);
  }

  /** Runs what may open a stream for a principal. */
  runFor<T>(principal: ExternalClient, work: () => T): T {
    return this.#principal.run(principal, work);
  }

  /** Called by the protocol library when a stream opens. Without a principal nothing is heard. */
  subscribe(hear: (event: ServerEvent) => void): () => void {
    const principal = this.#principal.getStore();
    if (principal === undefined) return () => undefined;
    const access = this.accessOf(principal);
    const listener: Listener = { access, principal, hear, seen: whatIsSeen(access), tools: this.#toolsOf(principal).join() };
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  publish(event: ServerEvent): void {
    const id = event.kind === 'resource_updated' ? connectionOf(event.uri) : undefined;
    for (const { access, hear } of this.#listeners) {
      if (id === undefined || access.visible().some((connection) => connection.id === id)) hear(event);
    }
  }

  /** Callers' abilities may have changed with a connection's access or the owner's settings. */
  abilitiesChanged(): void {
    for (const listener of this.#listeners) {
      const tools = this.#toolsOf(listener.principal).join();
      if (tools === listener.tools) continue;
      listener.tools = tools;
      listener.hear({ kind: 'tools_list_changed' });
    }
  }

  /** Connections were made, changed or removed. */
  connectionsChanged(): void {
    this.abilitiesChanged();
    for (const listener of this.#listeners) {
      const seen = whatIsSeen(listener.access);
      if (seen === listener.seen) continue;
      listener.seen = seen;
      listener.hear({ kind: 'resources_list_changed' });
      listener.hear({ kind: 'resource_updated', uri: CONNECTIONS_URI });
    }
  }
}

function connectionOf(uri: string): string | undefined {
  const address = parseUri(uri);
  return address === undefined || address.kind === 'connections' ? undefined : address.connection;
}

/** The answer of `list_connections`, as far as the owner decides it. */
function whatIsSeen(access: CallerAccess): string {
  return JSON.stringify(
    access
      .visible()
      .map((connection) => [
        connection.id,
        connection.name,
        connection.access.aiPolicy,
        access.mayDo(connection, { kind: 'run', effect: 'write' }),
      ]),
  );
}
