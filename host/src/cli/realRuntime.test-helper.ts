import type { SecureStore } from '../runtime/credentials/secureStore.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { StartRuntime } from './runningRuntime.ts';
import { startRuntime } from './startRuntime.ts';

/** The runtime as commands need it, with a secure store of the test's own. */
export const realRuntime =
  (secureStore: SecureStore): StartRuntime =>
  (options) => {
    const own: Parameters<typeof Runtime.start>[0] = { ...options, secureStore, spareDriver: false };
    return startRuntime(own);
  };
