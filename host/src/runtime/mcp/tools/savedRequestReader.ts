import type { SavedConnection } from '../../../common/connection.ts';

/** A text that a person saved in the console, as far as a client may know it. */
export interface ReadableRequest {
  readonly id: string;
  readonly name: string;
  /** Whether it was saved for every connection. */
  readonly isForAll: boolean;
  /** Absent where it may hold a secret: such a text is neither shown to a client nor run for one. */
  readonly text?: string;
  /** Whether the text is absent because it is too long to be searched for secrets. */
  readonly isTooLong?: boolean;
}

/** The saved requests, as the MCP server reads them. */
export interface SavedRequestReader {
  /** Those of a connection and those for every connection, by name. */
  list(connection: SavedConnection): Promise<readonly ReadableRequest[]>;
}
