import type { Runtime } from '../runtime/runtime.ts';
import type { Home } from '../runtime/storage/home.ts';
import type { Logger } from '../runtime/storage/logger.ts';

/** A runtime that runs in this process. */
export type RunningRuntime = AsyncDisposable &
  Pick<Runtime, 'handler' | 'ownerHandler' | 'offerSample' | 'startMcp' | 'sendsSignInTo'>;

/** Starts the runtime in a home that this process owns. */
export type StartRuntime = (options: {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  readonly logger: Logger;
  /** The Node that runs drivers; the one that runs this process by default. */
  readonly node?: string;
}) => Promise<RunningRuntime>;
