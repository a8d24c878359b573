import { DriverError, decodeBatch, defineDriver, encodeBatch } from '@tabularium/sdk';
import type { Column, PageRequest, Session, TableRef } from '@tabularium/sdk';

// An example of a driver author's first driver: one table with one row. Copied into an empty project by sdk.test.ts.

const planets: TableRef = { namespace: [], name: 'planets' };
const column: Column = {
  name: 'name',
  kind: 'text',
  type: 'string',
  nullable: false,
  editable: { allowed: false, reason: 'Planets stay.' },
  sortable: { allowed: true },
};

function requirePlanets(table: TableRef): void {
  if (table.name !== planets.name) throw new DriverError('NOT_FOUND', `There is no table ${table.name}.`);
}

function open(): Session {
  return {
    server: { product: 'Sky' },
    findings: [],
    ping: async () => undefined,
    listTables: async () => [{ ref: planets, kind: 'table', count: { rows: 1, exact: true } }],
    async describeTable(table) {
      requirePlanets(table);
      return { ref: planets, kind: 'table', columns: [column], key: ['name'], paging: 'offset', readsFromEnd: false, notes: [] };
    },
    async readPage({ table }: PageRequest) {
      requirePlanets(table);
      const batch = encodeBatch({ columns: [{ name: 'name', kind: 'text' }], rows: [['Earth']] });
      return { rowCount: 1, atEnd: true, droppedSorts: [], batch };
    },
    countRows: async () => ({ rows: 1, exact: true }),
    close: async () => undefined,
  };
}

export const driver = defineDriver({ id: 'sky', connect: async () => open() });

/** Reads the first page, as a host does. */
export async function readAll(): Promise<unknown> {
  const { signal } = new AbortController();
  const session = await driver.definition.connect({}, { log: () => undefined }, { signal });
  const filter = { match: 'all', conditions: [] } as const;
  const page = await session.readPage({ table: planets, filter, sorts: [], position: { from: 'start' }, limit: 10 }, { signal });
  return decodeBatch(page.batch).rows;
}
