import { isDriverError } from '@tabularium/sdk';
import type { TableRef, TableSummary } from '@tabularium/sdk';
import type { FindScope } from '../../common/findingRows.ts';

/** A table to look in. */
export interface ScopedTable {
  readonly ref: TableRef;
  /** Another one of the tables, to which it leads. */
  readonly aliasOf?: TableRef;
  /** Another one of the tables, which has all its rows. */
  readonly partOf?: TableRef;
}

/** Where the tables of a connection come from. */
export interface TableSources {
  readonly list: () => Promise<readonly TableSummary[]>;
  /** Those that a person opened by name, for credentials that may not list. */
  readonly named: () => Promise<readonly TableRef[]>;
}

/**
 * The tables of a scope, in the order of the database's list. Chosen ones are taken as they are: the credentials may read what they may not list.
 *
 * @throws the list's error where no table was opened by name either
 */
export async function scopedTables(scope: FindScope, { list, named }: TableSources): Promise<readonly ScopedTable[]> {
  if (scope.in === 'tables') return unique(scope.tables).map((ref) => ({ ref }));
  const tables = await listed({ list, named });
  const inside =
    scope.in === 'all'
      ? tables
      : tables.filter(({ ref }) => scope.namespace.every((name, depth) => ref.namespace[depth] === name));
  const listedKeys = new Set(inside.map(({ ref }) => keyOf(ref)));
  return inside.map(({ ref, aliasOf, partOf }) => ({
    ref,
    // The table behind the alias may be one that the credentials may not list.
    ...(aliasOf !== undefined && listedKeys.has(keyOf(aliasOf)) ? { aliasOf } : {}),
    ...(partOf !== undefined && listedKeys.has(keyOf(partOf)) ? { partOf } : {}),
  }));
}

async function listed({ list, named }: TableSources): Promise<readonly ScopedTable[]> {
  const opened = (await named()).map((ref) => ({ ref }));
  try {
    const tables = await list();
    const keys = new Set(tables.map(({ ref }) => keyOf(ref)));
    return [...tables, ...opened.filter(({ ref }) => !keys.has(keyOf(ref)))];
  } catch (error) {
    if (isDriverError(error) && error.code === 'ACCESS_REFUSED' && opened.length > 0) return opened;
    throw error;
  }
}

function unique(tables: readonly TableRef[]): readonly TableRef[] {
  return [...new Map(tables.map((ref) => [keyOf(ref), ref])).values()];
}

function keyOf({ namespace, name }: TableRef): string {
  return JSON.stringify([...namespace, name]);
}
