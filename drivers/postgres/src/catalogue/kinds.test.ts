import type { Session } from '@tabularium/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithServer } from '../server.test-helper.ts';
import { administer, apply, open, read, ref, run, signal } from '../session.test-helper.ts';
import { kindOf } from './types.ts';

const MANY = Array.from({ length: 1_001 }, (_, at) => `label ${at}`);

describeWithServer('kinds of types', (server) => {
  let session: Session;
  beforeAll(async () => {
    await administer(
      server(),
      `CREATE SCHEMA sorts; CREATE TYPE sorts.mood AS ENUM ('sad', 'ok', 'happy'); CREATE DOMAIN sorts.feeling AS sorts.mood;
      CREATE TYPE sorts.many AS ENUM (${MANY.map((label) => `'${label}'`).join(', ')});
      CREATE TYPE sorts.span AS RANGE (subtype = float8); CREATE TYPE sorts.pair AS (a int, b text);
      CREATE TYPE sorts.vector;
      CREATE FUNCTION sorts.vector_in(cstring) RETURNS sorts.vector AS 'textin' LANGUAGE internal IMMUTABLE STRICT;
      CREATE FUNCTION sorts.vector_out(sorts.vector) RETURNS cstring AS 'textout' LANGUAGE internal IMMUTABLE STRICT;
      CREATE TYPE sorts.vector (INPUT = sorts.vector_in, OUTPUT = sorts.vector_out, LIKE = text);
      CREATE TYPE sorts.halfvec AS ENUM ('no', 'vector');
      CREATE TABLE sorts.t (id int PRIMARY KEY, mood sorts.mood, feeling sorts.feeling, many sorts.many, span sorts.span, spans int4multirange,
        during tstzrange, took interval, texts text[], moods sorts.mood[], docs jsonb[], pair sorts.pair, pairs sorts.pair[], embedding sorts.vector,
        fake sorts.halfvec, net inet, files bytea[])`,
    );
    session = await open(server());
  });
  afterAll(() => session.close());

  it('say labels, arrays, ranges, intervals and vectors, and the labels of an enum in their order', async () => {
    const { columns } = await session.describeTable(ref('t', 'sorts'), { signal });
    expect(Object.fromEntries(columns.map(({ name, kind }) => [name, kind]))).toEqual({
      id: 'integer',
      mood: 'enum',
      feeling: 'enum',
      many: 'enum',
      span: 'range',
      spans: 'range',
      during: 'range',
      took: 'interval',
      texts: 'array',
      moods: 'array',
      docs: 'array',
      pair: 'text',
      pairs: 'array',
      embedding: 'vector',
      fake: 'enum',
      net: 'text',
      files: 'array',
    });
    const labels = new Map(columns.map(({ name, values }) => [name, values]));
    expect(labels.get('mood')).toEqual(['sad', 'ok', 'happy']);
    expect(labels.get('feeling')).toEqual(['sad', 'ok', 'happy']);
    // More than the contract has room for.
    expect(labels.get('many')).toBeUndefined();
    expect(columns.filter(({ values }) => values !== undefined).map(({ name }) => name)).toEqual(['mood', 'feeling', 'fake']);
  });

  it("are the server's own in the console, by the numbers of its types", async () => {
    const events = await run(
      session,
      `SELECT t.oid, CASE WHEN t.typtype IN ('r', 'm') THEN 'range' WHEN t.typcategory = 'A' THEN 'array' END
      FROM pg_type t LEFT JOIN pg_type e ON e.oid = t.typelem
      WHERE t.oid < 10000 AND (t.typtype IN ('r', 'm') OR t.typcategory = 'A' AND e.typtype IN ('b', 'r', 'm') AND t.typname LIKE '\\_%') ORDER BY 1`,
    );
    const rows = events.flatMap((event) => (event.type === 'rows' ? event.rows : []));
    expect(rows.length).toBeGreaterThan(60);
    expect(rows.map(([oid]) => [oid, kindOf(Number(oid))])).toEqual(rows);
    const [began] = await run(session, `SELECT '{1}'::int[], '[1,2)'::int4range, '1 day'::interval`);
    expect(began).toMatchObject({ columns: [{ kind: 'array' }, { kind: 'range' }, { kind: 'interval' }] });
  });

  it('take a list of JSON for an array, its numbers digit for digit, and refuse one with an object', async () => {
    const table = ref('t', 'sorts');
    const insert = (id: number, column: string, value: readonly ['json', string]) =>
      apply(session, table, [
        {
          kind: 'insert',
          values: [
            { column: 'id', value: id },
            { column, value },
          ],
        },
      ]);
    const lists: readonly (readonly [string, string, string])[] = [
      [
        'texts',
        '["a","b \\"c\\"","d,e","\\\\f","null",null,"",true,12345678901234567890.50]',
        '{a,"b \\"c\\"","d,e","\\\\f","null",NULL,"",true,12345678901234567890.50}',
      ],
      ['texts', '[["a","b"],["c","{d}"]]', '{{a,b},{c,"{d}"}}'],
      ['texts', '[]', '{}'],
      ['moods', '["happy",null]', '{happy,NULL}'],
      ['files', '["aGk=","\\\\x00ff",null]', '{"\\\\x6869","\\\\x00ff",NULL}'],
      ['files', '[["aGk="],[""]]', '{{"\\\\x6869"},{"\\\\x"}}'],
    ];
    for (const [index, [column, json, text]] of lists.entries()) {
      expect(await insert(index, column, ['json', json]), json).toMatchObject([{ outcome: 'saved' }]);
      const rows = await read(session, table);
      expect(rows.find((row) => row.get('id') === index)?.get(column)).toBe(text);
    }
    for (const [column, json] of [
      ['texts', '[{"a":1}]'],
      ['moods', '["angry"]'],
      ['docs', '[{"a":1}]'],
      ['files', '["plain text!"]'],
      ['files', '["0xab"]'],
      ['span', '[1,5]'],
      ['spans', '{}'],
      ['texts', '{"a":1}'],
    ] as const)
      expect(await insert(90, column, ['json', json]), json).toMatchObject([{ outcome: 'failed' }]);
  });
});
