import { DriverError, defineDriver } from '@tabularium/sdk';
import type { Session } from '@tabularium/sdk';
import { Link } from './link.ts';
import { countRows, readPage } from './query.ts';
import { Tables } from './tables.ts';
// {{facetImports}}

/** One open connection. What a database can do beyond the core is a facet: one more member, each in a file of its own. */
function openSession(link: Link, tables: Tables, server: Session['server'], found: number): Session {
  return {
    server,
    findings: [{ label: 'Tables', outcome: 'ok', message: `The server has ${found} tables.` }],
    async ping({ signal }) {
      await link.text({ method: 'GET', path: '/', isReading: true, signal });
    },
    listTables: ({ signal }) => tables.list(signal),
    async describeTable(table, { signal }) {
      const columns = await tables.describe(table, signal);
      return { ref: table, kind: 'table', columns: [...columns], key: ['id'], paging: 'offset', readsFromEnd: false, notes: [] };
    },
    readPage: (request, { signal }) => readPage(link, tables, request, signal),
    countRows: (request, { signal }) => countRows(link, tables, request, signal),
    // {{facetMembers}}
    async close() {
      link.close();
    },
  };
}

export const driver = defineDriver({
  id: '{{id}}',
  async connect(_settings, context, { signal }) {
    const { http } = context;
    if (http === undefined) throw new DriverError('PERMISSION_DENIED', 'The manifest declares no "permissions.http".');
    const link = new Link(http);
    const greeting = await link.json({ method: 'GET', path: '/', isReading: true, signal });
    // Any program may answer at an address: rows of another one would be nonsense.
    if (typeof greeting !== 'object' || greeting === null || !('product' in greeting) || greeting.product !== 'Sample')
      throw new DriverError('BAD_ANSWER', 'Another program answers at this address.');
    const tables = new Tables(link);
    const version = 'version' in greeting ? { version: String(greeting.version) } : {};
    return openSession(link, tables, { product: '{{title}}', ...version }, (await tables.list(signal)).length);
  },
});
