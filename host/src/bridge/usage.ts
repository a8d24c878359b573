const USAGE = `Usage: tabularium-mcp

Connects an AI client that speaks MCP over standard input and output to the Tabularium of this computer. A client starts it;
"tabularium mcp config --list" shows which clients there are, and "tabularium mcp config --client NAME" their configuration.
It takes no options. TABULARIUM_HOME names the data directory.
`;

/** The answer to a command line; undefined for one without options, with which the protocol begins. */
export interface UsageAnswer {
  readonly to: 'stdout' | 'stderr';
  readonly text: string;
  readonly exitCode: 0 | 2;
}

/** @param words - those after the program */
export function usageAnswer(words: readonly string[]): UsageAnswer | undefined {
  const option = words.find((word) => word.startsWith('-'));
  if (option === undefined) return undefined;
  // Nothing of the protocol was written, so standard output is free for who asked.
  if (option === '--help' || option === '-h') return { to: 'stdout', text: USAGE, exitCode: 0 };
  // A client takes standard output for the protocol. What was typed may be a secret.
  return { to: 'stderr', text: `tabularium-mcp: it takes no options but --help.\n${USAGE}`, exitCode: 2 };
}
