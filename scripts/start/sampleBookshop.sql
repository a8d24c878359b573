-- The sample database for PostgreSQL: a bookshop with schemas, types and relations as larger databases have them. The same for everybody: the numbers come from a fixed seed.
SELECT setseed(0.42);

CREATE SCHEMA shop;
CREATE SCHEMA warehouse;
COMMENT ON SCHEMA shop IS 'What customers see';
COMMENT ON SCHEMA warehouse IS 'Where the books are';

CREATE TYPE shop.order_state AS ENUM ('placed', 'paid', 'sent', 'returned');
CREATE TYPE shop.address AS (street text, city text, country char(2));
CREATE DOMAIN shop.isbn AS bigint CHECK (VALUE BETWEEN 9780000000000 AND 9799999999999);

CREATE TABLE shop.authors (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  born date,
  languages text[] NOT NULL DEFAULT '{}',
  website text
);

CREATE TABLE shop.books (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  author_id integer NOT NULL REFERENCES shop.authors (id),
  title text NOT NULL,
  isbn shop.isbn UNIQUE,
  price numeric(8, 2) NOT NULL CHECK (price >= 0),
  price_with_tax numeric(10, 4) GENERATED ALWAYS AS (price * 1.07) STORED,
  shelf text,
  in_print boolean NOT NULL DEFAULT true,
  on_sale daterange,
  published date,
  details jsonb,
  cover bytea
);
COMMENT ON TABLE shop.books IS 'One line for each edition';
COMMENT ON COLUMN shop.books.on_sale IS 'The days of the sale; empty without one';
CREATE INDEX books_author ON shop.books (author_id);
CREATE INDEX books_details ON shop.books USING gin (details);

CREATE TABLE shop.customers (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  email text UNIQUE,
  home shop.address,
  since timestamptz NOT NULL
);

CREATE TABLE shop.orders (
  number bigint PRIMARY KEY,
  customer_id uuid NOT NULL REFERENCES shop.customers (id),
  state shop.order_state NOT NULL,
  ordered_at timestamptz NOT NULL,
  packing interval,
  note text
);
CREATE INDEX orders_customer ON shop.orders (customer_id);

CREATE TABLE shop.order_lines (
  order_number bigint REFERENCES shop.orders (number),
  line smallint,
  book_id integer NOT NULL REFERENCES shop.books (id),
  copies integer NOT NULL DEFAULT 1 CHECK (copies > 0),
  PRIMARY KEY (order_number, line)
);
CREATE INDEX order_lines_book ON shop.order_lines (book_id);

CREATE TABLE warehouse.movements (
  id bigint GENERATED ALWAYS AS IDENTITY,
  book_id integer NOT NULL REFERENCES shop.books (id),
  moved_at timestamp NOT NULL,
  copies integer NOT NULL,
  "from shelf" text,
  PRIMARY KEY (id, moved_at)
) PARTITION BY RANGE (moved_at);
CREATE TABLE warehouse.movements_2025 PARTITION OF warehouse.movements FOR VALUES FROM ('2025-01-01') TO ('2026-01-01');
CREATE TABLE warehouse.movements_2026 PARTITION OF warehouse.movements FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');

INSERT INTO shop.authors (name, born, languages, website)
SELECT f || ' ' || l,
  CASE WHEN random() < 0.8 THEN date '1920-01-01' + (random() * 29000)::int END,
  (ARRAY['en', 'de', 'tr', 'pt', 'hu'])[1:1 + (random() * 2)::int],
  CASE WHEN random() < 0.5 THEN 'https://example.org/' || lower(f) END
FROM unnest(ARRAY['Ada', 'Bruno', 'Carla', 'Dmitri', 'Elif', 'Farid', 'Greta', 'Hugo', 'Ines', 'Jonas']) AS f,
  unnest(ARRAY['Almeida', 'O''Brien', 'Castellanos', 'Dvořák', 'Eriksen', 'Günther']) AS l;

INSERT INTO shop.books (author_id, title, isbn, price, shelf, in_print, on_sale, published, details, cover)
SELECT 1 + floor(random() * 60)::int,
  (ARRAY['The Last', 'A Small', 'Beyond the', 'Letters from the', 'Under the', 'Notes on a', 'The Glass'])[1 + floor(random() * 7)::int]
    || ' ' || (ARRAY['Harbour', 'Orchard', 'Lantern', 'Archive', 'Meridian', 'Thicket', 'Ledger', 'Compass', 'Window', 'Estuary'])[1 + floor(random() * 10)::int]
    || CASE WHEN n % 5 = 0 THEN ', Volume ' || 1 + n % 4 ELSE '' END,
  9780000000000 + n * 7919::bigint,
  round((4 + random() * 45)::numeric, 2),
  (ARRAY['fiction', 'history', 'science', 'travel', NULL])[1 + floor(random() * 5)::int],
  random() < 0.85,
  CASE WHEN random() < 0.1 THEN daterange('2026-12-01', '2026-12-24') END,
  CASE WHEN random() < 0.9 THEN date '1950-01-01' + (random() * 27000)::int END,
  CASE WHEN random() < 0.4 THEN jsonb_build_object('pages', 80 + floor(random() * 700)::int, 'awards', jsonb_build_array('Golden Quill')) END,
  CASE WHEN random() < 0.05 THEN '\x89504e470d0a1a0a'::bytea END
FROM generate_series(1, 1200) AS n;

INSERT INTO shop.customers
SELECT md5('customer ' || n)::uuid,
  'Customer ' || n,
  CASE WHEN n % 9 > 0 THEN 'customer' || n || '@example.org' END,
  ROW('Street ' || 1 + n % 40, (ARRAY['Lisboa', 'Berlin', 'İzmir', 'Győr'])[1 + n % 4], (ARRAY['PT', 'DE', 'TR', 'HU'])[1 + n % 4])::shop.address,
  timestamptz '2024-01-01 08:00+00' + n * interval '7 hours 13 minutes'
FROM generate_series(1, 800) AS n;

INSERT INTO shop.orders
SELECT 202500000000 + n,
  md5('customer ' || 1 + floor(random() * 800)::int)::uuid,
  (ARRAY['placed', 'paid', 'sent', 'sent', 'sent', 'returned'])[1 + floor(random() * 6)::int]::shop.order_state,
  timestamptz '2025-01-01 09:00+00' + n * interval '3 hours 20 minutes',
  CASE WHEN random() < 0.8 THEN make_interval(mins => 5 + floor(random() * 90)::int) END,
  CASE WHEN random() < 0.05 THEN 'Gift, please wrap' END
FROM generate_series(1, 5000) AS n;

INSERT INTO shop.order_lines
SELECT number, line, 1 + floor(random() ^ 2 * 1200)::int, 1 + floor(random() * 4)::int
FROM shop.orders, generate_series(1, 1 + number % 3) AS line;

INSERT INTO warehouse.movements (book_id, moved_at, copies, "from shelf")
SELECT 1 + floor(random() * 1200)::int,
  timestamp '2025-01-01' + n * interval '31 minutes',
  floor(random() * 40)::int - 20,
  CASE WHEN random() < 0.7 THEN chr(65 + floor(random() * 8)::int) || '-' || floor(random() * 30)::int END
FROM generate_series(1, 30000) AS n;

CREATE VIEW shop.bestsellers AS
SELECT b.id, b.title, a.name AS author, sum(l.copies) AS copies, sum(l.copies * b.price) AS revenue
FROM shop.order_lines l JOIN shop.books b ON b.id = l.book_id JOIN shop.authors a ON a.id = b.author_id
GROUP BY b.id, a.name;

CREATE MATERIALIZED VIEW warehouse.stock AS
SELECT book_id, sum(copies) AS copies, max(moved_at) AS last_moved FROM warehouse.movements GROUP BY book_id;
CREATE UNIQUE INDEX stock_book ON warehouse.stock (book_id);

CREATE FUNCTION shop.price_of(book integer, copies integer) RETURNS numeric LANGUAGE sql STABLE
  AS 'SELECT price * copies FROM shop.books WHERE id = book';
