import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Session } from '@tabularium/sdk';
import { NO_FILTER } from '@tabularium/sdk';
import { describeWithServer } from '../server.test-helper.ts';
import { administer, consoleOf, open, read, ref, signal } from '../session.test-helper.ts';
import { closed, collect, doorsOf } from './doors.test-helper.ts';

// A read that was judged runs where the server itself keeps it from writing, whatever becomes of what it calls meanwhile.

const OBJECTS = `
CREATE ROLE clerk LOGIN PASSWORD 'clerk'; CREATE SCHEMA walls; GRANT USAGE ON SCHEMA walls TO clerk;
CREATE TABLE walls.marks (id int PRIMARY KEY); INSERT INTO walls.marks VALUES (1); CREATE SEQUENCE walls.numbers; GRANT ALL ON ALL TABLES IN SCHEMA walls TO clerk; GRANT ALL ON SEQUENCE walls.numbers TO clerk;
CREATE VIEW walls.state AS SELECT 1 AS id, current_setting('transaction_read_only') AS only_reads; GRANT SELECT ON walls.state TO clerk;
CREATE FUNCTION walls.only_reads() RETURNS text LANGUAGE sql STABLE AS $$ SELECT current_setting('transaction_read_only') $$`;

/** Of rows in the events of a statement, the first value. */
const firstValue = (events: readonly object[]): string => /"(on|off)"/.exec(JSON.stringify(events))?.[1] ?? '';

describeWithServer('a read', (server) => {
  let session: Session;

  beforeAll(async () => {
    await administer(server(), OBJECTS);
    session = await open(server(), { user: 'clerk', password: 'clerk' });
  });
  afterAll(() => session.close());

  it.each(Object.entries(doorsOf(() => session)))('can’t write in %s', async (_name, begin) => {
    const door = await begin();
    try {
      for (const call of [`current_setting('transaction_read_only')`, 'walls.only_reads()'])
        expect(firstValue(await collect(door, `SELECT ${call} FROM walls.marks`))).toBe('on');
    } finally {
      await closed(door);
    }
  });

  it('can’t write in a page, with and without a condition', async () => {
    const state = ref('state', 'walls');
    for (const raw of ['', `only_reads <> '' AND walls.only_reads() = 'on'`]) {
      const [row] = await read(session, state, { filter: raw === '' ? NO_FILTER : { ...NO_FILTER, raw } });
      expect(row?.get('only_reads')).toBe('on');
    }
  });

  it('leaves a transaction that was open as it was', async () => {
    const door = await doorsOf(() => session)['an open transaction of a console session']?.();
    if (door === undefined) throw new Error('There is no such way.');
    try {
      await collect(door, 'SELECT id FROM walls.marks');
      const { effect, unknown } = await door.classify('INSERT INTO walls.marks VALUES (2)', { signal });
      expect([effect, unknown]).toEqual(['write', undefined]);
      await collect(door, 'INSERT INTO walls.marks VALUES (2)');
      expect(JSON.stringify(await collect(door, 'SELECT count(*)::int AS n FROM walls.marks'))).toContain('2');
    } finally {
      await closed(door);
    }
  });

  it('finds names where they were looked for when it began, though a schema of the path is made meanwhile', async () => {
    const [path] = JSON.stringify(
      await collect(consoleOf(session), `SELECT pg_catalog.current_setting('search_path') AS path FROM walls.marks`),
    ).matchAll(/"path".*?"(public|[^"]*user[^"]*)"/g);
    expect(path?.[1]).toBe('public');
  });
});
