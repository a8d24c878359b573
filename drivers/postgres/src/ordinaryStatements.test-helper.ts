/** Extensions that come with the server and that databases commonly have. */
const EXTENSIONS = [
  ...[
    'citext',
    'hstore',
    'pg_trgm',
    '"uuid-ossp"',
    'btree_gist',
    'btree_gin',
    'ltree',
    'isn',
    'cube',
    'earthdistance',
    'intarray',
  ],
  ...['unaccent', 'pgcrypto', 'fuzzystrmatch', 'tablefunc', 'seg', 'pg_stat_statements', 'pgstattuple', 'pg_buffercache'],
];

/** Objects as applications make them, beside the sample database. */
export const ORDINARY_OBJECTS = `
${EXTENSIONS.map((name) => `CREATE EXTENSION ${name};`).join('\n')}
CREATE TABLE pgbench_branches (bid int PRIMARY KEY, bbalance int, filler char(88));
CREATE TABLE pgbench_tellers (tid int PRIMARY KEY, bid int REFERENCES pgbench_branches, tbalance int, filler char(84));
CREATE TABLE pgbench_accounts (aid int PRIMARY KEY, bid int REFERENCES pgbench_branches, abalance int, filler char(84));
CREATE TABLE pgbench_history (tid int REFERENCES pgbench_tellers, bid int, aid int REFERENCES pgbench_accounts, delta int, mtime timestamp, filler char(22));
CREATE SCHEMA app;
CREATE DOMAIN app.email AS citext CHECK (VALUE ~ '^[^@ ]+@[^@ ]+$');
CREATE DOMAIN app.amount AS numeric(12, 2) CHECK (VALUE >= 0);
CREATE TYPE app.state AS ENUM ('new', 'active', 'gone');
CREATE FUNCTION app.touch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.updated_at := now(); RETURN NEW; END $$;
CREATE TABLE app.users (
  id uuid PRIMARY KEY DEFAULT uuid_generate_v4(), email app.email NOT NULL UNIQUE, name citext, password_hash text, state app.state NOT NULL DEFAULT 'new', tags text[] NOT NULL DEFAULT '{}',
  settings jsonb NOT NULL DEFAULT '{}', extra hstore, created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz, last_login inet, active_during tstzrange, parent uuid REFERENCES app.users ON DELETE SET NULL,
  CHECK (length(name) < 200)
);
CREATE TRIGGER touch BEFORE UPDATE ON app.users FOR EACH ROW EXECUTE FUNCTION app.touch();
CREATE INDEX ON app.users USING gin (settings jsonb_path_ops); CREATE INDEX ON app.users (lower(password_hash)); CREATE INDEX ON app.users USING gin (password_hash gin_trgm_ops);
CREATE INDEX ON app.users (created_at) WHERE state = 'active';
CREATE TABLE app.articles (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, author uuid REFERENCES app.users ON UPDATE CASCADE, path ltree, title text NOT NULL, body text, price app.amount, isbn isbn13, place cube, words int[],
  search tsvector GENERATED ALWAYS AS (to_tsvector('english', coalesce(title, '') || ' ' || coalesce(body, ''))) STORED, published date, range int4range
);
CREATE INDEX ON app.articles USING gin (search); CREATE INDEX ON app.articles USING gist (path); CREATE INDEX ON app.articles USING gist (title gist_trgm_ops);
CREATE TABLE app.bookings (room int, during tsrange, EXCLUDE USING gist (room WITH =, during WITH &&));
CREATE TABLE app.events (id bigserial, at timestamptz NOT NULL, payload json) PARTITION BY RANGE (at);
CREATE TABLE app.events_now PARTITION OF app.events FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
CREATE VIEW app.authors AS SELECT u.id, u.email, u.name, count(a.id) AS articles, max(a.published) AS latest FROM app.users u LEFT JOIN app.articles a ON a.author = u.id GROUP BY u.id;
CREATE MATERIALIZED VIEW app.totals AS SELECT author, sum(price) AS total FROM app.articles GROUP BY author;
CREATE TABLE app.notes (owner name DEFAULT current_user, note text); ALTER TABLE app.notes ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON app.notes USING (owner = current_user AND coalesce(current_setting('app.tenant', true), '') <> 'none');
`;

/** Reads as people and programs write them, of these objects and of the sample database. Each of them only reads, and counts as reading. */
export const ORDINARY_READS: readonly string[] = [
  // Questions of pgbench, psql and programs.
  'SELECT abalance FROM pgbench_accounts WHERE aid = 4711',
  "SELECT count(*) FROM pgbench_history h JOIN pgbench_tellers USING (tid) JOIN pgbench_branches b ON b.bid = h.bid WHERE h.mtime > now() - interval '1 day'",
  'SELECT bid, avg(abalance)::numeric(10, 2), stddev(abalance), percentile_cont(0.5) WITHIN GROUP (ORDER BY abalance) FROM pgbench_accounts GROUP BY bid HAVING count(*) > 1 ORDER BY 2 DESC NULLS LAST LIMIT 10 OFFSET 5',
  'SELECT current_database(), current_schemas(true), version(), pg_postmaster_start_time(), inet_server_addr()',
  "SELECT n.nspname, c.relname, pg_get_userbyid(c.relowner), pg_size_pretty(pg_total_relation_size(c.oid)) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'p') ORDER BY 1, 2",
  "SELECT a.attname, format_type(a.atttypid, a.atttypmod), pg_get_expr(d.adbin, d.adrelid) FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum WHERE a.attrelid = 'app.users'::regclass AND a.attnum > 0",
  "SELECT table_schema, table_name, column_name, data_type FROM information_schema.columns WHERE table_schema NOT IN ('pg_catalog', 'information_schema')",
  'SELECT pid, state, wait_event, query_start, left(query, 80) FROM pg_stat_activity WHERE pid <> pg_backend_pid()',
  'SELECT relname, n_live_tup, last_autovacuum FROM pg_stat_user_tables ORDER BY n_dead_tup DESC',
  'SELECT locktype, mode, granted, pg_blocking_pids(pid) FROM pg_locks',
  "SELECT name, setting FROM pg_settings WHERE name LIKE '%mem%'",
  "SELECT has_table_privilege('app.users', 'SELECT'), obj_description('app.users'::regclass), col_description('app.users'::regclass, 1)",
  "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = 'app.users'::regclass",
  'SELECT query, calls, total_exec_time FROM pg_stat_statements ORDER BY total_exec_time DESC LIMIT 10',
  // The sample database.
  'SELECT a.name, b.title, b.price, b.price_with_tax FROM shop.books b JOIN shop.authors a ON a.id = b.author_id WHERE b.in_print AND b.price BETWEEN 5 AND 20 ORDER BY a.name, b.title DESC',
  'SELECT state, count(*), count(*) FILTER (WHERE note IS NOT NULL), min(ordered_at), max(ordered_at) FROM shop.orders GROUP BY state ORDER BY state',
  "SELECT date_trunc('month', ordered_at) AS month, sum(copies * price) FROM shop.orders JOIN shop.order_lines l ON l.order_number = number JOIN shop.books ON books.id = book_id GROUP BY 1 ORDER BY 1",
  "SELECT name, (home).city, (home).country FROM shop.customers WHERE (home).city ILIKE 'ber%'",
  'SELECT title, isbn + 1, isbn::text FROM shop.books WHERE isbn IS NOT NULL AND isbn IN (9780000007919, 9780000015838)',
  "SELECT title FROM shop.books WHERE on_sale @> current_date OR on_sale && daterange('2026-01-01', '2026-12-31', '[]') OR upper(on_sale) > now()",
  "SELECT details -> 'awards' ->> 0, details #>> '{pages}', (details ->> 'pages')::int, details ? 'pages', jsonb_typeof(details -> 'awards') FROM shop.books WHERE details @> '{\"awards\": [\"Golden Quill\"]}'",
  "SELECT b.id, award FROM shop.books b, jsonb_array_elements_text(b.details -> 'awards') AS award",
  "SELECT unnest(languages) AS language, count(*) FROM shop.authors GROUP BY language HAVING 'en' = ANY (array_agg(name)) IS NOT TRUE",
  'SELECT shelf, price, rank() OVER (PARTITION BY shelf ORDER BY price DESC), lag(price, 1, 0::numeric) OVER w, sum(price) OVER (w ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM shop.books WINDOW w AS (PARTITION BY shelf ORDER BY id)',
  'WITH best AS (SELECT book_id, sum(copies) AS copies FROM shop.order_lines GROUP BY book_id), top AS MATERIALIZED (SELECT * FROM best ORDER BY copies DESC LIMIT 10) SELECT title, copies FROM top JOIN shop.books ON id = book_id',
  'SELECT DISTINCT ON (customer_id) customer_id, number, ordered_at FROM shop.orders ORDER BY customer_id, ordered_at DESC',
  "SELECT DISTINCT state, packing FROM shop.orders UNION ALL SELECT state, NULL FROM shop.orders EXCEPT SELECT 'paid', NULL",
  "SELECT book_id, sum(copies) FROM warehouse.movements WHERE moved_at >= '2026-01-01' GROUP BY GROUPING SETS ((book_id), ()) ORDER BY 2",
  "SELECT CASE WHEN price > 20 THEN 'dear' WHEN price IS NULL THEN '?' ELSE 'cheap' END AS class, coalesce(shelf, 'none'), nullif(shelf, 'travel'), greatest(price, 10), extract(year FROM published) FROM shop.books",
  "SELECT c.* FROM shop.customers c WHERE EXISTS (SELECT 1 FROM shop.orders o WHERE o.customer_id = c.id AND o.state = 'returned') AND c.id NOT IN (SELECT customer_id FROM shop.orders WHERE state = 'sent')",
  "SELECT title, similarity(title, 'harbor') FROM shop.books WHERE title ~* '^the' AND title !~ '[0-9]' AND title SIMILAR TO '%(Harbour|Window)%'",
  "SELECT string_agg(DISTINCT name, ', ' ORDER BY name), json_agg(json_build_object('name', name, 'born', born)), array_agg(born) FROM shop.authors",
  'SELECT row_to_json(b), to_jsonb(a) FROM shop.books b CROSS JOIN LATERAL (SELECT * FROM shop.authors WHERE id = b.author_id) a',
  "SELECT generate_series(date '2026-01-01', date '2026-01-31', interval '1 day')::date AS day",
  "SELECT encode(cover, 'hex'), octet_length(cover), md5(cover), sha256(cover) FROM shop.books WHERE cover IS NOT NULL",
  "SELECT ordered_at AT TIME ZONE 'Europe/Berlin', age(ordered_at), to_char(ordered_at, 'YYYY-MM-DD'), packing * 2 FROM shop.orders FETCH FIRST 5 ROWS ONLY",
  'EXPLAIN SELECT * FROM shop.books JOIN shop.authors a ON a.id = author_id',
  'EXPLAIN (ANALYZE, BUFFERS) SELECT count(*) FROM shop.orders',
  'WITH RECURSIVE t (id, depth) AS (SELECT id, 0 FROM app.users WHERE parent IS NULL UNION ALL SELECT u.id, depth + 1 FROM app.users u JOIN t ON u.parent = t.id) SELECT * FROM t ORDER BY depth',
  'TABLE shop.authors',
  "VALUES (1, 'a'), (2, 'b')",
  // Tables with the types of extensions, domains and policies.
  'SELECT count(*) FROM app.users',
  "SELECT * FROM app.users WHERE email = 'a@example.org' AND name LIKE 'ann%' ORDER BY name, email LIMIT 20",
  'SELECT name, count(*) FROM app.users GROUP BY name HAVING count(*) > 1',
  "SELECT DISTINCT name, email FROM app.users WHERE name IN ('Ann', 'bob') OR email ILIKE '%@example.org' OR name ~ 'x'",
  "SELECT lower(email::text), split_part(email::text, '@', 2), replace(password_hash, 'a', 'b'), regexp_replace(password_hash, '[0-9]+', ''), strpos(name, 'a'), translate(password_hash, 'a', 'b') FROM app.users",
  "SELECT settings ->> 'theme', settings @? '$.a', jsonb_path_query_array(settings, '$.*'), settings || '{\"a\": 1}', extra -> 'a', extra ? 'b', hstore_to_json(extra), akeys(extra) FROM app.users WHERE settings @> '{\"a\": 1}'",
  "SELECT tags && ARRAY['a'], array_length(tags, 1), 'x' = ANY (tags), tags[1], cardinality(tags) FROM app.users WHERE tags @> '{admin}'",
  "SELECT state::text, last_login << '10.0.0.0/8', host(last_login), active_during && tstzrange(now(), NULL) FROM app.users WHERE state <> 'gone'",
  "SELECT title, ts_rank(search, query), ts_headline(body, query) FROM app.articles, websearch_to_tsquery('english', 'red fox') AS query WHERE search @@ query ORDER BY 2 DESC",
  "SELECT title FROM app.articles WHERE to_tsvector('english', title) @@ plainto_tsquery('fox') AND title % 'foks' ORDER BY title <-> 'foks', word_similarity('fox', title)",
  "SELECT path, nlevel(path), subpath(path, 0, 1) FROM app.articles WHERE path <@ 'top.science' OR path ~ '*.science.*' ORDER BY path",
  'SELECT isbn::text, price, sum(price) OVER () FROM app.articles WHERE isbn IS NOT NULL AND price > 10 ORDER BY articles.isbn',
  "SELECT cube_distance(place, '(0,0)'), place <-> '(1,1)', words & '{1,2}', sort(words), idx(words, 3) FROM app.articles WHERE range @> 5 ORDER BY place",
  "SELECT levenshtein(title, 'fox'), soundex(title), unaccent(title), metaphone(title, 5) FROM app.articles",
  'SELECT * FROM app.authors WHERE articles > 1 ORDER BY latest DESC',
  'SELECT a.email, t.total FROM app.totals t JOIN app.authors a ON a.id = t.author ORDER BY total',
  "SELECT * FROM app.bookings WHERE during && tsrange('2026-01-01', '2026-01-02') AND room = 1",
  "SELECT payload ->> 'kind', count(*) FROM app.events WHERE at > now() - interval '1 hour' GROUP BY 1",
  'SELECT * FROM app.notes',
  "SELECT uuid_generate_v4(), gen_random_uuid(), digest('x', 'sha256'), crypt('x', password_hash), encode(hmac('a', 'b', 'sha1'), 'base64') FROM app.users",
  "SELECT u.name, u.email, a.title, a.price FROM app.users AS u INNER JOIN app.articles AS a ON (a.author = u.id) WHERE (u.state = 'active') AND (a.published IS NOT NULL) ORDER BY a.published DESC, u.name ASC",
];
