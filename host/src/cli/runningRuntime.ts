import type { ConnectionInput } from '../common/connection.ts';
import type { FetchHandler } from '../common/fetchHandler.ts';
import type { HostShell } from '../runtime/api/owner/hostShell.ts';
import type { Home } from '../runtime/storage/home.ts';
import type { Logger } from '../runtime/storage/logger.ts';

/** A runtime that runs in this process. */
export interface RunningRuntime extends AsyncDisposable {
  /** What the window's transports serve. */
  readonly handler: FetchHandler;
  /** What the owner's socket serves, and what a command in this process asks. */
  ownerHandler(shell: HostShell): FetchHandler;
  /** Saves the connection that comes with a sample server, once; a later start brings it up to date. */
  offerSample(input: ConnectionInput): Promise<void>;
  /** Starts the MCP server and says where; undefined when its owner has switched it off. */
  startMcp(port: number | undefined): Promise<string | undefined>;
}

/** Starts the runtime in a home that this process owns. */
export type StartRuntime = (options: {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  readonly logger: Logger;
  /** The Node that runs drivers; the one that runs this process by default. */
  readonly node?: string;
}) => Promise<RunningRuntime>;
