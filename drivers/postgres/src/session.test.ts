import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NO_FILTER } from '@tabularium/sdk';
import type { ResultEvent, Session } from '@tabularium/sdk';
import { describeWithServer } from './server.test-helper.ts';
import { since } from './serverVersion.test-helper.ts';
import { administer, apply, importRows, open, read, ref, run, signal } from './session.test-helper.ts';

const COLUMNS = 1_600;

describeWithServer('a session of PostgreSQL', (server) => {
  let session: Session;
  beforeAll(async () => {
    await administer(
      server(),
      `CREATE TABLE wide (${Array.from({ length: COLUMNS }, (_, index) => `c${index} int${index === 0 ? ' PRIMARY KEY' : ''}`).join(', ')});
      INSERT INTO wide (c0, c1599) VALUES (1, 2);
      CREATE TABLE "Ünï ""Q"" $1 ?" ("constructor" int PRIMARY KEY, "__proto__" text, "case" text, "toString" text, "a.b" text, "Ä'; --" text);
      INSERT INTO "Ünï ""Q"" $1 ?" VALUES (1, 'p', repeat('long ', 1000), 's', 'd', 'e'), (2, NULL, 'short', '', '$1', '?');
      CREATE TABLE nothing ();
      CREATE TABLE computed (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, n int DEFAULT 7, twice int GENERATED ALWAYS AS (n * 2) STORED, live int GENERATED ALWAYS AS (n * 3) ${since(18, 'VIRTUAL') || 'STORED'},
        shouted text, CHECK (n < 100));
      CREATE FUNCTION shout() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.shouted := upper(NEW.shouted); IF NEW.n = 13 THEN RETURN NULL; END IF; RETURN NEW; END $$;
      CREATE TRIGGER shouts BEFORE INSERT OR UPDATE ON computed FOR EACH ROW EXECUTE FUNCTION shout();
      CREATE TABLE logged (id int PRIMARY KEY, v text);
      CREATE FUNCTION drops() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN DELETE FROM computed; RETURN NEW; END $$;
      CREATE TRIGGER sly BEFORE UPDATE ON logged FOR EACH ROW EXECUTE FUNCTION drops();
      CREATE TABLE parent (id int PRIMARY KEY); INSERT INTO parent VALUES (1);
      CREATE TABLE child (id int PRIMARY KEY, parent_id int NOT NULL REFERENCES parent (id) DEFERRABLE INITIALLY DEFERRED);
      CREATE TABLE many (id int PRIMARY KEY, word text, n int); INSERT INTO many SELECT i, CASE WHEN i % 7 = 0 THEN NULL ELSE md5(i::text) END, i % 10 FROM generate_series(1, 50000) AS i; ANALYZE many;
      CREATE TABLE keyless (v int); INSERT INTO keyless SELECT i % 5 FROM generate_series(1, 300) AS i;
      CREATE TABLE folded (word text COLLATE "C"); CREATE UNIQUE INDEX folded_part ON folded (word) WHERE word IS NOT NULL;
      CREATE ROLE clerk LOGIN PASSWORD 'clerk'; GRANT SELECT (id, shouted), UPDATE (shouted) ON computed TO clerk; GRANT SELECT ON many TO clerk;
      CREATE SCHEMA secret; CREATE TABLE secret.plans (id int PRIMARY KEY);
      CREATE FUNCTION clings() RETURNS text LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_advisory_lock(4711); PERFORM set_config('search_path', 'secret', false);
        PERFORM set_config('tabularium.mark', 'left', false); RETURN 'clung'; END $$;
      CREATE VIEW clinging AS SELECT clings() AS v;
      CREATE FUNCTION clings_too() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM clings(); RETURN NEW; END $$;
      CREATE TABLE sticky (id int PRIMARY KEY, v text); INSERT INTO sticky VALUES (1, 'a');
      CREATE TRIGGER sticks BEFORE INSERT OR UPDATE ON sticky FOR EACH ROW EXECUTE FUNCTION clings_too();
      CREATE FUNCTION clings_at_truncate() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM clings(); RETURN NULL; END $$;
      CREATE TRIGGER sticks_at_truncate BEFORE TRUNCATE ON sticky FOR EACH STATEMENT EXECUTE FUNCTION clings_at_truncate();
      CREATE VIEW slow AS SELECT a.id FROM many a, many b`,
    );
    session = await open(server());
  });
  afterAll(() => session.close());

  it('leaves no lock and no setting of a view or a trigger behind in the connections that others use next', async () => {
    const own = await open(server());
    try {
      const left = async (): Promise<unknown> => {
        const events = await run(
          own,
          `SELECT current_setting('search_path') AS path, coalesce(current_setting('tabularium.mark', true), '') AS mark,
            (SELECT count(*) FROM pg_catalog.pg_locks WHERE locktype = 'advisory') AS locks`,
        );
        return events.flatMap((event) => (event.type === 'rows' ? event.rows : []))[0];
      };
      const before = await left();
      expect(before).toEqual([expect.anything(), '', 0]);
      const doors = [
        () => read(own, 'clinging'),
        () => run(own, 'SELECT * FROM clinging'),
        () => run(own, 'SELECT clings()'),
        async () => {
          await Array.fromAsync(own.export?.rows({ table: ref('clinging'), filter: NO_FILTER }, { signal }) ?? []);
        },
        () => apply(own, 'sticky', [{ kind: 'update', key: [1], assignments: [{ column: 'v', value: 'b' }] }]),
        async () => {
          const rows = ['{"id":2,"v":"c"}'];
          await Array.fromAsync(own.import?.write({ table: ref('sticky'), mode: 'create' }, rows, { signal }) ?? []);
        },
        () => own.tableOperations?.run(ref('sticky'), 'empty', ref('sticky'), { signal }),
      ];
      for (const [index, door] of doors.entries()) {
        // The console may refuse it; nothing stays then either.
        await door()?.catch(() => undefined);
        expect(await left(), `door ${index}`).toEqual(before);
      }
    } finally {
      await own.close();
    }
  });

  it('reads tables with 1,600 columns, with none, and with names of every kind', async () => {
    const [wide] = await read(session, 'wide');
    expect(wide?.size).toBe(COLUMNS);
    expect(wide?.get('c1599')).toBe(2);
    expect(await read(session, 'nothing')).toEqual([]);
    const odd = ref('Ünï "Q" $1 ?');
    const [first] = await read(session, odd);
    expect([...(first?.keys() ?? [])]).toEqual(['constructor', '__proto__', 'case', 'toString', 'a.b', "Ä'; --"]);
    expect(first?.get('__proto__')).toBe('p');
    const page = await session.readPage(
      {
        table: odd,
        filter: NO_FILTER,
        sorts: [{ column: 'case', direction: 'descending' }],
        position: { from: 'start' },
        limit: 5,
        placeholders: { over: 100 },
      },
      { signal },
    );
    // A shortened column is called “case” by the server: the order must still be that of the table's own.
    expect(JSON.parse(new TextDecoder().decode(page.batch))).toMatchObject({
      rows: [
        [2, null, 'short', '', '$1', '?'],
        [1, 'p', ['unread', { bytes: 5_000, start: expect.stringContaining('long') as string }], 's', 'd', 'e'],
      ],
    });
    const changed = await apply(session, odd, [
      { kind: 'update', key: [2], assignments: [{ column: '__proto__', value: "'; DROP TABLE many; --" }] },
      { kind: 'insert', values: [{ column: 'constructor', value: 3 }] },
    ]);
    expect(changed).toMatchObject([
      { outcome: 'saved', key: [2] },
      { outcome: 'saved', key: [3] },
    ]);
  });

  it('shortens by length only what its type lets be longer, and shows a padded value as an export does', async () => {
    await administer(
      server(),
      `CREATE TABLE lengths (id int PRIMARY KEY, padded char(6), short varchar(30), long varchar(300), free text);
      INSERT INTO lengths VALUES (1, 'ab', repeat('ü', 30), repeat('x', 300), repeat('x', 300))`,
    );
    const question = { table: ref('lengths'), filter: NO_FILTER, sorts: [], position: { from: 'start' }, limit: 5 } as const;
    const page = await session.readPage({ ...question, placeholders: { over: 120 } }, { signal });
    const unread = ['unread', { bytes: 300, start: 'x'.repeat(200) }];
    expect(JSON.parse(new TextDecoder().decode(page.batch))).toMatchObject({
      rows: [[1, 'ab    ', 'ü'.repeat(30), unread, unread]],
    });
    const whole = await session.rows?.read({ table: ref('lengths'), keys: [[1]], columns: ['padded'] }, { signal });
    expect(new TextDecoder().decode(whole?.batch)).toContain('"ab    "');
  });

  it('reads to the last row from bookmarks, from the end and by jumps, and all agree', async () => {
    for (const sorts of [
      [],
      [{ column: 'word', direction: 'descending' as const }],
      [{ column: 'n', direction: 'ascending' as const }],
    ]) {
      const own = await open(server());
      const ids: unknown[] = [];
      for (let offset = 0; ; offset += 5_000) {
        const rows = await read(own, 'many', { sorts, position: { from: 'offset', offset }, limit: 5_000 });
        if (rows.length === 0) break;
        ids.push(...rows.map((row) => row.get('id')));
      }
      expect(new Set(ids).size).toBe(50_000);
      const tail = await read(own, 'many', { sorts, position: { from: 'end' }, limit: 100 });
      expect(tail.map((row) => row.get('id'))).toEqual(ids.slice(-100));
      const fresh = await open(server());
      const jump = await read(fresh, 'many', { sorts, position: { from: 'offset', offset: 31_234 }, limit: 50 });
      expect(jump.map((row) => row.get('id'))).toEqual(ids.slice(31_234, 31_284));
      await Promise.all([own.close(), fresh.close()]);
    }
  });

  it('reads a table without a key in the order of its storage, and does not edit it', async () => {
    const rows = [
      ...(await read(session, 'keyless', { limit: 150 })),
      ...(await read(session, 'keyless', { position: { from: 'offset', offset: 150 }, limit: 150 })),
    ];
    expect(rows.map((row) => row.get('v'))).toEqual(Array.from({ length: 300 }, (_, index) => (index + 1) % 5));
    const described = await session.describeTable(ref('keyless'), { signal });
    expect(described).toMatchObject({ key: [], columns: [{ editable: { allowed: false } }] });
    // An index that leaves rows out names no row.
    expect(await session.describeTable(ref('folded'), { signal })).toMatchObject({ key: [] });
  });

  it('leaves computed columns to the server, and shows what triggers made of a change', async () => {
    const described = await session.describeTable(ref('computed'), { signal });
    expect(described.columns.map(({ name, editable }) => [name, editable.allowed])).toEqual([
      ['id', false],
      ['n', true],
      ['twice', false],
      ['live', false],
      ['shouted', true],
    ]);
    const outcomes = await apply(session, 'computed', [
      { kind: 'insert', values: [{ column: 'shouted', value: 'hello' }] },
      { kind: 'insert', values: [] },
    ]);
    expect(outcomes).toMatchObject([
      { outcome: 'saved', key: [1] },
      { outcome: 'saved', key: [2] },
    ]);
    expect(await apply(session, 'computed', [{ kind: 'insert', values: [{ column: 'twice', value: 1 }] }])).toMatchObject([
      { outcome: 'failed', message: '“twice”: PostgreSQL computes “twice”. Leave this column out.' },
    ]);
    const [row] = await read(session, 'computed');
    expect([...(row?.values() ?? [])]).toEqual([1, 7, 14, 21, 'HELLO']);
    expect(
      await apply(session, 'computed', [{ kind: 'update', key: [1], assignments: [{ column: 'n', value: 13 }] }]),
    ).toMatchObject([{ outcome: 'failed', code: 'CONFLICT', message: expect.stringContaining('trigger') as string }]);
    expect(
      await apply(session, 'computed', [{ kind: 'update', key: [1], assignments: [{ column: 'n', value: 100 }] }]),
    ).toMatchObject([{ outcome: 'failed', code: 'INVALID_INPUT' }]);
    const prepared = async (table: string, column: string) =>
      session.edits?.prepare(ref(table), [{ kind: 'update', key: [1], assignments: [{ column, value: '1' }] }], { signal });
    expect(await prepared('computed', 'n')).not.toMatchObject([{ effect: 'destructive' }]);
    expect(await prepared('logged', 'v')).toMatchObject([{ effect: 'destructive' }]);
  });

  it('says which key is there already', async () => {
    const [outcome] = await apply(session, 'parent', [{ kind: 'insert', values: [{ column: 'id', value: 1 }] }]);
    expect(outcome).toMatchObject({ outcome: 'failed', code: 'CONFLICT' });
    expect(outcome?.outcome === 'failed' ? outcome.message : '').toMatch(
      / PostgreSQL says: .+\. Key \(id\)=\(1\) already exists\.$/,
    );
  });

  it('makes all changes of a save or none, also where a constraint fails at the end', async () => {
    const insert = (id: number, parent: number) =>
      ({
        kind: 'insert',
        values: [
          { column: 'id', value: id },
          { column: 'parent_id', value: parent },
        ],
      }) as const;
    expect(await apply(session, 'child', [insert(1, 1), insert(2, 99)])).toMatchObject([
      { index: 1, outcome: 'failed', code: 'CONFLICT' },
    ]);
    expect(await read(session, 'child')).toEqual([]);
    expect(await apply(session, 'child', [insert(1, 1), insert(1, 1)])).toMatchObject([
      { index: 1, outcome: 'failed', code: 'CONFLICT' },
    ]);
    expect(await read(session, 'child')).toEqual([]);
    expect(await apply(session, 'child', [insert(1, 1)])).toMatchObject([{ outcome: 'saved' }]);
  });

  it('names the column that someone else has changed', async () => {
    await administer(server(), "UPDATE many SET word = 'theirs' WHERE id = 1");
    const change = (expected: string) =>
      apply(session, 'many', [
        {
          kind: 'update',
          key: [1],
          assignments: [{ column: 'word', value: 'mine' }],
          expected: [{ column: 'word', value: expected }],
        },
      ]);
    expect(await change('before')).toMatchObject([
      { outcome: 'failed', code: 'CONFLICT', column: 'word', message: expect.stringContaining('theirs') as string },
    ]);
    expect(await change('THEIRS')).toMatchObject([{ outcome: 'failed', code: 'CONFLICT' }]);
    expect(await change('theirs')).toMatchObject([{ outcome: 'saved' }]);
  });

  it('shows and edits no more than the role may', async () => {
    const clerk = await open(server(), { user: 'clerk', password: 'clerk' });
    const listed = (await clerk.listTables({ signal })).map(({ ref: { name } }) => name);
    expect(listed).toContain('computed');
    expect(listed).not.toContain('plans');
    const described = await clerk.describeTable(ref('computed'), { signal });
    expect(described.columns.map(({ name }) => name)).toEqual(['id', 'shouted']);
    expect(described.notes.join('\n')).toContain('n, twice, live');
    expect((await read(clerk, 'computed'))[0]?.get('shouted')).toBe('HELLO');
    expect(
      await apply(clerk, 'computed', [{ kind: 'update', key: [1], assignments: [{ column: 'shouted', value: 'mine' }] }]),
    ).toMatchObject([{ outcome: 'saved' }]);
    expect(await apply(clerk, 'many', [{ kind: 'delete', key: [1] }])).toMatchObject([
      { outcome: 'failed', code: 'ACCESS_REFUSED' },
    ]);
    await expect(run(clerk, 'SELECT * FROM secret.plans')).rejects.toMatchObject({ code: 'ACCESS_REFUSED' });
    await clerk.close();
  });

  it('is not led astray by a search path that hides the functions and operators of the server', async () => {
    await administer(
      server(),
      `CREATE SCHEMA evil; CREATE FUNCTION evil.count(*) RETURNS bigint LANGUAGE sql AS 'SELECT 666::bigint'`.replace(
        '(*)',
        '()',
      ) +
        `; CREATE FUNCTION evil.trap(int, int) RETURNS boolean LANGUAGE sql AS 'SELECT true'; CREATE OPERATOR evil.= (FUNCTION = evil.trap, LEFTARG = int, RIGHTARG = int);
        CREATE FUNCTION evil.has_table_privilege(oid, text) RETURNS boolean LANGUAGE sql AS 'SELECT false';
        CREATE ROLE misled LOGIN PASSWORD 'misled'; GRANT USAGE ON SCHEMA evil TO misled; GRANT SELECT ON many TO misled;
        ALTER ROLE misled SET search_path = evil, pg_catalog, public`,
    );
    const misled = await open(server(), { user: 'misled', password: 'misled' });
    expect((await misled.listTables({ signal })).map(({ ref: { name } }) => name)).toContain('many');
    const filter = { match: 'all' as const, conditions: [{ column: 'id', operator: 'equals' as const, values: ['5'] }] };
    expect(await misled.countRows({ table: ref('many'), filter }, { signal })).toEqual({ rows: 1, exact: true });
    await misled.close();
  });

  it('cancels a statement at the server and keeps the connection', async () => {
    const own = new AbortController();
    const running = (async () => {
      for await (const event of session.console?.run('SELECT count(*) FROM slow', { maxRows: 10, signal: own.signal }) ?? [])
        void event;
    })();
    const refused = expect(running).rejects.toMatchObject({ code: 'CANCELLED' });
    await wait(300);
    own.abort();
    await refused;
    await expect
      .poll(async () =>
        JSON.stringify(
          await run(
            session,
            "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%FROM slow%' AND state = 'active' AND pid <> pg_backend_pid()",
          ),
        ),
      )
      .toContain('[[0]]');
  });

  it('gives the first rows of an endless answer at once, and ends it when they are enough', async () => {
    const began = performance.now();
    const events = await run(session, "SELECT generate_series(1, 2000000000), repeat('x', 300)", 2_000);
    expect(events.at(-1)).toMatchObject({ type: 'done', truncated: true });
    expect(performance.now() - began).toBeLessThan(5_000);
    for await (const event of session.console?.run("SELECT generate_series(1, 2000000000), repeat('x', 3000)", {
      maxRows: 500_000,
      signal,
    }) ?? [])
      if (event.type === 'rows') break;
    expect(await run(session, 'SELECT 1')).toHaveLength(3);
  });

  it('shows results with types of one’s own at once, also where they hold every connection, and where there is no further one', async () => {
    await administer(
      server(),
      `CREATE DOMAIN whole AS int; CREATE TYPE mood AS ENUM ('sad', 'glad'); CREATE TABLE moods (id whole, mood mood);
      CREATE ROLE lonely LOGIN PASSWORD 'lonely' CONNECTION LIMIT 1; GRANT ALL ON moods TO lonely`,
    );
    const own = await open(server());
    const statement = "SELECT 1::whole AS id, 'glad'::mood AS mood FROM pg_sleep(0.2)";
    const results = await Promise.all(Array.from({ length: 12 }, () => run(own, statement)));
    for (const events of results)
      expect(events.slice(0, 2)).toEqual([
        {
          type: 'rowsBegin',
          columns: [
            { name: 'id', kind: 'integer' },
            { name: 'mood', kind: 'text' },
          ],
        },
        { type: 'rows', rows: [[1, 'glad']] },
      ]);
    await own.close();
    const lonely = await open(server(), { user: 'lonely', password: 'lonely' });
    const inserted = await run(lonely, "INSERT INTO moods VALUES (1, 'sad') RETURNING id, mood");
    expect(inserted).toMatchObject([
      { type: 'rowsBegin' },
      { type: 'rows', rows: [[1, 'sad']] },
      { type: 'done', affectedRows: 1 },
    ]);
    await administer(server(), 'CREATE TABLE lonely_rows (id int PRIMARY KEY, v text); GRANT ALL ON lonely_rows TO lonely');
    const change = { kind: 'insert' as const, values: [{ column: 'id', value: '1' }] };
    expect(await apply(lonely, 'lonely_rows', [change])).toMatchObject([{ outcome: 'saved' }]);
    expect(await importRows(lonely, ref('lonely_rows'), 'create', ['{"id":2,"v":"b"}'])).toEqual([{ outcome: 'written' }]);
    await lonely.close();
  });

  it.each(['SELECT n', 'INSERT INTO counted SELECT n'])(
    'cuts an answer where there is a row more than wanted: %s',
    async (begin) => {
      await administer(server(), 'DROP TABLE IF EXISTS counted; CREATE TABLE counted (n int)');
      const own = await session.console?.openSession?.({ signal });
      const end = begin.startsWith('INSERT') ? ' RETURNING n' : '';
      for (const [rows, truncated] of [
        [2, false],
        [3, false],
        [4, true],
      ] as const) {
        const statement = `${begin} FROM generate_series(1, ${rows}) AS n${end}`;
        for (const events of [
          await run(session, statement, 3),
          await Array.fromAsync(own?.run(statement, { maxRows: 3, signal }) ?? []),
        ]) {
          expect(events.flatMap((event) => (event.type === 'rows' ? event.rows : []))).toHaveLength(Math.min(rows, 3));
          expect(events).toContainEqual(expect.objectContaining({ type: 'done', truncated }));
        }
      }
      await own?.close();
    },
  );

  it('reports notices beside the result, and forgets what a statement has set', async () => {
    const events = await run(
      session,
      "DO $$ BEGIN RAISE NOTICE 'one %', 1; RAISE WARNING 'two'; PERFORM set_config('work_mem', '1234kB', false); END $$",
    );
    expect(events).toMatchObject([
      { type: 'done', status: 'DO' },
      { type: 'text', text: 'NOTICE: one 1\nWARNING: two' },
      { type: 'done', label: 'Messages' },
    ]);
    expect(await run(session, 'SHOW work_mem')).not.toContainEqual({ type: 'rows', rows: [['1234kB']] });
  });

  it('reports the notices of a statement that fails before its error, also behind rows that came', async () => {
    const events: ResultEvent[] = [];
    const failing = async (statement: string): Promise<void> => {
      events.length = 0;
      for await (const event of session.console?.run(statement, { maxRows: 10_000, signal }) ?? []) events.push(event);
    };
    await expect(failing("DO $$ BEGIN RAISE NOTICE 'got here'; RAISE EXCEPTION 'stop'; END $$")).rejects.toThrow(/stop/);
    expect(events).toMatchObject([
      { type: 'text', text: 'NOTICE: got here' },
      { type: 'done', label: 'Messages' },
    ]);
    await expect(failing("DO $$ BEGIN RAISE EXCEPTION 'stop'; END $$")).rejects.toThrow(/stop/);
    expect(events).toEqual([]);
    const body =
      "BEGIN IF n = 4999 THEN RAISE NOTICE 'at %', n; END IF; IF n = 5000 THEN RAISE EXCEPTION 'stop'; END IF; RETURN n; END";
    await run(session, `CREATE FUNCTION stops(n int) RETURNS int LANGUAGE plpgsql AS $$ ${body} $$`);
    await expect(failing("SELECT stops(n), repeat('x', 200) FROM generate_series(1, 5000) n")).rejects.toThrow(/stop/);
    expect(events[0]).toMatchObject({ type: 'rowsBegin' });
    expect(events.slice(-3)).toMatchObject([
      { type: 'done', truncated: true },
      { type: 'text', text: 'NOTICE: at 4999' },
      { type: 'done', label: 'Messages' },
    ]);
  });

  it('says how many rows a change has affected, and which table it empties', async () => {
    expect(await run(session, 'UPDATE many SET n = 1 WHERE id < 4 RETURNING id, n')).toMatchObject([
      { type: 'rowsBegin' },
      { type: 'rows' },
      { type: 'done', affectedRows: 3 },
    ]);
    expect(await session.console?.classify('DELETE FROM many', { signal })).toMatchObject({
      effect: 'destructive',
      everyRowOf: { namespace: ['public'], name: 'many' },
    });
    await run(session, 'VACUUM many');
    await expect(run(session, 'SELECT nope FROM many')).rejects.toMatchObject({
      code: 'STRUCTURE_CHANGED',
      details: { status: '42703' },
    });
  });

  it('reports a time limit of the server as one, and a server that takes no changes', async () => {
    await administer(
      server(),
      "CREATE ROLE hasty LOGIN PASSWORD 'hasty'; ALTER ROLE hasty SET statement_timeout = '200ms'; CREATE ROLE frozen LOGIN PASSWORD 'frozen'; ALTER ROLE frozen SET default_transaction_read_only = on; GRANT ALL ON parent, slow TO hasty, frozen",
    );
    const hasty = await open(server(), { user: 'hasty', password: 'hasty' });
    await expect(run(hasty, 'SELECT count(*) FROM slow')).rejects.toMatchObject({ code: 'TIMEOUT' });
    await hasty.close();
    const frozen = await open(server(), { user: 'frozen', password: 'frozen' });
    await expect(run(frozen, 'INSERT INTO parent VALUES (77)')).rejects.toMatchObject({ code: 'ACCESS_REFUSED' });
    await frozen.close();
  });

  it('names what is wrong with a sign-in, without the password', async () => {
    const cases = [
      [{ password: 'wrong secret' }, 'ACCESS_REFUSED'],
      [{ password: '' }, 'CREDENTIALS_MISSING'],
      [{ database: 'no such database' }, 'NOT_FOUND'],
      [{ user: 'nobody at all' }, 'ACCESS_REFUSED'],
    ] as const;
    for (const [options, code] of cases) {
      const error: unknown = await open(server(), options).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code });
      expect(JSON.stringify([error, String(error)])).not.toContain('wrong secret');
    }
    await expect(open(server(), { socket: { tls: 'upgrade' } })).rejects.toMatchObject({
      code: 'TLS_FAILED',
      details: { field: 'sslMode' },
    });
  });

  it('answers one clear error when the server is restarted, and connects again', async () => {
    const own = await open(server());
    await read(own, 'parent');
    const running = run(own, 'SELECT count(*) FROM slow');
    const lost = expect(running).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
    await wait(200);
    await server().restart();
    await lost;
    const rows = await read(own, 'parent').catch(() => read(own, 'parent'));
    expect(rows).toHaveLength(1);
    await own.close();
  });
});
