import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RowChange, Session } from '@tabularium/sdk';
import { HOSTILE_OBJECTS } from '../hostileStatements.test-helper.ts';
import { describeWithServer } from '../server.test-helper.ts';
import { administer, open, ref, signal } from '../session.test-helper.ts';

/** Whatever may act with the change of a row: the rest of a table `(id int PRIMARY KEY, v int`, what follows it, and which changes do more than they name. */
const TABLES: Readonly<Record<string, readonly [rest: string, after: string, doesMore: readonly ('insert' | 'update')[]]>> = {
  ordinary: [')', '', []],
  by_default: [', x int DEFAULT hostile.deletes())', '', ['insert', 'update']],
  by_check: [', CHECK (hostile.is_fine(v::text)))', '', ['insert', 'update']],
  by_column: [', x int GENERATED ALWAYS AS (hostile.lies(v)) STORED)', '', ['insert', 'update']],
  by_index: [')', 'CREATE INDEX ON edited.by_index ((v + hostile.lies(1)))', ['insert', 'update']],
  by_condition: [')', 'CREATE INDEX ON edited.by_condition (v) WHERE hostile.lies_fine(v)', ['insert', 'update']],
  by_class: [')', 'CREATE INDEX ON edited.by_class (v hostile.int_ops)', ['insert', 'update']],
  by_domain: [', x hostile.checked)', '', ['insert', 'update']],
  by_holder: [', x hostile.holder)', '', ['insert', 'update']],
  by_range: [', x hostile.span)', '', ['insert', 'update']],
  by_policy: [
    ')',
    'ALTER TABLE edited.by_policy ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON edited.by_policy WITH CHECK (hostile.is_fine(v::text))',
    ['insert', 'update'],
  ],
  by_reading: [
    ')',
    'ALTER TABLE edited.by_reading ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON edited.by_reading USING (hostile.is_fine(v::text))',
    ['insert', 'update'],
  ],
  by_rule: [')', 'CREATE RULE also AS ON INSERT TO edited.by_rule DO ALSO DELETE FROM hostile.victim', ['insert', 'update']],
  by_trigger: [
    ')',
    'CREATE TRIGGER n BEFORE INSERT OR UPDATE ON edited.by_trigger FOR EACH ROW EXECUTE FUNCTION hostile.notes()',
    ['insert', 'update'],
  ],
  by_assignment: [
    ', a int)',
    'CREATE TRIGGER n BEFORE INSERT OR UPDATE ON edited.by_assignment FOR EACH ROW EXECUTE FUNCTION hostile.assigns()',
    ['insert', 'update'],
  ],
  by_operator: [
    ', x hostile.odd)',
    `CREATE FUNCTION edited.compares() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NEW.x = OLD.x THEN NEW.v := 1; END IF; RETURN NEW; END $$;
     CREATE TRIGGER n BEFORE INSERT OR UPDATE ON edited.by_operator FOR EACH ROW EXECUTE FUNCTION edited.compares()`,
    ['insert', 'update'],
  ],
  by_setting: [
    ')',
    `CREATE FUNCTION edited.sets() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN SET LOCAL session_replication_role = replica; RETURN NEW; END $$;
     CREATE TRIGGER n BEFORE INSERT OR UPDATE ON edited.by_setting FOR EACH ROW EXECUTE FUNCTION edited.sets()`,
    ['insert', 'update'],
  ],
  by_notice: [
    ')',
    `CREATE FUNCTION edited.notifies() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF true THEN NOTIFY a, 'b'; END IF; RETURN NEW; END $$;
     CREATE TRIGGER n BEFORE INSERT OR UPDATE ON edited.by_notice FOR EACH ROW EXECUTE FUNCTION edited.notifies()`,
    ['insert', 'update'],
  ],
  by_stamp: [
    ', a int, what text)',
    'CREATE TRIGGER n BEFORE INSERT OR UPDATE ON edited.by_stamp FOR EACH ROW EXECUTE FUNCTION hostile.stamps()',
    [],
  ],
  by_disabled: [
    ')',
    `CREATE TRIGGER n BEFORE INSERT OR UPDATE ON edited.by_disabled FOR EACH ROW EXECUTE FUNCTION hostile.notes();
     ALTER TABLE edited.by_disabled DISABLE TRIGGER n`,
    [],
  ],
  by_heir: [')', 'CREATE TABLE edited.heir (CHECK (hostile.is_fine(v::text))) INHERITS (edited.by_heir)', ['insert', 'update']],
  by_follower: [
    ' UNIQUE)',
    `CREATE TABLE edited.follower (v int REFERENCES edited.by_follower (v) ON UPDATE CASCADE);
     CREATE TRIGGER n BEFORE UPDATE ON edited.follower FOR EACH ROW EXECUTE FUNCTION hostile.notes()`,
    ['update'],
  ],
  by_checked_follower: [
    ' UNIQUE)',
    'CREATE TABLE edited.checked_follower (v int REFERENCES edited.by_checked_follower (v) ON UPDATE CASCADE CHECK (hostile.is_fine(v::text)))',
    ['update'],
  ],
  by_second_follower: [
    ' UNIQUE)',
    `CREATE TABLE edited.first_follower (w int UNIQUE REFERENCES edited.by_second_follower (v) ON UPDATE CASCADE);
     CREATE TABLE edited.second_follower (u int REFERENCES edited.first_follower (w) ON UPDATE CASCADE);
     CREATE TRIGGER n BEFORE UPDATE ON edited.second_follower FOR EACH ROW EXECUTE FUNCTION hostile.notes()`,
    ['update'],
  ],
  by_follower_of_key: [
    ')',
    `CREATE TABLE edited.key_follower (v int REFERENCES edited.by_follower_of_key ON UPDATE CASCADE);
     CREATE TRIGGER n BEFORE UPDATE ON edited.key_follower FOR EACH ROW EXECUTE FUNCTION hostile.notes()`,
    [],
  ],
  // Its own trigger may change the key that is followed.
  by_changed_key: [
    ', a int, what text)',
    `CREATE TABLE edited.changed_follower (v int REFERENCES edited.by_changed_key ON UPDATE CASCADE);
     CREATE TRIGGER n BEFORE UPDATE ON edited.changed_follower FOR EACH ROW EXECUTE FUNCTION hostile.notes();
     CREATE TRIGGER n BEFORE INSERT OR UPDATE ON edited.by_changed_key FOR EACH ROW EXECUTE FUNCTION hostile.stamps()`,
    ['update'],
  ],
};

describeWithServer('a change of a row', (server) => {
  let session: Session;
  beforeAll(async () => {
    const own = Object.entries(TABLES).map(
      ([name, [rest, after]]) => `CREATE TABLE edited.${name} (id int PRIMARY KEY, v int${rest}; ${after};`,
    );
    await administer(server(), `${HOSTILE_OBJECTS}; CREATE SCHEMA edited; ${own.join('\n')}`);
    session = await open(server());
  });
  afterAll(() => session.close());

  const CHANGES: Readonly<Record<'insert' | 'update', RowChange>> = {
    insert: {
      kind: 'insert',
      values: [
        { column: 'id', value: '1' },
        { column: 'v', value: '2' },
      ],
    },
    update: { kind: 'update', key: ['1'], assignments: [{ column: 'v', value: '2' }] },
  };
  const STATEMENTS = {
    insert: (table: string) => `INSERT INTO ${table} (id, v) VALUES (1, 2) RETURNING id`,
    update: (table: string) => `UPDATE ${table} SET v = 2 WHERE id = 1 RETURNING id`,
  };
  const cases = Object.entries(TABLES).flatMap(([name, [, , doesMore]]) =>
    (['insert', 'update'] as const).map((kind) => ({ name, kind, doesMore: doesMore.includes(kind) })),
  );

  it.each(cases)(
    'is judged alike as an $kind of edited.$name in the grid and as a statement',
    async ({ name, kind, doesMore }) => {
      const [prepared] = (await session.edits?.prepare(ref(name, 'edited'), [CHANGES[kind]], { signal })) ?? [];
      const { effect, unknown } = (await session.console?.classify(STATEMENTS[kind](`edited.${name}`), { signal })) ?? {};
      expect({ effect, unknown: unknown === true }).toEqual({ effect: 'write', unknown: doesMore });
      expect(prepared).toMatchObject({ ready: true });
      expect(prepared).toEqual(expect.objectContaining(doesMore ? { effect: 'destructive' } : { language: 'sql' }));
      if (!doesMore) expect(prepared).not.toHaveProperty('effect');
    },
  );

  it('is judged with what all changes of a call do', async () => {
    const plain: RowChange = { kind: 'update', key: ['1'], assignments: [{ column: 'v', value: '2' }] };
    const prepared = await session.edits?.prepare(ref('by_follower', 'edited'), [CHANGES.insert, plain], { signal });
    expect(prepared?.map((change) => change.ready && change.effect)).toEqual([undefined, 'destructive']);
  });

  it('by a statement counts with each column that it may assign', async () => {
    const found: unknown[] = [];
    for (const [statement, doesMore] of [
      ['UPDATE edited.by_follower_of_key SET v = 1, id = 2', true],
      ['UPDATE edited.by_follower_of_key SET (v, id) = (SELECT 1, 2)', true],
      ['UPDATE edited.by_follower_of_key SET v = (1 IS DISTINCT FROM 2)::int, id = 2', true],
      ['UPDATE edited.ordinary SET v = 1 IS DISTINCT FROM 2, id = 2', false],
      ['UPDATE edited.by_follower_of_key AS set SET id = 2', true],
      ['UPDATE edited.by_follower_of_key set SET "id" = 2', true],
      ['UPDATE ONLY (edited.by_follower_of_key) SET ID = 2', true],
      ['WITH a AS (UPDATE edited.by_follower_of_key SET id = 2 RETURNING v) UPDATE edited.ordinary SET v = 1', true],
      ['UPDATE edited.by_follower_of_key SET v = 1 WHERE id = 2', false],
      ['UPDATE edited.by_follower_of_key k SET v = p.v FROM edited.ordinary p WHERE p.id = k.id', false],
      ['EXPLAIN ANALYZE UPDATE edited.by_follower_of_key SET id = 2', true],
      ['INSERT INTO edited.by_follower_of_key VALUES (1) ON CONFLICT (id) DO UPDATE SET id = 2', true],
      ['MERGE INTO edited.by_follower_of_key k USING edited.ordinary p ON k.id = p.id WHEN MATCHED THEN UPDATE SET id = 2', true],
    ] as const) {
      const { unknown } = (await session.console?.classify(statement, { signal })) ?? {};
      if ((unknown === true) !== doesMore) found.push([statement, unknown]);
    }
    expect(found).toEqual([]);
  });
});
