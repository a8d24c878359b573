/** Tables of a PostgreSQL database beside those of the fixture: keys that lead to one another, labels, a view that may do more than read. */
export const shopTables = `CREATE TABLE shop.customers (id int PRIMARY KEY, name text NOT NULL, country text, branch int, UNIQUE (country, branch));
        INSERT INTO shop.customers SELECT i, 'Customer ' || i, CASE i % 2 WHEN 0 THEN 'de' ELSE 'pl' END, i FROM generate_series(1, 40) AS i;
        CREATE TABLE shop.orders (id int PRIMARY KEY, customer_id int REFERENCES shop.customers, replaces int REFERENCES shop.orders,
          country text, branch int, FOREIGN KEY (country, branch) REFERENCES shop.customers (country, branch));
        INSERT INTO shop.orders VALUES (1, 17, NULL, 'de', 6), (2, 23, 1, 'pl', 7), (3, NULL, 2, NULL, 3);
        CREATE TABLE shop.guests (id int PRIMARY KEY, name text NOT NULL, country text, branch int, UNIQUE (country, branch));
        INSERT INTO shop.guests SELECT id, name, country, branch FROM shop.customers;
        CREATE TABLE shop.visits (id int PRIMARY KEY, guest_id int REFERENCES shop.guests, replaces int REFERENCES shop.visits,
          country text, branch int, FOREIGN KEY (country, branch) REFERENCES shop.guests (country, branch));
        INSERT INTO shop.visits SELECT * FROM shop.orders;
        CREATE TYPE shop.state AS ENUM ('new', 'in work', 'done');
        CREATE TABLE shop.tickets (id int PRIMARY KEY, state shop.state NOT NULL DEFAULT 'new', tags text[], during daterange, hours numeric GENERATED ALWAYS AS (id * 1.5) STORED);
        COMMENT ON COLUMN shop.tickets.state IS 'Where it is';
        CREATE INDEX tickets_open ON shop.tickets (state) WHERE state <> 'done';
        INSERT INTO shop.tickets SELECT i, 'new', ARRAY['a', 'b ' || i], daterange(DATE '2026-01-01', DATE '2026-01-01' + i) FROM generate_series(1, 30) AS i;
        CREATE FUNCTION shop.stamped(int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN PERFORM set_config('shop.stamped', 'yes', false); RETURN $1; END $$;
        CREATE VIEW shop.stamps AS SELECT id, shop.stamped(id) AS stamp FROM shop.orders`;
