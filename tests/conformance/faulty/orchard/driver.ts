import { DriverError, defineDriver } from '@tabularium/sdk';
import type { Driver, Session } from '@tabularium/sdk';
import { createActivity, recorded } from './activity.ts';
import { createEdits } from './editing.ts';
import {
  createExpressions,
  createMetrics,
  createNamedTables,
  createOperations,
  createPrincipals,
  createRows,
  createSuggestions,
} from './facets.ts';
import { createExplain } from './explaining.ts';
import { createImport } from './importing.ts';
import { compareCells, correctFilters, passing } from './filtering.ts';
import { MAX_SORTS, readPage } from './reading.ts';
import type { ReadParts } from './reading.ts';
import { createOrchardOperations } from './operations.ts';
import { createNamespaces } from './namespaces.ts';
import { createObjects } from './objects.ts';
import { createSearch } from './searching.ts';
import { createConsole, createExport } from './streams.ts';
import { makeWorld } from './world.ts';
import type { World } from './world.ts';

/** The one thing that a faulty driver does otherwise. */
export interface Fault {
  /** A decision that is taken otherwise. */
  readonly parts?: Partial<ReadParts>;
  /** A member of the session that is another one. */
  readonly session?: (session: FullSession, world: World) => Partial<Session>;
}

/** A session with every facet. */
export type FullSession = { readonly [Name in keyof Session]-?: NonNullable<Session[Name]> };

const correct: ReadParts = {
  ...correctFilters,
  maxSorts: MAX_SORTS,
  compare: compareCells,
  dropped: (dropped) => dropped,
  slice: (rows, start, limit) => rows.slice(start, start + limit),
  cell: (cell) => cell,
  count: (rows) => ({ rows, exact: true }),
};

/** A driver that keeps the whole contract, with every facet; and with a fault, but for that. */
export function orchardDriver({ parts: otherwise = {}, session: change = () => ({}) }: Fault = {}): Driver {
  const parts: ReadParts = { ...correct, ...otherwise };
  return defineDriver({
    id: 'orchard',
    async connect(_settings, context, options) {
      if (context.http === undefined) throw new DriverError('INVALID_INPUT', 'An orchard is reached over HTTP.');
      const world = makeWorld(context);
      await world.ready(options);
      const session: FullSession = {
        server: { product: 'Orchard', version: '1' },
        findings: [{ label: 'Gate', outcome: 'ok', message: 'The gate is open.' }],
        ping: (call) => world.ready(call),
        async listTables(call) {
          await world.ready(call);
          return Array.from(world.tables.values(), ({ ref, rows }) => ({ ref, kind: 'table', count: parts.count(rows.length) }));
        },
        async describeTable(ref, call) {
          await world.ready(call);
          const { columns, key, foreignKeys, referredBy, structure, paging } = world.table(ref);
          return {
            ref,
            kind: 'table',
            columns,
            key,
            ...(foreignKeys === undefined ? {} : { foreignKeys }),
            ...(referredBy === undefined ? {} : { referredBy }),
            ...structure,
            paging,
            readsFromEnd: paging === 'cursor',
            notes: [],
          };
        },
        async readPage(request, call) {
          await world.ready(call);
          return readPage(world.table(request.table), request, parts);
        },
        async countRows({ table, filter }, call) {
          await world.ready(call);
          return parts.count(passing(world.table(table), filter, parts).length);
        },
        async close() {
          world.closed = true;
        },
        console: recorded(world, createConsole(world)),
        edits: createEdits(world),
        export: createExport(world, parts),
        operations: createOrchardOperations(world),
        tableOperations: createOperations(world),
        principals: createPrincipals(world),
        metrics: createMetrics(world),
        suggestions: createSuggestions(world),
        expressions: createExpressions(world, parts),
        namedTables: createNamedTables(world),
        namespaces: createNamespaces(world),
        rows: createRows(world, parts),
        search: createSearch(world, parts),
        objects: createObjects(world),
        import: createImport(world),
        explain: createExplain(world),
        activity: createActivity(world),
      };
      return { ...session, ...change(session, world) };
    },
  });
}
