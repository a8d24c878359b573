import { isDriverError } from '@tabularium/sdk';
import type { SearchClient } from './client.ts';
import { isObject } from './guards.ts';
import { LIST_PATH, collectionsOf } from './tables.ts';

/** Looked for and never there: what is asked is only whether the key may search at all. */
const ABSENT_COLLECTION = '_tabularium_probe';

/**
 * A question that some keys may ask. A wrong key, no key and a key with too few rights get the same answer, so a key is known to be good
 * by the first question that is not refused.
 */
export interface Probe {
  readonly name: 'collections' | 'search' | 'keys' | 'debug';
  /** @throws DriverError `ACCESS_REFUSED` when the key may not ask this, another when there is no search server in order */
  ask(client: SearchClient, signal: AbortSignal): Promise<void>;
}

const listCollections: Probe = {
  name: 'collections',
  async ask(client, signal) {
    collectionsOf((await client.read(`${LIST_PATH}&limit=1`, signal)).value);
  },
};

const searchNothing: Probe = {
  name: 'search',
  async ask(client, signal) {
    await client.search([{ collection: ABSENT_COLLECTION, q: '*', per_page: 0 }], signal);
  },
};

const listKeys: Probe = {
  name: 'keys',
  async ask(client, signal) {
    await client.read('/keys', signal);
  },
};

const debug: Probe = {
  name: 'debug',
  async ask(client, signal) {
    await client.read('/debug', signal);
  },
};

/** In the order in which they are tried: what most keys may do comes first. */
export const PROBES: readonly Probe[] = [listCollections, searchNothing, listKeys, debug];

/** The first probe that the key passes; undefined when the server refuses it for everything. */
export async function confirmKey(client: SearchClient, signal: AbortSignal): Promise<Probe | undefined> {
  for (const probe of PROBES) {
    if (await passes(probe, client, signal)) return probe;
  }
  return undefined;
}

async function passes(probe: Probe, client: SearchClient, signal: AbortSignal): Promise<boolean> {
  try {
    await probe.ask(client, signal);
    return true;
  } catch (error) {
    if (isDriverError(error) && error.code === 'ACCESS_REFUSED') return false;
    throw error;
  }
}

/** The server's version, where it tells it. It is only for people and warnings, so whatever goes wrong here is no fault. */
export async function serverVersion(client: SearchClient, signal: AbortSignal): Promise<string | undefined> {
  try {
    const { value } = await client.read('/debug', signal);
    return isObject(value) && typeof value['version'] === 'string' && value['version'] !== ''
      ? value['version'].slice(0, 200)
      : undefined;
  } catch (error) {
    if (isDriverError(error)) return undefined;
    throw error;
  }
}
