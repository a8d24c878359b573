import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import type { Runtime } from '../../host/src/runtime/runtime.ts';
import { median } from './budget.ts';
import { API_KEY, startSurroundings } from './surroundings.ts';

// How long the gap is between the comparison of a row and its write: on a server without conditional writes a change of somebody else within it is
// overwritten unseen. A proxy notes when the answer with a row left for the host, and when the write of that row came.
//
//   node --conditions=tabularium:source tests/bench/saveGap.ts [--url http://127.0.0.1:8108 --collection products --api-key-env VAR]
//
// Rows of the collection are changed and changed back.

const ROUNDS = 10;
const FIELD = 'brand';
const SIZES = [1, 20, 100] as const;
const never = new AbortController().signal;

interface Proxy extends AsyncDisposable {
  readonly port: number;
  /** Milliseconds from the read of a row to its write. */
  readonly gaps: number[];
}

async function startProxy(target: URL): Promise<Proxy> {
  const readAt = new Map<string, number>();
  const gaps: number[] = [];
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? '/';
    if (incoming.method === 'PATCH') {
      const since = readAt.get(path);
      if (since !== undefined) gaps.push(performance.now() - since);
    }
    const forwarded = request(
      { host: target.hostname, port: target.port, path, method: incoming.method, headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
        answer.on('end', () => (incoming.method === 'GET' ? readAt.set(path, performance.now()) : undefined));
      },
    );
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    gaps,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function saveRows(runtime: Runtime, connectionId: string, table: string, rows: readonly Row[]): Promise<void> {
  const ref = { namespace: [], name: table };
  for (const turn of ['there', 'back'] as const) {
    const edits = rows.map(({ id, value }) => {
      const [from, to] = turn === 'there' ? [value, `${value}.`] : [`${value}.`, value];
      return { kind: 'update' as const, row: { key: [id] }, cells: [{ column: FIELD, value: to, original: from }] };
    });
    await runtime.services.editing.stage(connectionId, ref, edits, never);
    for await (const event of runtime.services.editing.save(connectionId, ref, undefined, never)) {
      if (event.type === 'end' && event.saved !== rows.length) throw new Error(`Saved ${event.saved} of ${rows.length} rows.`);
    }
  }
}

interface Row {
  readonly id: string;
  readonly value: string;
}

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    collection: { type: 'string', default: 'products' },
    'api-key-env': { type: 'string' },
  },
});
await using surroundings = await startSurroundings({ products: 500 });
const key = values['api-key-env'] === undefined ? API_KEY : (process.env[values['api-key-env']] ?? '');
const target = new URL(values.url ?? surroundings.sandboxUrl);
await using proxy = await startProxy(target);
const runtime = await surroundings.newRuntime({}, key);
try {
  const connectionId = await surroundings.connect(runtime, { port: proxy.port });
  const answer = await fetch(new URL(`/collections/${values.collection}/documents/search?q=*&per_page=100`, target), {
    headers: { 'X-TYPESENSE-API-KEY': key },
  });
  const { hits } = (await answer.json()) as { hits: readonly { document: Record<string, unknown> }[] };
  const rows = hits.map(({ document }): Row => ({ id: String(document['id']), value: String(document[FIELD]) }));
  for (const size of SIZES) {
    proxy.gaps.length = 0;
    for (let round = 0; round < ROUNDS; round += 1) await saveRows(runtime, connectionId, values.collection, rows.slice(0, size));
    const sorted = proxy.gaps.toSorted((one, other) => one - other);
    const shown = [median(sorted), sorted.at(Math.floor(sorted.length * 0.99)) ?? 0, sorted.at(-1) ?? 0];
    const [middle, high, most] = shown.map((milliseconds) => milliseconds.toFixed(1));
    process.stdout.write(`${size} rows: median ${middle} ms, p99 ${high} ms, most ${most} ms (${sorted.length} writes)\n`);
  }
} finally {
  await runtime[Symbol.asyncDispose]();
}
