/** Objects that the changes below act with. `sly.acts` is seen in a setting. */
export const CHANGE_OBJECTS = `
CREATE SCHEMA sly;
CREATE FUNCTION sly.acts() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN PERFORM set_config('sly.called', 'yes', false); RETURN true; END $$;
CREATE FUNCTION sly.acts_on(anyelement) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RETURN sly.acts(); END $$;
CREATE FUNCTION sly.lies(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN PERFORM sly.acts(); RETURN $1; END $$;
CREATE FUNCTION sly.honest(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN $1; END $$;
CREATE FUNCTION sly.is_near(int, int) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RETURN sly.acts(); END $$;
CREATE FUNCTION sly.is_less(int, int) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RETURN $1 < $2; END $$;
CREATE OPERATOR sly.<#< (FUNCTION = sly.is_near, LEFTARG = int, RIGHTARG = int); CREATE OPERATOR sly.<%< (FUNCTION = sly.is_less, LEFTARG = int, RIGHTARG = int, NEGATOR = OPERATOR(sly.<#<));
CREATE DOMAIN sly.checked AS text CHECK (sly.acts_on(VALUE)); CREATE TYPE sly.holder AS (held sly.checked);
CREATE FUNCTION sly.makes() RETURNS jsonb LANGUAGE sql RETURN to_jsonb(jsonb_populate_record(NULL::sly.holder, '{"held":"x"}'));
CREATE AGGREGATE sly.counts(int) (SFUNC = trim_array, STYPE = sly.checked[], FINALFUNC = cardinality, INITCOND = '{x}');
CREATE FUNCTION sly.passes() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;
CREATE FUNCTION sly.on_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM sly.acts(); RETURN coalesce(NEW, OLD); END $$;
`;

/** A change that does more than it says, or doesn't. */
export interface SlyChange {
  readonly way: string;
  readonly makes: string;
  readonly changes: string;
}

const SEARCH =
  'WITH RECURSIVE t(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM t WHERE a < 2) SEARCH DEPTH FIRST BY a SET x UPDATE sly.hidden SET id = 3 RETURNING id';

/** Changes of which each calls `sly.acts`. All of them have to be unknown. */
export const SLY_CHANGES: readonly SlyChange[] = [
  {
    way: 'the condition of a trigger',
    makes: `CREATE TABLE sly.conditional (id int); INSERT INTO sly.conditional VALUES (1); CREATE TRIGGER passes BEFORE UPDATE ON sly.conditional FOR EACH ROW WHEN (sly.acts()) EXECUTE FUNCTION sly.passes()`,
    changes: 'UPDATE sly.conditional SET id = 2 WHERE id = 1',
  },
  {
    way: 'a setting by which the body of a trigger is cut otherwise',
    makes: `CREATE TABLE sly.escaped (id int, name text); INSERT INTO sly.escaped VALUES (1);
      CREATE FUNCTION sly.escapes() RETURNS trigger LANGUAGE plpgsql SET standard_conforming_strings = off AS $x$ BEGIN NEW.name := '\\''; PERFORM sly.acts(); --';
      RETURN NEW; END $x$; CREATE TRIGGER escapes BEFORE UPDATE ON sly.escaped FOR EACH ROW EXECUTE FUNCTION sly.escapes()`,
    changes: 'UPDATE sly.escaped SET id = 2 WHERE id = 1',
  },
  {
    way: 'a generated column that a key follows',
    makes: `CREATE TABLE sly.keys (id int PRIMARY KEY, k int GENERATED ALWAYS AS (id + 1) STORED UNIQUE); CREATE TABLE sly.follows (k int REFERENCES sly.keys (k) ON UPDATE CASCADE);
      INSERT INTO sly.keys VALUES (1); INSERT INTO sly.follows VALUES (2); CREATE TRIGGER on_row BEFORE UPDATE ON sly.follows FOR EACH ROW EXECUTE FUNCTION sly.on_row()`,
    changes: 'UPDATE sly.keys SET id = 5 WHERE id = 1',
  },
  {
    way: 'the key of the partitions beside it',
    makes: `CREATE TABLE sly.parted (id int) PARTITION BY RANGE ((sly.lies(id))); CREATE TABLE sly.part PARTITION OF sly.parted FOR VALUES FROM (1) TO (10); CREATE TABLE sly.rest PARTITION OF sly.parted DEFAULT; INSERT INTO sly.parted VALUES (20)`,
    changes: 'INSERT INTO sly.part VALUES (5)',
  },
  {
    way: 'a new partition',
    makes: 'SELECT 1',
    changes: 'CREATE TABLE sly.more PARTITION OF sly.parted FOR VALUES FROM (30) TO (40)',
  },
  {
    way: 'an index of the table that a key leads to',
    makes: `CREATE TABLE sly.led_to (id int PRIMARY KEY); INSERT INTO sly.led_to VALUES (1); CREATE TABLE sly.leads (id int REFERENCES sly.led_to); CREATE INDEX ON sly.led_to ((id + sly.lies(1)))`,
    changes: 'INSERT INTO sly.leads VALUES (1)',
  },
  {
    way: 'an index of the table that a key comes from',
    makes: `CREATE TABLE sly.come_to (id int PRIMARY KEY); INSERT INTO sly.come_to VALUES (1); CREATE TABLE sly.comes (id int REFERENCES sly.come_to); CREATE INDEX ON sly.comes ((id + sly.lies(1)))`,
    changes: 'UPDATE sly.come_to SET id = 2 WHERE id = 1',
  },
  {
    way: 'a trigger of the rows that are deleted with it',
    makes: `CREATE TABLE sly.owners (id int PRIMARY KEY); CREATE TABLE sly.owned (id int REFERENCES sly.owners ON DELETE CASCADE); INSERT INTO sly.owners VALUES (1); INSERT INTO sly.owned VALUES (1);
      CREATE TRIGGER on_row BEFORE DELETE ON sly.owned FOR EACH ROW EXECUTE FUNCTION sly.on_row()`,
    changes: 'DELETE FROM sly.owners WHERE id = 1',
  },
  {
    way: 'a trigger of the rows that are changed as others are deleted',
    makes: `CREATE TABLE sly.heads (id int PRIMARY KEY); CREATE TABLE sly.limbs (id int DEFAULT NULL REFERENCES sly.heads ON DELETE SET NULL CHECK (id IS NOT NULL OR sly.acts())); INSERT INTO sly.heads VALUES (1); INSERT INTO sly.limbs VALUES (1)`,
    changes: 'DELETE FROM sly.heads WHERE id = 1',
  },
  {
    way: 'the type of a column made of another',
    makes: 'CREATE TABLE sly.retyped (id int); INSERT INTO sly.retyped VALUES (1)',
    changes: 'ALTER TABLE sly.retyped ALTER id TYPE bool USING sly.acts()',
  },
  {
    way: 'a table behind a WITH in a WITH',
    makes: `CREATE TABLE sly.seen (id int); CREATE TABLE sly.hidden (id int); INSERT INTO sly.hidden VALUES (1); CREATE TRIGGER on_row BEFORE UPDATE ON sly.hidden FOR EACH ROW EXECUTE FUNCTION sly.on_row()`,
    changes: `WITH u AS (${SEARCH}) INSERT INTO sly.seen SELECT id FROM u`,
  },
  {
    way: 'a type in the tree of a default',
    makes: 'CREATE TABLE sly.by_default (id int, j jsonb DEFAULT sly.makes())',
    changes: 'INSERT INTO sly.by_default (id) VALUES (5)',
  },
  {
    way: 'the state of an aggregate',
    makes: 'CREATE TABLE sly.plain (id int, n int)',
    changes: 'INSERT INTO sly.plain SELECT 1, sly.counts(0)',
  },
  {
    way: 'the state of an aggregate in a trigger',
    makes: `CREATE TABLE sly.counted (id int, n int); CREATE FUNCTION sly.sets_count() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.n := sly.counts(0); RETURN NEW; END';
      CREATE TRIGGER sets BEFORE INSERT ON sly.counted FOR EACH ROW EXECUTE FUNCTION sly.sets_count()`,
    changes: 'INSERT INTO sly.counted VALUES (1)',
  },
  {
    way: 'a negator in a check',
    makes: 'CREATE TABLE sly.negated (id int CHECK (NOT (id OPERATOR(sly.<%<) 1)))',
    changes: 'INSERT INTO sly.negated VALUES (5)',
  },
  {
    way: 'a negator in a trigger that declares something',
    makes: `CREATE TABLE sly.declared (id int); CREATE FUNCTION sly.declares() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE v bool; BEGIN v := NOT (NEW.id OPERATOR(sly.<%<) 1); RETURN NEW; END $$;
      CREATE TRIGGER declares BEFORE INSERT ON sly.declared FOR EACH ROW EXECUTE FUNCTION sly.declares()`,
    changes: 'INSERT INTO sly.declared VALUES (5)',
  },
  {
    way: 'a declaration of a trigger',
    makes: `CREATE TABLE sly.begun (id int); CREATE FUNCTION sly.begins() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE v bool := sly.acts(); BEGIN RETURN NEW; END $$;
      CREATE TRIGGER begins BEFORE INSERT ON sly.begun FOR EACH ROW EXECUTE FUNCTION sly.begins()`,
    changes: 'INSERT INTO sly.begun VALUES (5)',
  },
];

/** Changes beside them that are what they say. */
export const PLAIN_CHANGES: readonly SlyChange[] = [
  {
    way: 'a trigger with a record, as Hasura makes it',
    makes: `CREATE TABLE sly.dated (id int PRIMARY KEY, body text, updated_at timestamptz); INSERT INTO sly.dated VALUES (1);
      CREATE FUNCTION sly.set_updated_at() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE _new record; BEGIN _new := NEW; _new."updated_at" = NOW(); RETURN _new; END $$;
      CREATE TRIGGER sets BEFORE UPDATE ON sly.dated FOR EACH ROW EXECUTE FUNCTION sly.set_updated_at()`,
    changes: "UPDATE sly.dated SET body = 'x' WHERE id = 1",
  },
  {
    way: 'the trigger of the server for words',
    makes: `CREATE TABLE sly.words (id int PRIMARY KEY, body text, found tsvector); INSERT INTO sly.words VALUES (1);
      CREATE TRIGGER finds BEFORE INSERT OR UPDATE ON sly.words FOR EACH ROW EXECUTE FUNCTION tsvector_update_trigger(found, 'pg_catalog.english', body)`,
    changes: "UPDATE sly.words SET body = 'x' WHERE id = 1",
  },
  {
    way: 'a condition on the row',
    makes: `CREATE TABLE sly.compared (id int PRIMARY KEY, call int); INSERT INTO sly.compared VALUES (1, 1);
      CREATE FUNCTION sly.calls() RETURNS trigger LANGUAGE plpgsql SET search_path = '' AS $$ BEGIN NEW.call := coalesce(OLD.call, 0) + 1; RETURN NEW; END $$;
      CREATE TRIGGER sets BEFORE UPDATE ON sly.compared FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION sly.calls()`,
    changes: 'UPDATE sly.compared SET id = 2 WHERE id = 1',
  },
  {
    way: 'a partition',
    makes: `CREATE TABLE sly.years (id int) PARTITION BY RANGE ((sly.honest(id))); CREATE TABLE sly.year PARTITION OF sly.years FOR VALUES FROM (1) TO (10); CREATE TABLE sly.late PARTITION OF sly.years FOR VALUES FROM (10) TO (20);
      CREATE TRIGGER on_row BEFORE INSERT ON sly.late FOR EACH ROW EXECUTE FUNCTION sly.on_row()`,
    changes: 'INSERT INTO sly.year VALUES (5)',
  },
  {
    way: 'a new partition of honest ones',
    makes: 'SELECT 1',
    changes: 'CREATE TABLE sly.later PARTITION OF sly.years FOR VALUES FROM (30) TO (40)',
  },
  {
    way: 'a key to a table with an index of a column',
    makes: `CREATE TABLE sly.goal (id int PRIMARY KEY); INSERT INTO sly.goal VALUES (1); CREATE TABLE sly.way (id int REFERENCES sly.goal); CREATE INDEX ON sly.goal (sly.lies(id)); CREATE TRIGGER on_row BEFORE UPDATE ON sly.goal FOR EACH ROW EXECUTE FUNCTION sly.on_row()`,
    changes: 'INSERT INTO sly.way VALUES (1)',
  },
  {
    way: 'a key that stays, of a table that another refers to by a cast',
    makes: `CREATE TABLE sly.cast_to (id int PRIMARY KEY, name text); INSERT INTO sly.cast_to VALUES (1); CREATE TYPE sly.num AS (n int); CREATE FUNCTION sly.to_int(sly.num) RETURNS int LANGUAGE plpgsql AS $$ BEGIN PERFORM sly.acts(); RETURN ($1).n; END $$;
      CREATE CAST (sly.num AS int) WITH FUNCTION sly.to_int(sly.num) AS IMPLICIT; CREATE TABLE sly.casts (id sly.num REFERENCES sly.cast_to); INSERT INTO sly.casts VALUES (ROW(1)::sly.num)`,
    changes: "UPDATE sly.cast_to SET name = 'x' WHERE id = 1",
  },
  {
    way: 'a row that no other refers to yet',
    makes: 'SELECT 1',
    changes: 'INSERT INTO sly.cast_to VALUES (2)',
  },
];
