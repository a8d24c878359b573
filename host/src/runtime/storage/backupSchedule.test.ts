import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLogger } from './logger.ts';
import { MIGRATIONS } from './migrations.ts';
import { backupName } from './backupName.ts';
import { Backups, DAY_MILLISECONDS } from './backups.ts';
import { BackupSchedule } from './backupSchedule.ts';
import { Database } from './database.ts';

const TODAY = Date.parse('2026-11-22T12:00:00.000Z');

let home: string;
let database: Database;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tabularium-backups-'));
  mkdirSync(join(home, 'backups'));
  database = new Database(join(home, 'tabularium.db'), MIGRATIONS);
});
afterEach(() => {
  database.connection.close();
  rmSync(home, { recursive: true, force: true });
});

/** One run of the host at a time of the clock: looks whether a backup is due when it starts and when it stops. */
async function run(time: number): Promise<void> {
  const now = (): number => time;
  const backups = new Backups({ folder: join(home, 'backups'), migrations: MIGRATIONS.map(({ id }) => id), now });
  const schedule = new BackupSchedule({ database, backups, logger: silentLogger, now });
  schedule.start();
  await schedule[Symbol.asyncDispose]();
}

const dailyBackups = (): string[] => readdirSync(join(home, 'backups')).filter((name) => name.endsWith('-daily.db'));

it('makes one backup a day, also after a run with the clock in the future', async () => {
  await run(TODAY);
  await run(TODAY + 7_300 * DAY_MILLISECONDS);
  expect(dailyBackups()).toHaveLength(2);
  for (let minutes = 1; minutes <= 20; minutes += 1) await run(TODAY + minutes * 60_000);
  expect(dailyBackups()).toHaveLength(2);
  await run(TODAY + DAY_MILLISECONDS);
  expect(dailyBackups()).toHaveLength(3);
});

it('makes one backup, not one at every start, where every earlier one is from the future', async () => {
  await run(TODAY + 400 * DAY_MILLISECONDS);
  for (let minutes = 0; minutes < 5; minutes += 1) await run(TODAY + minutes * 60_000);
  expect(dailyBackups()).toHaveLength(2);
});

it('removes backups from the future before recent ones, and suggests none of them while there is another', async () => {
  for (let day = 0; day < 7; day += 1) await run(TODAY + (3_650 + day) * DAY_MILLISECONDS);
  for (let day = 0; day < 7; day += 1) await run(TODAY + day * DAY_MILLISECONDS);
  expect(dailyBackups()).toEqual(
    Array.from({ length: 7 }, (_, day) => backupName(new Date(TODAY + day * DAY_MILLISECONDS), 'daily')),
  );
  await run(TODAY + 3_650 * DAY_MILLISECONDS);
  const backups = new Backups({
    folder: join(home, 'backups'),
    migrations: MIGRATIONS.map(({ id }) => id),
    now: () => TODAY + 7 * DAY_MILLISECONDS,
  });
  expect(backups.newestGood()?.name).toBe(backupName(new Date(TODAY + 6 * DAY_MILLISECONDS), 'daily'));
});
