import { isDriverError } from '@tabularium/sdk';
import type { SearchClient } from './client.ts';
import { isObject } from './guards.ts';
import { LIST_PATH, collectionsOf } from './tables.ts';

/**
 * A question that some keys may ask, and that leaves no trace. A wrong key, no key and a key with too few actions get the same answer, so a key
 * is known to be good by the first question that is not refused.
 */
export interface Probe {
  readonly name: 'collections' | 'search' | 'documents' | 'export' | 'keys' | 'metrics' | 'debug';
  /** The permissions of a key that passes. */
  readonly ability: string;
  /** @throws DriverError `ACCESS_REFUSED` when the key may not ask this, another when there is no search server in order */
  ask(client: SearchClient, signal: AbortSignal): Promise<void>;
}

const listCollections: Probe = {
  name: 'collections',
  ability: 'list collections',
  async ask(client, signal) {
    collectionsOf((await client.read(`${LIST_PATH}&limit=1`, signal)).value);
  },
};

/**
 * Without a collection's name every key passes that may search anywhere, in whichever collections (29.0 and 30.0, scoped keys among them). A name
 * would be refused to a key that is scoped to other collections.
 */
const searchNothing: Probe = {
  name: 'search',
  ability: 'search documents',
  async ask(client, signal) {
    await client.search([{ collection: '', q: '*', per_page: 0 }], signal);
  },
};

/**
 * A read of a collection without a name, which the server takes from the query before it takes it from the path. Keys for any collection pass;
 * to them it answers 404, to all others 401 (29.0 and 30.0-dev). A version that takes the path would reject keys for single collections.
 */
async function readNothing(path: string, client: SearchClient, signal: AbortSignal): Promise<void> {
  try {
    await client.read(`/collections/_/documents/${path}?collection=`, signal);
  } catch (error) {
    if (!isDriverError(error) || error.code !== 'NOT_FOUND') throw error;
  }
}

const readDocument: Probe = {
  name: 'documents',
  ability: 'read documents by their ids',
  ask: (client, signal) => readNothing('_', client, signal),
};

const exportDocuments: Probe = {
  name: 'export',
  ability: 'export documents',
  ask: (client, signal) => readNothing('export', client, signal),
};

const listKeys: Probe = {
  name: 'keys',
  ability: 'list API keys',
  async ask(client, signal) {
    await client.read('/keys', signal);
  },
};

const readMetrics: Probe = {
  name: 'metrics',
  ability: 'read metrics',
  async ask(client, signal) {
    await client.read('/metrics.json', signal);
  },
};

const debug: Probe = {
  name: 'debug',
  ability: 'read the version',
  async ask(client, signal) {
    await client.read('/debug', signal);
  },
};

/** Requests that test a key which may not list collections; the most common permission comes first. */
export const NARROW_PROBES: readonly Probe[] = [searchNothing, readDocument, exportDocuments, listKeys, readMetrics, debug];

/** The permissions of a key, as far as requests without a collection's name show them. */
export interface KeyReach {
  /** Whether it may list collections. Then it is asked for nothing else. */
  readonly lists: boolean;
  /** The questions that were answered, the likeliest first; empty for a key that was refused for all. */
  readonly passed: readonly Probe[];
}

export async function readReach(client: SearchClient, signal: AbortSignal): Promise<KeyReach> {
  if (await passes(listCollections, client, signal)) return { lists: true, passed: [listCollections] };
  const answered = await Promise.all(NARROW_PROBES.map((probe) => passes(probe, client, signal)));
  return { lists: false, passed: NARROW_PROBES.filter((_probe, place) => answered[place] === true) };
}

/** Whether a key may search; its collections are unknown. */
export function maySearch({ passed }: KeyReach): boolean {
  return passed.includes(searchNothing);
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

/** The server's version, where the server reports it. It is only for people and warnings, so an error here is ignored. */
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
