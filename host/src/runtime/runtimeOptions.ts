import type { SecureStore } from './credentials/secureStore.ts';
import type { Home } from './storage/home.ts';
import type { Logger } from './storage/logger.ts';

/** The options of a runtime. */
export interface RuntimeOptions {
  /** A home that this process owns (see `acquireHomeLock`). */
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  readonly logger: Logger;
  /** The pinned Node that runs driver processes; default: the one that runs this. */
  readonly node?: string;
  /** The administrator's policy. Default: where this system keeps it. */
  readonly policyFile?: string;
  /** Whether a process is kept ready for the next driver. Default: true. */
  readonly spareDriver?: boolean;
  /** Default: that of the place which the administrator of the data directory chose; else the operating system's. */
  readonly secureStore?: SecureStore;
}
