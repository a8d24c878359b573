import { NO_FILTER } from '@tabularium/sdk';
import type { PagePosition } from '@tabularium/sdk';
import { median, timed } from './budget.ts';
import type { Curve, CurvePoint } from './curve.ts';
import { startPostgresBench } from './postgresBench.ts';
import { rowsOfPage } from './rowsOfPage.ts';

const SIZES = [1_000, 10_000, 100_000, 1_000_000, 10_000_000];
const ROUNDS = 15;
const PAGE_ROWS = 1_000;

/** The first and the last page of a PostgreSQL table, over its rows; 10 million of them at most. */
export async function rowCurve(): Promise<Curve> {
  await using bench = await startPostgresBench();
  const first: CurvePoint[] = [];
  const last: CurvePoint[] = [];
  for (const size of SIZES) {
    const name = `rows_${size}`;
    await bench.bare.query(`CREATE TABLE ${name} (id int PRIMARY KEY, label text, amount numeric(12, 2))`);
    await bench.bare.query(`INSERT INTO ${name} SELECT i, 'Label ' || i, i / 100.0 FROM generate_series(1, ${size}) i`);
    await bench.bare.query(`VACUUM ANALYZE ${name}`);
    // Else the server writes the new rows to its disk while pages are read.
    await bench.bare.query('CHECKPOINT');
    const page = async (position: PagePosition): Promise<number> => {
      const table = { namespace: ['public'], name };
      const read = async (): Promise<void> => {
        const request = { table, filter: NO_FILTER, sorts: [], position, limit: PAGE_ROWS, placeholders: { over: 8_192 } };
        const rows = await rowsOfPage(bench.runtime, bench.connectionId, request);
        if (rows !== PAGE_ROWS) throw new Error(`A page of ${name} has ${rows} rows.`);
      };
      await read();
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) times.push(await timed(read));
      return median(times);
    };
    first.push({ size, value: await page({ from: 'start' }) });
    last.push({ size, value: await page({ from: 'end' }) });
    await bench.bare.query(`DROP TABLE ${name}`);
  }
  return {
    id: 'rows',
    title: 'A page of 1,000 rows of PostgreSQL, over the rows of the table',
    size: 'rows of the table',
    unit: 'ms',
    series: [
      { name: 'first page', points: first },
      { name: 'last page', points: last },
    ],
    explanation:
      'Pages are read along the key in both directions, so the size of the table costs a few more levels of its index and nothing else.',
  };
}
