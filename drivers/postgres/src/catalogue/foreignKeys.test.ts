import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ForeignKey, Session } from '@tabularium/sdk';
import { describeWithServer } from '../server.test-helper.ts';
import { administer, open, ref, signal } from '../session.test-helper.ts';

describeWithServer('the foreign keys of a PostgreSQL table', (server) => {
  let session: Session;
  let clerk: Session;
  beforeAll(async () => {
    await administer(
      server(),
      `CREATE SCHEMA hidden; CREATE SCHEMA "o'ther";
      CREATE TABLE "o'ther"."Par""ent" ("Id" int, "no" int, PRIMARY KEY ("no", "Id"));
      CREATE TABLE hidden.plans (id int PRIMARY KEY);
      CREATE TABLE half (id int PRIMARY KEY, word text);
      CREATE TABLE refers (id int PRIMARY KEY, boss int CONSTRAINT has_boss REFERENCES refers, a int, b int, plan int CONSTRAINT has_plan REFERENCES hidden.plans,
        half int CONSTRAINT has_half REFERENCES half, CONSTRAINT has_parent FOREIGN KEY (b, a) REFERENCES "o'ther"."Par""ent" ("Id", "no"));
      CREATE TABLE years (year int PRIMARY KEY) PARTITION BY RANGE (year);
      CREATE TABLE years_a PARTITION OF years FOR VALUES FROM (1) TO (2000);
      CREATE TABLE years_b PARTITION OF years FOR VALUES FROM (2000) TO (3000);
      CREATE TABLE events (id int, year int CONSTRAINT of_year REFERENCES years) PARTITION BY RANGE (id);
      CREATE TABLE events_a PARTITION OF events FOR VALUES FROM (1) TO (10);
      CREATE ROLE follower LOGIN PASSWORD 'follower';
      GRANT SELECT ON refers TO follower; GRANT SELECT (word) ON half TO follower; GRANT SELECT ON hidden.plans TO follower;`,
    );
    session = await open(server());
    clerk = await open(server(), { user: 'follower', password: 'follower' });
  });
  afterAll(() => Promise.all([session.close(), clerk.close()]));

  const keysOf = async (table: string, by = session): Promise<readonly ForeignKey[] | undefined> =>
    (await by.describeTable(ref(table), { signal })).foreignKeys;

  it('have their columns in the order of the constraint, across schemas and to the table itself', async () => {
    expect(await keysOf('refers')).toEqual([
      { name: 'has_boss', columns: ['boss'], references: ref('refers'), referencedColumns: ['id'] },
      { name: 'has_half', columns: ['half'], references: ref('half'), referencedColumns: ['id'] },
      {
        name: 'has_parent',
        columns: ['b', 'a'],
        references: { namespace: ["o'ther"], name: 'Par"ent' },
        referencedColumns: ['Id', 'no'],
      },
      {
        name: 'has_plan',
        columns: ['plan'],
        references: { namespace: ['hidden'], name: 'plans' },
        referencedColumns: ['id'],
      },
    ]);
    expect(await keysOf('half')).toBeUndefined();
  });

  it('are left out where the role may not read what they refer to: a schema, or a column', async () => {
    expect(await keysOf('refers', clerk)).toEqual([
      { name: 'has_boss', columns: ['boss'], references: ref('refers'), referencedColumns: ['id'] },
    ]);
  });

  it('of a partitioned table and its partitions lead to the whole table, once', async () => {
    const key = { columns: ['year'], references: ref('years'), referencedColumns: ['year'] };
    expect(await keysOf('events')).toEqual([{ name: 'of_year', ...key }]);
    expect(await keysOf('events_a')).toEqual([{ name: 'of_year', ...key }]);
  });
});
