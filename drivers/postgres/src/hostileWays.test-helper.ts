import { serverVersion } from './serverVersion.test-helper.ts';

// The ways from a table to a function that somebody wrote, at least one for each column of the server's catalogues that has functions or a stored tree.

/** All functions below call `ways.mark`: a number is taken for good, whatever becomes of the transaction. */
export const WAY_OBJECTS = `
CREATE SCHEMA ways; CREATE SEQUENCE ways.marks; CREATE ROLE ways_user; CREATE EXTENSION btree_gist SCHEMA public; CREATE EXTENSION file_fdw SCHEMA public;
CREATE FUNCTION ways.mark() RETURNS void LANGUAGE plpgsql AS $$ BEGIN PERFORM set_config('ways.called', 'yes', false); PERFORM nextval('ways.marks'); END $$;
GRANT USAGE ON SCHEMA ways TO ways_user; GRANT ALL ON ways.marks TO ways_user;`;

/** A table that leads to a function. */
export interface Way {
  readonly way: string;
  /** The columns of catalogues by which it leads there. */
  readonly by: readonly string[];
  /** Makes the table `NS.t` in a schema of its own, and the function. */
  readonly makes: string;
  /** Statements beside {@link STATEMENTS}. */
  readonly also?: readonly string[];
  /** The beginning of a statement that ends the whole server. */
  readonly crashes?: string;
  /** Set where it takes a role that isn't a superuser. */
  readonly asUser?: true;
}

/** Statements of each table. `NS` is its schema. */
export const STATEMENTS: readonly string[] = [
  'SELECT * FROM NS.t',
  'SELECT count(*) FROM NS.t WHERE id > 1',
  'SELECT DISTINCT name FROM NS.t ORDER BY name DESC',
  'EXPLAIN UPDATE NS.t SET id = 9 WHERE id = 1',
  "INSERT INTO NS.t VALUES (7, 'x')",
  'INSERT INTO NS.t (id) VALUES (8) ON CONFLICT DO NOTHING',
  'UPDATE NS.t SET id = 9 WHERE id = 1',
  "UPDATE NS.t SET name = 'y' WHERE id = 1",
  'DELETE FROM NS.t WHERE id = 1',
  "MERGE INTO NS.t AS m USING (SELECT 1 AS i) s ON m.id = s.i WHEN MATCHED THEN UPDATE SET name = 'm' WHEN NOT MATCHED THEN INSERT VALUES (1, 'm')",
  "COPY NS.t TO '/dev/null'",
  "COPY NS.t FROM '/dev/null'",
  'ANALYZE NS.t',
  'ALTER TABLE NS.t ADD COLUMN more int DEFAULT 1, ADD CHECK (id > 0)',
  'ALTER TABLE NS.t ADD COLUMN more float8 DEFAULT random(), ADD UNIQUE (id, name)',
  'REINDEX TABLE NS.t',
  'CREATE INDEX ON NS.t (id, name)',
  'CREATE TABLE NS.more AS TABLE NS.t',
  'CREATE MATERIALIZED VIEW NS.more AS SELECT name FROM NS.t',
  'EXPLAIN SELECT * FROM NS.t WHERE id < 2',
  'EXPLAIN (ANALYZE) DELETE FROM NS.t',
  'SELECT * FROM NS.t FOR UPDATE',
  'WITH n AS (UPDATE NS.t SET id = id + 10 RETURNING id) SELECT count(*) FROM n',
  "INSERT INTO NS.t VALUES (1, 'x') ON CONFLICT (id) DO UPDATE SET id = 12",
];

/** A function that leaves a mark. */
const f = (name: string, takes: string, returns: string, value: string, volatility = 'VOLATILE'): string =>
  `CREATE FUNCTION NS.${name}(${takes}) RETURNS ${returns} LANGUAGE plpgsql ${volatility} AS $$ BEGIN PERFORM ways.mark(); RETURN ${value}; END $$;`;
const TRUE = f('acts', '', 'bool', 'true');
const ONE = f('one', 'int', 'int', '$1', 'IMMUTABLE');
const ROWS = "INSERT INTO NS.t VALUES (1, 'a'), (2, 'b'), (3, 'c');";
const PLAIN = `CREATE TABLE NS.t (id int PRIMARY KEY, name text); ${ROWS}`;
const ON_ROW = `CREATE FUNCTION NS.on_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM ways.mark(); RETURN coalesce(NEW, OLD); END $$;`;
const PASSES = `CREATE FUNCTION NS.passes() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN coalesce(NEW, OLD); END $$;`;
/** A type with a number in it, which somebody casts to a number. */
const NUM = `CREATE TYPE NS.num AS (n int); ${f('to_int', 'NS.num', 'int', '($1).n')} CREATE CAST (NS.num AS int) WITH FUNCTION NS.to_int(NS.num) AS IMPLICIT;`;
/** A type with an order of its own. @param compares - its functions */
const RANKED = `CREATE TYPE NS.ranked AS (n int);
${['less:<', 'most:<=', 'same:=', 'least:>=', 'more:>']
  .map((each) => {
    const [name = '', operator = ''] = each.split(':');
    return `${f(name, 'NS.ranked, NS.ranked', 'bool', `($1).n ${operator} ($2).n`, 'IMMUTABLE')} CREATE OPERATOR NS.${operator} (FUNCTION = NS.${name}, LEFTARG = NS.ranked, RIGHTARG = NS.ranked${operator === '=' ? ', COMMUTATOR = OPERATOR(NS.=)' : ''});`;
  })
  .join('\n')}
${f('order_of', 'NS.ranked, NS.ranked', 'int', 'sign(($1).n - ($2).n)::int', 'IMMUTABLE')}
CREATE OPERATOR CLASS NS.ranked_ops DEFAULT FOR TYPE NS.ranked USING btree AS OPERATOR 1 NS.<, OPERATOR 2 NS.<=, OPERATOR 3 NS.=, OPERATOR 4 NS.>=, OPERATOR 5 NS.>, FUNCTION 1 NS.order_of(NS.ranked, NS.ranked);`;
/** An order of numbers by the server's operators and a function of somebody's. */
const INT_OPS = `${f('int_order', 'int, int', 'int', 'sign($1 - $2)::int', 'IMMUTABLE')}
CREATE OPERATOR CLASS NS.int_ops FOR TYPE int USING btree AS OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 NS.int_order(int, int);`;

/** A table `NS.t` with another that refers to it. @param column - the referring column. @param more - of the key */
const referred = (way: string, column: string, more: string, value: string, makes = NUM, by = ['pg_cast.castfunc']): Way => ({
  ...{ way, by },
  makes: `${makes} ${PLAIN} CREATE TABLE NS.kid (k int, ${column} REFERENCES NS.t ${more}); INSERT INTO NS.kid VALUES (1, ${value});`,
  also: [
    `INSERT INTO NS.kid VALUES (2, ${value})`,
    'UPDATE NS.kid SET k = 5',
    'DELETE FROM NS.kid',
    'ALTER TABLE NS.kid ADD FOREIGN KEY (p) REFERENCES NS.t',
  ],
});
const NUM_KEY = 'ROW(1)::NS.num';

const TREES: readonly Way[] = [
  {
    way: 'a default',
    by: ['pg_attrdef.adbin'],
    makes: `${TRUE} CREATE TABLE NS.t (id int, name text DEFAULT NS.acts()::text); ${ROWS}`,
  },
  {
    way: 'a stored generated column',
    by: ['pg_attrdef.adbin'],
    makes: `${ONE} CREATE TABLE NS.t (id int, name text, g int GENERATED ALWAYS AS (NS.one(id)) STORED); ${ROWS}`,
  },
  {
    way: 'a check',
    by: ['pg_constraint.conbin'],
    makes: `${ONE} CREATE TABLE NS.t (id int CHECK (NS.one(id) > 0), name text); ${ROWS}`,
  },
  {
    way: 'a check with a constant',
    by: ['pg_constraint.conbin'],
    makes: `${ONE} CREATE TABLE NS.t (id int CHECK (id + NS.one(1) > 0), name text); ${ROWS}`,
  },
  {
    way: 'the check of a domain',
    by: ['pg_constraint.conbin'],
    makes: `${f('is', 'text', 'bool', 'true')} CREATE DOMAIN NS.d AS text CHECK (NS.is(VALUE)); CREATE TABLE NS.t (id int, name NS.d); ${ROWS}`,
  },
  {
    way: 'the check of a domain in an array in a row',
    by: ['pg_constraint.conbin'],
    makes: `${f('is', 'text', 'bool', 'true')} CREATE DOMAIN NS.d AS text CHECK (NS.is(VALUE)); CREATE TYPE NS.holds AS (d NS.d[]); CREATE TABLE NS.t (id int, name text, h NS.holds); ${ROWS}`,
    also: [`UPDATE NS.t SET h.d[1] = 'x'`, `INSERT INTO NS.t (id, h) VALUES (8, '("{x}")')`],
  },
  { way: 'an index', by: ['pg_index.indexprs'], makes: `${ONE} ${PLAIN} CREATE INDEX ON NS.t (NS.one(id));` },
  {
    way: 'an index with a constant',
    by: ['pg_index.indexprs'],
    makes: `${ONE} ${PLAIN} CREATE INDEX ON NS.t ((id + NS.one(1)));`,
  },
  {
    way: 'the condition of an index',
    by: ['pg_index.indpred'],
    makes: `${ONE} ${PLAIN} CREATE INDEX ON NS.t (id) WHERE NS.one(id) > 0;`,
  },
  {
    way: 'statistics',
    by: ['pg_statistic_ext.stxexprs'],
    makes: `${ONE} ${PLAIN} CREATE STATISTICS NS.s ON NS.one(id), (id + NS.one(1)) FROM NS.t;`,
  },
  {
    way: 'the key of partitions',
    by: ['pg_partitioned_table.partexprs'],
    makes: `${ONE} CREATE TABLE NS.t (id int, name text) PARTITION BY LIST (NS.one(id)); CREATE TABLE NS.p1 PARTITION OF NS.t FOR VALUES IN (1); CREATE TABLE NS.rest PARTITION OF NS.t DEFAULT; ${ROWS}`,
    also: ["INSERT INTO NS.p1 VALUES (1, 'x')", 'CREATE TABLE NS.p5 PARTITION OF NS.t FOR VALUES IN (5)'],
  },
  {
    way: 'the policy of rows that are read',
    by: ['pg_policy.polqual'],
    makes: `${TRUE} ${PLAIN} ALTER TABLE NS.t ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON NS.t USING (NS.acts()) WITH CHECK (true);`,
    asUser: true,
  },
  {
    way: 'the policy of rows that are written',
    by: ['pg_policy.polwithcheck'],
    makes: `${TRUE} ${PLAIN} ALTER TABLE NS.t ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON NS.t USING (true) WITH CHECK (NS.acts());`,
    asUser: true,
  },
  {
    way: 'the default of an argument',
    by: ['pg_proc.proargdefaults'],
    makes: `${TRUE} CREATE FUNCTION NS.g(a bool DEFAULT NS.acts()) RETURNS int LANGUAGE sql AS 'SELECT 1 WHERE a'; CREATE VIEW NS.t AS SELECT NS.g() AS id, 'x' AS name;`,
  },
  {
    way: 'a body that is stored as a tree',
    by: ['pg_proc.prosqlbody'],
    makes: `${TRUE} CREATE FUNCTION NS.g() RETURNS text BEGIN ATOMIC SELECT NS.acts()::text; END; CREATE TABLE NS.t (id int, name text DEFAULT NS.g()); ${ROWS}`,
  },
  {
    way: 'a view',
    by: ['pg_rewrite.ev_action'],
    makes: `${TRUE} CREATE VIEW NS.t AS SELECT 1 AS id, 'x' AS name, NS.acts() AS a;`,
  },
  {
    way: 'a view over a view',
    by: ['pg_rewrite.ev_action'],
    makes: `${TRUE} CREATE VIEW NS.v AS SELECT 1 AS id, 'x' AS name WHERE NS.acts(); CREATE VIEW NS.t AS SELECT * FROM NS.v;`,
  },
  {
    way: 'a materialized view',
    by: ['pg_rewrite.ev_action'],
    makes: `${TRUE} CREATE MATERIALIZED VIEW NS.t AS SELECT 1 AS id, 'x' AS name, NS.acts() AS a;`,
    also: ['REFRESH MATERIALIZED VIEW NS.t'],
  },
  {
    way: 'a rule',
    by: ['pg_rewrite.ev_action'],
    makes: `${TRUE} ${PLAIN} CREATE RULE r AS ON UPDATE TO NS.t DO ALSO SELECT NS.acts();`,
  },
  {
    way: 'the condition of a rule',
    by: ['pg_rewrite.ev_qual'],
    makes: `${TRUE} ${PLAIN} CREATE RULE r AS ON DELETE TO NS.t WHERE NS.acts() DO ALSO SELECT 1;`,
  },
  {
    way: 'the condition of a trigger',
    by: ['pg_trigger.tgqual'],
    makes: `${TRUE} ${PASSES} ${PLAIN} CREATE TRIGGER g BEFORE UPDATE ON NS.t FOR EACH ROW WHEN (NS.acts()) EXECUTE FUNCTION NS.passes();`,
  },
  {
    way: 'the default of a domain',
    by: ['pg_type.typdefaultbin'],
    makes: `${TRUE} CREATE DOMAIN NS.d AS text DEFAULT NS.acts()::text; CREATE TABLE NS.t (id int, name NS.d); ${ROWS}`,
  },
];

const FUNCTIONS: readonly Way[] = [
  {
    way: 'a trigger',
    by: ['pg_trigger.tgfoid'],
    makes: `${ON_ROW} ${PLAIN} CREATE TRIGGER g AFTER INSERT OR UPDATE OR DELETE ON NS.t FOR EACH ROW EXECUTE FUNCTION NS.on_row();`,
  },
  {
    way: 'a trigger of the statement',
    by: ['pg_trigger.tgfoid'],
    makes: `${ON_ROW} ${PLAIN} CREATE TRIGGER g BEFORE INSERT OR UPDATE OR DELETE ON NS.t EXECUTE FUNCTION NS.on_row();`,
  },
  {
    way: 'a trigger of a heir',
    by: ['pg_trigger.tgfoid'],
    makes: `${ON_ROW} ${PLAIN} CREATE TABLE NS.heir () INHERITS (NS.t); INSERT INTO NS.heir VALUES (1, 'h'); CREATE TRIGGER g BEFORE UPDATE OR DELETE ON NS.heir FOR EACH ROW EXECUTE FUNCTION NS.on_row();`,
  },
  {
    way: 'an aggregate',
    by: ['pg_aggregate.aggtransfn', 'pg_aggregate.aggfinalfn'],
    makes: `${f('step', 'int, int', 'int', '$1')} ${f('ends', 'int', 'int', '$1')} CREATE AGGREGATE NS.agg(int) (SFUNC = NS.step, STYPE = int, FINALFUNC = NS.ends, INITCOND = '0'); CREATE TABLE NS.of (id int); INSERT INTO NS.of VALUES (1); CREATE VIEW NS.t AS SELECT NS.agg(id) AS id, 'x' AS name FROM NS.of;`,
  },
  {
    way: 'a moving aggregate',
    by: ['pg_aggregate.aggmtransfn', 'pg_aggregate.aggminvtransfn', 'pg_aggregate.aggmfinalfn'],
    makes: `${f('step', 'int, int', 'int', '$1')} ${f('back', 'int, int', 'int', '$1')} ${f('ends', 'int', 'int', '$1')}
      CREATE AGGREGATE NS.agg(int) (SFUNC = int4pl, STYPE = int, INITCOND = '0', MSFUNC = NS.step, MINVFUNC = NS.back, MSTYPE = int, MFINALFUNC = NS.ends, MINITCOND = '0');
      CREATE VIEW NS.t AS SELECT NS.agg(i) OVER (ORDER BY i ROWS 1 PRECEDING) AS id, 'x' AS name FROM generate_series(1, 4) i;`,
  },
  {
    way: 'an operator in a check',
    by: ['pg_operator.oprcode'],
    makes: `${f('near', 'int, int', 'bool', 'true', 'IMMUTABLE')} CREATE OPERATOR NS.<~> (FUNCTION = NS.near, LEFTARG = int, RIGHTARG = int); CREATE TABLE NS.t (id int CHECK (id OPERATOR(NS.<~>) 1), name text); ${ROWS}`,
  },
  { way: 'a class of an index', by: ['pg_amproc.amproc'], makes: `${INT_OPS} ${PLAIN} CREATE INDEX ON NS.t (id NS.int_ops);` },
  {
    way: 'a class of partitions',
    by: ['pg_amproc.amproc'],
    makes: `${INT_OPS} CREATE TABLE NS.t (id int, name text) PARTITION BY RANGE (id NS.int_ops); CREATE TABLE NS.p1 PARTITION OF NS.t FOR VALUES FROM (1) TO (2); CREATE TABLE NS.rest PARTITION OF NS.t DEFAULT; ${ROWS}`,
  },
  {
    way: 'the order of a type',
    by: ['pg_amproc.amproc', 'pg_operator.oprcode'],
    makes: `${RANKED} CREATE TABLE NS.t (id int PRIMARY KEY, name text, r NS.ranked UNIQUE); INSERT INTO NS.t VALUES (1, 'a', ROW(1)), (2, 'b', ROW(2));`,
    also: [
      'SELECT * FROM NS.t ORDER BY r',
      'SELECT DISTINCT m FROM NS.t AS m',
      'UPDATE NS.t SET r = ROW(7) WHERE id = 1',
      'INSERT INTO NS.t VALUES (7, NULL, ROW(7))',
    ],
  },
  {
    way: 'the order of the parts of a range',
    by: ['pg_amproc.amproc'],
    makes: `${RANKED} CREATE TYPE NS.ranks AS RANGE (SUBTYPE = NS.ranked); CREATE TABLE NS.t (id int, name text, r NS.ranks); INSERT INTO NS.t VALUES (1, 'a', NS.ranks(ROW(1), ROW(5)));`,
    also: ['SELECT * FROM NS.t ORDER BY r', 'INSERT INTO NS.t VALUES (7, NULL, \'["(1)","(2)"]\')'],
  },
  {
    way: 'the differences of a range',
    by: ['pg_range.rngsubdiff'],
    makes: `${f('differ', 'int, int', 'float8', '$1 - $2', 'IMMUTABLE')} CREATE TYPE NS.span AS RANGE (SUBTYPE = int, SUBTYPE_DIFF = NS.differ);
      CREATE TABLE NS.t (id int, name text, r NS.span); CREATE INDEX ON NS.t USING gist (r); INSERT INTO NS.t (id, r) SELECT i, NS.span(i, i + 5) FROM generate_series(1, 1000) i;`,
    also: ['INSERT INTO NS.t (id, r) SELECT i, NS.span(i, i + 9) FROM generate_series(1, 1000) i'],
  },
  {
    way: 'a constraint that compares rows',
    by: ['pg_operator.oprcode'],
    makes: `${RANKED} CREATE TABLE NS.t (id int, name text, r NS.ranked, EXCLUDE USING btree (r WITH OPERATOR(NS.=))); INSERT INTO NS.t VALUES (1, 'a', ROW(1)), (2, 'b', ROW(2));`,
    also: ['INSERT INTO NS.t VALUES (3, NULL, ROW(3))'],
  },
  {
    way: 'a cast in a view',
    by: ['pg_cast.castfunc'],
    makes: `${NUM} CREATE TABLE NS.of (n NS.num); INSERT INTO NS.of VALUES (ROW(1)); CREATE VIEW NS.t AS SELECT n::int AS id, 'x' AS name FROM NS.of;`,
  },
  {
    way: 'a cast to a column',
    by: ['pg_cast.castfunc'],
    makes: `CREATE TYPE NS.num AS (n int); ${f('to_num', 'int', 'NS.num', 'ROW($1)::NS.num')} CREATE CAST (int AS NS.num) WITH FUNCTION NS.to_num(int) AS ASSIGNMENT; CREATE TABLE NS.t (id int, name text, n NS.num); ${ROWS}`,
    also: ['INSERT INTO NS.t (n) VALUES (5)', 'UPDATE NS.t SET n = id'],
  },
];

const KEYS: readonly Way[] = [
  referred('a key with a cast', 'p NS.num', '', NUM_KEY),
  referred('a key with a cast, RESTRICT', 'p NS.num', 'ON UPDATE RESTRICT ON DELETE RESTRICT', NUM_KEY),
  referred('a key with a cast, SET NULL', 'p NS.num', 'ON UPDATE SET NULL ON DELETE SET NULL', NUM_KEY),
  referred(
    'a key with a cast, SET DEFAULT',
    'p NS.num DEFAULT ROW(2)::NS.num',
    'ON UPDATE SET DEFAULT ON DELETE SET DEFAULT',
    NUM_KEY,
  ),
  referred('a key with a cast, CASCADE on DELETE', 'p NS.num', 'ON DELETE CASCADE', NUM_KEY),
  referred('a key with a cast that is checked later', 'p NS.num', 'MATCH FULL DEFERRABLE', NUM_KEY),
  referred('a key of a domain over a type with a cast', 'p NS.dom', '', NUM_KEY, `${NUM} CREATE DOMAIN NS.dom AS NS.num;`),
  {
    way: 'a key with a cast that was made an explicit one',
    by: ['pg_cast.castfunc'],
    makes: `${NUM} ${PLAIN} CREATE TABLE NS.kid (k int, p NS.num REFERENCES NS.t); INSERT INTO NS.kid VALUES (1, ${NUM_KEY});
      DROP CAST (NS.num AS int); CREATE CAST (NS.num AS int) WITH FUNCTION NS.to_int(NS.num);`,
    also: [`INSERT INTO NS.kid VALUES (2, ${NUM_KEY})`, 'UPDATE NS.kid SET k = 5'],
  },
  {
    way: 'a key of several columns in a partition, with a cast',
    by: ['pg_cast.castfunc'],
    makes: `${NUM} CREATE TABLE NS.t (id int, name text, PRIMARY KEY (id, name)) PARTITION BY LIST (id); CREATE TABLE NS.p1 PARTITION OF NS.t FOR VALUES IN (1); CREATE TABLE NS.rest PARTITION OF NS.t DEFAULT; ${ROWS}
      CREATE TABLE NS.kid (k int, p NS.num, q text, FOREIGN KEY (p, q) REFERENCES NS.t) PARTITION BY LIST (k); CREATE TABLE NS.kid1 PARTITION OF NS.kid DEFAULT; INSERT INTO NS.kid VALUES (1, ${NUM_KEY}, 'a');`,
    also: [
      'UPDATE NS.p1 SET name = $$z$$',
      'DELETE FROM NS.p1',
      `INSERT INTO NS.kid1 VALUES (1, ${NUM_KEY}, 'a')`,
      'UPDATE NS.kid SET k = 8',
    ],
  },
  {
    way: 'a key of a key with a cast',
    by: ['pg_cast.castfunc'],
    makes: `${NUM} ${PLAIN} CREATE TABLE NS.mid (id int PRIMARY KEY REFERENCES NS.t ON UPDATE CASCADE ON DELETE CASCADE); INSERT INTO NS.mid VALUES (1); CREATE TABLE NS.kid (p NS.num REFERENCES NS.mid DEFERRABLE INITIALLY DEFERRED); INSERT INTO NS.kid VALUES (${NUM_KEY});`,
    also: ['UPDATE NS.mid SET id = 2'],
  },
  {
    way: 'a key that a trigger changes, with a cast',
    by: ['pg_cast.castfunc'],
    makes: `${NUM} ${PLAIN} CREATE TABLE NS.kid (p NS.num REFERENCES NS.t); INSERT INTO NS.kid VALUES (${NUM_KEY});
      CREATE FUNCTION NS.sets() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.id := NEW.id + 20; RETURN NEW; END $$; CREATE TRIGGER g BEFORE UPDATE ON NS.t FOR EACH ROW EXECUTE FUNCTION NS.sets();`,
  },
  {
    way: 'a generated key, with a cast',
    by: ['pg_cast.castfunc'],
    makes: `${NUM} CREATE TABLE NS.t (id int, name text, g int GENERATED ALWAYS AS (length(name)) STORED UNIQUE); INSERT INTO NS.t VALUES (1, 'a'), (2, 'bb'); CREATE TABLE NS.kid (p NS.num REFERENCES NS.t (g)); INSERT INTO NS.kid VALUES (${NUM_KEY});`,
    also: ["UPDATE NS.t SET name = 'four'"],
  },
  {
    way: 'a key of a type with an order of its own',
    by: ['pg_operator.oprcode', 'pg_amproc.amproc'],
    makes: `${RANKED} CREATE TABLE NS.t (id int, name text, r NS.ranked PRIMARY KEY); INSERT INTO NS.t VALUES (1, 'a', ROW(1)), (2, 'b', ROW(2)); CREATE TABLE NS.kid (k int, r NS.ranked REFERENCES NS.t); INSERT INTO NS.kid VALUES (1, ROW(1));`,
    also: ['UPDATE NS.t SET r = ROW(7) WHERE id = 2', 'INSERT INTO NS.kid VALUES (2, ROW(2))', 'UPDATE NS.kid SET k = 5'],
  },
  {
    way: 'an index of a table that refers to it',
    by: ['pg_amproc.amproc'],
    makes: `${INT_OPS} ${PLAIN} CREATE TABLE NS.kid (p int REFERENCES NS.t); CREATE INDEX ON NS.kid (p NS.int_ops); INSERT INTO NS.kid SELECT nullif(i, i) FROM generate_series(1, 3000) i; INSERT INTO NS.kid VALUES (1); ANALYZE NS.kid;`,
  },
  {
    way: 'the partitions of a table that refers to it',
    by: ['pg_amproc.amproc'],
    makes: `${INT_OPS} ${PLAIN} CREATE TABLE NS.kid (p int REFERENCES NS.t) PARTITION BY RANGE (p NS.int_ops); CREATE TABLE NS.kid1 PARTITION OF NS.kid FOR VALUES FROM (1) TO (2); CREATE TABLE NS.rest PARTITION OF NS.kid DEFAULT; INSERT INTO NS.kid VALUES (1);`,
    also: ['INSERT INTO NS.kid1 VALUES (1)'],
  },
  {
    way: 'the default of a table that follows',
    by: ['pg_attrdef.adbin'],
    makes: `${f('zero', '', 'int', '2')} ${PLAIN} CREATE TABLE NS.kid (p int DEFAULT NS.zero() REFERENCES NS.t ON UPDATE SET DEFAULT ON DELETE SET DEFAULT); INSERT INTO NS.kid VALUES (1);`,
  },
  {
    way: 'a domain of a table that follows',
    by: ['pg_constraint.conbin'],
    makes: `${f('is', 'int', 'bool', 'true')} CREATE DOMAIN NS.d AS int CHECK (NS.is(VALUE)); ${PLAIN} CREATE TABLE NS.kid (p NS.d REFERENCES NS.t ON UPDATE CASCADE); INSERT INTO NS.kid VALUES (1);`,
  },
  {
    way: 'an assignment to a table that follows',
    by: ['pg_cast.castfunc'],
    makes: `${NUM} ${f('to_num', 'int', 'NS.num', 'ROW($1)::NS.num')} CREATE CAST (int AS NS.num) WITH FUNCTION NS.to_num(int) AS ASSIGNMENT; ${PLAIN} CREATE TABLE NS.kid (p NS.num REFERENCES NS.t ON UPDATE CASCADE); INSERT INTO NS.kid VALUES (${NUM_KEY});`,
  },
  {
    way: 'a trigger of a table that follows',
    by: ['pg_trigger.tgfoid'],
    makes: `${ON_ROW} ${PLAIN} CREATE TABLE NS.kid (p int REFERENCES NS.t ON UPDATE CASCADE ON DELETE CASCADE); INSERT INTO NS.kid VALUES (1); CREATE TRIGGER g BEFORE UPDATE OR DELETE ON NS.kid FOR EACH ROW EXECUTE FUNCTION NS.on_row();`,
  },
];

const PERIODS: readonly Way[] = [
  {
    way: 'a key of a period',
    by: ['pg_amproc.amproc'],
    makes: `${RANKED} CREATE TYPE NS.ranks AS RANGE (SUBTYPE = NS.ranked);
      CREATE TABLE NS.t (id int, name text, r NS.ranks, PRIMARY KEY (id, r WITHOUT OVERLAPS)); INSERT INTO NS.t VALUES (1, 'a', NS.ranks(ROW(1), ROW(5))), (2, 'b', NS.ranks(ROW(1), ROW(5)));
      CREATE TABLE NS.kid (k int, id int, r NS.ranks, FOREIGN KEY (id, PERIOD r) REFERENCES NS.t (id, PERIOD r)); INSERT INTO NS.kid VALUES (1, 1, NS.ranks(ROW(2), ROW(3)));`,
    also: [
      'INSERT INTO NS.kid VALUES (2, 1, NS.ranks(ROW(2), ROW(3)))',
      'UPDATE NS.kid SET k = 5',
      "INSERT INTO NS.t VALUES (5, 'x', NS.ranks(ROW(1), ROW(5)))",
    ],
  },
];

const MORE: readonly Way[] = [
  {
    way: 'an index of a heir',
    by: ['pg_index.indexprs'],
    makes: `${ONE} ${PLAIN} CREATE TABLE NS.heir () INHERITS (NS.t); INSERT INTO NS.heir VALUES (1, 'h'); CREATE INDEX ON NS.heir ((id + NS.one(1)));`,
  },
  {
    way: 'a check of a part',
    by: ['pg_constraint.conbin'],
    makes: `${ONE} CREATE TABLE NS.t (id int, name text) PARTITION BY LIST (id); CREATE TABLE NS.part PARTITION OF NS.t (CHECK (NS.one(id) > 0)) DEFAULT; ${ROWS}`,
  },
  {
    way: 'the hashes of an index',
    by: ['pg_amproc.amproc'],
    makes: `${ONE} CREATE OPERATOR CLASS NS.hash_ops FOR TYPE int USING hash AS OPERATOR 1 =, FUNCTION 1 NS.one(int); ${PLAIN} CREATE INDEX ON NS.t USING hash (id NS.hash_ops);`,
  },
  {
    way: 'the hashes of partitions',
    by: ['pg_amproc.amproc'],
    makes: `${f('hash', 'int, int8', 'int8', '$1', 'IMMUTABLE')} ${ONE.replace('NS.one', 'NS.half')} CREATE OPERATOR CLASS NS.hash_ops FOR TYPE int USING hash AS OPERATOR 1 =, FUNCTION 1 NS.half(int), FUNCTION 2 NS.hash(int, int8);
      CREATE TABLE NS.t (id int, name text) PARTITION BY HASH (id NS.hash_ops); CREATE TABLE NS.p0 PARTITION OF NS.t FOR VALUES WITH (MODULUS 2, REMAINDER 0); CREATE TABLE NS.p1 PARTITION OF NS.t FOR VALUES WITH (MODULUS 2, REMAINDER 1); ${ROWS}`,
    also: ["INSERT INTO NS.p0 VALUES (2, 'x')"],
  },
  {
    way: 'a view that a policy reads',
    by: ['pg_rewrite.ev_action'],
    makes: `${TRUE} ${PLAIN} CREATE VIEW NS.seen AS SELECT NS.acts() AS a; ALTER TABLE NS.t ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON NS.t USING ((SELECT a FROM NS.seen));`,
    asUser: true,
  },
  {
    way: 'a trigger of the table that a rule changes',
    by: ['pg_trigger.tgfoid'],
    makes: `${ON_ROW} ${PLAIN} CREATE TABLE NS.log (id int); CREATE TRIGGER g BEFORE INSERT ON NS.log FOR EACH ROW EXECUTE FUNCTION NS.on_row(); CREATE RULE r AS ON UPDATE TO NS.t DO ALSO INSERT INTO NS.log VALUES (1);`,
  },
  {
    way: 'a cast to JSON',
    by: ['pg_cast.castfunc'],
    makes: `CREATE TYPE NS.kind AS ENUM ('k'); ${f('shows', 'NS.kind', 'json', `'1'`)} CREATE CAST (NS.kind AS json) WITH FUNCTION NS.shows(NS.kind); CREATE TABLE NS.t (id int, name text, n NS.kind); INSERT INTO NS.t VALUES (1, 'a', 'k');`,
    also: ['SELECT row_to_json(m) FROM NS.t AS m', 'SELECT json_agg(n) FROM NS.t'],
  },
  {
    way: 'a key of a range',
    by: ['pg_amproc.amproc'],
    makes: `${RANKED} CREATE TYPE NS.ranks AS RANGE (SUBTYPE = NS.ranked); CREATE TABLE NS.t (id int, name text, r NS.ranks PRIMARY KEY); INSERT INTO NS.t VALUES (1, 'a', NS.ranks(ROW(1), ROW(5)));
      CREATE TABLE NS.kid (k int, r NS.ranks REFERENCES NS.t); INSERT INTO NS.kid VALUES (1, NS.ranks(ROW(1), ROW(5)));`,
    also: ['UPDATE NS.t SET r = NULL', 'UPDATE NS.kid SET k = 5', 'INSERT INTO NS.kid SELECT 2, r FROM NS.t'],
  },
  {
    way: 'a key of rows',
    by: ['pg_amproc.amproc'],
    makes: `${RANKED} CREATE TYPE NS.holds AS (n int, r NS.ranked); CREATE TABLE NS.t (id int, name text, h NS.holds PRIMARY KEY); INSERT INTO NS.t VALUES (1, 'a', ROW(1, ROW(1)));
      CREATE TABLE NS.kid (k int, h NS.holds REFERENCES NS.t); INSERT INTO NS.kid VALUES (1, ROW(1, ROW(1)));`,
    also: ['UPDATE NS.kid SET k = 5', 'INSERT INTO NS.kid SELECT 2, h FROM NS.t'],
  },
  {
    way: 'a check with a constant of a table that refers to it',
    by: ['pg_constraint.conbin'],
    makes: `${ONE} ${PLAIN} CREATE TABLE NS.kid (p int REFERENCES NS.t, CHECK (p + NS.one(1) > 0)); INSERT INTO NS.kid VALUES (1);`,
    also: ['INSERT INTO NS.kid VALUES (2)'],
  },
  {
    way: 'the statistics of a table that refers to it',
    by: ['pg_statistic_ext.stxexprs'],
    makes: `${ONE} ${PLAIN} CREATE TABLE NS.kid (p int REFERENCES NS.t, q int); INSERT INTO NS.kid VALUES (1); CREATE STATISTICS NS.s ON p, (q + NS.one(1)) FROM NS.kid; ANALYZE NS.kid;`,
    also: ['ANALYZE NS.kid'],
  },
  {
    way: 'the condition of an index of a table that refers to it',
    by: ['pg_index.indpred'],
    makes: `${ONE} ${PLAIN} CREATE TABLE NS.kid (p int REFERENCES NS.t); INSERT INTO NS.kid VALUES (1); CREATE INDEX ON NS.kid (p) WHERE NS.one(1) > 0;`,
  },
];

/** A table whose values are made when they are read, from a file with a line `1,*`. @param makes - before it */
const filed = (way: string, by: readonly string[], makes: string, name: string, options = ''): Way => ({
  ...{ way, by },
  makes: `${makes} CREATE SERVER IF NOT EXISTS ways_files FOREIGN DATA WRAPPER file_fdw;
    DO $do$ DECLARE file text := current_setting('data_directory') || '/ways.csv'; BEGIN
      EXECUTE format('COPY (SELECT $$1,*$$) TO %L WITH (FORMAT text)', file);
      EXECUTE format($$CREATE FOREIGN TABLE NS.t (id int, ${name}) SERVER ways_files OPTIONS (filename %L, format 'csv'${options})$$, file);
    END $do$;`,
});

const FOREIGN: readonly Way[] = [
  filed(
    'a domain of a foreign table',
    ['pg_constraint.conbin'],
    `${f('is', 'text', 'bool', 'true')} CREATE DOMAIN NS.d AS text CHECK (NS.is(VALUE));`,
    'name NS.d',
  ),
  ...(serverVersion >= 16
    ? [
        {
          ...filed(
            'a default of a foreign table',
            ['pg_attrdef.adbin'],
            TRUE,
            'name text DEFAULT NS.acts()::text',
            `, "default" '*'`,
          ),
          // The server computes the default of a sampled row without a place to do it in.
          crashes: 'ANALYZE',
        },
      ]
    : []),
];

/** The ways, each with names of its own. */
export const WAYS: readonly Way[] = [
  ...TREES,
  ...FUNCTIONS,
  ...KEYS,
  ...MORE,
  ...(serverVersion >= 18 ? PERIODS : []),
  ...FOREIGN,
];

/**
 * SQL with the names of one way, which no other has: a statement names what has its names, in whatever schema that is.
 *
 * @param number - of the way
 */
export const namedFor = (number: number, sql: string): string =>
  sql.replaceAll(/\bNS\.(\w+)/g, `NS.$1_${number}`).replaceAll(/\bNS\b/g, `way_${number}`);

/** A table that leads nowhere. */
export const NO_WAY = PLAIN;

const ONLY_C = 'Its arguments or its result are of types that only functions in C have.';

/** The columns of catalogues with functions or trees that no way goes by, and why. */
export const WITHOUT_WAY: Readonly<Record<string, string>> = {
  'pg_aggregate.aggfnoid': 'The aggregate itself.',
  'pg_aggregate.aggcombinefn': 'Called in parallel, where a mark can’t be left. It counts with the others.',
  'pg_aggregate.aggserialfn': ONLY_C,
  'pg_aggregate.aggdeserialfn': ONLY_C,
  'pg_am.amhandler': ONLY_C,
  'pg_class.relpartbound': 'Constants alone.',
  'pg_conversion.conproc': ONLY_C,
  'pg_event_trigger.evtfoid': 'Of a command, whatever its table is.',
  'pg_foreign_data_wrapper.fdwhandler': ONLY_C,
  'pg_foreign_data_wrapper.fdwvalidator': 'Called where a foreign table is defined.',
  'pg_language.lanplcallfoid': ONLY_C,
  'pg_language.laninline': ONLY_C,
  'pg_language.lanvalidator': 'Called where a function is defined.',
  'pg_operator.oprrest': ONLY_C,
  'pg_operator.oprjoin': ONLY_C,
  'pg_proc.prosupport': ONLY_C,
  'pg_publication_rel.prqual': 'Functions of the server alone.',
  'pg_range.rngcanonical': ONLY_C,
  'pg_transform.trffromsql': ONLY_C,
  'pg_transform.trftosql': ONLY_C,
  ...Object.fromEntries(
    ['prsstart', 'prstoken', 'prsend', 'prsheadline', 'prslextype'].map((name) => [`pg_ts_parser.${name}`, ONLY_C]),
  ),
  ...Object.fromEntries(['tmplinit', 'tmpllexize'].map((name) => [`pg_ts_template.${name}`, ONLY_C])),
  ...Object.fromEntries(
    ['typsubscript', 'typinput', 'typoutput', 'typreceive', 'typsend', 'typmodin', 'typmodout', 'typanalyze'].map((name) => [
      `pg_type.${name}`,
      ONLY_C,
    ]),
  ),
};
