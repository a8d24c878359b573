import { NO_FILTER } from '@tabularium/sdk';
import { request } from 'undici';
import { ROUTER_PATH } from '../../host/src/common/api.ts';
import type { Budget } from './budget.ts';
import { atMost, median, timed } from './budget.ts';
import type { Surroundings } from './surroundings.ts';
import { API_KEY } from './surroundings.ts';

const ROUNDS = 60;
const WARM_UP = 15;
const HITS = 25;
const FACETS = ['brand', 'category', 'in_stock', 'tags', 'stock'];
const FIELDS = ['name', 'description', 'brand', 'category', 'tags'];
const never = new AbortController().signal;

/** A ranked search with highlights and facets through host and driver, as the window asks for it, against the same request by bare undici and JSON.parse. */
export async function rankedSearchBudgets({ sandboxUrl, newRuntime, connect }: Surroundings): Promise<readonly Budget[]> {
  const runtime = await newRuntime();
  try {
    const connectionId = await connect(runtime);
    const table = { namespace: [], name: 'products' };
    const form = await runtime.sessions.use(
      connectionId,
      async ({ session }) => {
        if (session.search === undefined) throw new Error('The session has no ranked search.');
        return session.search.form(table, { signal: never });
      },
      { signal: never },
    );
    const facets = FACETS.filter((name) => form.facets.includes(name));
    const body = JSON.stringify({
      searches: [
        {
          ...{ collection: 'products', q: 'kettle', query_by: FIELDS.join(','), facet_by: facets.join(',') },
          ...{ enable_analytics: false, offset: 0, limit: HITS },
        },
      ],
    });
    const bare = async (): Promise<void> => {
      const answer = await request(`${sandboxUrl}/multi_search`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', 'x-typesense-api-key': API_KEY },
      });
      const { results } = JSON.parse(await answer.body.text()) as { results: [{ hits: unknown[] }] };
      if (results[0].hits.length !== HITS) throw new Error('The sandbox did not answer the bare request.');
    };
    const asked = {
      ...{ table, text: 'kettle', fields: FIELDS.map((name) => ({ name })), facets },
      ...{ filter: NO_FILTER, sorts: [], options: {}, offset: 0, limit: HITS },
    };
    const through = async (): Promise<void> => {
      const answer = await runtime.handler(
        new Request(`http://host${ROUTER_PATH}/search.search`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ connectionId, request: asked }),
        }),
      );
      const { result } = JSON.parse(await answer.text()) as { result: { data: { hits: unknown[] } } };
      if (result.data.hits.length !== HITS) throw new Error('The search did not find what the bare one finds.');
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
      `ranked search, ${facets.length} facets: bare undici ${bareTime.toFixed(1)} ms, host and driver ${throughTime.toFixed(1)} ms\n`,
    );
    const name = 'ranked search with highlights and facets through host and driver, against bare undici';
    return [atMost(name, throughTime / bareTime, 1.15, 'ratio')];
  } finally {
    await runtime[Symbol.asyncDispose]();
  }
}
