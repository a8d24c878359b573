import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { activityFilterSchema } from '../../../common/integrations.ts';
import { activityCsv } from './activityExport.ts';
import { ACTIVITY_MILLISECONDS, ActivityLog, MOST_ACTIVITY, WRITTEN_WITHIN_MILLISECONDS } from './activityLog.ts';
import type { NewActivity } from './activityLog.ts';
import { activityBytesMigration } from '../../storage/migrations/activityBytes.ts';
import { activityMigration } from '../../storage/migrations/activity.ts';
import { ActivityRecorder, TURNED_AWAY_PER_MINUTE } from './recordActivity.ts';

const filter = (over: object = {}) => activityFilterSchema.parse(over);
const entry = (over: Partial<NewActivity> = {}): NewActivity => ({
  kind: 'tool',
  action: 'browse_table',
  outcome: 'done',
  ...over,
});

let database: DatabaseSync;
let log: ActivityLog;
let now: number;
let logsStatements: boolean;
let problems: unknown[];

const openLog = (most?: typeof MOST_ACTIVITY): ActivityLog =>
  new ActivityLog(database, {
    logStatements: () => logsStatements,
    onProblem: (error) => problems.push(error),
    now: () => now,
    ...(most === undefined ? {} : { most }),
  });
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => {
  database = new DatabaseSync(':memory:');
  database.exec(activityMigration.sql);
  database.exec(activityBytesMigration.sql);
  now = Date.parse('2026-11-20T08:00:00Z');
  logsStatements = false;
  problems = [];
  log = openLog();
});
afterEach(() => database.close());

describe('the activity log', () => {
  it('keeps what happened, newest first, page by page', async () => {
    for (let index = 1; index <= 5; index += 1) log.add(entry({ action: `tool ${index}`, milliseconds: 1.234 }));
    const first = await log.list(filter({ limit: 3 }));
    expect(first.more).toBe(true);
    expect(first.entries.map(({ action }) => action)).toEqual(['tool 5', 'tool 4', 'tool 3']);
    expect(first.entries[0]).toEqual({
      sequence: 5,
      time: '2026-11-20T08:00:00.000Z',
      kind: 'tool',
      action: 'tool 5',
      outcome: 'done',
      milliseconds: 1.2,
    });
    const second = await log.list(filter({ limit: 3, before: 3 }));
    expect(second).toMatchObject({ more: false, entries: [{ action: 'tool 2' }, { action: 'tool 1' }] });
  });

  it('is filtered and searched, wildcards taken as they are', async () => {
    log.add(entry({ client: 'Zed 1', connectionId: 'a', connectionName: '100%' }));
    log.add(entry({ outcome: 'refused', code: 'READ_ONLY', connectionId: 'b', connectionName: '1000' }));
    log.add(entry({ kind: 'resource', action: 'tabularium://connections' }));
    const found = async (over: object): Promise<number[]> =>
      (await log.list(filter(over))).entries.map(({ sequence }) => sequence);
    expect(await found({ search: 'zed' })).toEqual([1]);
    expect(await found({ search: 'read only' })).toEqual([2]);
    expect(await found({ search: '100%' })).toEqual([1]);
    expect(await found({ search: "'; DROP TABLE activity; --" })).toEqual([]);
    expect(await found({ outcome: 'refused' })).toEqual([2]);
    expect(await found({ kind: 'resource' })).toEqual([3]);
    expect(await found({ connectionId: 'b' })).toEqual([2]);
  });

  it('keeps a statement only where it may, and its digest always', async () => {
    log.add(entry({ statement: 'write it' }));
    logsStatements = true;
    log.add(entry({ statement: 'write it' }));
    const [with_, without] = (await log.list(filter())).entries;
    expect(without).not.toHaveProperty('statement');
    expect(with_).toMatchObject({ statement: 'write it', statementDigest: without?.statementDigest });
    expect(without?.statementDigest).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each<readonly [string, string, number]>([
    ['changed', "UPDATE activity SET outcome = 'done' WHERE sequence = 3", 3],
    ['given another time', "UPDATE activity SET time = '2020' WHERE sequence = 2", 2],
    ['taken out', 'DELETE FROM activity WHERE sequence = 3', 4],
    ['cut off at the end', 'DELETE FROM activity WHERE sequence = 5', 5],
    ['cut off at the beginning', 'DELETE FROM activity WHERE sequence = 1', 2],
    ['all taken out', 'DELETE FROM activity', 1],
  ])('shows when an entry was %s', async (_, sql, brokenAt) => {
    for (let index = 0; index < 5; index += 1) log.add(entry({ outcome: 'refused' }));
    expect(await log.verify()).toEqual({ whole: true, entries: 5 });
    database.exec(sql);
    expect(await log.verify()).toMatchObject({ whole: false, brokenAt });
  });

  it('continues its chain after a restart, and after old entries were removed', async () => {
    log.add(entry({ action: 'old' }));
    now += ACTIVITY_MILLISECONDS + 3_600_000;
    log[Symbol.dispose]();
    const later = openLog();
    later.add(entry({ action: 'new' }));
    expect((await later.list(filter())).entries.map(({ action, sequence }) => [action, sequence])).toEqual([['new', 2]]);
    expect(await later.verify()).toEqual({ whole: true, entries: 1 });
  });

  it('takes the oldest entries off when there are too many, a piece at a time, in one chain', async () => {
    for (let index = 0; index < 3_000; index += 1) log.add(entry());
    log[Symbol.dispose]();
    const small = openLog({ ...MOST_ACTIVITY, entries: 100 });
    const stored = () => Number(database.prepare('SELECT count(*) AS count FROM activity').get()?.['count']);
    small.add(entry({ statement: 'write it' }));
    expect(stored()).toBeGreaterThan(2_000);
    await expect.poll(stored).toBe(100);
    expect(await small.verify()).toEqual({ whole: true, entries: 100 });
    for (let index = 0; index < 500; index += 1) small.add(entry({ statement: 'write it' }));
    expect(stored()).toBeLessThanOrEqual(101);
    expect((await small.list(filter({ limit: 1 }))).entries).toMatchObject([{ sequence: 3_501 }]);
    small[Symbol.dispose]();
    expect(await openLog().verify()).toMatchObject({ whole: true });
  });

  it('takes the oldest entries off when their statements are too long, also those that an earlier version wrote', async () => {
    logsStatements = true;
    for (let index = 0; index < 50; index += 1) log.add(entry({ statement: 'ä'.repeat(500) }));
    log[Symbol.dispose]();
    database.exec('ALTER TABLE activity_chain DROP COLUMN statement_bytes');
    database.exec(activityBytesMigration.sql);
    const small = openLog({ ...MOST_ACTIVITY, statementBytes: 10_500 });
    small.add(entry({ statement: 'last' }));
    const { entries } = await small.list(filter());
    expect(entries.map(({ sequence }) => sequence)).toEqual([51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41]);
    expect(await small.verify()).toEqual({ whole: true, entries: 11 });
  });

  it('lets others have their turn while it is verified, searched and exported, and takes nothing off under a verification', async () => {
    for (let index = 0; index < 3_000; index += 1) log.add(entry());
    log[Symbol.dispose]();
    const small = openLog({ ...MOST_ACTIVITY, entries: 100 });
    const turnsOf = async (work: Promise<unknown>): Promise<number> => {
      let turns = 0;
      let isOver = false;
      void work.finally(() => (isOver = true));
      for (; !isOver; turns += 1) await turn();
      return turns;
    };
    expect(await turnsOf(small.list(filter({ search: 'absent' })))).toBeGreaterThanOrEqual(10);
    expect(await turnsOf(Array.fromAsync(small.all(filter({ search: 'absent' }))))).toBeGreaterThanOrEqual(10);
    const verifying = small.verify();
    small.add(entry({ statement: 'write it' }));
    expect(await turnsOf(verifying)).toBeGreaterThanOrEqual(10);
    expect(await verifying).toEqual({ whole: true, entries: 3_001 });
    small.add(entry({ statement: 'write it' }));
    await turn();
    expect(database.prepare('SELECT count(*) AS count FROM activity').get()?.['count']).toBeLessThan(3_000);
  });

  it('ends a verification whose caller has left', async () => {
    for (let index = 0; index < 1_000; index += 1) log.add(entry());
    const leaving = new AbortController();
    const verifying = log.verify(leaving.signal);
    leaving.abort();
    await expect(verifying).rejects.toThrow('aborted');
  });

  it('has changes on disk at once, and reads soon, in one chain', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const stored = () => database.prepare('SELECT sequence FROM activity').all().length;
    for (let index = 0; index < 3; index += 1) log.add(entry());
    expect(stored()).toBe(0);
    vi.advanceTimersByTime(WRITTEN_WITHIN_MILLISECONDS);
    expect(stored()).toBe(3);
    log.add(entry());
    log.add(entry({ statement: 'write it' }));
    expect(stored()).toBe(5);
    log.add({ kind: 'administration', action: 'token revoked', outcome: 'done' });
    expect(stored()).toBe(6);
    log.add(entry());
    expect(await openLog().verify()).toEqual({ whole: true, entries: 6 });
    expect(await log.verify()).toEqual({ whole: true, entries: 7 });
    vi.useRealTimers();
  });

  it("reports an entry that can't be written, keeps the entries around it, and continues with a valid chain", async () => {
    log.add(entry());
    database.exec(
      "CREATE TRIGGER full BEFORE INSERT ON activity WHEN new.action = 'second' BEGIN SELECT RAISE(ABORT, 'full'); END",
    );
    log.add(entry({ action: 'second', statement: 'write it' }));
    expect(problems).toEqual([expect.objectContaining({ message: 'full' })]);
    log.add(entry({ action: 'third' }));
    expect((await log.list(filter())).entries.map(({ action }) => action)).toEqual(['third', 'browse_table']);
    expect(await log.verify()).toEqual({ whole: true, entries: 2 });
  });

  it('does not let anybody who knocks fill it', async () => {
    const recorder = new ActivityRecorder(log, () => now);
    for (let index = 0; index < 500; index += 1) recorder.turnedAway({ outcome: 'refused', code: 'UNAUTHENTICATED' });
    expect((await log.list(filter({ limit: 500 }))).entries).toHaveLength(TURNED_AWAY_PER_MINUTE);
    now += 60_000;
    recorder.turnedAway({ outcome: 'limited', code: 'LOCKED_OUT' });
    expect((await log.list(filter({ limit: 500 }))).entries).toHaveLength(TURNED_AWAY_PER_MINUTE + 1);
  });

  it('is exported without formulas', async () => {
    log.add(entry({ client: '=HYPERLINK("http://evil.example")', action: 'a,b' }));
    log.add(entry({ client: '\uFF1DHYPERLINK' }));
    const text = (await Array.fromAsync(activityCsv(log.all(filter())))).join('');
    expect(text.split('\r\n')[0]).toMatch(/^sequence,time,kind,/);
    expect(text).toContain(`"'=HYPERLINK(""http://evil.example"")"`);
    expect(text).toContain('"a,b"');
    expect(text).toContain("'\uFF1DHYPERLINK");
  });
});
