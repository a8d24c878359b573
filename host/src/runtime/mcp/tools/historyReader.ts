/** A statement that was run before. */
export interface ToolHistoryEntry {
  readonly connectionId: string;
  readonly statement: string;
  /** Whether that is all that was run: a long one is recorded without its end, and secrets are left out. */
  readonly isWhole: boolean;
  /** ISO 8601. */
  readonly time: string;
  readonly outcome: string;
  readonly milliseconds?: number;
  readonly rows?: number;
}

/** The history of statements, as the MCP server searches it. */
export interface HistoryReader {
  search(query: {
    readonly connectionIds: readonly string[];
    readonly text?: string | undefined;
    readonly limit: number;
  }): Promise<readonly ToolHistoryEntry[]>;
}
