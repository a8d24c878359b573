import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ObjectPlace, ObjectsFacet, Session } from '@tabularium/sdk';
import { describeWithServer } from '../server.test-helper.ts';
import { administer, open, ref, signal } from '../session.test-helper.ts';

describeWithServer('the objects of a PostgreSQL database', (server) => {
  let session: Session;
  let guest: Session;
  beforeAll(async () => {
    await administer(
      server(),
      `CREATE SCHEMA "o'ther"; CREATE SCHEMA closed; CREATE SCHEMA many;
      CREATE FUNCTION "o'ther"."Add""up"(a int, b int DEFAULT 1) RETURNS int LANGUAGE sql IMMUTABLE AS $$ SELECT a + b $$;
      CREATE FUNCTION "o'ther"."Add""up"(t text) RETURNS SETOF text LANGUAGE plpgsql STABLE STRICT AS $$ BEGIN RETURN NEXT t; END $$;
      CREATE PROCEDURE "o'ther".tidy(INOUT n numeric) LANGUAGE plpgsql AS $$ BEGIN n := 1; END $$;
      CREATE AGGREGATE "o'ther".total(int) (SFUNC = pg_catalog.int4pl, STYPE = int, INITCOND = '0');
      COMMENT ON FUNCTION "o'ther"."Add""up"(int, int) IS 'Adds.';
      CREATE TYPE "o'ther".mood AS ENUM ('good', 'it''s bad');
      CREATE DOMAIN "o'ther".amount AS numeric(10,2) DEFAULT 0 NOT NULL CONSTRAINT positive CHECK (VALUE >= 0);
      CREATE TYPE "o'ther".pair AS (a int, "B c" text); CREATE TYPE "o'ther".span AS RANGE (SUBTYPE = date);
      CREATE SEQUENCE "o'ther".big INCREMENT BY 5 MAXVALUE 9223372036854775807 START WITH 9007199254740993; SELECT nextval('"o''ther".big');
      CREATE TABLE "o'ther".owner (id serial PRIMARY KEY, v text);
      CREATE FUNCTION "o'ther".watch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;
      CREATE TRIGGER watching BEFORE UPDATE ON "o'ther".owner FOR EACH ROW WHEN (OLD.v IS DISTINCT FROM NEW.v) EXECUTE FUNCTION "o'ther".watch();
      CREATE FUNCTION closed.hidden() RETURNS int LANGUAGE sql AS 'SELECT 1';
      DO $$ BEGIN FOR i IN 1..1005 LOOP EXECUTE format('CREATE DOMAIN many.d%s AS int', i); END LOOP; END $$;
      CREATE ROLE looker LOGIN PASSWORD 'looker'; GRANT USAGE ON SCHEMA "o'ther" TO looker;`,
    );
    session = await open(server());
    guest = await open(server(), { user: 'looker', password: 'looker' });
  });
  afterAll(() => Promise.all([session.close(), guest.close()]));

  const objectsOf = (from: Session): ObjectsFacet => {
    if (from.objects === undefined) throw new Error('The session has no objects.');
    return from.objects;
  };
  const list = async (place: ObjectPlace, from = session) =>
    (await objectsOf(from).list(place, undefined, { signal })).objects.map(({ name, facts }) => [name, facts]);
  const get = async (place: ObjectPlace, name: string, from = session): Promise<Record<string, unknown>> =>
    JSON.parse((await objectsOf(from).get({ ...place, name }, { signal })).document) as Record<string, unknown>;
  const inOther = (kind: string): ObjectPlace => ({ kind, within: "o'ther" });

  it('are functions by their arguments, with language, volatility and definition', async () => {
    expect(await list(inOther('function'))).toEqual([
      ['Add"up(integer, integer)', { kind: 'function', returns: 'integer', language: 'sql', volatility: 'immutable' }],
      ['Add"up(text)', { kind: 'function', returns: 'SETOF text', language: 'plpgsql', volatility: 'stable' }],
      ['tidy(numeric)', { kind: 'procedure', language: 'plpgsql', volatility: 'volatile' }],
      ['total(integer)', { kind: 'aggregate', returns: 'integer', language: 'internal', volatility: 'immutable' }],
      ['watch()', { kind: 'function', returns: 'trigger', language: 'plpgsql', volatility: 'volatile' }],
    ]);
    const add = await get(inOther('function'), 'Add"up(integer, integer)');
    expect(add).toMatchObject({ arguments: 'a integer, b integer DEFAULT 1', comment: 'Adds.', strict: false, mayExecute: true });
    expect(add['definition']).toEqual([
      `CREATE OR REPLACE FUNCTION "o'ther"."Add""up"(a integer, b integer DEFAULT 1)`,
      ' RETURNS integer',
      ' LANGUAGE sql',
      ' IMMUTABLE',
      'AS $function$ SELECT a + b $function$',
    ]);
    expect(await get(inOther('function'), 'total(integer)')).not.toHaveProperty('definition');
  });

  it('are types with what they are made of', async () => {
    expect(await list(inOther('type'))).toEqual([
      ['amount', { kind: 'domain', of: 'numeric(10,2)' }],
      ['mood', { kind: 'enum', of: "'good', 'it''s bad'" }],
      ['pair', { kind: 'composite', of: 'a integer, "B c" text' }],
      ['span', { kind: 'range', of: 'date' }],
    ]);
    expect(await get(inOther('type'), 'mood')).toMatchObject({
      labels: ['good', "it's bad"],
      definition: [`CREATE TYPE "o'ther".mood AS ENUM ('good', 'it''s bad')`],
    });
    expect((await get(inOther('type'), 'amount'))['definition']).toEqual([
      `CREATE DOMAIN "o'ther".amount AS numeric(10,2) DEFAULT 0 NOT NULL CONSTRAINT positive CHECK ((VALUE >= (0)::numeric))`,
    ]);
  });

  it('are sequences whose numbers keep their digits, the last one where the role may read it', async () => {
    expect(await list(inOther('sequence'))).toEqual([
      ['big', { type: 'bigint', last: '9007199254740993' }],
      ['owner_id_seq', { type: 'integer', column: 'owner.id' }],
    ]);
    const { document } = await objectsOf(session).get({ ...inOther('sequence'), name: 'big' }, { signal });
    expect(document).toMatch(/"lastNumber" ?: ?9007199254740993[,}]/);
    expect(await list(inOther('sequence'), guest)).toEqual([
      ['big', { type: 'bigint' }],
      ['owner_id_seq', { type: 'integer', column: 'owner.id' }],
    ]);
  });

  it('are triggers of a table, extensions and schemas', async () => {
    const place = { kind: 'trigger', table: ref('owner', "o'ther") };
    expect(await list(place)).toEqual([['watching', { function: 'watch', enabled: 'yes' }]]);
    expect(await get(place, 'watching')).toMatchObject({
      definition: [expect.stringContaining('CREATE TRIGGER watching BEFORE UPDATE')],
      body: [' BEGIN RETURN NEW; END '],
    });
    expect(await list({ kind: 'extension' })).toEqual([['plpgsql', { version: '1.0', schema: 'pg_catalog' }]]);
    expect((await list({ kind: 'schema' })).map(([name]) => name)).toEqual(['closed', 'many', "o'ther", 'public']);
  });

  it('of a schema that the role may not use are hidden from it', async () => {
    expect((await list({ kind: 'schema' }, guest)).map(([name]) => name)).toEqual(["o'ther", 'public']);
    await expect(list({ kind: 'function', within: 'closed' }, guest)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(get({ kind: 'function', within: 'closed' }, 'hidden()', guest)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('of the server itself are there where its schemas are shown', async () => {
    const whole = await open(server(), { settings: { systemSchemas: true } });
    expect((await list({ kind: 'schema' }, whole)).map(([name]) => name)).toContain('pg_catalog');
    const page = await objectsOf(whole).list({ kind: 'function', within: 'pg_catalog' }, undefined, { signal });
    expect(page.objects.length).toBe(1_000);
    await whole.close();
  });

  it('come in parts, each object once', async () => {
    const place = { kind: 'type', within: 'many' };
    const first = await objectsOf(session).list(place, undefined, { signal });
    const second = await objectsOf(session).list(place, first.next, { signal });
    expect([first.objects.length, second.objects.length, second.next]).toEqual([1_000, 5, undefined]);
    expect(new Set([...first.objects, ...second.objects].map(({ name }) => name)).size).toBe(1_005);
  });

  it('are changed in the console alone, which is said', async () => {
    const object = { ...inOther('type'), name: 'mood' };
    const { plan, apply } = objectsOf(session);
    await expect(plan({ action: 'save', object, document: '{}', was: null }, { signal })).rejects.toMatchObject({
      code: 'UNSUPPORTED',
    });
    await expect(apply({ action: 'remove', object }, { signal })).rejects.toThrow(/in the console/);
    expect(await list(inOther('type'))).toHaveLength(4);
  });
});
