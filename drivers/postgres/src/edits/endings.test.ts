import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ChangeOutcome, RowChange, Session } from '@tabularium/sdk';
import { setTimeout as wait } from 'node:timers/promises';
import { describeWithServer } from '../server.test-helper.ts';
import { administer, clientOptions, open, ref } from '../session.test-helper.ts';
import { PgClient } from '../wire/pgClient.ts';

const TABLES = `
CREATE TABLE lots (id int PRIMARY KEY, title text);
CREATE TABLE slow (id int PRIMARY KEY, title text);
CREATE FUNCTION takes_long() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NULL; END $$;
CREATE CONSTRAINT TRIGGER late AFTER UPDATE ON slow DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.id = 1) EXECUTE FUNCTION takes_long()`;

/** Milliseconds that a statement may take: time enough for each before the one that is to be ended, on a busy machine too. */
const TIME_LIMIT = 3_000;

type How = 'cancel' | 'time limit' | 'backend killed' | 'server stopped';
type When = 'waits for a lock' | 'commits' | 'is between statements';

const update = (id: number): RowChange => ({
  kind: 'update',
  key: [id],
  assignments: [{ column: 'title', value: 'new' }],
});

describeWithServer('a save that is ended', (server) => {
  let session: Session;
  let holder: PgClient;
  beforeAll(() => administer(server(), TABLES));
  beforeEach(async () => {
    await administer(
      server(),
      "TRUNCATE lots, slow; INSERT INTO lots VALUES (1, 'old'), (2, 'old'); INSERT INTO slow VALUES (1, 'old'), (2, 'old')",
    );
    holder = new PgClient({ ...clientOptions(server()), database: 'postgres' });
    holder.on('error', () => undefined);
    await holder.connect();
  });
  afterEach(async () => {
    await session.close();
    await holder.end().catch(() => undefined);
    await administer(server(), 'ALTER DATABASE postgres RESET statement_timeout');
  });

  const titles = async (table: string): Promise<unknown> => {
    const client = new PgClient({ ...clientOptions(server()), database: 'postgres' });
    await client.connect();
    const { rows } = await client.query(`SELECT DISTINCT title FROM ${table}`).finally(() => client.end());
    return (rows as readonly { readonly title: string }[]).map(({ title }) => title);
  };

  /** Waits until the backend of the save is where it is to be ended, and gives its number. */
  async function backend(condition: string): Promise<number> {
    for (const deadline = AbortSignal.timeout(60_000); !deadline.aborted;) {
      // A transaction sees the activity as it was when it looked first.
      await holder.query('SELECT pg_stat_clear_snapshot()');
      const { rows } = await holder.query(
        `SELECT pid FROM pg_stat_activity WHERE application_name = 'Tabularium' AND state = 'active' AND pid <> pg_backend_pid() AND ${condition}`,
      );
      const [first] = rows as readonly { readonly pid: number }[];
      if (first !== undefined) return first.pid;
      await wait(20);
    }
    throw new Error('No backend came to the place where the save is to be ended.');
  }

  async function ended(when: When, how: How): Promise<readonly ChangeOutcome[]> {
    if (how === 'time limit') await administer(server(), `ALTER DATABASE postgres SET statement_timeout = ${TIME_LIMIT}`);
    session = await open(server());
    const stopping = new AbortController();
    const table = when === 'commits' ? 'slow' : 'lots';
    if (when === 'commits') await holder.query('SELECT pg_advisory_lock(1)');
    if (when === 'waits for a lock') await holder.query('BEGIN; SELECT 1 FROM lots WHERE id = 2 FOR UPDATE');
    const between: RowChange = {
      ...update(2),
      get kind() {
        if (when === 'is between statements') stopping.abort();
        return 'update' as const;
      },
    } as RowChange;
    const saving = Array.fromAsync(session.edits?.apply(ref(table), [update(1), between], { signal: stopping.signal }) ?? []);
    saving.catch(() => undefined);
    if (when !== 'is between statements') {
      const pid = await backend(when === 'commits' ? "query = 'COMMIT'" : "wait_event_type = 'Lock'");
      if (how === 'cancel') stopping.abort();
      if (how === 'time limit' && when === 'commits') await wait(TIME_LIMIT + 1_000);
      if (how === 'backend killed') await holder.query(`SELECT pg_terminate_backend(${pid})`);
      if (how === 'server stopped') await server().restart('immediate');
      else await holder.query('SELECT pg_advisory_unlock_all()');
    }
    return await saving;
  }

  it.each([
    ['waits for a lock', 'cancel', []],
    ['waits for a lock', 'time limit', [{ outcome: 'failed', code: 'TIMEOUT' }]],
    ['waits for a lock', 'backend killed', [{ outcome: 'failed', code: 'CONNECTION_LOST' }]],
    ['waits for a lock', 'server stopped', [{ outcome: 'failed', code: 'CONNECTION_LOST' }]],
    ['is between statements', 'cancel', []],
  ] as const)('has made nothing and says so, where it %s: %s', async (when, how, expected) => {
    expect(await ended(when, how)).toMatchObject(expected);
    expect(await titles('lots')).toEqual(['old']);
  });

  it.each(['cancel', 'time limit'] as const)('is made where the %s comes while it commits', async (how) => {
    expect(await ended('commits', how)).toMatchObject([{ outcome: 'saved' }, { outcome: 'saved' }]);
    expect(await titles('slow')).toEqual(['new']);
  });

  it.each(['backend killed', 'server stopped'] as const)(
    'is uncertain only where the answer to COMMIT is lost: %s',
    async (how) => {
      expect(await ended('commits', how)).toMatchObject([{ outcome: 'unknown' }, { outcome: 'unknown' }]);
    },
  );

  it('is given up where it is cancelled before it begins', async () => {
    session = await open(server());
    const applied = session.edits?.apply(ref('lots'), [update(1)], { signal: AbortSignal.abort() });
    await expect(Array.fromAsync(applied ?? [])).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(await titles('lots')).toEqual(['old']);
  });
});
