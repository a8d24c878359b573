import { serverVersion } from './serverVersion.test-helper.ts';

/** Expressions with a column that planning makes a constant of. The column `id` is never null. */
const FOLDED: readonly string[] = [
  'case when true then 1 else id end',
  'case when false then id else 2 end',
  'coalesce(1, id)',
  '(true or id > 0)::int',
  '(false and id > 0)::int',
  'length(repeat(null, id))',
  '((null::int + id) is null)::int',
  '(row(1, id)::folded.two).a',
  'folded.first_of(1, id)',
  'nullif(1, case when false then id end)',
  'greatest(1, coalesce(2, id))',
  '(array[1, coalesce(2, id)])[1]',
  '(null::int = id)::int',
  '(case coalesce(1, id) when 1 then 1 else 2 end)',
];

/** Expressions that a server may make a constant of, and none does yet: what has no null is known only in queries. */
const FOLDED_LATER: readonly string[] = ['(id is not null)::int', '(id is null)::int', 'num_nulls(id)'];

const FUNCTIONS = `
CREATE SCHEMA folded;
CREATE FUNCTION folded.acts(i int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN PERFORM set_config('folded.called', 'yes', false); RETURN i; END $$;
CREATE FUNCTION folded.of_text(text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN PERFORM set_config('folded.called', 'yes', false); RETURN $1; END $$;
CREATE TYPE folded.two AS (a int, b int);
CREATE FUNCTION folded.first_of(int, int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1';`;

/** Tables whose expressions call a function of {@link FOLDED}, each in one of the places that planning looks at; and values of a type that no name says, with a cast to JSON. */
export const FOLDED_OBJECTS = [
  FUNCTIONS,
  ...[...FOLDED, ...FOLDED_LATER].flatMap((expression, index) => [
    `CREATE TABLE folded.i${index} (id int NOT NULL, w int); INSERT INTO folded.i${index} VALUES (1, 2); CREATE INDEX ON folded.i${index} (folded.acts(${expression}));`,
    `CREATE TABLE folded.s${index} (id int NOT NULL, w int); CREATE STATISTICS folded.st${index} ON (folded.acts(${expression})), w FROM folded.s${index};`,
    `CREATE TABLE folded.c${index} (id int NOT NULL, w int); CREATE TABLE folded.cc${index} (CHECK (folded.acts(${expression}) > 0)) INHERITS (folded.c${index});`,
  ]),
  `CREATE TABLE folded.parted (id int NOT NULL) PARTITION BY LIST ((id + 0)); CREATE TABLE folded.part PARTITION OF folded.parted FOR VALUES IN (1); CREATE INDEX ON folded.part (folded.acts(coalesce(1, id)));
   CREATE TABLE folded.keyed (id int NOT NULL) PARTITION BY LIST ((id + folded.acts(coalesce(1, id)))); CREATE TABLE folded.keyed_part PARTITION OF folded.keyed FOR VALUES IN (2);
   CREATE TABLE folded.keyed_more (id int NOT NULL) PARTITION BY LIST ((id + folded.acts(1))); CREATE TABLE folded.keyed_more_part PARTITION OF folded.keyed_more FOR VALUES IN (1, 2);
   CREATE VIEW folded.over_index AS SELECT * FROM folded.i2;
   CREATE TABLE folded.near (id int PRIMARY KEY); CREATE INDEX ON folded.near (folded.acts(coalesce(1, id))); CREATE TABLE folded.refers (id int REFERENCES folded.near);
   CREATE TABLE folded.honest (id int PRIMARY KEY, t varchar); INSERT INTO folded.honest VALUES (1, 'x'); CREATE INDEX ON folded.honest (folded.acts(id)); CREATE INDEX ON folded.honest (folded.of_text(t)); CREATE INDEX ON folded.honest (folded.of_text(id::text));
   ALTER TABLE folded.honest ADD CHECK (folded.acts(id) > 0); CREATE STATISTICS folded.honest_st ON (folded.acts(id)), t FROM folded.honest; CREATE TABLE folded.honest_child () INHERITS (folded.honest);
   CREATE TABLE folded.refers_honest (id int REFERENCES folded.honest);`,
  // An expression takes the place of the column before constants are looked for.
  ...(serverVersion >= 18
    ? [
        'CREATE TABLE folded.virtual (id int NOT NULL, g int GENERATED ALWAYS AS (1) VIRTUAL); CREATE TABLE folded.virtual_child (CHECK (folded.acts(g) > 0)) INHERITS (folded.virtual);',
      ]
    : []),
].join('\n');

const readsOf = (index: number): readonly string[] => [
  `SELECT * FROM folded.i${index} WHERE id = 1`,
  `SELECT w FROM folded.s${index} WHERE id = 1 GROUP BY w`,
  `SELECT * FROM folded.c${index} WHERE id > 5`,
];

/** Statements that look like reading, and call a function of a table while the server plans. */
export const FOLDED_STATEMENTS: readonly string[] = [
  ...FOLDED.flatMap((_, index) => readsOf(index)),
  'SELECT * FROM folded.parted WHERE id = 1',
  'SELECT * FROM folded.keyed WHERE id = 1',
  'SELECT * FROM folded.over_index',
  'SELECT id FROM folded.c2 WHERE id > 5 UNION ALL SELECT 1',
  'EXPLAIN SELECT * FROM folded.i2',
  'SELECT 1 WHERE (SELECT count(*) FROM "folded"."i2") >= 0',
  "SELECT pg_get_partition_constraintdef('folded.keyed_more_part'::regclass)",
  'SELECT pg_get_partition_constraintdef(c.oid) FROM pg_class c WHERE relispartition',
];

/** Statements that may call one. */
export const FOLDED_BY_LATER_SERVERS: readonly string[] = [
  ...FOLDED_LATER.flatMap((_, index) => readsOf(FOLDED.length + index)),
  ...(serverVersion >= 18 ? ['SELECT * FROM folded.virtual WHERE id = 1'] : []),
];

/** Changes of rows that do the same, by a foreign key. */
export const FOLDED_CHANGES: readonly string[] = ['INSERT INTO folded.refers VALUES (1)', 'UPDATE folded.refers SET id = 1'];

export const FOLDED_HONEST: readonly string[] = [
  'SELECT * FROM folded.honest WHERE id = 1',
  "SELECT t FROM folded.honest WHERE id > 5 AND t = 'x' GROUP BY t",
  'SELECT * FROM folded.refers_honest JOIN folded.honest USING (id)',
];

/** A cast to JSON of a type that has values in catalogues, where their type is `anyarray`. */
export const CAST_OBJECTS = `
CREATE SCHEMA cast_type; CREATE TYPE cast_type.mood AS ENUM ('sad', 'ok');
CREATE TABLE cast_type.missing (id int); INSERT INTO cast_type.missing VALUES (1); ALTER TABLE cast_type.missing ADD COLUMN m cast_type.mood DEFAULT 'sad';
CREATE TABLE cast_type.seen (m cast_type.mood); INSERT INTO cast_type.seen SELECT 'sad' FROM generate_series(1, 100); ANALYZE cast_type.seen;
CREATE VIEW cast_type.rows_of_catalogue AS SELECT row_to_json(a) FROM pg_attribute a WHERE attname = 'm' AND atthasmissing;
CREATE FUNCTION cast_type.in_body() RETURNS SETOF json LANGUAGE sql AS $$ SELECT row_to_json(a) FROM pg_attribute a WHERE attname = 'm' AND atthasmissing $$;
CREATE FUNCTION cast_type.attributes() RETURNS SETOF pg_attribute LANGUAGE sql AS $$ SELECT * FROM pg_attribute a WHERE attname = 'm' AND atthasmissing $$;
CREATE FUNCTION cast_type.of_variable() RETURNS record LANGUAGE plpgsql AS $$ DECLARE r record; BEGIN SELECT * INTO r FROM pg_attribute a WHERE attname = 'm' AND atthasmissing LIMIT 1; RETURN r; END $$;
CREATE FUNCTION cast_type.of_row(pg_attribute) RETURNS json LANGUAGE sql BEGIN ATOMIC SELECT row_to_json($1); END;
CREATE TABLE cast_type.guarded (id int); ALTER TABLE cast_type.guarded ENABLE ROW LEVEL SECURITY; CREATE POLICY r ON cast_type.guarded FOR SELECT USING (true);
CREATE POLICY w ON cast_type.guarded FOR INSERT WITH CHECK (EXISTS (SELECT row_to_json(a) FROM pg_attribute a WHERE attname = 'm' AND atthasmissing));`;

/** The cast, which comes after the statements were read. */
export const CAST_TO_JSON = `
CREATE FUNCTION cast_type.converts(cast_type.mood) RETURNS json LANGUAGE plpgsql AS $$ BEGIN PERFORM set_config('folded.called', 'yes', false); RETURN '"x"'::json; END $$;
CREATE CAST (cast_type.mood AS json) WITH FUNCTION cast_type.converts(cast_type.mood);`;

/** Statements that call the cast, and don't name its type. */
export const CAST_STATEMENTS: readonly string[] = [
  "SELECT row_to_json(a) FROM pg_attribute a WHERE attname = 'm' AND atthasmissing",
  "SELECT to_jsonb(a) FROM pg_attribute a WHERE attname = 'm' AND atthasmissing",
  "SELECT a.to_jsonb FROM pg_attribute a WHERE attname = 'm' AND atthasmissing",
  "SELECT to_json(attmissingval) FROM pg_attribute WHERE attname = 'm' AND atthasmissing",
  "SELECT json_build_array(attmissingval) FROM pg_attribute WHERE attname = 'm' AND atthasmissing",
  "SELECT jsonb_build_object('a', attmissingval) FROM pg_attribute WHERE attname = 'm' AND atthasmissing",
  "SELECT row_to_json(s) FROM pg_stats s WHERE tablename = 'seen'",
  "SELECT json_agg(s) FROM pg_stats s WHERE tablename = 'seen'",
  "SELECT jsonb_agg(s) OVER () FROM pg_stats s WHERE tablename = 'seen'",
  "SELECT json_object_agg('a', most_common_vals) FROM pg_stats WHERE tablename = 'seen'",
  "SELECT array_to_json(most_common_vals) FROM pg_stats WHERE tablename = 'seen'",
  'SELECT json_agg(s) FROM pg_statistic s',
  "SELECT jsonb_path_query(to_jsonb(a), '$.a') FROM pg_attribute a WHERE attname = 'm' AND atthasmissing",
  ...(serverVersion >= 16
    ? [
        "SELECT JSON_OBJECT('a': most_common_vals) FROM pg_stats WHERE tablename = 'seen'",
        "SELECT JSON_ARRAY(most_common_vals) FROM pg_stats WHERE tablename = 'seen'",
        "SELECT JSON_ARRAYAGG(most_common_vals) FROM pg_stats WHERE tablename = 'seen'",
        "SELECT JSON_OBJECTAGG('a': most_common_vals) FROM pg_stats WHERE tablename = 'seen'",
      ]
    : []),
  'SELECT * FROM cast_type.rows_of_catalogue',
  'SELECT cast_type.in_body()',
  'SELECT row_to_json(a) FROM cast_type.attributes() a',
  'SELECT row_to_json(cast_type.of_variable())',
  'WITH a AS (SELECT cast_type.attributes()) SELECT jsonb_agg(a) FROM a',
  "SELECT cast_type.of_row(a) FROM pg_attribute a WHERE attname = 'm' AND atthasmissing",
];
