/** A client of the MCP server, and what to put into its configuration. */
export interface ConnectableClient {
  readonly id: string;
  readonly title: string;
  readonly format: 'json' | 'yaml' | 'command';
  readonly transport: 'stdio' | 'http';
  readonly text: string;
  /** Its file, where we know it and can write it. */
  readonly file?: string;
}

/** What writing the entry would change in the client's file. Empty: it is there already. */
export interface ConfigurationChange {
  readonly file: string;
  readonly diff: string;
}

/** The file as it was is kept under `backup`; absent where there was none. */
export interface ConfigurationWritten {
  readonly file: string;
  readonly backup?: string;
}

/** What a client would get of the bridge. */
export type BridgeCheck =
  | { readonly ok: true; readonly tools: readonly string[]; readonly milliseconds: number }
  | { readonly ok: false; readonly layer: string; readonly message: string };
