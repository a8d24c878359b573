import { timed, median } from './budget.ts';
import type { Curve, CurvePoint } from './curve.ts';
import { startPostgresBench } from './postgresBench.ts';

const SIZES = [10, 100, 1_000, 10_000, 100_000];
const ROUNDS = 3;
/** Each table takes locks until its transaction ends, and a server has room for some thousands of them. */
const TABLES_AT_ONCE = 1_000;
const never = new AbortController().signal;

/** The list of all tables, through driver and host, against the bare query of their names. */
export async function tableCurve(): Promise<Curve> {
  await using bench = await startPostgresBench();
  const through: CurvePoint[] = [];
  const bare: CurvePoint[] = [];
  let made = 0;
  for (const size of SIZES) {
    for (; made < size; made += Math.min(TABLES_AT_ONCE, size - made)) {
      const upTo = Math.min(size, made + TABLES_AT_ONCE);
      await bench.bare.query(
        `DO $$ BEGIN FOR i IN ${made + 1}..${upTo} LOOP EXECUTE format('CREATE TABLE table_%s (id int)', i); END LOOP; END $$`,
      );
    }
    const times: { through: number[]; bare: number[] } = { through: [], bare: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      times.bare.push(await timed(() => bench.bare.query('SELECT relname FROM pg_class WHERE relkind = $1 ORDER BY 1', ['r'])));
      times.through.push(
        await timed(async () => {
          const list = await bench.runtime.sessions.use(
            bench.connectionId,
            ({ session }) => session.listTables({ signal: never }),
            { signal: never },
          );
          if (list.length < size) throw new Error(`${list.length} of ${size} tables were listed.`);
        }),
      );
    }
    through.push({ size, value: median(times.through) });
    bare.push({ size, value: median(times.bare) });
  }
  return {
    id: 'tables',
    title: 'The list of all tables of PostgreSQL, over their number',
    size: 'tables',
    unit: 'ms',
    series: [
      { name: 'host and driver', points: through },
      { name: 'bare pg, names only', points: bare },
    ],
    explanation: 'A list is read whole, with kinds, comments and estimates, so its time grows with the number of tables.',
  };
}
