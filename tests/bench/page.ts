import { decodeBatch, NO_FILTER } from '@tabularium/sdk';
import { request } from 'undici';
import type { Budget } from './budget.ts';
import { atMost, median, timed } from './budget.ts';
import type { Surroundings } from './surroundings.ts';
import { API_KEY } from './surroundings.ts';

const ROUNDS = 60;
const WARM_UP = 15;
const never = new AbortController().signal;

/** A page of 1,000 rows through host and driver, against the same multi_search by bare undici and JSON.parse, taken in turns. */
export async function pageBudget(surroundings: Surroundings): Promise<readonly Budget[]> {
  const runtime = await surroundings.newRuntime();
  try {
    const connectionId = await surroundings.connect(runtime);
    await runtime.sessions.use(connectionId, ({ session }) => session.listTables({ signal: never }), { signal: never });
    const body = JSON.stringify({
      searches: [0, 250, 500, 750].map((offset) => ({ collection: 'products', q: '*', offset, limit: 250 })),
    });
    const bare = async (): Promise<void> => {
      const answer = await request(`${surroundings.sandboxUrl}/multi_search`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', 'x-typesense-api-key': API_KEY },
      });
      const parsed: unknown = JSON.parse(await answer.body.text());
      if (answer.statusCode !== 200 || typeof parsed !== 'object')
        throw new Error('The sandbox did not answer the bare request.');
    };
    const page = {
      connectionId,
      request: {
        table: { namespace: [], name: 'products' },
        filter: NO_FILTER,
        sorts: [],
        position: { from: 'start' },
        limit: 1_000,
      },
    };
    const through = async (): Promise<void> => {
      const answer = await runtime.handler(new Request('http://host/api/page', { method: 'POST', body: JSON.stringify(page) }));
      const bytes = new Uint8Array(await answer.arrayBuffer());
      const batch = decodeBatch(bytes.subarray(bytes.indexOf(10) + 1));
      if (batch.rows.length !== 1_000) throw new Error(`The page has ${batch.rows.length} rows.`);
    };
    const times: { bare: number[]; through: number[] } = { bare: [], through: [] };
    for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
      const one = await timed(bare);
      const two = await timed(through);
      if (round < WARM_UP) continue;
      times.bare.push(one);
      times.through.push(two);
    }
    const [bareTime, throughTime] = [median(times.bare), median(times.through)];
    process.stderr.write(
      `page of 1,000 rows: bare undici ${bareTime.toFixed(1)} ms, host and driver ${throughTime.toFixed(1)} ms\n`,
    );
    return [atMost('1,000-row page through host and driver, against bare undici', throughTime / bareTime, 1.15, 'ratio')];
  } finally {
    await runtime[Symbol.asyncDispose]();
  }
}
