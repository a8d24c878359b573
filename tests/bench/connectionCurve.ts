import { NO_FILTER } from '@tabularium/sdk';
import { median, timed } from './budget.ts';
import type { Curve, CurvePoint } from './curve.ts';
import { rowsOfPage } from './rowsOfPage.ts';
import { startSurroundings } from './surroundings.ts';

const SIZES = [1, 10, 100];
const ROUNDS = 10;
const PAGE_ROWS = 100;
const never = new AbortController().signal;

/** Opening a connection, and a page of the last opened one, over the connections that are open. */
export async function connectionCurve(): Promise<Curve> {
  await using surroundings = await startSurroundings({ products: 1_000 });
  const runtime = await surroundings.newRuntime();
  await runtime.installer.install('search', { signal: never });
  const opening: CurvePoint[] = [];
  const reading: CurvePoint[] = [];
  try {
    let open = 0;
    for (const size of SIZES) {
      const times: number[] = [];
      let newest = '';
      for (; open < size; open += 1) {
        newest = await surroundings.connect(runtime, { name: `Bench ${open}` });
        times.push(
          await timed(() =>
            runtime.sessions.use(newest, ({ session }) => session.listTables({ signal: never }), { signal: never }),
          ),
        );
      }
      opening.push({ size, value: median(times) });
      const pages: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        pages.push(
          await timed(() =>
            rowsOfPage(runtime, newest, {
              table: { namespace: [], name: 'products' },
              filter: NO_FILTER,
              sorts: [],
              position: { from: 'start' },
              limit: PAGE_ROWS,
              placeholders: { over: 8_192 },
            }),
          ),
        );
      }
      reading.push({ size, value: median(pages) });
    }
  } finally {
    await runtime[Symbol.asyncDispose]();
  }
  return {
    id: 'connections',
    title: 'Opening a connection and reading a page of it, over the open connections',
    size: 'open connections',
    unit: 'ms',
    series: [
      { name: 'opened, tables listed', points: opening },
      { name: 'page of 100 rows', points: reading },
    ],
    explanation:
      'The first connection starts the process of its driver; all others are sessions of that process. The sample server waits like a real one before it answers.',
  };
}
