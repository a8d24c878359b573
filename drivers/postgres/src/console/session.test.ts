import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { ConsoleSession, Session, SessionEvent } from '@tabularium/sdk';
import { HARMLESS_STATEMENTS, HOSTILE_OBJECTS, HOSTILE_STATEMENTS } from '../hostileStatements.test-helper.ts';
import { describeWithServer } from '../server.test-helper.ts';
import { administer, open, run as runShared, signal } from '../session.test-helper.ts';

describeWithServer('a console session', (server) => {
  let session: Session;
  const opened: ConsoleSession[] = [];
  beforeAll(async () => {
    await administer(
      server(),
      `${HOSTILE_OBJECTS}
      CREATE TABLE kept (id int PRIMARY KEY, word text);
      CREATE TABLE filled (id int); INSERT INTO filled SELECT generate_series(1, 3000);
      CREATE ROLE clerk; GRANT clerk TO tester; CREATE SCHEMA desk; GRANT USAGE ON SCHEMA desk TO clerk;
      CREATE FUNCTION greets() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RAISE WARNING 'careful' USING DETAIL = 'why', HINT = 'how', ERRCODE = '01007'; RAISE NOTICE 'hello'; RETURN 1; END $$;`,
    );
    session = await open(server());
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((own) => own.close()));
    await administer(server(), 'TRUNCATE kept');
  });
  afterAll(() => session.close());

  async function begin(): Promise<ConsoleSession> {
    const own = await session.console?.openSession?.({ signal });
    if (own === undefined) throw new Error('The driver opens no sessions.');
    opened.push(own);
    return own;
  }

  async function run(own: ConsoleSession, statement: string, parameters?: readonly (string | null)[]): Promise<SessionEvent[]> {
    const events: SessionEvent[] = [];
    const options = { maxRows: 1_000, signal, ...(parameters === undefined ? {} : { parameters }) };
    for await (const event of own.run(statement, options)) events.push(event);
    return events;
  }
  const rowsOf = (events: readonly SessionEvent[]) => events.flatMap((event) => (event.type === 'rows' ? event.rows : []));
  const state = (own: ConsoleSession) => own.context.transaction;
  const outside = async (): Promise<unknown> => rowsOf(await runShared(session, 'SELECT count(*) FROM kept'))[0]?.[0];

  it('has a transaction over several statements, and others see nothing of it before it is committed', async () => {
    const own = await begin();
    expect(own.context).toEqual({ namespace: ['public'], role: 'tester', transaction: 'none' });
    expect((await run(own, 'BEGIN')).at(-1)).toEqual({
      type: 'context',
      context: { namespace: ['public'], role: 'tester', transaction: 'open' },
    });
    await run(own, "INSERT INTO kept VALUES (1, 'a')");
    expect(rowsOf(await run(own, 'SELECT count(*) FROM kept'))).toEqual([[1]]);
    expect(state(own)).toBe('open');
    expect(await outside()).toBe(0);
    const other = await begin();
    expect(rowsOf(await run(other, 'SELECT count(*) FROM kept'))).toEqual([[0]]);
    await run(own, 'COMMIT');
    expect(state(own)).toBe('none');
    expect(await outside()).toBe(1);
  });

  it('fails with a statement that fails, runs nothing more, and is whole again after ROLLBACK', async () => {
    const own = await begin();
    await run(own, 'BEGIN');
    await run(own, "INSERT INTO kept VALUES (1, 'a')");
    await expect(run(own, 'SELECT 1 / 0')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(state(own)).toBe('failed');
    await expect(run(own, 'SELECT 1')).rejects.toMatchObject({ code: 'CONFLICT' });
    // It can be classified, for the run of several that begins with ROLLBACK.
    expect(await own.classify('SELECT 1', { signal })).toMatchObject({ effect: 'read' });
    await run(own, 'ROLLBACK');
    expect(state(own)).toBe('none');
    expect(await outside()).toBe(0);
    expect(rowsOf(await run(own, 'SELECT 1'))).toEqual([[1]]);
  });

  it('says that a COMMIT of a failed transaction rolled it back', async () => {
    const own = await begin();
    for (const end of [() => run(own, 'COMMIT'), () => own.endTransaction('commit', { signal })]) {
      await run(own, 'BEGIN');
      await expect(run(own, 'INSERT INTO kept VALUES (1), (1)')).rejects.toMatchObject({ code: 'CONFLICT' });
      await expect(end()).rejects.toMatchObject({ code: 'CONFLICT', message: /rolled it back/ });
      expect(state(own)).toBe('none');
    }
  });

  it('goes back to a savepoint, also after a failure', async () => {
    const own = await begin();
    await run(own, 'BEGIN');
    await run(own, "INSERT INTO kept VALUES (1, 'a')");
    await run(own, 'SAVEPOINT mine');
    await run(own, "INSERT INTO kept VALUES (2, 'b')");
    await expect(run(own, 'SELECT nothing')).rejects.toThrow();
    await run(own, 'ROLLBACK TO SAVEPOINT mine');
    expect(state(own)).toBe('open');
    expect(await own.endTransaction('commit', { signal })).toMatchObject({ transaction: 'none' });
    expect(await outside()).toBe(1);
  });

  it('keeps settings and temporary tables, in this session only', async () => {
    const own = await begin();
    await run(own, "SET work_mem = '1234kB'");
    await run(own, 'CREATE TEMP TABLE mine AS SELECT 7 AS n');
    expect(rowsOf(await run(own, 'SHOW work_mem'))).toEqual([['1234kB']]);
    expect(rowsOf(await run(own, 'SELECT n FROM mine'))).toEqual([[7]]);
    const other = await begin();
    await expect(run(other, 'SELECT n FROM mine')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(rowsOf(await run(other, 'SHOW work_mem'))).not.toEqual([['1234kB']]);
    expect(await own.classify('DELETE FROM mine', { signal })).toMatchObject({
      effect: 'destructive',
      everyRowOf: { name: 'mine' },
    });
  });

  it('says where it is: the schema and the role', async () => {
    const own = await begin();
    await run(own, 'SET search_path = desk, public');
    await run(own, 'SET ROLE clerk');
    expect(own.context).toEqual({ namespace: ['desk'], role: 'clerk', transaction: 'none' });
    await expect(run(own, 'SELECT * FROM kept')).rejects.toMatchObject({ code: 'ACCESS_REFUSED' });
    await run(own, 'RESET ALL');
    await run(own, 'RESET ROLE');
    expect(own.context).toEqual({ namespace: ['public'], role: 'tester', transaction: 'none' });
    await run(own, 'BEGIN');
    await run(own, 'SET LOCAL search_path = desk');
    expect(own.context.namespace).toEqual(['desk']);
    await run(own, 'ROLLBACK');
    expect(own.context.namespace).toEqual(['public']);
  });

  it('lets the level of a transaction be set after BEGIN', async () => {
    const own = await begin();
    await run(own, 'BEGIN');
    await run(own, 'SET TRANSACTION ISOLATION LEVEL SERIALIZABLE');
    expect(rowsOf(await run(own, 'SHOW transaction_isolation'))).toEqual([['serializable']]);
    await run(own, 'ROLLBACK');
    await run(own, 'BEGIN');
    for (const setting of ["SET LOCAL lock_timeout = '2s'", 'SET LOCAL "Work_Mem" = 65536', 'SET jit TO off'])
      await run(own, setting);
    await run(own, 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    expect(rowsOf(await run(own, 'SHOW transaction_isolation'))).toEqual([['repeatable read']]);
    expect(rowsOf(await run(own, 'SHOW lock_timeout'))).toEqual([['2s']]);
    await run(own, 'ROLLBACK');
  });

  it('classifies in the open transaction without disturbing it, also where the statement is wrong', async () => {
    const own = await begin();
    await run(own, 'BEGIN');
    await run(own, 'CREATE TABLE fresh (id int)');
    await run(own, "CREATE FUNCTION fresh() RETURNS int LANGUAGE sql AS 'DELETE FROM kept RETURNING 1'");
    // Only the transaction has them.
    expect(await own.classify('SELECT fresh()', { signal })).toMatchObject({ effect: 'write', unknown: true });
    expect(await own.classify('DELETE FROM fresh', { signal })).toMatchObject({ everyRowOf: { name: 'fresh' } });
    await own.classify('SELECT no_such_thing FROM nowhere', { signal });
    await expect(own.classify('SELEC', { signal })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await run(own, "SET LOCAL statement_timeout = '1ms'");
    await own.classify('SELECT 1', { signal });
    expect(state(own)).toBe('open');
    expect(rowsOf(await run(own, 'SHOW transaction_read_only'))).toEqual([['off']]);
    expect(rowsOf(await run(own, 'SHOW statement_timeout'))).toEqual([['1ms']]);
    await run(own, 'ROLLBACK');
  });

  it('classifies a statement that is cancelled meanwhile, and the transaction stays', async () => {
    const own = await begin();
    await run(own, 'BEGIN');
    for (let turn = 0; turn < 10; turn += 1) {
      const stopping = new AbortController();
      const classified = own.classify('SELECT * FROM kept, filled', { signal: stopping.signal }).catch(() => undefined);
      setTimeout(() => stopping.abort(), turn);
      await classified;
    }
    expect(state(own)).toBe('open');
    await run(own, 'ROLLBACK');
  });

  it('lets nothing write that counts as reading, in a transaction and outside', async () => {
    const own = await begin();
    for (const outer of [undefined, 'BEGIN']) {
      if (outer !== undefined) await run(own, outer);
      for (const statement of HARMLESS_STATEMENTS) {
        expect(await own.classify(statement, { signal }), statement).toMatchObject({ effect: 'read' });
        expect(
          (await run(own, statement)).some(({ type }) => type === 'done'),
          statement,
        ).toBe(true);
      }
      expect(state(own)).toBe(outer === undefined ? 'none' : 'open');
    }
    await run(own, 'SELECT 1');
    await run(own, 'SET LOCAL search_path = public, hostile');
    const read: string[] = [];
    for (const statement of HOSTILE_STATEMENTS) {
      const { effect } = await own.classify(statement, { signal });
      if (effect === 'read') read.push(statement);
    }
    expect(read.filter((statement) => !statement.includes('dblink'))).toEqual([]);
    expect(state(own)).toBe('open');
    // A commit keeps what was changed.
    for (const statement of ['COMMIT', 'END', 'DISCARD ALL', 'SET CONSTRAINTS ALL IMMEDIATE', 'LOCK kept'])
      expect(await own.classify(statement, { signal }), statement).toMatchObject({ effect: 'write' });
  });

  it('refuses what can’t be seen when it is confirmed, and what would change the form of values', async () => {
    const own = await begin();
    for (const statement of [
      'PREPARE x AS DELETE FROM kept',
      'EXECUTE x',
      'DECLARE c CURSOR FOR SELECT 1',
      'LISTEN a',
      "LOAD 'plpgsql'",
      "PREPARE TRANSACTION 'x'",
      "SET datestyle = 'German'",
      "SET SESSION bytea_output = 'escape'",
      "SET NAMES 'latin1'",
      'RESET extra_float_digits',
      'BEGIN; DELETE FROM kept',
      'EXPLAIN ANALYZE BEGIN',
    ])
      await expect(run(own, statement), statement).rejects.toMatchObject({
        code: expect.stringMatching(/INVALID_INPUT|UNSUPPORTED/) as string,
      });
    await run(own, "SELECT set_config('bytea_output', 'escape', false)");
    expect(rowsOf(await run(own, "SELECT '\\xff00'::bytea"))).toEqual([['/wA=']]);
  });

  it('sends notices as they are, with severity, detail and hint', async () => {
    const own = await begin();
    const events = await run(own, 'SELECT greets()');
    expect(events.filter(({ type }) => type === 'notice')).toEqual([
      { type: 'notice', severity: 'warning', message: 'careful', detail: 'why', hint: 'how', code: '01007' },
      { type: 'notice', severity: 'notice', message: 'hello', code: '00000' },
    ]);
  });

  it('sends a notice while the statement still runs', async () => {
    const own = await begin();
    const stopping = new AbortController();
    const events = own.run("DO $$ BEGIN RAISE NOTICE 'begun'; PERFORM pg_sleep(600); END $$", {
      maxRows: 1,
      signal: stopping.signal,
    });
    const seen: SessionEvent[] = [];
    const ran = (async () => {
      for await (const event of events) {
        seen.push(event);
        if (event.type === 'notice') stopping.abort();
      }
    })();
    await expect(ran).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(seen).toMatchObject([{ type: 'notice', message: 'begun' }]);
    expect(rowsOf(await run(own, 'SELECT 1'))).toEqual([[1]]);
  });

  it('names the types of parameters, and takes their values', async () => {
    const own = await begin();
    await run(own, 'BEGIN');
    const statement = 'SELECT $1::int + id, $2::text, $3::timestamptz FROM filled WHERE id = $1';
    expect(await own.parameters?.(statement, { signal })).toEqual([
      { name: '$1', type: 'integer', kind: 'integer' },
      { name: '$2', type: 'text', kind: 'text' },
      { name: '$3', type: 'timestamp with time zone', kind: 'timestamp' },
    ]);
    expect(await own.parameters?.('SELECT 1', { signal })).toEqual([]);
    await expect(own.parameters?.('SELECT $1 FROM nowhere', { signal })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(state(own)).toBe('open');
    expect(rowsOf(await run(own, statement, ['7', "'; DROP TABLE kept; --", null]))).toEqual([
      [14, "'; DROP TABLE kept; --", null],
    ]);
    await run(own, 'INSERT INTO kept VALUES ($1, $2)', ['1', null]);
    await run(own, 'COMMIT');
    expect(await outside()).toBe(1);
  });

  it('asks for the parameters of a statement whose literals would call a function that writes, and nothing is written', async () => {
    const own = await begin();
    for (const outer of ['SELECT 1', 'BEGIN']) {
      await run(own, outer);
      await own.parameters?.("SELECT '((1,x))'::hostile.outer_holder, $1::int", { signal }).catch(() => undefined);
    }
    expect(state(own)).toBe('open');
    expect(rowsOf(await run(own, 'SELECT count(*) FROM hostile.victim'))).toEqual([[2]]);
  });

  it('rolls back when it is closed, also while a statement runs, and when the whole session is closed', async () => {
    const whole = await open(server());
    const first = await whole.console?.openSession?.({ signal });
    const second = await whole.console?.openSession?.({ signal });
    if (first === undefined || second === undefined) throw new Error('There are no sessions.');
    for (const own of [first, second]) {
      await run(own, 'BEGIN');
      await run(own, `INSERT INTO kept VALUES (${own === first ? 1 : 2})`);
    }
    const slow = run(first, 'SELECT pg_sleep(600)');
    slow.catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await first.close();
    await expect(slow).rejects.toThrow();
    await whole.close();
    await expect(run(second, 'SELECT 1')).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
    expect(await outside()).toBe(0);
    const open2 = await runShared(session, "SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'");
    expect(rowsOf(open2)).toEqual([[0]]);
  });

  it('says that it ended, and that its transaction was rolled back, when the server ends it', async () => {
    const own = await begin();
    await run(own, 'BEGIN');
    await run(own, 'INSERT INTO kept VALUES (1)');
    const [[pid] = []] = rowsOf(await run(own, 'SELECT pg_backend_pid()'));
    await administer(server(), `SELECT pg_terminate_backend(${String(pid)})`);
    await expect(run(own, 'SELECT 1')).rejects.toMatchObject({ code: 'CONNECTION_LOST', message: /rolled back/ });
    await expect(run(own, 'SELECT 1')).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
  });

  it('survives a read that is stopped or left early, transaction and all', async () => {
    const own = await begin();
    await run(own, 'BEGIN');
    await run(own, 'INSERT INTO kept VALUES (1)');
    for await (const event of own.run('SELECT * FROM filled a, filled b', { maxRows: 100_000, signal }))
      if (event.type === 'rows') break;
    expect(state(own)).toBe('open');
    const stopping = new AbortController();
    const slow = (async () => {
      for await (const event of own.run('SELECT count(*) FROM filled a, filled b, filled c', {
        maxRows: 1,
        signal: stopping.signal,
      }))
        if (event.type === 'done') return;
    })();
    setTimeout(() => stopping.abort(), 100);
    await expect(slow).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(state(own)).toBe('open');
    await run(own, 'COMMIT');
    expect(await outside()).toBe(1);
  });

  it('does one thing at a time', async () => {
    const own = await begin();
    const slow = run(own, 'SELECT pg_sleep(0.3)');
    await expect(run(own, 'SELECT 1')).rejects.toMatchObject({ code: 'CONFLICT' });
    await slow;
  });

  it('has no transaction left after a commit that the server refused', async () => {
    await administer(
      server(),
      `CREATE TABLE IF NOT EXISTS checked (id int UNIQUE DEFERRABLE INITIALLY DEFERRED); GRANT ALL ON checked TO tester`,
    );
    const own = await begin();
    await run(own, 'BEGIN');
    await run(own, 'SET LOCAL search_path = desk');
    await run(own, 'INSERT INTO public.checked VALUES (1), (1)');
    await expect(own.endTransaction('commit', { signal })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(own.context).toEqual({ namespace: ['public'], role: 'tester', transaction: 'none' });
    expect(rowsOf(await run(own, 'SELECT count(*) FROM checked'))).toEqual([[0]]);
  });

  it('leaves the next transaction of AND CHAIN as it begins', async () => {
    const own = await begin();
    for (const chain of ['COMMIT AND CHAIN', 'ROLLBACK AND CHAIN']) {
      await run(own, 'BEGIN');
      expect((await run(own, chain)).at(-1)).toMatchObject({
        type: 'context',
        context: { transaction: 'open' },
        beginsNext: true,
      });
      expect(state(own)).toBe('open');
      await run(own, 'SET TRANSACTION ISOLATION LEVEL SERIALIZABLE');
      await run(own, 'COMMIT AND NO CHAIN');
      expect(state(own)).toBe('none');
    }
  });

  it('runs a statement that writes to its end, however few of its rows are shown', async () => {
    await administer(
      server(),
      `CREATE OR REPLACE FUNCTION writes(int) RETURNS int LANGUAGE sql AS 'INSERT INTO kept VALUES ($1) RETURNING id'; GRANT ALL ON kept TO tester`,
    );
    const own = await begin();
    const events: SessionEvent[] = [];
    for await (const event of own.run('SELECT writes(n) FROM generate_series(1, 50) AS n', { maxRows: 3, signal }))
      events.push(event);
    expect(rowsOf(events)).toEqual([[1], [2], [3]]);
    expect(events).toContainEqual(expect.objectContaining({ type: 'done', truncated: true }));
    expect(await outside()).toBe(50);
    await administer(server(), 'TRUNCATE kept');
    const shared = session.console?.run('SELECT writes(n) FROM generate_series(1, 50) AS n', { maxRows: 3, signal });
    expect(rowsOf(await Array.fromAsync(shared ?? []))).toEqual([[1], [2], [3]]);
    expect(await outside()).toBe(50);
  });

  it('shows a thousand messages of a statement at most, also of one that takes its time', async () => {
    const own = await begin();
    const flood = "DO $$ BEGIN FOR n IN 1..30000 LOOP RAISE NOTICE 'n %', n; PERFORM pg_sleep(0) ; END LOOP; END $$";
    const notices = (await run(own, flood)).filter((event) => event.type === 'notice');
    expect(notices[0]).toMatchObject({ message: 'n 1' });
    expect(notices).toHaveLength(1_000);
    expect(notices.at(-1)).toMatchObject({ message: 'n 30000' });
    await run(own, "DO $$ BEGIN RAISE NOTICE 'once'; END $$");
    expect((await run(own, "DO $$ BEGIN RAISE NOTICE 'once'; END $$"))[0]).toMatchObject({ type: 'notice', message: 'once' });
  });

  it('says that it is gone when its context is asked for, after the server ended it while nothing ran', async () => {
    const own = await begin();
    await run(own, 'BEGIN');
    const [[pid] = []] = rowsOf(await run(own, 'SELECT pg_backend_pid()'));
    await administer(server(), `SELECT pg_terminate_backend(${String(pid)})`);
    await expect
      .poll(() => {
        try {
          return own.context.transaction;
        } catch (error) {
          return String(error);
        }
      })
      .toMatch(/rolled back/);
  });

  it('says that it is not known what became of a commit in the middle of which the server ended it', async () => {
    await administer(
      server(),
      `CREATE TABLE IF NOT EXISTS late (id int); GRANT ALL ON late TO tester;
      CREATE OR REPLACE FUNCTION waits() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(600); RETURN NULL; END $$;
      DROP TRIGGER IF EXISTS waits ON late;
      CREATE CONSTRAINT TRIGGER waits AFTER INSERT ON late DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION waits()`,
    );
    for (const commit of [
      (own: ConsoleSession) => own.endTransaction('commit', { signal }),
      (own: ConsoleSession) => run(own, 'COMMIT'),
    ]) {
      const own = await begin();
      await run(own, 'BEGIN');
      const [[pid] = []] = rowsOf(await run(own, 'SELECT pg_backend_pid()'));
      await run(own, 'INSERT INTO late VALUES (1)');
      const committed = commit(own);
      committed.catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 200));
      await administer(server(), `SELECT pg_terminate_backend(${String(pid)})`);
      await expect(committed).rejects.toMatchObject({ code: 'CONNECTION_LOST', message: /isn't known/ });
    }
  });

  it('can be stopped in the middle of a commit, and says that no transaction is left', async () => {
    const own = await begin();
    await run(own, 'BEGIN');
    await run(own, 'INSERT INTO late VALUES (1)');
    const stopping = new AbortController();
    const committed = own.endTransaction('commit', { signal: stopping.signal });
    setTimeout(() => stopping.abort(), 200);
    await expect(committed).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(state(own)).toBe('none');
    expect(rowsOf(await run(own, 'SELECT count(*) FROM late'))).toEqual([[0]]);
  });

  it('explains as it would run: with its own tables, role and transaction, of which nothing changes', async () => {
    const own = await begin();
    const explain = own.explain;
    if (explain === undefined) throw new Error('A session makes no plans.');
    await run(own, 'BEGIN');
    await run(own, 'CREATE TEMP TABLE mine (id int)');
    await run(own, 'INSERT INTO mine VALUES (1), (2)');
    const planOfMine = await explain.explain('SELECT * FROM mine', { analyze: true, signal });
    expect(planOfMine.nodes[0]).toMatchObject({ target: expect.stringContaining('mine') as string, actualRows: 2 });
    expect(await explain.classify('DELETE FROM mine', { analyze: true, signal })).toMatchObject({ effect: 'destructive' });
    await expect(explain.explain('DELETE FROM mine', { analyze: true, signal })).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
    await explain.explain('DELETE FROM mine', { analyze: false, signal });
    await expect(explain.explain('SELECT * FROM nowhere', { analyze: false, signal })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(state(own)).toBe('open');
    expect(rowsOf(await run(own, 'SELECT count(*) FROM mine'))).toEqual([[2]]);
    await run(own, 'SET LOCAL ROLE clerk');
    await expect(explain.explain('SELECT * FROM kept', { analyze: false, signal })).rejects.toMatchObject({
      code: 'ACCESS_REFUSED',
    });
  });

  it.each(['ROLLBACK', 'ROLLBACK TRANSACTION', 'ABORT TRANSACTION', 'ROLLBACK WORK'])(
    'looks where it is after %s',
    async (end) => {
      const own = await begin();
      await run(own, 'BEGIN');
      await run(own, 'SET search_path = desk');
      await run(own, 'SET ROLE clerk');
      await run(own, end);
      expect(own.context).toEqual({ namespace: ['public'], role: 'tester', transaction: 'none' });
    },
  );

  it('fixes the form of values however a setting is spelled', async () => {
    const own = await begin();
    for (const statement of [
      `SET "Client_Encoding" = 'LATIN1'`,
      'SET LOCAL "STANDARD_conforming_strings" = off',
      'RESET "DateStyle"',
    ])
      await expect(own.classify(statement, { signal }), statement).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    expect(await own.classify('SET "Session_Replication_Role" = replica', { signal })).toMatchObject({ effect: 'write' });
    await run(
      own,
      "SELECT set_config('client_encoding', 'LATIN1', false), set_config('standard_conforming_strings', 'off', false)",
    );
    expect(rowsOf(await run(own, 'SHOW client_encoding'))).toEqual([['UTF8']]);
    expect(rowsOf(await run(own, 'SHOW standard_conforming_strings'))).toEqual([['on']]);
  });

  it('stays open after an error that says a connection was lost, as that of a foreign server does', async () => {
    const own = await begin();
    await run(own, 'BEGIN');
    await run(own, 'INSERT INTO kept VALUES (1)');
    await run(own, 'SAVEPOINT mine');
    const foreign = "DO $$ BEGIN RAISE EXCEPTION 'no foreign server' USING ERRCODE = '08001'; END $$";
    await expect(run(own, foreign)).rejects.toMatchObject({ code: 'SERVER_ERROR' });
    await run(own, 'ROLLBACK TO SAVEPOINT mine');
    await run(own, 'COMMIT');
    expect(await outside()).toBe(1);
  });

  it('shows the first and the last messages of a statement, and says how many it leaves out between them', async () => {
    const own = await begin();
    const events = await run(own, "DO $$ BEGIN FOR i IN 1..3000 LOOP RAISE NOTICE 'note %', i; END LOOP; END $$");
    const messages = events.flatMap((event) => (event.type === 'notice' ? [event.message] : []));
    expect(messages).toEqual([
      ...Array.from({ length: 500 }, (_, at) => `note ${at + 1}`),
      '2,001 messages are left out here.',
      ...Array.from({ length: 499 }, (_, at) => `note ${at + 2_502}`),
    ]);
  });

  it('shows the last messages before an error', async () => {
    const own = await begin();
    const messages: string[] = [];
    const flood = "DO $$ BEGIN FOR i IN 1..3000 LOOP RAISE NOTICE 'note %', i; END LOOP; RAISE EXCEPTION 'at last'; END $$";
    const fails = async (): Promise<void> => {
      for await (const event of own.run(flood, { maxRows: 10, signal }))
        if (event.type === 'notice') messages.push(event.message);
    };
    await expect(fails()).rejects.toThrow('at last');
    expect(messages.slice(-2)).toEqual(['note 2999', 'note 3000']);
  });

  it('drops any number of rows that are not shown, also of a statement that writes', async () => {
    const own = await begin();
    await run(own, 'BEGIN');
    await run(own, 'INSERT INTO kept VALUES (1)');
    const events: SessionEvent[] = [];
    // 90 MB.
    const large = "SELECT n, repeat('x', 30000) FROM generate_series(1, 3000) AS n, kept FOR UPDATE OF kept";
    for await (const event of own.run(large, { maxRows: 2, signal })) events.push(event);
    expect(rowsOf(events)).toHaveLength(2);
    expect(state(own)).toBe('open');
  });
});
