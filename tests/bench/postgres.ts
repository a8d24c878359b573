import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { NO_FILTER } from '@tabularium/sdk';
import type { Filter, PageRequest, TableRef } from '@tabularium/sdk';
import type { Connection, Submittable } from 'pg';
import type { PgClient } from '../../drivers/postgres/src/wire/pgClient.ts';
import { startExportSchema } from '../../host/src/common/transfer.ts';
import type { Budget } from './budget.ts';
import { atMost, median, timed } from './budget.ts';
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
  return [...(await pages(bench)), ...(await exports(bench))];
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
    const { ratio, ...times } = await inTurns(FILE_ROUNDS, 0, () => copyOut(bare, file), through);
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

/** The calls of the library's connection for COPY; its types leave them out. */
interface CopyConnection {
  query(text: string): void;
  readonly stream: {
    pause(): void;
    resume(): void;
  };
}

/** A statement for the client's queue: what it gets of the server's answer. */
interface CopyQuery {
  submit(connection: Connection): void;
  handleCopyData(message: { readonly chunk: Buffer }, connection: Connection): void;
  handleCommandComplete(): void;
  handleReadyForQuery(): void;
  handleError(error: unknown): void;
}

const nothing = (): void => undefined;

function submit(client: PgClient, text: string, handlers: Partial<CopyQuery>): Promise<void> {
  return new Promise((resolve, reject) => {
    const query: CopyQuery = {
      submit: (connection) => (connection as unknown as CopyConnection).query(text),
      handleCopyData: nothing,
      handleCommandComplete: nothing,
      handleReadyForQuery: () => resolve(),
      handleError: reject,
      ...handlers,
    };
    client.query(query as unknown as Submittable);
  });
}

/** COPY to a file, as pg-copy-streams does it: chunks are written as they come, with back-pressure. */
async function copyOut(client: PgClient, file: string): Promise<void> {
  const target = createWriteStream(file);
  let paused: CopyConnection['stream'] | undefined;
  await submit(client, `COPY pgbench_accounts TO STDOUT (FORMAT csv, HEADER)`, {
    handleCopyData: ({ chunk }, connection) => {
      const { stream } = connection as unknown as CopyConnection;
      // The library reads the next message into the same memory.
      if (target.write(Buffer.from(chunk)) || paused !== undefined) return;
      paused = stream;
      stream.pause();
      target.once('drain', () => {
        paused?.resume();
        paused = undefined;
      });
    },
  });
  // A file that is ended says nothing of having room again.
  paused?.resume();
  target.end();
  await finished(target);
}
