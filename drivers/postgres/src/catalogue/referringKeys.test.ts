import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ReferringKey, Session } from '@tabularium/sdk';
import { describeWithServer } from '../server.test-helper.ts';
import { administer, open, ref, signal } from '../session.test-helper.ts';

describeWithServer('the keys that refer to a PostgreSQL table', (server) => {
  let session: Session;
  let clerk: Session;
  beforeAll(async () => {
    await administer(
      server(),
      `CREATE SCHEMA hidden; CREATE SCHEMA "o'ther";
      CREATE TABLE people (id int PRIMARY KEY, "No" int, "Area" text, boss int CONSTRAINT has_boss REFERENCES people, UNIQUE ("No", "Area"));
      CREATE TABLE "o'ther"."Or""ders" (id int, "who?" int CONSTRAINT of_person REFERENCES people, area text, no int,
        CONSTRAINT of_area FOREIGN KEY (area, no) REFERENCES people ("Area", "No"));
      CREATE TABLE hidden.notes (person int CONSTRAINT of_noted REFERENCES people);
      CREATE TABLE half (person int CONSTRAINT of_half REFERENCES people, word text);
      CREATE TABLE years (year int PRIMARY KEY) PARTITION BY RANGE (year);
      CREATE TABLE years_a PARTITION OF years FOR VALUES FROM (1) TO (2000);
      CREATE TABLE events (id int, year int CONSTRAINT of_year REFERENCES years) PARTITION BY RANGE (id);
      CREATE TABLE events_a PARTITION OF events FOR VALUES FROM (1) TO (10);
      CREATE TABLE "o'ther".loner (year int CONSTRAINT of_part REFERENCES years_a);
      CREATE TABLE many (id int PRIMARY KEY, a int);
      DO $$ BEGIN FOR i IN 1..1003 LOOP EXECUTE format('ALTER TABLE many ADD CONSTRAINT m%s FOREIGN KEY (a) REFERENCES many', i); END LOOP; END $$;
      CREATE ROLE reader LOGIN PASSWORD 'reader';
      GRANT SELECT ON people, "o'ther"."Or""ders", hidden.notes TO reader; GRANT USAGE ON SCHEMA "o'ther" TO reader; GRANT SELECT (word) ON half TO reader;`,
    );
    session = await open(server());
    clerk = await open(server(), { user: 'reader', password: 'reader' });
  });
  afterAll(() => Promise.all([session.close(), clerk.close()]));

  const keysOf = async (table: string, by = session): Promise<readonly ReferringKey[] | undefined> =>
    (await by.describeTable(ref(table), { signal })).referredBy;
  const orders = { namespace: ["o'ther"], name: 'Or"ders' };
  const ofArea: ReferringKey = { name: 'of_area', table: orders, columns: ['area', 'no'], referencedColumns: ['Area', 'No'] };
  const ofPerson: ReferringKey = { name: 'of_person', table: orders, columns: ['who?'], referencedColumns: ['id'] };
  const hasBoss: ReferringKey = { name: 'has_boss', table: ref('people'), columns: ['boss'], referencedColumns: ['id'] };

  it('are named with their tables of every schema and with its own, the columns beside those that they refer to', async () => {
    expect(await keysOf('people')).toEqual([
      { name: 'of_noted', table: ref('notes', 'hidden'), columns: ['person'], referencedColumns: ['id'] },
      ofArea,
      ofPerson,
      { name: 'of_half', table: ref('half'), columns: ['person'], referencedColumns: ['id'] },
      hasBoss,
    ]);
    expect(await keysOf('half')).toBeUndefined();
  });

  it('are left out where the role may not read the table that has them: a schema, or a column', async () => {
    expect(await keysOf('people', clerk)).toEqual([ofArea, ofPerson, hasBoss]);
  });

  it('are those of whole tables, of a partition those that name it', async () => {
    expect(await keysOf('years')).toEqual([
      { name: 'of_year', table: ref('events'), columns: ['year'], referencedColumns: ['year'] },
    ]);
    expect(await keysOf('years_a')).toEqual([
      { name: 'of_part', table: ref('loner', "o'ther"), columns: ['year'], referencedColumns: ['year'] },
    ]);
  });

  it('are 1,000 at most', async () => {
    expect((await keysOf('many'))?.length).toBe(1_000);
  });
});
