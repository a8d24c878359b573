import type { TableRef } from '@tabularium/sdk';

/** The name of an open table, and what it is in where that is always said. */
export interface TabName {
  readonly name: string;
  readonly place?: string;
}

/**
 * The names of open tables: of those that are called the same, as much of the path as differs.
 *
 * @param hasDatabases - the connection leads to several databases, which may have the same tables: each table has the first name of its path as its place
 */
export function tabNames(tables: readonly TableRef[], hasDatabases = false): (table: TableRef) => TabName {
  return ({ namespace, name }) => {
    const [database, ...inside] = namespace;
    const isPlaced = hasDatabases && database !== undefined;
    const others = tables
      .filter((other) => other.name === name && (!isPlaced || other.namespace[0] === database))
      .map((other) => other.namespace);
    const level = namespace.findIndex((part, depth) => others.some((other) => other[depth] !== part));
    const path = level < 0 ? [] : isPlaced ? inside.slice(Math.max(0, level - 1)) : namespace.slice(level);
    return { name: [...path, name].join('.'), ...(isPlaced ? { place: database } : {}) };
  };
}
