import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RowOutcome, Session } from '@tabularium/sdk';
import { describeWithServer } from '../server.test-helper.ts';
import { administer, importRows, open, read, ref, signal } from '../session.test-helper.ts';

describeWithServer('an import', (server) => {
  let session: Session;
  beforeAll(async () => {
    await administer(
      server(),
      `CREATE TABLE watched (id int PRIMARY KEY, v text);
      CREATE FUNCTION watch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NEW.v = 'skip' THEN RETURN NULL; END IF;
        IF NEW.v = 'missing' THEN PERFORM 1 FROM no_such_table; END IF;
        IF NEW.v = 'denied' THEN RAISE insufficient_privilege; END IF;
        RETURN NEW; END $$;
      CREATE TRIGGER watch BEFORE INSERT ON watched FOR EACH ROW EXECUTE FUNCTION watch();
      CREATE TABLE named (id int PRIMARY KEY, v regclass);
      CREATE TABLE own (id int PRIMARY KEY, v text);
      ALTER TABLE own ENABLE ROW LEVEL SECURITY; ALTER TABLE own FORCE ROW LEVEL SECURITY;
      CREATE ROLE importer LOGIN PASSWORD 'importer'; GRANT ALL ON own TO importer; CREATE POLICY own ON own TO importer USING (true) WITH CHECK (v <> 'foreign');
      CREATE TABLE closed (id int PRIMARY KEY, v text);
      CREATE FUNCTION close() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE insufficient_privilege; END $$;
      CREATE TRIGGER close BEFORE INSERT ON closed FOR EACH STATEMENT EXECUTE FUNCTION close();`,
    );
    session = await open(server());
  });
  afterAll(() => session.close());

  const write = async (from: Session, table: string, mode: string, rows: readonly object[]): Promise<RowOutcome[]> => {
    const texts = rows.map((row) => JSON.stringify(row));
    return importRows(from, ref(table), mode, texts);
  };
  const leftOut = 'A trigger or a rule of the table kept the server from making the insert.';

  it.each(['create', 'upsert'])('by %s counts no row that a trigger left out', async (mode) => {
    await administer(server(), 'TRUNCATE watched');
    const outcomes = await write(session, 'watched', mode, [
      { id: 1, v: 'a' },
      { id: 2, v: 'skip' },
      { id: 3, v: 'b' },
      { id: 4, v: 'skip' },
    ]);
    expect(outcomes).toMatchObject([
      { outcome: 'written' },
      { outcome: 'rejected', message: leftOut },
      { outcome: 'written' },
      { outcome: 'rejected', message: leftOut },
    ]);
    expect((await read(session, 'watched')).map((row) => row.get('id'))).toEqual([1, 3]);
  });

  it.each(['create', 'upsert'])(
    'by %s takes the numbers of GENERATED ALWAYS AS IDENTITY with the rows, as an export has them',
    async (mode) => {
      await administer(
        server(),
        `DROP TABLE IF EXISTS numbered; CREATE TABLE numbered (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, v text NOT NULL);
      INSERT INTO numbered (v) VALUES ('one'), ('two')`,
      );
      const first = mode === 'create' ? 21 : 2;
      const rows = Array.from({ length: 30 }, (_, place) => ({ id: first + place, v: `new ${place}` }));
      expect(await write(session, 'numbered', mode, rows)).toEqual(rows.map(() => ({ outcome: 'written' })));
      expect(await write(session, 'numbered', mode, [{ id: first + 30, v: 'alone' }])).toEqual([{ outcome: 'written' }]);
      const found = (await read(session, 'numbered')).map((row) => [row.get('id'), row.get('v')]);
      expect(found).toEqual(
        expect.arrayContaining([
          [1, 'one'],
          [first, 'new 0'],
          [first + 30, 'alone'],
        ]),
      );
      expect(found).toHaveLength(mode === 'create' ? 33 : 32);
    },
  );

  it('foresees rows that lack a value which nothing else gives, unless a trigger may', async () => {
    await administer(
      server(),
      `DROP TABLE IF EXISTS needing; CREATE TABLE needing (id int PRIMARY KEY, v text NOT NULL, w text NOT NULL DEFAULT 'x', i int GENERATED ALWAYS AS IDENTITY)`,
    );
    const check = async (): Promise<unknown> => {
      const fresh = await open(server());
      const found = await fresh.import?.check({ table: ref('needing'), mode: 'create' }, ['{"id":1}', '{"id":2,"v":"a"}'], {
        signal,
      });
      await fresh.close();
      return found;
    };
    expect(await check()).toMatchObject([{ index: 0, message: '“v” must have a value.', column: 'v' }]);
    await administer(server(), 'CREATE TRIGGER watch BEFORE INSERT ON needing FOR EACH ROW EXECUTE FUNCTION watch()');
    expect(await check()).toEqual([]);
  });

  it('has one outcome for rows that follow one another and were written, however many', async () => {
    await administer(server(), 'TRUNCATE watched');
    const texts = Array.from({ length: 2_000 }, (_, id) => JSON.stringify({ id, v: id === 1_500 ? 'skip' : 'a' }));
    const given = session.import?.write({ table: ref('watched'), mode: 'create' }, texts, { signal }) ?? [];
    expect(await Array.fromAsync(given)).toMatchObject([
      { outcome: 'written', rows: 1_500 },
      { outcome: 'rejected', message: leftOut },
      { outcome: 'written', rows: 499 },
    ]);
  });

  it('by upsert counts a row that is there already and has nothing to change', async () => {
    await administer(server(), "TRUNCATE watched; INSERT INTO watched VALUES (1, 'a')");
    expect(await write(session, 'watched', 'upsert', [{ id: 1 }, { id: 2 }])).toEqual([
      { outcome: 'written' },
      { outcome: 'written' },
    ]);
  });

  it('rejects a row whose value, trigger or policy names what is missing or not allowed, and writes the others', async () => {
    await administer(server(), 'TRUNCATE watched, named, own');
    const rows = ['a', 'missing', 'denied', 'b'].map((v, id) => ({ id, v }));
    expect((await write(session, 'watched', 'create', rows)).map(({ outcome }) => outcome)).toEqual([
      ...['written', 'rejected', 'rejected', 'written'],
    ]);
    const names = ['watched', '-', 'no_such_relation'].map((v, id) => ({ id, v }));
    expect((await write(session, 'named', 'create', names)).map(({ outcome }) => outcome)).toEqual([
      ...['written', 'rejected', 'rejected'],
    ]);
    const importer = await open(server(), { user: 'importer', password: 'importer' });
    const texts = ['mine', 'foreign', 'mine'].map((v, id) => ({ id, v }));
    expect((await write(importer, 'own', 'create', texts)).map(({ outcome }) => outcome)).toEqual([
      ...['written', 'rejected', 'written'],
    ]);
    await importer.close();
  });

  it('keeps a text of JSON a text, and the six characters of an escape', async () => {
    await administer(server(), 'CREATE TABLE texts (id int PRIMARY KEY, j jsonb, v text)');
    const values = ['[1]', '[draft] x', '{"a":1}', [1], { a: '[1]' }, String.raw`\u0000`];
    const rows = values.map((j, id) => ({ id, j, v: String.raw`\u0000` }));
    const nul = { id: 9, v: 'a\0' };
    const deep = { id: 10, j: { a: ['\0'] } };
    expect((await write(session, 'texts', 'create', [...rows, nul, deep])).map(({ outcome }) => outcome)).toEqual([
      ...values.map(() => 'written'),
      ...['rejected', 'rejected'],
    ]);
    const written = await read(session, 'texts', { sorts: [{ column: 'id', direction: 'ascending' }] });
    expect(written.map((row) => JSON.parse(String(row.get('j'))) as unknown)).toEqual(values);
    expect(written.every((row) => row.get('v') === String.raw`\u0000`)).toBe(true);
  });

  it('rejects a row whose value would lose its zone, its zeros or its kind, with the reason', async () => {
    await administer(
      server(),
      'CREATE TABLE losing (id int PRIMARY KEY, at timestamp, day date, ats timestamp[], zoned timestamptz, flag bool, n int)',
    );
    const zone = '2026-05-01T10:00:00+02:00';
    const rows = [
      ...[
        { at: zone },
        { day: '2026-05-01T00:00:00Z' },
        { ats: ['2026-05-01 10:00', zone] },
        { flag: 2 },
        { n: '007' },
        { n: '+7' },
      ],
      ...[{ at: '2026-05-01T10:00:00' }, { day: '2026-05-01' }, { zoned: zone }, { ats: ['2026-05-01 10:00'] }],
      ...[{ flag: true }, { flag: 'false' }, { flag: 1 }, { flag: 0 }, { n: '0' }, { n: '-7' }, { n: 7 }],
    ];
    const outcomes = await write(
      session,
      'losing',
      'create',
      rows.map((row, id) => ({ id, ...row })),
    );
    expect(
      outcomes.map((outcome) => (outcome.outcome === 'rejected' ? [outcome.column, outcome.message] : outcome.outcome)),
    ).toEqual([
      ['at', `“${zone}” would lose its zone: the column stores none.`],
      ['day', '“2026-05-01T00:00:00Z” would lose its zone: the column stores none.'],
      ['ats', `“${zone}” would lose its zone: the column stores none.`],
      ['flag', '2 is a number. The column takes true, false, 1 or 0.'],
      ['n', '“007” would lose what is in front of the number.'],
      ['n', '“+7” would lose what is in front of the number.'],
      ...rows.slice(6).map(() => 'written'),
    ]);
  });

  it('stops where the table itself takes no rows', async () => {
    await expect(write(session, 'closed', 'create', [{ id: 1, v: 'a' }])).rejects.toMatchObject({ details: { status: '42501' } });
  });
});
