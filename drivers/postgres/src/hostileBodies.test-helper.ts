/** Objects that the functions below act with. `body.acts` is seen in a setting, and all else in the rows of `body.victim`. */
export const BODY_OBJECTS = `
CREATE SCHEMA body; CREATE SCHEMA other_body;
CREATE TABLE body.victim (id int PRIMARY KEY, name text); INSERT INTO body.victim VALUES (1, 'a'), (2, 'b');
CREATE FUNCTION body.acts() RETURNS int LANGUAGE plpgsql AS $$ BEGIN PERFORM set_config('body.called', 'yes', false); RETURN 1; END $$;
CREATE FUNCTION body.acts_so() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN PERFORM set_config('body.called', 'yes', false); RETURN true; END $$;
CREATE FUNCTION body.acts_on(anyelement) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN PERFORM set_config('body.called', 'yes', false); RETURN true; END $$;
CREATE PROCEDURE body.procedure() LANGUAGE plpgsql AS $$ BEGIN PERFORM set_config('body.called', 'yes', false); END $$;
CREATE DOMAIN body.checked AS text CHECK (body.acts_on(VALUE));
CREATE TABLE body.with_checked (id int, held body.checked);
CREATE TYPE body.holder AS (n int, held body.checked);
CREATE TYPE body.pair AS (n int);
CREATE TABLE body.pairs (id int, p body.pair); INSERT INTO body.pairs VALUES (1, ROW(1));
CREATE FUNCTION body.pair_is(body.pair, body.pair) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RETURN body.acts_so(); END $$;
CREATE OPERATOR body.= (FUNCTION = body.pair_is, LEFTARG = body.pair, RIGHTARG = body.pair);
CREATE FUNCTION body.pairs_are(body.pair[], body.pair[]) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RETURN body.acts_so(); END $$;
CREATE OPERATOR body.&& (FUNCTION = body.pairs_are, LEFTARG = body.pair[], RIGHTARG = body.pair[]);
CREATE TYPE body.dated AS (n int); CREATE TABLE body.dated_rows (d body.dated); INSERT INTO body.dated_rows VALUES (ROW(1));
CREATE FUNCTION body.to_date(body.dated) RETURNS date LANGUAGE plpgsql AS $$ BEGIN PERFORM body.acts(); RETURN now(); END $$;
CREATE CAST (body.dated AS date) WITH FUNCTION body.to_date(body.dated) AS ASSIGNMENT;
CREATE FUNCTION body.from_point(point) RETURNS body.dated LANGUAGE plpgsql AS $$ BEGIN PERFORM body.acts(); RETURN ROW(1); END $$;
CREATE CAST (point AS body.dated) WITH FUNCTION body.from_point(point) AS ASSIGNMENT;
CREATE FUNCTION body.turns(int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN body.acts(); END $$;
CREATE OPERATOR body.!!! (FUNCTION = body.turns, RIGHTARG = int);
CREATE FUNCTION body.nears(int, int) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RETURN body.acts_so(); END $$;
CREATE OPERATOR body.<~~> (FUNCTION = body.nears, LEFTARG = int, RIGHTARG = int);
CREATE TYPE body.ranked AS (n int); CREATE TABLE body.ranked_rows (r body.ranked); INSERT INTO body.ranked_rows VALUES (ROW(1)), (ROW(2));
CREATE FUNCTION body.rank_less(body.ranked, body.ranked) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN ($1).n < ($2).n; END $$;
CREATE FUNCTION body.rank_order(body.ranked, body.ranked) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN PERFORM body.acts(); RETURN ($1).n - ($2).n; END $$;
CREATE OPERATOR body.<| (FUNCTION = body.rank_less, LEFTARG = body.ranked, RIGHTARG = body.ranked); CREATE OPERATOR body.<=| (FUNCTION = body.rank_less, LEFTARG = body.ranked, RIGHTARG = body.ranked);
CREATE OPERATOR body.=| (FUNCTION = body.rank_less, LEFTARG = body.ranked, RIGHTARG = body.ranked); CREATE OPERATOR body.>=| (FUNCTION = body.rank_less, LEFTARG = body.ranked, RIGHTARG = body.ranked);
CREATE OPERATOR body.>| (FUNCTION = body.rank_less, LEFTARG = body.ranked, RIGHTARG = body.ranked);
CREATE OPERATOR CLASS body.ranked_ops DEFAULT FOR TYPE body.ranked USING btree AS OPERATOR 1 body.<|, OPERATOR 2 body.<=|, OPERATOR 3 body.=|, OPERATOR 4 body.>=|, OPERATOR 5 body.>|, FUNCTION 1 body.rank_order(body.ranked, body.ranked);
CREATE FUNCTION body.acts_column(body.victim) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN body.acts(); END $$;
CREATE VIEW body.sly_view AS SELECT body.acts() AS n;
CREATE TABLE body.guarded (id int); INSERT INTO body.guarded VALUES (1); ALTER TABLE body.guarded ENABLE ROW LEVEL SECURITY; ALTER TABLE body.guarded FORCE ROW LEVEL SECURITY;
CREATE POLICY sly ON body.guarded USING (body.acts_so());
CREATE FUNCTION other_body.twin(int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN body.acts(); END $$;
CREATE SEQUENCE body.counter;
CREATE FUNCTION body.hash_of(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN body.acts(); END $$;
CREATE OPERATOR body.==== (FUNCTION = int4eq, LEFTARG = int, RIGHTARG = int, HASHES, COMMUTATOR = OPERATOR(body.====));
CREATE OPERATOR CLASS body.sly_hash FOR TYPE int USING hash AS OPERATOR 1 body.====, FUNCTION 1 body.hash_of(int);
CREATE TABLE body.spans (t interval); CREATE TYPE body.span AS RANGE (SUBTYPE = float8, MULTIRANGE_TYPE_NAME = body.manyspan); CREATE TABLE body.span_rows (s body.span); INSERT INTO body.span_rows VALUES ('[1,2]');
CREATE FUNCTION body.spans_meet(body.manyspan, body.manyspan) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RETURN body.acts_so(); END $$;
CREATE OPERATOR body.<> (FUNCTION = body.spans_meet, LEFTARG = body.manyspan, RIGHTARG = body.manyspan);
CREATE FUNCTION body.is_less(int, int) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RETURN $1 < $2; END $$;
CREATE OPERATOR body.<#< (FUNCTION = body.nears, LEFTARG = int, RIGHTARG = int); CREATE OPERATOR body.<%< (FUNCTION = body.is_less, LEFTARG = int, RIGHTARG = int, NEGATOR = OPERATOR(body.<#<));
CREATE OPERATOR body.=%= (FUNCTION = body.nears, LEFTARG = int, RIGHTARG = int); CREATE OPERATOR body.<%> (FUNCTION = body.is_less, LEFTARG = int, RIGHTARG = int, NEGATOR = OPERATOR(body.=%=), RESTRICT = neqsel, JOIN = neqjoinsel);
CREATE OPERATOR body.>%> (FUNCTION = body.nears, LEFTARG = int, RIGHTARG = int); CREATE OPERATOR body.<~< (FUNCTION = body.is_less, LEFTARG = int, RIGHTARG = int, COMMUTATOR = OPERATOR(body.>%>), RESTRICT = scalarltsel);
CREATE TABLE body.many (id int); INSERT INTO body.many SELECT g % 3 FROM generate_series(1, 500) g; INSERT INTO body.many SELECT g FROM generate_series(1, 500) g; ANALYZE body.many;
CREATE FUNCTION body.plus_checked(a int, b body.checked) RETURNS int LANGUAGE sql RETURN CASE WHEN b = 'x' THEN a END; CREATE OPERATOR body.<<<< (FUNCTION = body.plus_checked, LEFTARG = int, RIGHTARG = body.checked);
CREATE FUNCTION body.add_checked(body.checked, body.checked) RETURNS text LANGUAGE plpgsql AS $$ BEGIN RETURN 'x'; END $$; CREATE OPERATOR body.# (FUNCTION = body.add_checked, LEFTARG = body.checked, RIGHTARG = body.checked);
CREATE LANGUAGE other_pl HANDLER plpgsql_call_handler;
`;

/** A function that does more than read. */
export interface HostileBody {
  /** The way in which its effect is hidden. */
  readonly way: string;
  readonly makes: string;
  /** A statement that calls it. */
  readonly calls: string;
  /** Set where no row and no setting shows the effect. */
  readonly isUnseen?: true;
}

/** @param text - of the body in PL/pgSQL */
function plpgsql(
  way: string,
  text: string,
  { returns = 'int', isUnseen = false, settings = '', language = 'plpgsql' } = {},
): HostileBody {
  const name = nameOf(way);
  return {
    way,
    makes: `CREATE FUNCTION body.${name}() RETURNS ${returns} LANGUAGE ${language} ${settings} AS $body$${text}$body$`,
    calls: `SELECT * FROM body.${name}()`,
    ...(isUnseen ? { isUnseen } : {}),
  };
}

/** @param makes - a function of this name, such as `NAME(int)` */
function other(way: string, makes: string, calls: string, { isUnseen = false } = {}): HostileBody {
  const name = `body.${nameOf(way)}`;
  return { way, makes: makes.replaceAll('NAME', name), calls: calls.replaceAll('NAME', name), ...(isUnseen ? { isUnseen } : {}) };
}

function nameOf(way: string): string {
  return `by_${way.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')}`.slice(0, 60);
}

/** An expression that makes a value of a checked type without an assignment or a cast. */
const MAKES_HOLDER = `row_to_json(jsonb_populate_record(NULL::body.holder, '{"held":"x"}'))`;

/** Functions of which each does more than read, each in its own way. None may count as reading. */
export const HOSTILE_BODIES: readonly HostileBody[] = [
  // Statements.
  plpgsql('an INSERT', `BEGIN INSERT INTO body.victim VALUES (3); RETURN 1; END`),
  plpgsql('an UPDATE', `BEGIN UPDATE body.victim SET id = id + 10; RETURN 1; END`),
  plpgsql('a DELETE', `BEGIN DELETE FROM body.victim; RETURN 1; END`),
  plpgsql(
    'a MERGE',
    `BEGIN MERGE INTO body.victim v USING (SELECT 9 AS id) s ON v.id = s.id WHEN NOT MATCHED THEN INSERT VALUES (9); RETURN 1; END`,
  ),
  plpgsql('a TRUNCATE', `BEGIN TRUNCATE body.victim; RETURN 1; END`),
  plpgsql('a CREATE TABLE', `BEGIN CREATE TABLE body.made_here (a int); RETURN 1; END`, { isUnseen: true }),
  plpgsql('a SELECT INTO of a table', `DECLARE v int; BEGIN EXECUTE 'SELECT 1 AS a INTO body.made_so'; RETURN 1; END`, {
    isUnseen: true,
  }),
  plpgsql('EXECUTE', `BEGIN EXECUTE 'DEL' || 'ETE FROM body.victim'; RETURN 1; END`),
  plpgsql('EXECUTE INTO', `DECLARE v int; BEGIN EXECUTE 'SELECT body.a' || 'cts()' INTO v; RETURN v; END`),
  plpgsql('EXECUTE behind a comment', `BEGIN EXECUTE/* -- */'DELETE FROM body.victim'; RETURN 1; END`),
  plpgsql('RETURN QUERY EXECUTE', `BEGIN RETURN QUERY EXECUTE 'SELECT body.a' || 'cts()'; END`, { returns: 'SETOF int' }),
  plpgsql(
    'FOR IN EXECUTE',
    `DECLARE r record; BEGIN FOR r IN EXECUTE 'SELECT body.a' || 'cts()' LOOP NULL; END LOOP; RETURN 1; END`,
  ),
  plpgsql(
    'OPEN FOR EXECUTE',
    `DECLARE c refcursor; v int; BEGIN OPEN c FOR EXECUTE 'SELECT body.a' || 'cts()'; FETCH c INTO v; RETURN v; END`,
  ),
  plpgsql(
    'a cursor that is declared',
    `DECLARE c CURSOR FOR SELECT body.acts() AS n; BEGIN FOR r IN c LOOP NULL; END LOOP; RETURN 1; END`,
  ),
  plpgsql('OPEN FOR a query', `DECLARE c refcursor; v int; BEGIN OPEN c FOR SELECT body.acts(); FETCH c INTO v; RETURN v; END`),
  plpgsql('CALL', `BEGIN CALL body.procedure(); RETURN 1; END`),
  plpgsql('DO', `BEGIN DO $do$ BEGIN DELETE FROM body.victim; END $do$; RETURN 1; END`),
  plpgsql('SET', `BEGIN SET body.called = 'yes'; RETURN 1; END`),
  plpgsql('SET LOCAL', `BEGIN SET LOCAL body.called TO yes; RETURN 1; END`),
  plpgsql('RESET', `BEGIN PERFORM 1; RESET ALL; RETURN 1; END`, { isUnseen: true }),
  plpgsql('NOTIFY', `BEGIN NOTIFY someone; RETURN 1; END`, { isUnseen: true }),
  plpgsql('LOCK', `BEGIN LOCK TABLE body.victim; RETURN 1; END`, { isUnseen: true }),
  plpgsql('COMMENT', `BEGIN COMMENT ON TABLE body.victim IS 'x'; RETURN 1; END`, { isUnseen: true }),
  plpgsql('ANALYZE', `BEGIN ANALYZE body.victim; RETURN 1; END`, { isUnseen: true }),
  plpgsql('GRANT', `BEGIN GRANT ALL ON body.victim TO PUBLIC; RETURN 1; END`, { isUnseen: true }),
  plpgsql('a row lock', `DECLARE v int; BEGIN SELECT id INTO v FROM body.victim LIMIT 1 FOR UPDATE; RETURN v; END`, {
    isUnseen: true,
  }),
  plpgsql('a shared row lock', `DECLARE v int; BEGIN v := id FROM body.victim LIMIT 1 FOR SHARE; RETURN v; END`, {
    isUnseen: true,
  }),
  plpgsql('an advisory lock', `BEGIN PERFORM pg_advisory_xact_lock(4711); RETURN 1; END`, { isUnseen: true }),
  plpgsql('pg_terminate_backend', `BEGIN PERFORM pg_terminate_backend(0); RETURN 1; END`, { isUnseen: true }),
  plpgsql('a sequence', `BEGIN RETURN nextval('body.counter'); END`, { isUnseen: true }),
  // Changes inside of queries. PL/pgSQL takes INTO and its variables out of a query wherever they are.
  plpgsql(
    'a WITH that deletes',
    `DECLARE v int; BEGIN WITH d AS (DELETE FROM body.victim RETURNING id) SELECT count(*) INTO v FROM d; RETURN v; END`,
  ),
  plpgsql(
    'an INTO inside of a DELETE',
    `DECLARE v int; BEGIN WITH d AS (DELETE INTO v FROM body.victim RETURNING id) SELECT count(*) FROM d; RETURN v; END`,
  ),
  plpgsql(
    'an INTO inside of an UPDATE',
    `DECLARE v int; BEGIN WITH d AS (UPDATE INTO v body.victim SET id = id + 5 RETURNING id) SELECT count(*) FROM d; RETURN v; END`,
  ),
  plpgsql(
    'RETURN QUERY of a WITH',
    `BEGIN RETURN QUERY WITH d AS (INSERT INTO body.victim VALUES (7) RETURNING id) SELECT id FROM d; END`,
    { returns: 'SETOF int' },
  ),
  plpgsql('RETURN QUERY of a DELETE', `BEGIN RETURN QUERY DELETE FROM body.victim RETURNING id; END`, { returns: 'SETOF int' }),
  plpgsql(
    'a loop over a DELETE',
    `DECLARE r record; BEGIN FOR r IN DELETE FROM body.victim RETURNING id LOOP NULL; END LOOP; RETURN 1; END`,
  ),
  plpgsql(
    'a loop over an EXPLAIN',
    `DECLARE r record; BEGIN FOR r IN EXPLAIN ANALYZE DELETE FROM body.victim LOOP NULL; END LOOP; RETURN 1; END`,
  ),
  // Expressions, wherever they are.
  plpgsql('PERFORM', `BEGIN PERFORM body.acts(); RETURN 1; END`),
  plpgsql('SELECT INTO STRICT', `DECLARE v int; BEGIN SELECT body.acts() INTO STRICT v; RETURN v; END`),
  plpgsql('a declaration', `DECLARE v int := body.acts(); BEGIN RETURN v; END`),
  plpgsql('a constant', `DECLARE v CONSTANT int DEFAULT body.acts(); BEGIN RETURN v; END`),
  plpgsql('an assignment by an equals sign', `DECLARE v int; BEGIN v = body.acts(); RETURN v; END`),
  plpgsql('an operator without a space', `DECLARE v int; BEGIN v :=!!!1; RETURN v; END`, {
    settings: 'SET search_path = body, pg_catalog',
  }),
  plpgsql('a subscript', `DECLARE v int[]; BEGIN v[body.acts()] := 1; RETURN 1; END`),
  plpgsql('IF', `BEGIN IF body.acts_so() THEN RETURN 1; END IF; RETURN 2; END`),
  plpgsql('ELSIF', `BEGIN IF false THEN RETURN 1; ELSIF body.acts_so() THEN RETURN 2; ELSE NULL; END IF; RETURN 3; END`),
  plpgsql('ELSE', `BEGIN IF false THEN NULL; ELSE DELETE FROM body.victim; END IF; RETURN 3; END`),
  plpgsql('CASE', `BEGIN CASE body.acts() WHEN 1 THEN RETURN 1; ELSE NULL; END CASE; RETURN 2; END`),
  plpgsql('WHEN', `BEGIN CASE WHEN body.acts_so() THEN RETURN 1; ELSE NULL; END CASE; RETURN 2; END`),
  plpgsql('WHILE', `BEGIN WHILE NOT body.acts_so() LOOP NULL; END LOOP; RETURN 1; END`),
  plpgsql('the end of a range', `BEGIN FOR i IN 1..body.acts() LOOP NULL; END LOOP; RETURN 1; END`),
  plpgsql('the step of a range', `BEGIN FOR i IN REVERSE 3..1 BY body.acts() LOOP NULL; END LOOP; RETURN 1; END`),
  plpgsql('FOREACH', `DECLARE v int; BEGIN FOREACH v IN ARRAY ARRAY[body.acts()] LOOP NULL; END LOOP; RETURN v; END`),
  plpgsql('EXIT WHEN', `BEGIN <<around>> LOOP EXIT around WHEN body.acts_so(); END LOOP around; RETURN 1; END`),
  plpgsql('RETURN', `BEGIN RETURN body.acts(); END`),
  plpgsql('RETURN NEXT', `BEGIN RETURN NEXT body.acts(); END`, { returns: 'SETOF int' }),
  plpgsql('ASSERT', `BEGIN ASSERT body.acts_so(), 'no'; RETURN 1; END`),
  plpgsql('RAISE with a value', `BEGIN RAISE DEBUG 'is %', body.acts(); RETURN 1; END`),
  plpgsql('RAISE USING', `BEGIN RAISE DEBUG USING MESSAGE = 'm' || body.acts(); RETURN 1; END`),
  plpgsql('a handler', `BEGIN RAISE EXCEPTION 'x'; EXCEPTION WHEN OTHERS THEN DELETE FROM body.victim; RETURN 1; END`),
  plpgsql(
    'a handler of one condition',
    `BEGIN PERFORM 1 / 0; RETURN 1; EXCEPTION WHEN SQLSTATE '22012' OR no_data_found THEN RETURN body.acts(); END`,
  ),
  plpgsql(
    'a handler that nothing stops',
    `BEGIN LOOP BEGIN PERFORM 1; EXIT; EXCEPTION WHEN query_canceled THEN NULL; END; END LOOP; RETURN 1; END`,
    { isUnseen: true },
  ),
  plpgsql(
    'a handler of a class that nothing stops',
    `BEGIN BEGIN PERFORM 1; EXCEPTION WHEN no_data_found OR SQLSTATE '57000' THEN NULL; END; RETURN 1; END`,
    { isUnseen: true },
  ),
  plpgsql(
    'a block in a block',
    `<<outside>> DECLARE a int; BEGIN DECLARE b int := body.acts(); BEGIN a := b; END; RETURN a; END outside`,
  ),
  plpgsql('an option', `#variable_conflict use_column\nDECLARE id int; BEGIN DELETE FROM body.victim; RETURN 1; END`),
  plpgsql('a quoted name', `BEGIN RETURN "body" . /* x */ "acts" -- y\n (); END`),
  plpgsql('a name in capitals', `BEGIN RETURN BODY.ACTS(); END`),
  plpgsql('a string that hides it', `DECLARE v text; BEGIN v := E'a'\n'\\''; DELETE FROM body.victim; v := ''; RETURN 1; END`),
  plpgsql('a comment in a comment', `BEGIN /* /* */ */ DELETE FROM body.victim; /* */ RETURN 1; END`),
  plpgsql('a dollar string', `DECLARE v text; BEGIN v := $a$ $b$ $a$; DELETE FROM body.victim; v := $a$ $b$ $a$; RETURN 1; END`),
  plpgsql(
    'a column that is a function',
    `DECLARE v int; BEGIN SELECT r.acts_column INTO v FROM body.victim r LIMIT 1; RETURN v; END`,
    { settings: 'SET search_path = body, pg_catalog' },
  ),
  plpgsql(
    'a row variable',
    `DECLARE r body.victim; BEGIN SELECT * INTO r FROM body.victim LIMIT 1; RETURN (r).acts_column; END`,
    { settings: 'SET search_path = body, pg_catalog' },
  ),
  plpgsql('a query that is a text', `BEGIN PERFORM query_to_xml('SELECT body.a' || 'cts()', true, false, ''); RETURN 1; END`),
  plpgsql('a view', `BEGIN RETURN n FROM body.sly_view; END`),
  plpgsql(
    'a table with a policy',
    `DECLARE r record; BEGIN FOR r IN SELECT * FROM body.guarded LOOP NULL; END LOOP; RETURN 1; END`,
    {
      isUnseen: true,
    },
  ),
  // Values of types.
  plpgsql('a domain', `DECLARE v body.checked; BEGIN v := 'x'; RETURN 1; END`),
  plpgsql('a domain in a field', `DECLARE v body.holder; BEGIN v.held := 'x'; RETURN 1; END`),
  plpgsql('a text for a composite type', `DECLARE v body.holder; BEGIN v := '(1,x)'; RETURN 1; END`),
  plpgsql('the type of a column', `DECLARE v body.with_checked.held%TYPE; BEGIN v := 'x'; RETURN 1; END`),
  plpgsql('the type of a row', `DECLARE v body.with_checked%ROWTYPE; BEGIN v.held := 'x'; RETURN 1; END`),
  plpgsql('the type of a variable', `DECLARE a body.checked; b a%TYPE; BEGIN b := 'x'; RETURN 1; END`),
  plpgsql('an array of a domain', `DECLARE v body.checked[]; BEGIN v[1] := 'x'; RETURN 1; END`),
  plpgsql('a domain as a result', `BEGIN RETURN 'x'; END`, { returns: 'body.checked' }),
  plpgsql('a table as a result', `BEGIN held := 'x'; RETURN NEXT; END`, { returns: 'TABLE (held body.checked)' }),
  plpgsql('a row as a result', `BEGIN RETURN ROW(1, 'x'); END`, { returns: 'body.holder', isUnseen: true }),
  plpgsql('a cast to a variable', `DECLARE v date; BEGIN SELECT d INTO v FROM body.dated_rows; RETURN 1; END`),
  plpgsql(
    'a cast to a field of a record',
    `DECLARE r record; BEGIN SELECT current_date AS a INTO r; SELECT d INTO r.a FROM body.dated_rows; RETURN 1; END`,
  ),
  plpgsql('a cast to a result', `BEGIN RETURN d FROM body.dated_rows; END`, { returns: 'date' }),
  plpgsql('a cast from a type of the server', `DECLARE v body.dated; BEGIN v := point(1, 2); RETURN 1; END`),
  plpgsql('an operator', `BEGIN IF 1 OPERATOR(body.<~~>) 2 THEN NULL; END IF; RETURN 1; END`),
  plpgsql('an operator of a type', `DECLARE v body.pair; BEGIN v := ROW(1); IF v = v THEN NULL; END IF; RETURN 1; END`, {
    settings: 'SET search_path = body, pg_catalog',
  }),
  plpgsql(
    'an operator of an array',
    `DECLARE v boolean; BEGIN SELECT ARRAY[p] OPERATOR(body.&&) ARRAY[p] INTO v FROM body.pairs; RETURN 1; END`,
  ),
  plpgsql('an operator of a CASE', `DECLARE v body.pair := ROW(1); BEGIN CASE v WHEN v THEN RETURN 1; END CASE; END`, {
    settings: 'SET search_path = body, pg_catalog',
  }),
  plpgsql(
    'the order of a type',
    `DECLARE r record; BEGIN FOR r IN SELECT * FROM body.ranked_rows ORDER BY 1 LOOP NULL; END LOOP; RETURN 1; END`,
  ),
  plpgsql('a path of its own', `BEGIN RETURN acts(); END`, { settings: "SET search_path = 'body'" }),
  // Settings, defaults and arguments, which a function has beside its body.
  other(
    'a setting of the function',
    `CREATE FUNCTION NAME() RETURNS int LANGUAGE sql SET session_replication_role = replica AS 'SELECT 1'`,
    'SELECT NAME()',
    { isUnseen: true },
  ),
  other(
    'a setting by another name',
    `CREATE FUNCTION NAME() RETURNS int LANGUAGE plpgsql SET search_path = '' SET standard_conforming_strings = off AS $$ BEGIN RETURN 1; END $$`,
    'SELECT NAME()',
    { isUnseen: true },
  ),
  other(
    'a role of the function',
    `CREATE FUNCTION NAME() RETURNS int LANGUAGE sql SET role = tester AS 'SELECT 1'`,
    'SELECT NAME()',
    { isUnseen: true },
  ),
  other(
    'a default',
    `CREATE FUNCTION NAME(a int DEFAULT body.acts()) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN a; END $$`,
    'SELECT NAME()',
  ),
  other(
    'a default deep in an expression',
    `CREATE FUNCTION NAME(a int DEFAULT 1, b int DEFAULT abs(1 + body.acts())) RETURNS int LANGUAGE sql AS 'SELECT a + b'`,
    'SELECT NAME(2)',
  ),
  other(
    'a default with a domain',
    `CREATE FUNCTION NAME(a body.checked DEFAULT 'x') RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END $$`,
    'SELECT NAME()',
  ),
  other(
    'a default with a domain inside',
    `CREATE FUNCTION NAME(a int DEFAULT length(current_user::text::body.checked)) RETURNS int LANGUAGE sql AS 'SELECT a'`,
    'SELECT NAME()',
  ),
  other(
    'a default in a default',
    `CREATE FUNCTION NAME_inner(a int DEFAULT body.acts()) RETURNS int LANGUAGE sql AS 'SELECT a'; CREATE FUNCTION NAME(a int DEFAULT NAME_inner()) RETURNS int LANGUAGE sql AS 'SELECT a'`,
    'SELECT NAME()',
  ),
  other(
    'an argument of a domain',
    `CREATE FUNCTION NAME(a body.checked) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END $$`,
    "SELECT NAME('x')",
  ),
  other(
    'an argument of any type',
    `CREATE FUNCTION NAME(a anyelement) RETURNS boolean LANGUAGE sql SET search_path = body, pg_catalog AS 'SELECT $1 = $1'`,
    'SELECT NAME(p) FROM body.pairs',
  ),
  other(
    'arguments of any type',
    `CREATE FUNCTION NAME(VARIADIC a anyarray) RETURNS boolean LANGUAGE plpgsql SET search_path = body, pg_catalog AS $$ BEGIN RETURN a[1] = a[1]; END $$`,
    'SELECT NAME(p, p) FROM body.pairs',
  ),
  other(
    'an argument that is a record',
    `CREATE FUNCTION NAME(r record) RETURNS boolean LANGUAGE plpgsql SET search_path = body, pg_catalog AS $$ BEGIN RETURN r.p = r.p; END $$`,
    'SELECT NAME(t) FROM body.pairs t',
  ),
  other(
    'a function in the server',
    `CREATE FUNCTION NAME(int, bigint) RETURNS boolean LANGUAGE internal AS 'pg_terminate_backend'`,
    'SELECT NAME(0, 0)',
    { isUnseen: true },
  ),
  other(
    'another function of its name',
    `CREATE FUNCTION body.twin(text) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END $$; CREATE FUNCTION NAME() RETURNS int LANGUAGE plpgsql SET search_path = other_body, body, pg_catalog AS $$ BEGIN RETURN twin(1); END $$`,
    'SELECT NAME()',
  ),
  // Bodies in SQL.
  other(
    'several statements',
    `CREATE FUNCTION NAME() RETURNS int LANGUAGE sql AS 'SELECT 1; DELETE FROM body.victim; SELECT 2'`,
    'SELECT NAME()',
  ),
  other(
    'a WITH in SQL',
    `CREATE FUNCTION NAME() RETURNS bigint LANGUAGE sql AS 'WITH d AS (DELETE FROM body.victim RETURNING 1) SELECT count(*) FROM d'`,
    'SELECT NAME()',
  ),
  other(
    'a body that is a tree',
    `CREATE FUNCTION NAME() RETURNS int LANGUAGE sql BEGIN ATOMIC DELETE FROM body.victim RETURNING id; END`,
    'SELECT NAME()',
  ),
  other('a tree that calls', `CREATE FUNCTION NAME() RETURNS int LANGUAGE sql RETURN abs(body.acts())`, 'SELECT NAME()'),
  other(
    'a cast that is gone from the catalogue',
    `CREATE FUNCTION NAME_cast(body.ranked) RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN RETURN body.acts(); END $$; CREATE CAST (body.ranked AS bigint) WITH FUNCTION NAME_cast(body.ranked) AS IMPLICIT;
     CREATE FUNCTION NAME(r body.ranked) RETURNS bigint LANGUAGE sql RETURN r + 1; DROP CAST (body.ranked AS bigint)`,
    'SELECT NAME(r) FROM body.ranked_rows',
  ),
  other(
    'a cast to the result in SQL',
    `CREATE FUNCTION NAME() RETURNS date LANGUAGE sql AS 'SELECT d FROM body.dated_rows'`,
    'SELECT NAME()',
  ),
  other(
    'a domain as a result in SQL',
    `CREATE FUNCTION NAME() RETURNS body.checked LANGUAGE sql AS $$ SELECT 'x' $$`,
    'SELECT NAME()',
  ),
  other(
    'a plan of a change',
    `CREATE FUNCTION NAME_lies() RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN body.acts(); END $$; CREATE TABLE NAME_table (a int, b int DEFAULT NAME_lies());
     CREATE FUNCTION NAME() RETURNS int LANGUAGE sql AS 'EXPLAIN INSERT INTO NAME_table (a) VALUES (1); SELECT 1'`,
    'SELECT NAME()',
  ),
  other(
    'a SET in SQL',
    `CREATE FUNCTION NAME() RETURNS int LANGUAGE sql AS $$ SET body.called = 'yes'; SELECT 1 $$`,
    'SELECT NAME()',
  ),
  // Ways to a function.
  other(
    'three functions between',
    `CREATE FUNCTION NAME_1() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN body.acts(); END $$; CREATE FUNCTION NAME_2() RETURNS int LANGUAGE sql AS 'SELECT NAME_1()'; CREATE FUNCTION NAME() RETURNS int LANGUAGE plpgsql AS $$ BEGIN PERFORM NAME_2(); RETURN 1; END $$`,
    'SELECT NAME()',
  ),
  other(
    'a function that calls itself',
    `CREATE FUNCTION NAME(n int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN IF n = 0 THEN RETURN body.acts(); END IF; RETURN NAME(n - 1); END $$`,
    'SELECT NAME(3)',
  ),
  other(
    'one body for several types',
    ['body.pair', 'int', 'text', 'date', 'uuid', 'numeric', 'inet']
      .map(
        (type) =>
          `CREATE FUNCTION NAME(${type}, ${type}) RETURNS boolean LANGUAGE sql SET search_path = body, pg_catalog AS 'SELECT $1 = $2'`,
      )
      .join('; '),
    'SELECT NAME(p, p) FROM body.pairs',
  ),
  other(
    'a record of another function',
    `CREATE FUNCTION NAME_inner() RETURNS record LANGUAGE plpgsql AS $$ DECLARE r record; BEGIN SELECT p INTO r FROM body.pairs; RETURN r; END $$;
     CREATE FUNCTION NAME() RETURNS boolean LANGUAGE plpgsql SET search_path = body, pg_catalog AS $$ DECLARE r record; BEGIN r := NAME_inner(); RETURN r.p = r.p; END $$`,
    'SELECT NAME()',
  ),
  other(
    'an aggregate',
    `CREATE FUNCTION NAME_step(int, int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN $1 + body.acts(); END $$; CREATE AGGREGATE NAME(int) (SFUNC = NAME_step, STYPE = int, INITCOND = '0')`,
    'SELECT NAME(id) FROM body.victim',
  ),
  other(
    'the end of an aggregate',
    `CREATE FUNCTION NAME_step(int, int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN $1 + $2; END $$; CREATE FUNCTION NAME_end(int) RETURNS int LANGUAGE sql AS 'SELECT body.acts()'; CREATE AGGREGATE NAME(int) (SFUNC = NAME_step, STYPE = int, INITCOND = '0', FINALFUNC = NAME_end)`,
    'SELECT NAME(id) FROM body.victim',
  ),
  other(
    'a function behind a point',
    `CREATE FUNCTION NAME(body.victim) RETURNS int LANGUAGE sql AS 'SELECT body.acts()'`,
    'SELECT v.by_a_function_behind_a_point FROM body.victim v',
  ),
  other(
    'the hash of a list in a tree',
    `CREATE FUNCTION NAME(a int) RETURNS boolean LANGUAGE sql RETURN a OPERATOR(body.====) ANY ('{1,2,3,4,5,6,7,8,9,10}'::int[])`,
    'SELECT NAME(id) FROM body.victim',
  ),
  other(
    'a support function',
    `CREATE FUNCTION NAME() RETURNS int LANGUAGE sql SUPPORT pg_catalog.numeric_support AS 'SELECT 1'`,
    'SELECT NAME()',
    { isUnseen: true },
  ),
  // Types and operators that only a tree, a state or another operator names.
  other('a type in a tree', `CREATE FUNCTION NAME() RETURNS json LANGUAGE sql RETURN ${MAKES_HOLDER}`, 'SELECT NAME()'),
  other(
    'a type in a tree in a tree',
    `CREATE FUNCTION NAME_inner() RETURNS json LANGUAGE sql RETURN ${MAKES_HOLDER}; CREATE FUNCTION NAME() RETURNS json LANGUAGE sql RETURN NAME_inner()`,
    'SELECT NAME()',
  ),
  other(
    'a type in the tree of a default',
    `CREATE FUNCTION NAME(a json DEFAULT ${MAKES_HOLDER}) RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN length(a::text); END'`,
    'SELECT NAME()',
  ),
  other(
    'a type in a tree that a check calls',
    `CREATE FUNCTION NAME_inner() RETURNS json LANGUAGE sql RETURN ${MAKES_HOLDER}; CREATE DOMAIN NAME AS int CHECK (NAME_inner() IS NOT NULL)`,
    'SELECT 1::NAME',
  ),
  other(
    'the type of a state',
    `CREATE AGGREGATE NAME(int) (SFUNC = trim_array, STYPE = body.checked[], FINALFUNC = cardinality, INITCOND = '{x}')`,
    'SELECT NAME(0)',
  ),
  other(
    'the type of a state in a view',
    `CREATE AGGREGATE NAME_inner(int) (SFUNC = trim_array, STYPE = body.checked[], FINALFUNC = cardinality, INITCOND = '{x}'); CREATE VIEW NAME AS SELECT NAME_inner(0)`,
    'SELECT * FROM NAME',
  ),
  other(
    'the type of a moving state',
    `CREATE AGGREGATE NAME(int) (SFUNC = int4pl, STYPE = int, INITCOND = '0', MSFUNC = trim_array, MINVFUNC = trim_array, MSTYPE = body.checked[], MFINALFUNC = cardinality, MINITCOND = '{x}')`,
    'SELECT NAME(0) OVER (ORDER BY id ROWS 1 PRECEDING) FROM body.victim',
  ),
  other(
    'the type of the state of an ordered set',
    `CREATE AGGREGATE NAME(ORDER BY int) (SFUNC = trim_array, STYPE = body.checked[], FINALFUNC = cardinality, INITCOND = '{x}')`,
    'SELECT NAME() WITHIN GROUP (ORDER BY 0) FROM body.victim',
  ),
  { way: 'a negator', makes: 'SELECT 1', calls: 'SELECT NOT (id OPERATOR(body.<%<) 1) FROM body.victim' },
  other('a negator in a view', 'CREATE VIEW NAME AS SELECT NOT (id OPERATOR(body.<%<) 1) FROM body.victim', 'SELECT * FROM NAME'),
  other(
    'a negator in a tree',
    'CREATE FUNCTION NAME(a int) RETURNS boolean LANGUAGE sql RETURN NOT (a OPERATOR(body.<%<) 1)',
    'SELECT NAME(id) FROM body.victim',
  ),
  plpgsql('a negator in a body', `BEGIN IF NOT (1 OPERATOR(body.<%<) 2) THEN RETURN 1; END IF; RETURN 2; END`),
  {
    way: 'a negator of which an estimate is made',
    makes: 'SELECT 1',
    calls: 'EXPLAIN SELECT count(*) FROM body.many WHERE id OPERATOR(body.<%>) 1',
  },
  {
    way: 'a negator of which the estimate of a join is made',
    makes: 'SELECT 1',
    calls: 'EXPLAIN SELECT count(*) FROM body.many a JOIN body.many b ON a.id OPERATOR(body.<%>) b.id',
  },
  {
    way: 'a commutator of which an estimate is made',
    makes: 'SELECT 1',
    calls: 'SELECT count(*) FROM body.many WHERE 5 OPERATOR(body.<~<) id',
  },
  { way: 'an argument of an operator', makes: 'SELECT 1', calls: "SELECT id OPERATOR(body.<<<<) 'x' FROM body.victim" },
  { way: 'an argument of an operator in the path', makes: 'SELECT 1', calls: "SELECT id <<<< 'x' FROM body.victim" },
  { way: 'two texts that become a domain', makes: 'SELECT 1', calls: "SELECT 'x' # 'y'" },
  {
    way: 'a record that becomes a row',
    makes: `CREATE FUNCTION body.joins(body.holder, body.holder) RETURNS text LANGUAGE plpgsql AS $$ BEGIN RETURN 'x'; END $$; CREATE OPERATOR body.## (FUNCTION = body.joins, LEFTARG = body.holder, RIGHTARG = body.holder)`,
    calls: "SELECT r ## r FROM (SELECT 1 AS n, 'x'::text AS held) r",
  },
  {
    way: 'a row that becomes one of the table above',
    makes: `CREATE TABLE body.elder (n int); CREATE TABLE body.younger () INHERITS (body.elder); INSERT INTO body.younger VALUES (1);
      CREATE FUNCTION body.ages(body.elder, body.elder) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RETURN body.acts_so(); END $$; CREATE OPERATOR body.?# (FUNCTION = body.ages, LEFTARG = body.elder, RIGHTARG = body.elder)`,
    calls: 'SELECT y ?# y FROM body.younger y',
  },
  {
    way: 'an estimate of what a rule asks for',
    makes: `CREATE TABLE body.ruled (id int); CREATE RULE asks AS ON UPDATE TO body.ruled DO ALSO SELECT count(*) FROM body.many WHERE id OPERATOR(body.<%>) 1`,
    calls: 'EXPLAIN UPDATE body.ruled SET id = 1',
  },
  {
    way: 'a type in an index',
    makes: `CREATE TABLE body.typed_index (id int); INSERT INTO body.typed_index VALUES (1); CREATE INDEX ON body.typed_index ((CASE WHEN array_lt('{(1)}'::body.ranked[], '{(2)}'::body.ranked[]) THEN id END))`,
    calls: 'SELECT * FROM body.typed_index WHERE id = 1',
  },
  {
    way: 'the key of the whole of a partition',
    makes: `CREATE FUNCTION body.keyed(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN PERFORM body.acts(); RETURN $1; END $$; CREATE TABLE body.parted (id int) PARTITION BY RANGE ((id + body.keyed(1)));
      CREATE TABLE body.part PARTITION OF body.parted FOR VALUES FROM (1) TO (10); ALTER DATABASE postgres SET constraint_exclusion = on`,
    calls: 'SELECT * FROM body.part WHERE id = 1',
  },
  plpgsql('its length', `BEGIN /*${' '.repeat(100_000)}*/ RETURN 1; END`, { isUnseen: true }),
  plpgsql('another language', `BEGIN RETURN body.acts(); END`, { language: 'other_pl' }),
  {
    way: 'an operator of an array in a statement',
    makes: 'SELECT 1',
    calls: 'SELECT ARRAY[p] OPERATOR(body.&&) ARRAY[p] FROM body.pairs',
  },
  {
    way: 'an operator of ranges together in a statement',
    makes: 'SELECT 1',
    calls: 'SELECT range_agg(s) OPERATOR(body.<>) range_agg(s) FROM body.span_rows',
  },
  { way: 'an operator at a named argument', makes: 'SELECT 1', calls: 'SELECT make_interval(years :=!!!1)', isUnseen: true },
];

/** Functions beside them that only read, as a control: the objects alone make nothing unknown. */
export const HONEST_BODIES: readonly HostileBody[] = [
  plpgsql('a count', `DECLARE n int; BEGIN SELECT count(*) INTO n FROM body.victim; RETURN n; END`),
  plpgsql(
    'a loop',
    `DECLARE r record; n int := 0; BEGIN FOR r IN SELECT v.name, v.id FROM body.victim v ORDER BY 1 LOOP n := n + r.id; END LOOP; RETURN n; END`,
  ),
  plpgsql('a row', `DECLARE r body.victim; BEGIN SELECT * INTO r FROM body.victim LIMIT 1; RETURN r.id; END`, {
    settings: 'SET search_path = body',
  }),
  plpgsql('a set', `BEGIN RETURN QUERY SELECT v.id FROM body.victim v; END`, { returns: 'SETOF int' }),
  plpgsql('a string', `BEGIN RETURN length('DELETE FROM body.victim; SELECT body.acts()'); END`),
  other(
    'a default of a constant',
    `CREATE FUNCTION NAME(a int DEFAULT abs(-1), b text[] DEFAULT '{}', c timestamptz DEFAULT now()) RETURNS int LANGUAGE sql AS 'SELECT a'`,
    'SELECT NAME()',
  ),
  other(
    'a tree with types',
    `CREATE TYPE NAME_mood AS ENUM ('glad', 'sad'); CREATE FUNCTION NAME(a NAME_mood DEFAULT 'glad') RETURNS boolean LANGUAGE sql RETURN a = 'glad'::NAME_mood`,
    'SELECT NAME()',
  ),
  other(
    'a state with types',
    `CREATE TYPE NAME_state AS (n int, total bigint); CREATE FUNCTION NAME_step(s NAME_state, v int) RETURNS NAME_state LANGUAGE plpgsql AS $$ BEGIN s.n := s.n + 1; s.total := s.total + v; RETURN s; END $$;
     CREATE FUNCTION NAME_end(s NAME_state) RETURNS numeric LANGUAGE sql AS 'SELECT s.total::numeric / s.n'; CREATE AGGREGATE NAME(int) (SFUNC = NAME_step, STYPE = NAME_state, INITCOND = '(0,0)', FINALFUNC = NAME_end)`,
    'SELECT NAME(id) FROM body.victim',
  ),
  plpgsql('a column named call', `DECLARE n int; BEGIN SELECT v.id AS call INTO n FROM body.victim v LIMIT 1; RETURN n; END`),
  other('a tree', `CREATE FUNCTION NAME(a int) RETURNS int LANGUAGE sql RETURN a + abs(a)`, 'SELECT NAME(2)'),
  plpgsql('a column of that type', `DECLARE v body.spans.t%TYPE; BEGIN SELECT max(t) INTO v FROM body.spans; RETURN 1; END`),
  other(
    'a query in SQL',
    `CREATE FUNCTION NAME() RETURNS bigint LANGUAGE sql AS 'SELECT 1; SELECT count(*) FROM body.victim;'`,
    'SELECT NAME()',
  ),
];
