import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NO_FILTER, defineDriver } from '@tabularium/sdk';
import type { ResultEvent } from '@tabularium/sdk';
import { manifestSchema } from '@tabularium/sdk/manifest';
import { runConformance } from '@tabularium/sdk/testing';
import sqlitePackage from '../../drivers/sqlite/package.json' with { type: 'json' };
import {
  knownConsole,
  knownEdits,
  knownImports,
  knownNewTable,
  knownOperations,
  knownTables,
  writeFixture,
} from '../../drivers/sqlite/src/fixture.test-helper.ts';
import type { InstalledDriver } from '../../host/src/runtime/drivers/packages/installedDriver.ts';
import type { DriverProcesses, RemoteSession } from '../../host/src/runtime/drivers/processes/driverProcesses.ts';
import { ProcessBench } from '../../host/src/runtime/drivers/processes/processes.test-helper.ts';
import { bundleAlone } from '../../scripts/build/bundles.ts';
import { root } from '../../scripts/paths.ts';

// The SQLite driver as it is shipped: one file, in a process with the grant that its manifest asks for and a person has allowed.

const signal = new AbortController().signal;
/** Would run for minutes. */
const ENDLESS = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';

let bench: ProcessBench;
let processes: DriverProcesses;
let driver: InstalledDriver;
let file: string;

beforeAll(async () => {
  bench = await ProcessBench.open();
  processes = await bench.processes();
  const bundles = join(bench.folder, 'bundles');
  await bundleAlone(root, { index: 'drivers/sqlite/src/index.ts' }, bundles);
  const manifest = manifestSchema.parse(sqlitePackage.tabularium);
  driver = { ...(await bench.driver(await readFile(join(bundles, 'index.js'), 'utf8'), manifest)), allowedGrants: ['sqlite'] };
});
afterAll(() => bench.close());
let number = 0;
beforeEach(() => {
  file = join(bench.folder, `shelf ${(number += 1)}.db`);
  writeFixture(file);
});

const connect = (settings = {}): Promise<RemoteSession> => processes.connect({ driver, settings, files: { file }, signal });

describe('the SQLite driver in a process', () => {
  it('keeps the whole contract', async () => {
    const { report } = await runConformance({
      driver: defineDriver({
        id: 'sqlite',
        connect: (settings, _context, options) =>
          processes.connect({ driver, settings, files: { file }, signal: options.signal }),
      }),
      manifest: sqlitePackage.tabularium,
      // Each check has processes of its own: the tables that differ most are enough.
      tables: knownTables.slice(0, 2),
      edits: knownEdits,
      imports: knownImports,
      newTable: knownNewTable,
      console: knownConsole,
      operations: knownOperations(() => file),
      textComparison: 'ignoresCase',
      open: () => ({ settings: {}, context: {} }),
    });
    expect(report.checks.filter(({ outcome }) => outcome === 'broken')).toEqual([]);
    // How much a stream holds is measured where the driver runs, in its own package: here the host's pipe would be measured.
    const untried = report.checks.filter(({ outcome }) => outcome === 'untried').map(({ rule }) => rule);
    expect(untried.filter((rule) => !rule.startsWith('what is large'))).toEqual([]);
  }, 1_800_000);

  it('answers other calls while a statement runs, and ends the statement when it is cancelled', async () => {
    const session = await connect();
    const own = new AbortController();
    const events = (async (): Promise<ResultEvent[]> => {
      const got: ResultEvent[] = [];
      for await (const event of session.console?.run(ENDLESS, { maxRows: 1, signal: own.signal }) ?? []) got.push(event);
      return got;
    })();
    const refused = expect(events).rejects.toMatchObject({ code: 'CANCELLED' });
    const table = { namespace: [], name: 'shelf' };
    expect(await session.countRows({ table, filter: NO_FILTER }, { signal })).toEqual({ rows: 24, exact: true });
    own.abort();
    await refused;
    expect(await session.countRows({ table, filter: NO_FILTER }, { signal })).toEqual({ rows: 24, exact: true });
    await session.close();
  });

  it('undoes what a cancelled statement had begun, and leaves the file unlocked', async () => {
    const session = await connect();
    const own = new AbortController();
    const running = (async (): Promise<void> => {
      const statement = `INSERT INTO large (body) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n`;
      for await (const event of session.console?.run(statement, { maxRows: 1, signal: own.signal }) ?? []) void event;
    })();
    const refused = expect(running).rejects.toMatchObject({ code: 'CANCELLED' });
    const other = new DatabaseSync(file, { timeout: 0 });
    const isLocked = (): boolean => {
      try {
        other.exec('BEGIN IMMEDIATE; ROLLBACK');
        return false;
      } catch {
        return true;
      }
    };
    await expect.poll(isLocked).toBe(true);
    own.abort();
    await refused;
    await expect.poll(isLocked).toBe(false);
    expect(other.prepare('SELECT count(*) AS rows FROM large').get()).toEqual({ rows: 20_000 });
    expect(other.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    other.close();
    await session.close();
  });

  it('is not started without its grant, and opens nothing else where it has it', async () => {
    const { allowedGrants: _allowed, ...unallowed } = driver;
    await expect(processes.connect({ driver: unallowed, settings: {}, files: { file }, signal })).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
    const session = await connect();
    for (const statement of [`ATTACH '${file}' AS again`, `VACUUM INTO '${file}.copy'`, "SELECT load_extension('x')"]) {
      const run = async (): Promise<void> => {
        for await (const event of session.console?.run(statement, { maxRows: 1, signal }) ?? []) void event;
      };
      await expect(run(), statement).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    }
    await session.close();
  });

  it('says that a file is missing before it is started', async () => {
    await expect(
      processes.connect({ driver, settings: {}, files: { file: join(bench.folder, 'none.db') }, signal }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND', details: { field: 'file' } });
  });
});
