import { rm, stat } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { NO_FILTER } from '@tabularium/sdk';
import type { Filter, PageRequest, TableRef } from '@tabularium/sdk';
import { startImportSchema } from '../../host/src/common/imports.ts';
import { startExportSchema } from '../../host/src/common/transfer.ts';
import type { Budget } from './budget.ts';
import { atMost, median, timed } from './budget.ts';
import { copyIn, copyOut } from './copyStreams.ts';
import { MemoryWatch } from './memoryWatch.ts';
import { startPostgresBench } from './postgresBench.ts';
import type { PostgresBench } from './postgresBench.ts';
import { rowsOfPage } from './rowsOfPage.ts';

/** Of pgbench: 100,000 accounts each. */
const SCALE = 10;
const ACCOUNTS = SCALE * 100_000;
const PAGE_ROWS = 1_000;
const PAGE_ROUNDS = 60;
const PAGE_WARM_UP = 15;
const FILE_ROUNDS = 3;
const table = (name: string): TableRef => ({ namespace: ['public'], name });

/** The PostgreSQL driver against the bare client for the same rows, in one run, taken in turns. */
export async function postgresBudgets(): Promise<readonly Budget[]> {
  await using bench = await startPostgresBench();
  for (const statement of TABLES) await bench.bare.query(statement);
  process.stderr.write(`PostgreSQL: load of the machine ${loadavg()[0]?.toFixed(1) ?? ''}\n`);
  return [...(await pages(bench)), ...(await exports(bench)), ...(await imports(bench))];
}

/** The tables of `pgbench -i -s 10`. */
const TABLES = [
  `CREATE TABLE pgbench_branches (bid int PRIMARY KEY, bbalance int, filler char(88))`,
  `CREATE TABLE pgbench_tellers (tid int PRIMARY KEY, bid int, tbalance int, filler char(84))`,
  `CREATE TABLE pgbench_accounts (aid int NOT NULL, bid int, abalance int, filler char(84))`,
  `INSERT INTO pgbench_branches SELECT i, 0, '' FROM generate_series(1, ${SCALE}) i`,
  `INSERT INTO pgbench_tellers SELECT i, (i - 1) / 10 + 1, 0, '' FROM generate_series(1, ${SCALE * 10}) i`,
  `INSERT INTO pgbench_accounts SELECT i, (i - 1) / 100000 + 1, 0, '' FROM generate_series(1, ${ACCOUNTS}) i`,
  `ALTER TABLE pgbench_accounts ADD PRIMARY KEY (aid)`,
  `VACUUM ANALYZE`,
];

/** The medians of two kinds of work, taken in turns. */
async function inTurns(
  rounds: number,
  warmUp: number,
  bare: () => Promise<unknown>,
  through: () => Promise<unknown>,
): Promise<{ readonly bare: number; readonly through: number; readonly ratio: number }> {
  const times: { bare: number[]; through: number[] } = { bare: [], through: [] };
  for (let round = 0; round < warmUp + rounds; round += 1) {
    const one = await timed(bare);
    const two = await timed(through);
    if (round < warmUp) continue;
    times.bare.push(one);
    times.through.push(two);
  }
  const [one, two] = [median(times.bare), median(times.through)];
  // Of pairs, so that a slow moment of the machine counts on both sides.
  const ratio = median(times.bare.map((time, place) => (times.through[place] ?? Number.NaN) / time));
  return { bare: one, through: two, ratio };
}

async function pages({ runtime, bare, connectionId }: PostgresBench): Promise<readonly Budget[]> {
  const page = async (name: string, filter: Filter, condition: string): Promise<number> => {
    const asked: PageRequest = {
      table: table('pgbench_accounts'),
      filter,
      sorts: [],
      position: { from: 'start' },
      limit: PAGE_ROWS,
      placeholders: { over: 8_192 },
    };
    const through = async (): Promise<void> => {
      const rows = await rowsOfPage(runtime, connectionId, asked);
      if (rows !== PAGE_ROWS) throw new Error(`The page has ${rows} rows.`);
    };
    const alone = async (): Promise<void> => {
      const { rows } = await bare.query(`SELECT * FROM pgbench_accounts ${condition} ORDER BY aid LIMIT ${PAGE_ROWS}`);
      if (rows.length !== PAGE_ROWS) throw new Error(`The bare page has ${rows.length} rows.`);
    };
    const { ratio, ...times } = await inTurns(PAGE_ROUNDS, PAGE_WARM_UP, alone, through);
    process.stderr.write(
      `${name}: bare pg ${times.bare.toFixed(1)} ms, host and driver ${times.through.toFixed(1)} ms, ratio ${ratio.toFixed(2)}\n`,
    );
    return ratio;
  };
  const first = await page('page of 1,000 rows of pgbench_accounts', NO_FILTER, '');
  const deep = await deepPage({ runtime, bare, connectionId });
  return [
    atMost('PostgreSQL: 1,000-row page through host and driver, against bare pg', first, 6, 'ratio'),
    atMost('PostgreSQL: the page behind row 900,000, against bare pg by the key', deep, 6, 'ratio'),
  ];
}

/** Pages that are read on from the last known row, far below. */
async function deepPage({
  runtime,
  bare,
  connectionId,
}: Pick<PostgresBench, 'runtime' | 'bare' | 'connectionId'>): Promise<number> {
  const at = async (offset: number): Promise<number> => {
    const request: PageRequest = {
      table: table('pgbench_accounts'),
      filter: NO_FILTER,
      sorts: [],
      position: { from: 'offset', offset },
      limit: PAGE_ROWS,
      placeholders: { over: 8_192 },
    };
    return rowsOfPage(runtime, connectionId, request);
  };
  let offset = 900_000;
  // The first one has no known row before it.
  await at(offset);
  const through = async (): Promise<void> => {
    offset += PAGE_ROWS;
    if ((await at(offset)) !== PAGE_ROWS) throw new Error('The deep page is not whole.');
  };
  const alone = async (): Promise<void> => {
    const { rows } = await bare.query(
      `SELECT * FROM pgbench_accounts WHERE aid > ${offset + PAGE_ROWS} ORDER BY aid LIMIT ${PAGE_ROWS}`,
    );
    if (rows.length !== PAGE_ROWS) throw new Error('The bare deep page is not whole.');
  };
  const { ratio, ...times } = await inTurns(PAGE_ROUNDS, PAGE_WARM_UP, alone, through);
  process.stderr.write(
    `page behind row 900,000: bare pg ${times.bare.toFixed(1)} ms, host and driver ${times.through.toFixed(1)} ms, ratio ${ratio.toFixed(2)}\n`,
  );
  return ratio;
}

async function exports({ runtime, bare, connectionId, folder, home }: PostgresBench): Promise<readonly Budget[]> {
  const file = join(folder, 'bench-accounts');
  const budgets: Budget[] = [];
  await using memory = await MemoryWatch.start(home);
  for (const [format, limit] of [
    ['csv', 6],
    ['jsonl', 6],
  ] as const) {
    const through = async (): Promise<void> => {
      const { id } = await runtime.exports.start(
        startExportSchema.parse({ connectionId, table: table('pgbench_accounts'), format, file, overwrite: true }),
      );
      await runtime.exports.outcome(id);
    };
    const { ratio, ...times } = await inTurns(FILE_ROUNDS, 0, () => copyOut(bare, 'pgbench_accounts', file), through);
    process.stderr.write(
      `export of ${ACCOUNTS} rows to ${format}: copy to stdout ${times.bare.toFixed(0)} ms, host and driver ${times.through.toFixed(0)} ms, ` +
        `ratio ${ratio.toFixed(2)} (${((await stat(file)).size / 1e6).toFixed(0)} MB)\n`,
    );
    budgets.push(atMost(`PostgreSQL: export to ${format.toUpperCase()}, time against copy to stdout`, ratio, limit, 'ratio'));
  }
  await rm(file, { force: true });
  process.stderr.write(`exports of PostgreSQL: host and driver grew by ${(memory.growth / 1e6).toFixed(1)} MB\n`);
  return [...budgets, atMost('PostgreSQL: growth of host and driver in exports', memory.growth / 1_000, 96_000, 'kilobytes')];
}

/** The accounts from a file of CSV into an empty table with a key. */
async function imports({ runtime, bare, connectionId, folder, home }: PostgresBench): Promise<readonly Budget[]> {
  const never = new AbortController().signal;
  const file = join(folder, 'bench-accounts.csv');
  await copyOut(bare, 'pgbench_accounts', file);
  await bare.query('CREATE TABLE accounts_in (LIKE pgbench_accounts INCLUDING ALL)');
  const emptied = async (): Promise<unknown> => bare.query('TRUNCATE accounts_in');
  const through = async (): Promise<void> => {
    const { id } = await runtime.imports.start(
      startImportSchema.parse({
        ...{ connectionId, table: table('accounts_in'), source: { is: 'file', path: file } },
        ...{ format: { format: 'csv' }, mode: 'create' },
      }),
      never,
    );
    for await (const one of runtime.imports.follow(id, never))
      if (one.state !== 'done' && one.state !== 'running')
        throw new Error(`The import is ${one.state}: ${JSON.stringify(one.error)}`);
    const { rows } = await bare.query<{ rows: string }>('SELECT count(*) AS rows FROM accounts_in');
    if (Number(rows[0]?.rows) !== ACCOUNTS) throw new Error(`${rows[0]?.rows ?? 'no'} rows were imported.`);
  };
  await using memory = await MemoryWatch.start(home);
  const times: { bare: number[]; through: number[] } = { bare: [], through: [] };
  for (let round = 0; round < FILE_ROUNDS; round += 1) {
    await emptied();
    times.bare.push(await timed(() => copyIn(bare, 'accounts_in', file)));
    await emptied();
    times.through.push(await timed(through));
  }
  await rm(file, { force: true });
  const ratio = median(times.bare.map((time, place) => (times.through[place] ?? Number.NaN) / time));
  process.stderr.write(
    `import of ${ACCOUNTS} rows of csv: copy from stdin ${median(times.bare).toFixed(0)} ms, host and driver ${median(times.through).toFixed(0)} ms, ` +
      `ratio ${ratio.toFixed(2)}; host and driver grew by ${(memory.growth / 1e6).toFixed(1)} MB\n`,
  );
  return [
    atMost('PostgreSQL: import of CSV, time against copy from stdin', ratio, 6, 'ratio'),
    atMost('PostgreSQL: growth of host and driver in imports', memory.growth / 1_000, 96_000, 'kilobytes'),
  ];
}
