import type { Session } from '@tabularium/sdk';
import type { Manifest } from '@tabularium/sdk/manifest';
import type { SavedConnection } from '../../../common/connection.ts';

/** The saved connections, as the MCP server needs them. */
export interface ConnectionReader {
  list(): readonly SavedConnection[];
  /** Calls back when connections were made, changed or removed. */
  onChange(listener: () => void): () => void;
}

/** A statement that was run before. */
export interface ToolHistoryEntry {
  readonly connectionId: string;
  readonly statement: string;
  /** ISO 8601. */
  readonly time: string;
  readonly outcome: string;
  readonly milliseconds?: number;
  readonly rows?: number;
}

/** The history of statements, as the MCP server needs it. */
export interface HistoryReader {
  search(query: {
    readonly connectionIds: readonly string[];
    readonly text?: string | undefined;
    readonly limit: number;
  }): readonly ToolHistoryEntry[];
}

/** The secret values that the host has used for a connection. */
export interface UsedSecrets {
  usedBy(connectionId: string): readonly string[];
}

/** A connection with its session, for as long as one piece of work takes. */
export interface ToolSession {
  readonly connection: SavedConnection;
  readonly manifest: Manifest;
  readonly session: Session;
}

export type SessionState = 'closed' | 'opening' | 'open' | 'failed';

/** The sessions, as the MCP server needs them: to use one, opened where needed, and to report its state. */
export interface SessionUser {
  use<T>(connectionId: string, work: (open: ToolSession) => Promise<T>, options: { readonly signal: AbortSignal }): Promise<T>;
  state(connectionId: string): SessionState;
}

/** The facts about a database type that need no running driver. */
export interface ManifestReader {
  find(driver: string): Manifest | undefined;
}

/** Where answers go that hold a new secret. */
export interface NewSecretOutlet {
  /** Whether a person could read one now. */
  canShow(): boolean;
  show(secret: {
    readonly principalName: string;
    readonly connectionName: string;
    readonly summary: string;
    readonly text: string;
  }): void;
}
