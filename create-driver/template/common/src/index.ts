import { DriverError, defineDriver } from '@tabularium/sdk';
import type { Filter, PageRequest, Session, TableRef } from '@tabularium/sdk';
import { columnsOf, pageOf, passing } from './rows.ts';
import type { Row } from './rows.ts';
import { openSource } from './source.ts';
import type { Source } from './source.ts';

/** One open connection. What a database can do beyond this is a facet: one more member here, such as `console` or `edits`. */
function openSession(source: Source): Session {
  let isClosed = false;
  /** Every call begins so: it may have been given up, and a closed session serves none. */
  const begin = (signal: AbortSignal): void => {
    signal.throwIfAborted();
    if (isClosed) throw new DriverError('CONNECTION_LOST', 'The connection is closed.');
  };
  const rowsOf = async ({ namespace, name }: TableRef, signal: AbortSignal): Promise<readonly Row[]> => {
    const rows = namespace.length === 0 ? await source.rows(name, signal) : undefined;
    if (rows === undefined) throw new DriverError('NOT_FOUND', `There is no table “${name}”.`);
    return rows;
  };
  const count = async (table: TableRef, filter: Filter, signal: AbortSignal) => ({
    rows: passing(await rowsOf(table, signal), filter).length,
    exact: true,
  });
  return {
    server: { product: source.product },
    findings: [{ label: 'Tables', outcome: 'ok', message: source.finding }],
    async ping({ signal }) {
      begin(signal);
      await source.tables(signal);
    },
    async listTables({ signal }) {
      begin(signal);
      return (await source.tables(signal)).map((name) => ({ ref: { namespace: [], name }, kind: 'table' }));
    },
    async describeTable(table, { signal }) {
      begin(signal);
      const columns = columnsOf(await rowsOf(table, signal));
      return { ref: table, kind: 'table', columns, key: ['id'], paging: 'offset', readsFromEnd: false, notes: [] };
    },
    async readPage(request: PageRequest, { signal }) {
      begin(signal);
      return pageOf(await rowsOf(request.table, signal), request);
    },
    async countRows({ table, filter }, { signal }) {
      begin(signal);
      return count(table, filter, signal);
    },
    async close() {
      isClosed = true;
    },
  };
}

export const driver = defineDriver({
  id: '{{id}}',
  async connect(settings, context, { signal }) {
    signal.throwIfAborted();
    return openSession(await openSource(settings, context, signal));
  },
});
