import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { startBenchHost } from './benchHost.ts';
import { median, timed } from './budget.ts';
import type { Curve, CurvePoint } from './curve.ts';

const SIZES = [1, 2, 4, 8, 16, 32, 64];
const CALLS = 1_920;

/** A trivial call of MCP over HTTP, over the clients that call at once, each as soon as it has its last answer. */
export async function clientCurve(): Promise<Curve> {
  await using host = await startBenchHost();
  const throughput: CurvePoint[] = [];
  const middle: CurvePoint[] = [];
  for (const size of SIZES) {
    const clients = await Promise.all(Array.from({ length: size }, () => connected(host)));
    const times: number[] = [];
    const run = (count: number): Promise<unknown> =>
      Promise.all(
        clients.map(async (client) => {
          for (let call = 0; call < count / size; call += 1)
            times.push(await timed(() => client.callTool({ name: 'list_connections' })));
        }),
      );
    await run(CALLS / 10);
    times.length = 0;
    const milliseconds = await timed(() => run(CALLS));
    throughput.push({ size, value: (times.length / milliseconds) * 1_000 });
    middle.push({ size, value: median(times) });
    await Promise.all(clients.map((client) => client.close()));
  }
  return {
    id: 'clients',
    title: 'A trivial MCP call over HTTP, over the clients that call at once',
    size: 'clients',
    unit: 'ms',
    series: [{ name: 'median of a call', points: middle }],
    explanation: `All clients of a run are one process on the same two cores. The host answers ${throughput
      .map(({ size, value }) => `${Math.round(value)} (${size})`)
      .join(
        ', ',
      )} calls a second (clients): once a core is busy, a call waits for those before it, so its time grows with the clients.`,
  };
}

async function connected({ url, token }: { readonly url: string; readonly token: string }): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
  );
  return client;
}
