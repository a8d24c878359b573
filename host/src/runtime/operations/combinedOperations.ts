import { DriverError } from '@tabularium/sdk';
import type { OperationsFacet, Session, TableOperationsFacet, TableRef } from '@tabularium/sdk';
import { tableRefSchema } from '@tabularium/sdk/protocol';

type Facets = Pick<Session, 'operations' | 'tableOperations'>;

/**
 * The operations of a session, whichever facet has them: table operations are operations of a table without an input. Where both have one id, the newer
 * facet counts. Undefined where the session has neither.
 */
export function combinedOperations({ operations, tableOperations }: Facets): OperationsFacet | undefined {
  if (tableOperations === undefined) return operations;
  const old = asOperations(tableOperations);
  if (operations === undefined) return old;
  const facetOf = async (...[place, id, options]: Parameters<OperationsFacet['form']>): Promise<OperationsFacet> =>
    (await operations.list(place, options)).some((one) => one.id === id) ? operations : old;
  return {
    async list(place, options) {
      const newer = await operations.list(place, options);
      const ids = new Set(newer.map(({ id }) => id));
      return [...newer, ...(await old.list(place, options)).filter(({ id }) => !ids.has(id))];
    },
    form: async (place, id, options) => (await facetOf(place, id, options)).form(place, id, options),
    plan: async (call, options) => (await facetOf(call.place, call.operation, options)).plan(call, options),
    async *run(call, options) {
      yield* (await facetOf(call.place, call.operation, options)).run(call, options);
    },
  };
}

function asOperations(facet: TableOperationsFacet): OperationsFacet {
  const labelled = async (table: TableRef, id: string, options: { readonly signal: AbortSignal }) => {
    const found = (await facet.list(table, options)).find((one) => one.id === id);
    if (found === undefined) throw unsupported();
    return found;
  };
  return {
    async list(place, options) {
      if (place.on !== 'table') return [];
      return (await facet.list(place.table, options)).map((one) => ({ ...one, help: '', resumable: false }));
    },
    async form(place, id, options) {
      if (place.on !== 'table') throw unsupported();
      await labelled(place.table, id, options);
      return { document: '{}', fields: [], presets: [] };
    },
    async plan({ place, operation }, options) {
      if (place.on !== 'table') throw unsupported();
      const { label, effect, texts: ofLabel } = await labelled(place.table, operation, options);
      const { consequence, target, count, text, texts } = await facet.plan(place.table, operation, options);
      const isDestructive = effect === 'destructive';
      return {
        effect,
        consequence,
        ...(texts === undefined ? {} : { texts }),
        steps: [
          {
            title: label,
            ...(ofLabel?.['label'] === undefined ? {} : { texts: { title: ofLabel['label'] } }),
            statements: [text],
          },
        ],
        ...(isDestructive ? { confirm: target.name } : {}),
        ...(count === undefined ? {} : { count }),
        affected: effect === 'read' ? [] : [{ table: target, becomes: isDestructive ? 'emptied' : 'changed' }],
        basis: JSON.stringify(target),
      };
    },
    async *run({ place, operation }, { basis, signal }) {
      if (place.on !== 'table') throw unsupported();
      const confirmed = tableRefSchema.parse(JSON.parse(basis));
      yield { type: 'progress', step: 0 };
      const result = await facet.run(place.table, operation, confirmed, { signal });
      yield { type: 'result', ...result };
    },
  };
}

function unsupported(): DriverError {
  return new DriverError('UNSUPPORTED', "This operation isn't supported here.");
}
