import { NO_FILTER } from '@tabularium/sdk';
import type { PageRequest } from '@tabularium/sdk';
import { request } from 'undici';
import type { Runtime } from '../../host/src/runtime/runtime.ts';
import type { Budget } from './budget.ts';
import { atMost, median, timed } from './budget.ts';
import { rowsOfPage } from './rowsOfPage.ts';
import type { Surroundings } from './surroundings.ts';
import { API_KEY } from './surroundings.ts';

const ROUNDS = 60;
const WARM_UP = 15;
/** Pages of 20 MB each; fewer of them are enough. */
const VECTOR_ROUNDS = 10;
const VECTOR_WARM_UP = 3;
const DIMENSIONS = 1_536;
const ROWS = 1_000;
const never = new AbortController().signal;

/** Pages of 1,000 rows through host and driver, as the window asks for them, against the same multi_search by bare undici and JSON.parse. */
export async function pageBudgets(surroundings: Surroundings): Promise<readonly Budget[]> {
  const runtime = await surroundings.newRuntime();
  try {
    const connectionId = await surroundings.connect(runtime);
    await runtime.sessions.use(connectionId, ({ session }) => session.listTables({ signal: never }), { signal: never });
    await fillCollection(surroundings, { name: 'stories', fields: STORY_FIELDS, document: storyDocument });
    const rounds = { rounds: ROUNDS, warmUp: WARM_UP };
    const ordinary = await ratioOf(runtime, surroundings, { connectionId, collection: 'stories', ...rounds });
    const wide = await ratioOf(runtime, surroundings, { connectionId, collection: 'products', ...rounds });
    await fillCollection(surroundings, {
      name: 'vectors',
      fields: [
        { name: 'title', type: 'string' },
        { name: 'vector', type: 'float[]', num_dim: DIMENSIONS },
      ],
      document: vectorDocument,
    });
    const vectors = await ratioOf(runtime, surroundings, {
      connectionId,
      collection: 'vectors',
      rounds: VECTOR_ROUNDS,
      warmUp: VECTOR_WARM_UP,
    });
    return [
      atMost('1,000-row page through host and driver, against bare undici', ordinary, 1.1, 'ratio'),
      atMost('the same of documents with 26 columns', wide, 1.2, 'ratio'),
      atMost(`the same of documents with ${DIMENSIONS} floats, which bare undici reads`, vectors, 1, 'ratio'),
    ];
  } finally {
    await runtime[Symbol.asyncDispose]();
  }
}

interface Pages {
  readonly connectionId: string;
  readonly collection: string;
  readonly rounds: number;
  readonly warmUp: number;
}

/** The median time of a page, as a ratio to the bare one's; taken in turns. */
async function ratioOf(runtime: Runtime, { sandboxUrl }: Surroundings, pages: Pages): Promise<number> {
  const { connectionId, collection, rounds, warmUp } = pages;
  const body = JSON.stringify({
    searches: [0, 250, 500, 750].map((offset) => ({ collection, q: '*', offset, limit: 250 })),
  });
  const bare = async (): Promise<void> => {
    const answer = await request(`${sandboxUrl}/multi_search`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'x-typesense-api-key': API_KEY },
    });
    const parsed: unknown = JSON.parse(await answer.body.text());
    if (answer.statusCode !== 200 || typeof parsed !== 'object') throw new Error('The sandbox did not answer the bare request.');
  };
  const asked: PageRequest = {
    table: { namespace: [], name: collection },
    filter: NO_FILTER,
    sorts: [],
    position: { from: 'start' },
    limit: ROWS,
    placeholders: { over: 8_192 },
  };
  const through = async (): Promise<void> => {
    const rows = await rowsOfPage(runtime, connectionId, asked);
    if (rows !== ROWS) throw new Error(`The page has ${rows} rows.`);
  };
  const times: { bare: number[]; through: number[] } = { bare: [], through: [] };
  for (let round = 0; round < warmUp + rounds; round += 1) {
    const one = await timed(bare);
    const two = await timed(through);
    if (round < warmUp) continue;
    times.bare.push(one);
    times.through.push(two);
  }
  const [bareTime, throughTime] = [median(times.bare), median(times.through)];
  process.stderr.write(
    `page of 1,000 rows of ${collection}: bare undici ${bareTime.toFixed(1)} ms, host and driver ${throughTime.toFixed(1)} ms\n`,
  );
  return throughTime / bareTime;
}

interface Filling {
  readonly name: string;
  readonly fields: readonly Readonly<Record<string, unknown>>[];
  readonly document: (number: number) => Readonly<Record<string, unknown>>;
}

/** As many documents as a page has rows, in a collection of their own beside the samples. */
async function fillCollection({ sandboxUrl }: Surroundings, { name, fields, document }: Filling): Promise<void> {
  const post = async (path: string, body: string): Promise<void> => {
    const headers = { 'content-type': 'application/json', 'x-typesense-api-key': API_KEY };
    const { statusCode, body: answer } = await request(`${sandboxUrl}${path}`, { method: 'POST', body, headers });
    const text = await answer.text();
    if (statusCode >= 300) throw new Error(`${path}: ${text}`);
  };
  await post('/collections', JSON.stringify({ name, fields }));
  for (let done = 0; done < ROWS; done += 100) {
    const lines = Array.from({ length: 100 }, (_unused, index) => JSON.stringify(document(done + index)));
    await post(`/collections/${name}/documents/import?action=create`, lines.join('\n'));
  }
}

const STORY_FIELDS = [
  { name: 'title', type: 'string' },
  { name: 'text', type: 'string' },
  { name: 'author', type: 'string', facet: true },
  { name: 'tags', type: 'string[]', facet: true },
  { name: 'views', type: 'int64' },
  { name: 'rating', type: 'float' },
  { name: 'published', type: 'bool' },
];

/** About 457 bytes, as those of which the pace of a real server was measured. */
function storyDocument(number: number): Readonly<Record<string, unknown>> {
  return {
    id: String(number),
    title: `Story ${number} of a harbour and its people`,
    text: `Chapter ${number % 40}. ${'The boats come home with the evening tide. '.repeat(6)}`,
    author: `Author ${number % 90}`,
    tags: [`tag ${number % 17}`, `shelf ${number % 5}`],
    views: number * 7_919,
    rating: Math.round(50 + 50 * Math.sin(number)) / 10,
    published: number % 3 !== 0,
  };
}

function vectorDocument(number: number): Readonly<Record<string, unknown>> {
  const vector = Array.from({ length: DIMENSIONS }, (_none, place) => Math.fround(Math.sin(number + place)));
  return { id: String(number), title: `Document ${number}`, vector };
}
