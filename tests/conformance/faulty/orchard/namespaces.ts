import { DriverError } from '@tabularium/sdk';
import type { ListPageOptions, NamespacesFacet, NamespaceSummary, TableSummary } from '@tabularium/sdk';
import type { World } from './world.ts';

/** The namespaces beside the one that all tables are in. */
const SPACES: readonly NamespaceSummary[] = [
  { path: ['orchard'], hasNamespaces: false, hasTables: true },
  { path: ['meadow'], hasNamespaces: false, hasTables: true },
  { path: ['wall'], hasNamespaces: true, hasTables: false },
  { path: ['wall', 'gate'], hasNamespaces: false, hasTables: true },
];

/** A part of a list: a cursor is the place where the next one begins. */
function pageOf<Entry>(
  all: readonly Entry[],
  { after, limit }: ListPageOptions,
): { readonly page: readonly Entry[]; readonly next: { readonly next?: string } } {
  const start = Number(after ?? '0');
  if (!Number.isInteger(start)) throw new DriverError('INVALID_INPUT', `The list can't continue at “${after}”.`);
  const end = start + limit;
  return { page: all.slice(start, end), next: end < all.length ? { next: `${end}` } : {} };
}

export function createNamespaces(world: World): NamespacesFacet {
  const find = async (path: readonly string[], options: ListPageOptions): Promise<string> => {
    await world.ready(options);
    const text = JSON.stringify(path);
    if (path.length > 0 && !SPACES.some((one) => JSON.stringify(one.path) === text))
      throw new DriverError('NOT_FOUND', `There is no namespace ${text}.`);
    return text;
  };
  return {
    initial: [['orchard']],
    async list(parent, options) {
      const text = await find(parent, options);
      const { page, next } = pageOf(
        SPACES.filter(({ path }) => JSON.stringify(path.slice(0, -1)) === text),
        options,
      );
      return { namespaces: page, ...next };
    },
    async listTables(namespace, options) {
      const text = await find(namespace, options);
      const tables = [...world.tables.values()].filter(({ ref }) => JSON.stringify(ref.namespace) === text);
      const { page, next } = pageOf(
        tables.map(({ ref }): TableSummary => ({ ref, kind: 'table' })),
        options,
      );
      return { tables: page, ...next };
    },
  };
}
