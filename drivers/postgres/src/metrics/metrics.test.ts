import { afterAll, beforeAll, expect, it } from 'vitest';
import type { MetricsFacet, MetricsReading, Session } from '@tabularium/sdk';
import { describeWithServer } from '../server.test-helper.ts';
import { administer, open, signal } from '../session.test-helper.ts';
import { PgClient } from '../wire/pgClient.ts';

describeWithServer('the metrics of PostgreSQL', (server) => {
  let session: Session;
  const facetOf = ({ metrics }: Session): MetricsFacet => {
    if (metrics === undefined) throw new Error('The session has no metrics.');
    return metrics;
  };
  const read = (): Promise<MetricsReading> => facetOf(session).read({ signal });
  const value = ({ metrics }: MetricsReading, id: string): number | undefined => metrics.find((one) => one.id === id)?.value;
  const other = async (): Promise<PgClient> => {
    const { port, user, password } = server();
    const client = new PgClient({ host: '127.0.0.1', port, user, password, database: 'postgres' });
    await client.connect();
    return client;
  };
  beforeAll(async () => {
    await administer(
      server(),
      `CREATE TABLE measured (id int PRIMARY KEY); INSERT INTO measured VALUES (1); CREATE ROLE narrow LOGIN PASSWORD 'narrow';`,
    );
    session = await open(server());
  });
  afterAll(() => session?.close());

  it('are those of the server at first, and rates from the second reading on', async () => {
    const first = await read();
    expect(first.problems).toEqual([]);
    expect(first.metrics.map(({ id }) => id)).toEqual([
      'connections',
      'active',
      'idleInTransaction',
      'waiting',
      'longestTransaction',
      'cacheHits',
      'deadlocks',
      'databaseSize',
    ]);
    expect(first.metrics[0]).toMatchObject({ unit: 'count', total: 60, texts: { label: { id: 'metrics.connections' } } });
    expect(value(first, 'databaseSize')).toBeGreaterThan(1_000_000);
    await administer(server(), 'INSERT INTO measured SELECT generate_series(2, 5000); SELECT pg_stat_force_next_flush();');
    // The server publishes what a session counted when it is idle or ends.
    await expect
      .poll(async () => value(await read(), 'rowsWritten') ?? 0, { timeout: 120_001, interval: 200 })
      .toBeGreaterThan(0);
    // Those of the readings themselves.
    await expect
      .poll(async () => value(await read(), 'transactions') ?? 0, { timeout: 120_001, interval: 200 })
      .toBeGreaterThan(0);
  });

  it('count who waits for a lock, who is idle in a transaction, and how long', async () => {
    const [holder, waiter] = [await other(), await other()];
    try {
      await holder.query('BEGIN; UPDATE measured SET id = -1 WHERE id = 1;');
      const blocked = waiter.query('UPDATE measured SET id = -2 WHERE id = 1');
      await expect.poll(async () => value(await read(), 'waiting'), { timeout: 120_001 }).toBe(1);
      const reading = await read();
      expect(value(reading, 'idleInTransaction')).toBe(1);
      expect(value(reading, 'active')).toBe(1);
      expect(value(reading, 'longestTransaction')).toBeGreaterThan(0);
      await holder.query('ROLLBACK');
      await blocked;
      await expect.poll(async () => value(await read(), 'waiting'), { timeout: 120_001 }).toBe(0);
    } finally {
      await holder.end();
      await waiter.end();
    }
  });

  it('leave out what a role may not see, and say how it is allowed', async () => {
    const narrow = await open(server(), { user: 'narrow', password: 'narrow' });
    const seen = await other();
    try {
      const { metrics, problems } = await facetOf(narrow).read({ signal });
      expect(metrics.map(({ id }) => id)).toContain('connections');
      expect(metrics.map(({ id }) => id)).not.toContain('active');
      expect(problems).toMatchObject([{ source: 'pg_stat_activity', texts: { message: { id: 'metrics.hidden' } } }]);
      expect(problems[0]?.message).toContain('pg_read_all_stats');
      await administer(server(), 'GRANT pg_read_all_stats TO narrow');
      expect((await facetOf(narrow).read({ signal })).problems).toEqual([]);
    } finally {
      await narrow.close();
      await seen.end();
    }
  });

  it('name a source that fails, and have the others', async () => {
    await administer(server(), 'REVOKE CONNECT ON DATABASE postgres FROM PUBLIC; GRANT CONNECT ON DATABASE postgres TO narrow');
    const narrow = await open(server(), { user: 'narrow', password: 'narrow' });
    try {
      await administer(server(), 'REVOKE CONNECT ON DATABASE postgres FROM narrow; REVOKE pg_read_all_stats FROM narrow');
      const { metrics, problems } = await facetOf(narrow).read({ signal });
      expect(metrics.map(({ id }) => id)).toContain('cacheHits');
      expect(problems.map(({ source }) => source)).toContain('pg_database_size');
    } finally {
      await narrow.close();
      await administer(server(), 'GRANT CONNECT ON DATABASE postgres TO PUBLIC');
    }
  });

  it('are not read for one who has given up', async () => {
    await expect(facetOf(session).read({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});
