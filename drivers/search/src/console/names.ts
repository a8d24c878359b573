import { isDriverError } from '@tabularium/sdk';
import type { TableSummary } from '@tabularium/sdk';
import type { SearchClient } from '../client.ts';
import { compareNames } from '../columns.ts';
import type { Schemas } from '../schemas.ts';
import { tablesOfServer } from '../tables.ts';

/** How long a list of collections serves completions: typing must not ask the server at every letter. */
const FRESH_MILLISECONDS = 15_000;

/** Names that exist on the server. Nothing here is an error: names that the server doesn't return are not offered. */
export interface Names {
  /** Aliases among them. */
  collections(): Promise<readonly string[]>;
  aliases(): Promise<readonly string[]>;
  fields(collection: string): Promise<readonly { readonly name: string; readonly type: string }[]>;
}

/** Names that are remembered for a while. */
export class KnownNames {
  readonly #client: SearchClient;
  readonly #schemas: Schemas;
  #tables: { readonly at: number; readonly list: readonly TableSummary[] } | undefined;

  constructor(client: SearchClient, schemas: Schemas) {
    this.#client = client;
    this.#schemas = schemas;
  }

  with(signal: AbortSignal): Names {
    const tables = async (): Promise<readonly TableSummary[]> => {
      const known = this.#tables;
      if (known !== undefined && performance.now() - known.at < FRESH_MILLISECONDS) return known.list;
      const list = await orNothing(() => tablesOfServer(this.#client, signal));
      this.#tables = { at: performance.now(), list };
      return list;
    };
    return {
      collections: async () => (await tables()).map(({ ref }) => ref.name),
      aliases: async () => (await tables()).filter(({ aliasOf }) => aliasOf !== undefined).map(({ ref }) => ref.name),
      fields: (collection) =>
        orNothing(async () => {
          const schema = await this.#schemas.get(collection, signal);
          const fields = (schema?.fields ?? []).filter(({ name }) => !name.includes('.*'));
          fields.sort((a, b) => compareNames(a.name, b.name));
          return [{ name: 'id', type: 'string' }, ...fields.filter(({ name }) => name !== 'id')];
        }),
    };
  }
}

async function orNothing<T>(ask: () => Promise<T[]>): Promise<T[]> {
  try {
    return await ask();
  } catch (error) {
    if (isDriverError(error) && error.code !== 'CANCELLED') return [];
    throw error;
  }
}
