import { setTimeout as delay } from 'node:timers/promises';
import { HostError } from '../common/errors.ts';
import { connectToHost } from '../runtime/ownerSocket/connectToHost.ts';
import type { ConnectedHost } from '../runtime/ownerSocket/connectToHost.ts';
import { readEndpoint } from '../runtime/ownerSocket/endpoint.ts';
import type { Endpoint } from '../runtime/ownerSocket/endpoint.ts';
import type { Home } from '../runtime/storage/home.ts';
import { acquireHomeLock } from '../runtime/storage/homeLock.ts';
import type { HomeLock } from '../runtime/storage/homeLock.ts';

/** How long a host may take to start or to end while another one waits for it. */
const PATIENCE_MILLISECONDS = 30_000;
const LOOK_AGAIN_MILLISECONDS = 50;

/** A home that is ours now, or the host that owns it. */
export type HomeOrHost = { readonly lock: HomeLock } | { readonly host: ConnectedHost; readonly lifetime: 'host' | 'command' };

/**
 * Takes the home, or finds the host that owns it. Waits for one that owns it and does not answer yet, or no more. What is left of a host
 * that ended, or pretends to be one, doesn't count: the owner is the one with the lock.
 *
 * @param accepts - whether to be content with the host that was found; else wait for it to end
 * @throws HostError `HOME_IN_USE` when that takes too long, or when the owner is of another version
 */
export async function takeHomeOrFindHost(
  home: Home,
  options: {
    readonly signal: AbortSignal;
    readonly accepts: (lifetime: 'host' | 'command') => boolean;
    readonly patienceMilliseconds?: number;
  },
): Promise<HomeOrHost> {
  const deadline = Date.now() + (options.patienceMilliseconds ?? PATIENCE_MILLISECONDS);
  for (;;) {
    let endpoint: Endpoint | undefined;
    let host: ConnectedHost | undefined;
    try {
      endpoint = await readEndpoint(home);
      host = endpoint === undefined ? undefined : await connectToHost(endpoint, options.signal);
    } catch (refusal) {
      if (!isInUse(refusal)) throw refusal;
      const lock = await tryLock(home);
      if (lock === undefined) throw refusal;
      return { lock };
    }
    if (endpoint !== undefined && host !== undefined && options.accepts(endpoint.lifetime))
      return { host, lifetime: endpoint.lifetime };
    const lock = host === undefined ? await tryLock(home) : undefined;
    if (lock !== undefined) return { lock };
    if (Date.now() > deadline) {
      // One that answers and is not accepted is a command.
      const [owner, advice] =
        endpoint === undefined || host === undefined
          ? ['Another host', 'Stop it, and try again.']
          : [`A command (process ${endpoint.pid})`, 'Wait until it has ended, or stop it, and try again.'];
      const state = host === undefined ? ' and does not answer' : ' and still runs';
      throw new HostError('HOME_IN_USE', `${owner} owns ${home.folder}${state}.`, { details: { advice } });
    }
    await delay(LOOK_AGAIN_MILLISECONDS, undefined, { signal: options.signal });
  }
}

async function tryLock(home: Home): Promise<HomeLock | undefined> {
  try {
    return await acquireHomeLock(home);
  } catch (error) {
    if (isInUse(error)) return undefined;
    throw error;
  }
}

function isInUse(error: unknown): boolean {
  return error instanceof HostError && error.code === 'HOME_IN_USE';
}
