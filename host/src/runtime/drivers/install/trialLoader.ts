import type { InstalledDriver } from '../packages/installedDriver.ts';

/** Starts a driver once, so that one that cannot start is never installed. */
export interface TrialLoader {
  /** Resolves when the driver has started and its process has ended again. Rejects with what went wrong. */
  tryOut(driver: InstalledDriver, signal: AbortSignal): Promise<void>;
}
