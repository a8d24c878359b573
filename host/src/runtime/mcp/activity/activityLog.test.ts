import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { activityFilterSchema } from '../../../common/integrations.ts';
import { activityCsv } from './activityExport.ts';
import { ACTIVITY_MILLISECONDS, ActivityLog, WRITTEN_WITHIN_MILLISECONDS } from './activityLog.ts';
import type { NewActivity } from './activityLog.ts';
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

const openLog = (): ActivityLog =>
  new ActivityLog(database, { logStatements: () => logsStatements, onProblem: (error) => problems.push(error), now: () => now });

beforeEach(() => {
  database = new DatabaseSync(':memory:');
  database.exec(activityMigration.sql);
  now = Date.parse('2026-11-20T08:00:00Z');
  logsStatements = false;
  problems = [];
  log = openLog();
});
afterEach(() => database.close());

describe('the activity log', () => {
  it('keeps what happened, newest first, page by page', () => {
    for (let index = 1; index <= 5; index += 1) log.add(entry({ action: `tool ${index}`, milliseconds: 1.234 }));
    const first = log.list(filter({ limit: 3 }));
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
    const second = log.list(filter({ limit: 3, before: 3 }));
    expect(second).toMatchObject({ more: false, entries: [{ action: 'tool 2' }, { action: 'tool 1' }] });
  });

  it('is filtered and searched, wildcards taken as they are', () => {
    log.add(entry({ client: 'Zed 1', connectionId: 'a', connectionName: '100%' }));
    log.add(entry({ outcome: 'refused', code: 'READ_ONLY', connectionId: 'b', connectionName: '1000' }));
    log.add(entry({ kind: 'resource', action: 'tabularium://connections' }));
    const found = (over: object): number[] => log.list(filter(over)).entries.map(({ sequence }) => sequence);
    expect(found({ search: 'zed' })).toEqual([1]);
    expect(found({ search: 'read only' })).toEqual([2]);
    expect(found({ search: '100%' })).toEqual([1]);
    expect(found({ search: "'; DROP TABLE activity; --" })).toEqual([]);
    expect(found({ outcome: 'refused' })).toEqual([2]);
    expect(found({ kind: 'resource' })).toEqual([3]);
    expect(found({ connectionId: 'b' })).toEqual([2]);
  });

  it('keeps a statement only where it may, and its digest always', () => {
    log.add(entry({ statement: 'write it' }));
    logsStatements = true;
    log.add(entry({ statement: 'write it' }));
    const [with_, without] = log.list(filter()).entries;
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
  ])('shows when an entry was %s', (_, sql, brokenAt) => {
    for (let index = 0; index < 5; index += 1) log.add(entry({ outcome: 'refused' }));
    expect(log.verify()).toEqual({ whole: true, entries: 5 });
    database.exec(sql);
    expect(log.verify()).toMatchObject({ whole: false, brokenAt });
  });

  it('continues its chain after a restart, and after old entries were removed', () => {
    log.add(entry({ action: 'old' }));
    now += ACTIVITY_MILLISECONDS + 3_600_000;
    log[Symbol.dispose]();
    const later = openLog();
    later.add(entry({ action: 'new' }));
    expect(later.list(filter()).entries.map(({ action, sequence }) => [action, sequence])).toEqual([['new', 2]]);
    expect(later.verify()).toEqual({ whole: true, entries: 1 });
  });

  it('has changes on disk at once, and reads soon, in one chain', () => {
    vi.useFakeTimers();
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
    expect(openLog().verify()).toEqual({ whole: true, entries: 6 });
    expect(log.verify()).toEqual({ whole: true, entries: 7 });
    vi.useRealTimers();
  });

  it("reports an entry that can't be written, keeps the entries around it, and continues with a valid chain", () => {
    log.add(entry());
    database.exec(
      "CREATE TRIGGER full BEFORE INSERT ON activity WHEN new.action = 'second' BEGIN SELECT RAISE(ABORT, 'full'); END",
    );
    log.add(entry({ action: 'second', statement: 'write it' }));
    expect(problems).toEqual([expect.objectContaining({ message: 'full' })]);
    log.add(entry({ action: 'third' }));
    expect(log.list(filter()).entries.map(({ action }) => action)).toEqual(['third', 'browse_table']);
    expect(log.verify()).toEqual({ whole: true, entries: 2 });
  });

  it('does not let anybody who knocks fill it', () => {
    const recorder = new ActivityRecorder(log, () => now);
    for (let index = 0; index < 500; index += 1) recorder.turnedAway({ outcome: 'refused', code: 'UNAUTHENTICATED' });
    expect(log.list(filter({ limit: 500 })).entries).toHaveLength(TURNED_AWAY_PER_MINUTE);
    now += 60_000;
    recorder.turnedAway({ outcome: 'limited', code: 'LOCKED_OUT' });
    expect(log.list(filter({ limit: 500 })).entries).toHaveLength(TURNED_AWAY_PER_MINUTE + 1);
  });

  it('is exported without formulas', () => {
    log.add(entry({ client: '=HYPERLINK("http://evil.example")', action: 'a,b' }));
    log.add(entry({ client: '\uFF1DHYPERLINK' }));
    const text = [...activityCsv(log.all(filter()))].join('');
    expect(text.split('\r\n')[0]).toMatch(/^sequence,time,kind,/);
    expect(text).toContain(`"'=HYPERLINK(""http://evil.example"")"`);
    expect(text).toContain('"a,b"');
    expect(text).toContain("'\uFF1DHYPERLINK");
  });
});
