import { describe, expect, it } from 'vitest';
import { Database } from '../storage/database.ts';
import { MIGRATIONS } from '../storage/migrations.ts';
import { tourMigration } from '../storage/migrations/tour.ts';
import { SavedChanges } from '../storage/savedChanges.ts';
import { FirstRun } from './firstRun.ts';

const before = MIGRATIONS.filter((migration) => migration !== tourMigration);
const open = () => {
  const database = new Database(':memory:', MIGRATIONS);
  return { database, changes: new SavedChanges() };
};
const save = ({ connection }: Database, id: string): void => {
  connection
    .prepare(
      `INSERT INTO connections (id, name, driver, settings, secrets, external_clients, ai_policy, color, created_at, updated_at)
       VALUES (?, ?, 'x', '{}', '{}', 'readOnly', 'never', 'gray', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z')`,
    )
    .run(id, id);
};

describe('the tour', () => {
  it.each(['finished', 'skipped', 'declined'] as const)('that was %s is never offered again, by no later host', (event) => {
    const { database, changes } = open();
    expect(new FirstRun(database, changes).get().offersTour).toBe(true);
    expect(new FirstRun(database, changes).noteTour(event).offersTour).toBe(false);
    expect(new FirstRun(database, changes).get().offersTour).toBe(false);
  });

  it('that was started is offered by no other window, and by the next host where it has no end', () => {
    const { database, changes } = open();
    const firstRun = new FirstRun(database, changes);
    firstRun.noteTour('started');
    expect(firstRun.get().offersTour).toBe(false);
    expect(new FirstRun(database, changes).get().offersTour).toBe(true);
  });

  it('that is taken again later stays answered', () => {
    const { database, changes } = open();
    const firstRun = new FirstRun(database, changes);
    firstRun.noteTour('declined');
    firstRun.noteTour('started');
    expect(new FirstRun(database, changes).get().offersTour).toBe(false);
  });

  it('is not offered where the stored answer is damaged', () => {
    const { database, changes } = open();
    database.connection.prepare("INSERT INTO preferences (name, value) VALUES ('tour', '{')").run();
    expect(new FirstRun(database, changes).get().offersTour).toBe(false);
  });

  it('is news for every window', async () => {
    const { database, changes } = open();
    const stopping = new AbortController();
    const watch = changes.watch(stopping.signal);
    await watch.next();
    new FirstRun(database, changes).noteTour('declined');
    expect((await watch.next()).value).toMatchObject({ application: 1 });
    stopping.abort();
  });

  it('is offered in a new data directory, and not in one that has connections from before', () => {
    for (const [connections, offersTour] of [
      [[], true],
      [['00000000-0000-4000-8000-000000000001'], false],
    ] as const) {
      const database = new Database(':memory:', before);
      for (const id of connections) save(database, id);
      database.connection.exec(tourMigration.sql);
      expect(new FirstRun(database, new SavedChanges()).get().offersTour).toBe(offersTour);
    }
  });
});

describe('samples', () => {
  it('are the saved ones, in the order in which they were offered', () => {
    const { database, changes } = open();
    const [cluster, file, removed] = [1, 2, 3].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`);
    const note = database.connection.prepare('INSERT INTO preferences (name, value) VALUES (?, ?)');
    for (const [name, id] of [
      ['sample:z', cluster],
      ['sample:b', removed],
      ['sample:a', file],
    ] as const) {
      note.run(name, id ?? '');
    }
    save(database, file ?? '');
    save(database, cluster ?? '');
    expect(new FirstRun(database, changes).get().samples).toEqual([cluster, file]);
  });
});
