/** Functions as applications have them, which only read, and what uses them: policies, views, checks, generated columns, indexes, operators and aggregates. */
export const ORDINARY_FUNCTIONS = `
CREATE SCHEMA auth; CREATE SCHEMA member;
CREATE FUNCTION auth.uid() RETURNS uuid LANGUAGE sql STABLE AS $$
  select coalesce(nullif(current_setting('request.jwt.claim.sub', true), ''), (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub'))::uuid
$$;
CREATE FUNCTION auth.role() RETURNS text LANGUAGE sql STABLE AS $$
  select coalesce(nullif(current_setting('request.jwt.claim.role', true), ''), (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role'))::text
$$;
CREATE FUNCTION auth.email() RETURNS text LANGUAGE sql STABLE AS $$
  select coalesce(nullif(current_setting('request.jwt.claim.email', true), ''), (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email'))::text
$$;
CREATE FUNCTION auth.jwt() RETURNS jsonb LANGUAGE sql STABLE AS $$
  select coalesce(nullif(current_setting('request.jwt.claim', true), ''), nullif(current_setting('request.jwt.claims', true), ''))::jsonb
$$;
CREATE TYPE member.level AS ENUM ('guest', 'admin'); CREATE DOMAIN member.percent AS int CHECK (VALUE BETWEEN 0 AND 100);
CREATE TABLE member.roles (user_id uuid PRIMARY KEY, role text NOT NULL, level member.level DEFAULT 'guest', share member.percent, at timestamptz DEFAULT now());
INSERT INTO member.roles VALUES ('00000000-0000-4000-8000-000000000001', 'admin', 'admin', 50);
CREATE FUNCTION member.is_admin() RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  RETURN EXISTS (
    SELECT 1 FROM member.roles r WHERE r.user_id = auth.uid() AND r.role = 'admin' -- UPDATE
  );
END;
$$;
CREATE FUNCTION member.has_role(required text, at_most int DEFAULT 10) RETURNS boolean LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = 'member', 'pg_temp' AS $$
DECLARE
  v_role text;
BEGIN
  SELECT role INTO v_role FROM member.roles WHERE user_id = (SELECT auth.uid()) LIMIT at_most;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  RETURN v_role = required OR v_role = 'admin';
END
$$;
CREATE FUNCTION member.level_of(u uuid) RETURNS member.level LANGUAGE plpgsql STABLE AS $fn$
#variable_conflict use_column
DECLARE
  found_level member.roles.level%TYPE := 'guest'; r member.roles%ROWTYPE; total numeric = 0; names text[] := '{}'; n constant int := 3; rows_found bigint; word text;
BEGIN
  <<search>>
  FOR r IN SELECT * FROM member.roles x WHERE x.user_id = u ORDER BY x.at LOOP
    total := total + coalesce(r.share, 0); names[1] := r.role; found_level := r.level;
    CONTINUE search WHEN r.role IS NULL;
    EXIT WHEN total > 100;
  END LOOP search;
  CASE WHEN total > 50 THEN RAISE DEBUG 'more than % of %', total, n; ELSE NULL; END CASE;
  CASE n WHEN 1, 2 THEN found_level := 'admin'; ELSE total := 1; END CASE;
  FOR i IN REVERSE 3..1 BY 1 LOOP total := total + i; END LOOP;
  FOREACH word IN ARRAY ARRAY['a', 'b'] LOOP PERFORM lower(word); END LOOP;
  WHILE total < 3 LOOP total := total + 1; END LOOP;
  DECLARE inner_level member.level; BEGIN
    WITH w AS (SELECT 'admin'::member.level AS l) SELECT w.l INTO STRICT inner_level FROM w;
  EXCEPTION WHEN no_data_found OR too_many_rows THEN inner_level := NULL; WHEN SQLSTATE '22P02' THEN RETURN NULL; WHEN OTHERS THEN RAISE;
  END;
  GET DIAGNOSTICS rows_found = ROW_COUNT;
  ASSERT total >= 0, 'none';
  IF total > 1000 THEN RAISE EXCEPTION 'too much: %', total USING ERRCODE = 'check_violation', HINT = 'less'; ELSIF total > 100 THEN NULL; ELSE total := 0; END IF;
  RETURN found_level;
END
$fn$;
CREATE FUNCTION member.mine() RETURNS SETOF member.roles LANGUAGE plpgsql STABLE ROWS 10 AS $$ BEGIN RETURN QUERY SELECT * FROM member.roles WHERE user_id = auth.uid(); RETURN; END $$;
CREATE FUNCTION member.counts(OUT role text, OUT n bigint) RETURNS SETOF record LANGUAGE sql STABLE AS 'SELECT role, count(*) FROM member.roles GROUP BY role ORDER BY 1';
CREATE FUNCTION member.numbered(prefix text DEFAULT 'no', VARIADIC more int[] DEFAULT '{}') RETURNS TABLE (place int, label text) LANGUAGE plpgsql AS $$
BEGIN FOR i IN 1..3 LOOP place := i; label := format('%s %s', prefix, i); RETURN NEXT; END LOOP; END $$;
CREATE FUNCTION member.full_name(r member.roles) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT r.role || ' ' || r.user_id $$;
CREATE FUNCTION member.slug(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN lower(regexp_replace($1, '[^a-z]+', '-', 'g'));
CREATE FUNCTION member.add_to(int, int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN coalesce($1, 0) + coalesce($2, 0); END $$;
CREATE AGGREGATE member.total (int) (SFUNC = member.add_to, STYPE = int, INITCOND = '0');
CREATE FUNCTION member.close_to(text, text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN lower($1) = lower($2); END $$;
CREATE OPERATOR member.~~~ (FUNCTION = member.close_to, LEFTARG = text, RIGHTARG = text);
CREATE FUNCTION member.down(n int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN IF n <= 0 THEN RETURN 0; END IF; RETURN member.down(n - 1); END $$;
CREATE FUNCTION member.words_of(title text, body text) RETURNS tsvector LANGUAGE sql IMMUTABLE AS $$ SELECT setweight(to_tsvector('pg_catalog.english', coalesce(title, '')), 'A') || to_tsvector('pg_catalog.english', coalesce(body, '')) $$;
CREATE FUNCTION member.is_address(value text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN value ~ '^[^@ ]+@[^@ ]+$'; END $$;
CREATE DOMAIN member.address AS text CHECK (member.is_address(VALUE));
CREATE TABLE member.posts (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, owner uuid DEFAULT auth.uid(), title text, body text, contact member.address, words tsvector GENERATED ALWAYS AS (member.words_of(title, body)) STORED,
  slug text GENERATED ALWAYS AS (member.slug(title)) STORED, CHECK (member.slug('A b') = '-b'));
CREATE INDEX ON member.posts USING gin (words); CREATE INDEX ON member.posts (member.slug(title)) WHERE member.is_address(contact);
INSERT INTO member.posts (owner, title, contact) VALUES ('00000000-0000-4000-8000-000000000001', 'A post', 'a@example.org');
ALTER TABLE member.posts ENABLE ROW LEVEL SECURITY; ALTER TABLE member.roles ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON member.posts USING (owner = auth.uid() OR member.is_admin()); CREATE POLICY signed_in ON member.posts FOR SELECT USING (auth.role() = 'authenticated');
CREATE POLICY changes ON member.posts FOR UPDATE USING ((auth.jwt() ->> 'aal') = 'aal2') WITH CHECK (member.has_role('editor'));
CREATE POLICY roles ON member.roles USING (member.has_role('admin') OR user_id = (SELECT auth.uid()));
CREATE VIEW member.my_posts WITH (security_invoker) AS SELECT p.*, member.level_of(p.owner) AS level FROM member.posts p WHERE member.has_role('editor', 3);
CREATE FUNCTION member.next_code() RETURNS text LANGUAGE plpgsql AS $$ BEGIN RETURN 'C' || nextval('member.codes'); END $$; CREATE SEQUENCE member.codes;
CREATE TABLE member.coded (id int PRIMARY KEY, code text DEFAULT member.next_code(), who uuid DEFAULT auth.uid());
`;

/** Reads that call them. */
export const ORDINARY_CALLS: readonly string[] = [
  'SELECT auth.uid(), auth.role(), auth.email(), auth.jwt()',
  "SELECT member.is_admin(), member.has_role('editor'), member.has_role('editor', 3), member.has_role(required => 'x')",
  'SELECT member.mine()',
  'SELECT m.role FROM member.mine() m',
  'SELECT * FROM member.counts()',
  "SELECT * FROM member.numbered() UNION ALL SELECT * FROM member.numbered('n', 1, 2)",
  "SELECT member.level_of('00000000-0000-4000-8000-000000000002')",
  'SELECT member.full_name(r) FROM member.roles r',
  "SELECT member.slug('A b'), member.down(3), 'a' OPERATOR(member.~~~) 'A'",
  'SELECT member.total(share) FROM member.roles',
  "SELECT 'a@example.org'::member.address",
  "SELECT title, ts_rank(words, q) FROM member.posts, plainto_tsquery('post') q WHERE words @@ q ORDER BY 2",
  "SELECT * FROM member.posts WHERE member.slug(title) = 'a-post' AND contact IS NOT NULL",
  'SELECT * FROM member.my_posts ORDER BY id DESC LIMIT 3',
  'SELECT count(*) FROM member.roles',
  'SELECT * FROM member.coded',
  'EXPLAIN SELECT * FROM member.posts WHERE owner = auth.uid()',
];

/** Changes that are what they say, though they call such functions. */
export const ORDINARY_CHANGES: readonly string[] = [
  'INSERT INTO member.coded (id) VALUES (1)',
  'INSERT INTO member.coded VALUES (2, member.next_code(), auth.uid())',
  "INSERT INTO member.posts (title, contact) VALUES ('Another', 'b@example.org')",
  "UPDATE member.posts SET title = member.slug(title) WHERE member.has_role('editor')",
];

/** A read of these counts as more. */
export const CALLS_OF_CHANGES: readonly string[] = ['SELECT member.next_code()'];
