import type { TableSummary } from '@tabularium/sdk';
import type { FindScope } from '../../common/findingRows.ts';

/** The value of the list for a scope. */
export function scopeValue(scope: FindScope): string {
  return scope.in === 'namespace' ? JSON.stringify(scope.namespace) : scope.in;
}

/** The namespaces of tables: schemas, and databases that hold several of them. */
export function narrowingNamespaces(tables: readonly Pick<TableSummary, 'ref'>[]): readonly (readonly string[])[] {
  const found = new Map<string, readonly string[]>();
  for (const { ref } of tables) {
    for (let depth = 1; depth <= ref.namespace.length; depth += 1) {
      const namespace = ref.namespace.slice(0, depth);
      found.set(JSON.stringify(namespace), namespace);
    }
  }
  // A namespace that every table is in narrows nothing.
  return [...found.values()].filter((namespace) =>
    tables.some(({ ref }) => namespace.some((name, depth) => ref.namespace[depth] !== name)),
  );
}

/** The scope that a value of the list means; chosen tables begin with none. */
export function scopeOf(value: string, namespaces: readonly (readonly string[])[]): FindScope {
  if (value === 'tables') return { in: 'tables', tables: [] };
  const namespace = namespaces.find((one) => JSON.stringify(one) === value);
  return namespace === undefined ? { in: 'all' } : { in: 'namespace', namespace: [...namespace] };
}
