import type { TableRef } from '@tabularium/sdk';

/** The names of open tables: of those that are called the same, as much of the path as differs. */
export function tabNames(tables: readonly TableRef[]): (table: TableRef) => string {
  return ({ namespace, name }) => {
    const others = tables.filter((other) => other.name === name).map((other) => other.namespace);
    const level = namespace.findIndex((part, place) => others.some((other) => other[place] !== part));
    return [...(level < 0 ? [] : namespace.slice(level)), name].join('.');
  };
}
