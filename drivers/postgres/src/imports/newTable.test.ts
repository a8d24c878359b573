import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ImportedTables, RowOutcome, Session, TableRef } from '@tabularium/sdk';
import type { PgDatabase } from '../pgDatabase.ts';
import { describeWithServer } from '../server.test-helper.ts';
import { serverVersion, since } from '../serverVersion.test-helper.ts';
import { administer, importRows, open, read, ref, signal } from '../session.test-helper.ts';
import { createTables } from './newTable.ts';

describeWithServer('a table made for an import', (server) => {
  let session: Session;
  let guest: Session;
  beforeAll(async () => {
    await administer(
      server(),
      `CREATE SCHEMA "in""side"; CREATE SCHEMA closed;
      CREATE TYPE public.mood AS ENUM ('good', 'bad');
      CREATE ROLE guest LOGIN PASSWORD 'guest'; REVOKE CREATE ON SCHEMA public FROM PUBLIC;
      GRANT USAGE ON SCHEMA closed TO guest; GRANT USAGE, CREATE ON SCHEMA "in""side" TO guest;
      CREATE ROLE barred LOGIN PASSWORD 'barred';`,
    );
    session = await open(server());
    guest = await open(server(), { user: 'guest', password: 'guest' });
  });
  afterAll(() => Promise.all([session.close(), guest.close()]));

  const tablesOf = (from: Session): ImportedTables => {
    const tables = from.import?.tables;
    if (tables === undefined) throw new Error('The session makes no tables.');
    return tables;
  };
  const propose = (rows: readonly string[], table = ref('new')): Promise<string> =>
    tablesOf(session).propose(table, rows, { signal });
  const write = async (table: TableRef, rows: readonly string[], from = session): Promise<RowOutcome[]> => {
    return importRows(from, table, 'create', rows);
  };
  const isThere = async (name: string, from = session): Promise<boolean> =>
    (await from.listTables({ signal })).some((table) => table.ref.name === name);

  it('has for each column the narrowest type that keeps its values, and NOT NULL where every row has one', async () => {
    const rows = [
      {
        ...{ id: 2, big: 1, amount: 1.5, mixed: 1, flag: true, day: '2024-02-29', code: '007', empty: null, note: null },
        ...{ at: '2026-01-31T12:30:00+02:00', local: '2026-01-31 12:30:00', key: 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11' },
        ...{ list: [1], no: '2023-02-29', fine: '2026-01-31T12:30:00.1234567Z', both: '2026-01-31', word: 'x', lone: 1 },
      },
      {
        ...{ id: 1, big: 1, amount: 2, mixed: 'x', flag: false, day: '0001-01-01', code: '008', empty: null, note: 'n' },
        ...{ at: '2026-01-31T10:30:00.123456Z', local: '2026-01-31T12:30:00.5', key: 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a12' },
        ...{ list: { a: 1 }, no: '2024-02-29', fine: '2026-01-31T12:30:00Z', both: '2026-01-31 00:00:00', word: '' },
      },
    ].map((row) => JSON.stringify(row).replace('"big":1', '"big":9223372036854775808'));
    const definition = await propose(rows);
    expect(definition).toBe(
      [
        'CREATE TABLE "public"."new" (',
        '  "id" bigint PRIMARY KEY,\n  "big" numeric NOT NULL,\n  "amount" numeric NOT NULL,\n  "mixed" jsonb NOT NULL,\n  "flag" boolean NOT NULL,',
        '  "day" date NOT NULL,\n  "code" text NOT NULL,\n  "empty" text,\n  "note" text,\n  "at" timestamp with time zone NOT NULL,',
        '  "local" timestamp NOT NULL,\n  "key" uuid NOT NULL,\n  "list" jsonb NOT NULL,\n  "no" text NOT NULL,\n  "fine" text NOT NULL,',
        '  "both" text NOT NULL,\n  "word" text NOT NULL,\n  "lone" bigint\n)',
      ].join('\n'),
    );
    const { requests, effect } = await tablesOf(session).plan(ref('new'), definition, { signal });
    expect(effect).toBe('write');
    expect(`${requests[0]?.method} ${requests[0]?.path}`).toBe(definition);
    expect(await isThere('new')).toBe(false);
    await tablesOf(session).create(ref('new'), definition, { signal });
    expect(await write(ref('new'), rows)).toEqual([{ outcome: 'written' }, { outcome: 'written' }]);
    const [, last] = await read(session, 'new', { sorts: [{ column: 'id', direction: 'ascending' }] });
    expect(Object.fromEntries(last ?? [])).toMatchObject({
      ...{ id: 2, big: '9223372036854775808', amount: 1.5, mixed: '1', code: '007', day: '2024-02-29', no: '2023-02-29' },
      ...{ fine: '2026-01-31T12:30:00.1234567Z', both: '2026-01-31', list: '[1]' },
    });
    await expect(tablesOf(session).plan(ref('new'), definition, { signal })).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it.each([
    ['with the same value twice', ['{"id":1}', '{"id":1}'], 'bigint NOT NULL'],
    ['that a row lacks', ['{"id":1}', '{"id":null}'], 'bigint'],
    ['of fractions, which can be spelled in several ways', ['{"id":1.0}', '{"id":1.5}'], 'numeric NOT NULL'],
    [
      'of UUIDs that differ in case only',
      [
        `{"id":"${'a'.repeat(8)}-aaaa-4aaa-8aaa-${'a'.repeat(12)}"}`,
        `{"id":"${'A'.repeat(8)}-aaaa-4aaa-8aaa-${'a'.repeat(12)}"}`,
      ],
      'uuid NOT NULL',
    ],
    ['of texts too long for an index', [`{"id":"${'x'.repeat(3_000)}"}`], 'text NOT NULL'],
    ['of texts', ['{"id":"a"}', '{"id":"A"}'], 'text PRIMARY KEY'],
    ['with an exponent beyond every number', ['{"id":1e400000}'], 'text PRIMARY KEY'],
  ])('has of an id %s no primary key that would not hold', async (_name, rows, column) => {
    expect(await propose(rows)).toBe(`CREATE TABLE "public"."new" (\n  "id" ${column}\n)`);
  });

  it.each([
    ['a number and a text', ['1', '"1"'], 'jsonb'],
    ['a truth value and a number', ['true', '1'], 'jsonb'],
    ['a list and a text', ['[1]', '"[1]"'], 'jsonb'],
    ['a text and a number that no type has', ['"1"', '1e400000'], 'text'],
    ['a number and one that no type has', ['1', '1e400000'], 'text'],
    ['a day and a text', ['"2026-01-31"', '"x"'], 'text'],
    ['a whole number and a fraction', ['1', '1.50'], 'numeric'],
  ])('keeps %s apart in one column', async (_what, values, type) => {
    const rows = values.map((value) => `{"mixed":${value}}`);
    const table = ref('apart');
    const definition = await propose(rows, table);
    expect(definition).toBe(`CREATE TABLE "public"."apart" (\n  "mixed" ${type} NOT NULL\n)`);
    await tablesOf(session).create(table, definition, { signal });
    try {
      expect(await write(table, rows)).toEqual([{ outcome: 'written' }, { outcome: 'written' }]);
      const written = (await read(session, 'apart')).map((row) => row.get('mixed'));
      expect(new Set(written).size).toBe(2);
      if (type === 'jsonb') expect(written).toEqual(values);
    } finally {
      await administer(server(), 'DROP TABLE apart');
    }
  });

  it('is in the schema that was chosen, by quoted names', async () => {
    const table = ref('ta"ble', 'in"side');
    const definition = await propose(['{"a\\"b":1,"select":"x"}'], table);
    expect(definition).toBe('CREATE TABLE "in""side"."ta""ble" (\n  "a""b" bigint NOT NULL,\n  "select" text NOT NULL\n)');
    await tablesOf(guest).create(table, definition, { signal });
    expect(await write(table, ['{"a\\"b":1,"select":"x"}'], guest)).toEqual([{ outcome: 'written' }]);
  });

  it('can be in every schema in which the role may make one, the first of its search path first', async () => {
    expect(await tablesOf(session).namespaces?.({ signal })).toEqual([['public'], ['closed'], ['in"side']]);
    expect(await tablesOf(guest).namespaces?.({ signal })).toEqual([['in"side']]);
    const barred = await open(server(), { user: 'barred', password: 'barred' });
    await expect(tablesOf(barred).namespaces?.({ signal })).rejects.toMatchObject({ code: 'ACCESS_REFUSED' });
    await barred.close();
  });

  it('is refused where the role may not make it, before anything runs', async () => {
    const plan = (schema: string) => tablesOf(guest).plan(ref('t', schema), `CREATE TABLE ${schema}.t (a int)`, { signal });
    await expect(plan('closed')).rejects.toMatchObject({
      code: 'ACCESS_REFUSED',
      message: 'guest has no permission to create tables in the schema “closed”.',
    });
    await expect(plan('nowhere')).rejects.toMatchObject({ code: 'INVALID_INPUT', message: 'There is no schema “nowhere”.' });
  });

  it('is refused by a standby, with the reason', async () => {
    const standby = { facts: { isStandby: true }, prefix: [] } as unknown as PgDatabase;
    const plan = createTables(standby, () => undefined).plan(ref('t'), 'CREATE TABLE public.t (a int)', { signal });
    await expect(plan).rejects.toMatchObject({
      code: 'ACCESS_REFUSED',
      message: 'The server is a standby, which takes no changes.',
    });
  });

  it('is made by one CREATE TABLE of that name, and by nothing else', async () => {
    const { create } = tablesOf(session);
    for (const wrong of [
      '{',
      '',
      'CREATE TABLE other (a int)',
      'CREATE TABLE public.other (a int)',
      'CREATE TABLE made (a int)',
      'CREATE TABLE closed.made (a int)',
      'CREATE TEMP TABLE public.made (a int)',
      'CREATE TABLE IF NOT EXISTS public.made (a int)',
      'CREATE TABLE public.made (a int); DROP TABLE new',
      'CREATE TABLE public.made (a) AS SELECT 1',
      'CREATE TABLE public.made AS SELECT 1',
      'CREATE VIEW public.made (a) AS SELECT 1',
      'CREATE TABLE public.made (a int',
      'CREATE TABLE public.made (a int,)',
      'CREATE TABLE public.made (a int DEFAULT $1)',
    ])
      await expect(create(ref('made'), wrong, { signal }), wrong).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    for (const taken of ['new', 'mood', 'new_pkey'])
      await expect(create(ref(taken), `CREATE TABLE public.${taken} (a int)`, { signal }), taken).rejects.toMatchObject({
        code: 'CONFLICT',
      });
    expect(await isThere('made')).toBe(false);
    await create(ref('made'), '-- edited\nCREATE UNLOGGED TABLE Public."made" (a int GENERATED ALWAYS AS IDENTITY, m mood);', {
      signal,
    });
    expect(await isThere('made')).toBe(true);
  });

  it('is not there after the server rejected its definition', async () => {
    const { create } = tablesOf(session);
    const failing = 'CREATE TABLE public.half (a int, b no_such_type)';
    await expect(create(ref('half'), failing, { signal })).rejects.toThrow(/no_such_type/);
    const late = "CREATE TABLE public.half (a int, b int DEFAULT 'x'::int)";
    await expect(create(ref('half'), late, { signal })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(await isThere('half')).toBe(false);
  });

  it('is like another one, without what needs more than the table itself, and with text for a type that is missing', async () => {
    await administer(
      server(),
      `CREATE SCHEMA src; CREATE TYPE src.kind AS ENUM ('a', 'b'); CREATE FUNCTION src.five() RETURNS int LANGUAGE sql AS 'SELECT 5';
      CREATE TABLE src.parents (id int PRIMARY KEY);
      CREATE TABLE src.full (id serial PRIMARY KEY, "a, b" varchar(10) NOT NULL DEFAULT 'x, (y', k src.kind DEFAULT 'a'::src.kind, ks src.kind[], n numeric(10,2) DEFAULT 1.5,
        f int DEFAULT src.five(), twice int GENERATED ALWAYS AS (id * 2) STORED, num bigint GENERATED ALWAYS AS IDENTITY, t timestamptz(3) NOT NULL DEFAULT now(),
        p int REFERENCES src.parents, l int[] DEFAULT ARRAY[1, 2], UNIQUE ("a, b"), CHECK (n > 0 AND n IS NOT NULL));
      CREATE INDEX full_t ON src.full (t);
      CREATE TABLE src.parts (id int NOT NULL) PARTITION BY RANGE (id)`,
    );
    const { definition } = await session.describeTable(ref('full', 'src'), { signal });
    const { like, plan, create } = tablesOf(session);
    const columns = (kind: string, kinds: string, preset: string): string =>
      `CREATE TABLE "public"."copy" (
  "id" integer NOT NULL,
  "a, b" character varying(10) DEFAULT 'x, (y'::character varying NOT NULL,
  "k" ${kind}${preset},
  "ks" ${kinds},
  "n" numeric(10,2) DEFAULT 1.5,
  "f" integer,
  "twice" integer,
  "num" bigint NOT NULL,
  "t" timestamp(3) with time zone DEFAULT now() NOT NULL,
  "p" integer,
  "l" integer[] DEFAULT ARRAY[1, 2],
  PRIMARY KEY (id),
  UNIQUE ("a, b"),
  CHECK (((n > (0)::numeric) AND (n IS NOT NULL)))
)`;
    const text = await like?.(ref('copy'), definition?.text ?? '', { signal });
    expect(text).toBe(columns('src.kind', 'src.kind[]', " DEFAULT 'a'::src.kind"));
    await plan(ref('copy'), text ?? '', { signal });
    await create(ref('copy'), text ?? '', { signal });
    await administer(server(), 'CREATE DATABASE elsewhere');
    const other = await open(server(), { database: 'elsewhere' });
    const there = await tablesOf(other).like?.(ref('copy'), definition?.text ?? '', { signal });
    expect(there).toBe(columns('text', 'text', ''));
    await tablesOf(other).create(ref('copy'), there ?? '', { signal });
    await other.close();
    const parts = (await session.describeTable(ref('parts', 'src'), { signal })).definition?.text ?? '';
    expect(await like?.(ref('c'), parts, { signal })).toBe('CREATE TABLE "public"."c" (\n  "id" integer NOT NULL\n)');
    const proposal = await propose(['{"id":1,"v":"x"}'], ref('c'));
    expect(await like?.(ref('c'), proposal, { signal })).toBe(proposal);
    for (const wrong of ['{', '', 'SELECT 1', 'CREATE TABLE t', 'CREATE TABLE "s"."t" (', 'CREATE TABLE "s"."t" ("a")'])
      await expect(like?.(ref('c'), wrong, { signal }), wrong).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('is like one of a newer server, without the defaults and constraints that this one has no function or word for', async () => {
    const { like, create } = tablesOf(session);
    const newer = [
      { since: 18, column: '"id" uuid DEFAULT uuidv7() NOT NULL', without: '"id" uuid NOT NULL' },
      { since: 1, column: '"n" numeric(9,2) DEFAULT (1)::numeric(9,2)' },
      { since: 99, column: '"x" text DEFAULT newest(lower(\'x\'::text))', without: '"x" text' },
      { since: 1, column: "\"t\" text DEFAULT COALESCE(lower('x'::text), CAST('y' AS text))" },
      { since: 18, constraint: 'PRIMARY KEY (id, "during" WITHOUT OVERLAPS)' },
      { since: 18, constraint: 'CHECK ((casefold(t) = t))' },
      { since: 18, constraint: 'CHECK ((n > 0)) NOT ENFORCED' },
      { since: 99, constraint: 'CHECK (newest(t))' },
      { since: 1, constraint: "CHECK (((n IS NOT NULL) AND (t = ANY (ARRAY['a'::text, lower('B'::text)]))))" },
      { since: 15, constraint: 'UNIQUE NULLS NOT DISTINCT (n)' },
    ];
    const lines = newer.flatMap(({ column, constraint }, at) => column ?? `CONSTRAINT "c${at}" ${constraint ?? ''}`);
    const expected = newer.flatMap(({ since: first, column, without, constraint }) =>
      serverVersion >= first ? (column ?? constraint ?? []) : (without ?? []),
    );
    const text = await like?.(ref('older'), `CREATE TABLE "public"."newer" (\n  ${lines.join(',\n  ')}\n);`, { signal });
    expect(text).toBe(`CREATE TABLE "public"."older" (\n  ${expected.join(',\n  ')}\n)`);
    expect(
      await like?.(ref('made_newer'), 'CREATE TABLE "public"."newer" ("id" uuid DEFAULT uuidv7() NOT NULL)', { signal }),
    ).toBe(`CREATE TABLE "public"."made_newer" (\n  "id" uuid ${since(18, 'DEFAULT uuidv7() ')}NOT NULL\n)`);
    await create(
      ref('made_newer'),
      `CREATE TABLE "public"."made_newer" (\n  "id" uuid ${since(18, 'DEFAULT uuidv7() ')}NOT NULL\n)`,
      {
        signal,
      },
    );
  });

  it.each([
    ['a name of more than 63 bytes', `{"${'é'.repeat(32)}":1}`, /longer than the 63 bytes/],
    ['no name', '{"":1}', /need a name/],
    ['a name of the server’s own', '{"xmin":1}', /of its own/],
    ['a zero character', String.raw`{"a\u0000":1}`, /zero character/],
  ])('refuses a column with %s', async (_name, row, message) => {
    await expect(propose([row])).rejects.toThrow(message);
  });

  it('refuses rows without columns, more than fit, and a table in no schema', async () => {
    await expect(propose(['{}'])).rejects.toThrow('The rows have no columns.');
    await expect(propose(['[1]'])).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    const many = Object.fromEntries(Array.from({ length: 1_601 }, (_, index) => [`c${index}`, 1]));
    await expect(propose([JSON.stringify(many)])).rejects.toThrow(/takes 1,600 columns/);
    for (const namespace of [[], ['elsewhere', 'public']])
      await expect(propose(['{"a":1}'], { namespace, name: 'x' })).rejects.toThrow(/in a schema/);
  });

  it('is removed again while it has no rows, also none that a policy hides', async () => {
    const { create, discard } = tablesOf(session);
    await create(ref('gone'), 'CREATE TABLE public.gone (a int)', { signal });
    await discard?.(ref('gone'), { signal });
    expect(await isThere('gone')).toBe(false);
    await expect(discard?.(ref('gone'), { signal })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await administer(
      server(),
      `SET ROLE guest; CREATE TABLE "in""side".own (a int); INSERT INTO "in""side".own VALUES (1); ALTER TABLE "in""side".own ENABLE ROW LEVEL SECURITY;
      ALTER TABLE "in""side".own FORCE ROW LEVEL SECURITY; CREATE VIEW "in""side".seen AS SELECT 1 AS a;`,
    );
    await expect(tablesOf(guest).discard?.(ref('own', 'in"side'), { signal })).rejects.toMatchObject({
      details: { status: '42501' },
    });
    await expect(tablesOf(guest).discard?.(ref('seen', 'in"side'), { signal })).rejects.toMatchObject({ code: 'CONFLICT' });
    await administer(server(), 'CREATE TABLE filled (a int); INSERT INTO filled VALUES (1)');
    await expect(discard?.(ref('filled'), { signal })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await isThere('filled')).toBe(true);
  });
});
