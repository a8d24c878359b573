import { duplexPair } from 'node:stream';
import type { Driver, Session } from '@tabularium/sdk';
import { SDK_CONTRACT } from '@tabularium/sdk';
import type { DriverMethod, WireRequest } from '@tabularium/sdk/protocol';
import { WireConnection } from '@tabularium/sdk/protocol';
import { DriverSessions } from './driverSessions.ts';

const table = { namespace: [], name: 'rehearsal' };
const text = new TextEncoder();

/** One session of no database: it asks the host for one answer, and has one table without columns. */
const session: Session = {
  server: { product: 'rehearsal', version: '1' },
  findings: [],
  ping: async () => undefined,
  listTables: async () => [{ ref: table, kind: 'table', count: { rows: 0, exact: true } }],
  describeTable: async () => ({
    ref: table,
    kind: 'table',
    columns: [],
    key: [],
    paging: 'offset',
    readsFromEnd: false,
    notes: [],
  }),
  readPage: async () => ({ rowCount: 0, atEnd: true, droppedSorts: [], batch: text.encode('[]') }),
  countRows: async () => ({ rows: 0, exact: true }),
  close: async () => undefined,
};

const driver: Driver = {
  $$type: '@tabularium/driver',
  contract: SDK_CONTRACT,
  definition: {
    id: 'rehearsal',
    connect: async (_settings, { http }, { signal }) => {
      const answer = await http?.request({ method: 'GET', path: '/', headers: {}, signal });
      await answer?.text();
      return session;
    },
  },
};

const everyRow = { table, filter: { match: 'all', conditions: [] } };
/** The first calls of a window to a connection, in its order. */
const CALLS: readonly (readonly [method: DriverMethod, params: object])[] = [
  [
    'connect',
    { settings: { host: 'localhost', port: 1, verify: true }, capabilities: ['http'], files: {}, nodes: ['localhost:1'] },
  ],
  ['ping', {}],
  ['listTables', {}],
  ['describeTable', { table }],
  ['readPage', { ...everyRow, sorts: [], position: { from: 'offset', offset: 0 }, limit: 1 }],
  ['countRows', everyRow],
  ['close', {}],
];

/**
 * Plays one session with itself, over a wire in memory. V8 compiles a function and zod makes a schema when it is first used; a process that
 * waits for a driver has the time for that, and its driver's first calls do not.
 */
export async function rehearse(): Promise<void> {
  const [ours, theirs] = duplexPair();
  const ready = Promise.withResolvers<undefined>();
  const host = new WireConnection({
    side: 'host',
    stream: ours,
    serve: (request) =>
      request.answer({ status: 200, headers: { 'content-type': 'application/json' }, node: 0 }, text.encode('{}')),
    onReady: () => ready.resolve(undefined),
    onEnd: () => undefined,
  });
  const sessions = new DriverSessions('rehearsal', driver, (request: WireRequest) => wire.request(request));
  const wire: WireConnection = new WireConnection({
    side: 'driver',
    stream: theirs,
    serve: (request) => sessions.serve(request),
    onEnd: () => undefined,
  });
  wire.sendReady({ wire: 1, contract: SDK_CONTRACT, driver: 'rehearsal' });
  await ready.promise;
  for (const [method, params] of CALLS) {
    const answer = await host.request({ method, session: 1, body: text.encode(JSON.stringify(params)) });
    await answer.body.collect(1_000);
  }
  ours.destroy();
  theirs.destroy();
}
