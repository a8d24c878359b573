/** Sessions of clients, the most of them, those whose state is hidden, running, idle in a transaction, waiting for a lock; the longest transaction's milliseconds. The kind of
 * a session is hidden with its state; its database is not, and the server's own processes have none. */
export const SESSIONS = `
SELECT pg_catalog.count(*), pg_catalog.current_setting('max_connections'),
  pg_catalog.count(*) FILTER (WHERE a.state IS NULL),
  pg_catalog.count(*) FILTER (WHERE a.state = 'active' AND a.pid <> pg_catalog.pg_backend_pid()),
  pg_catalog.count(*) FILTER (WHERE a.state LIKE 'idle in transaction%'),
  pg_catalog.count(*) FILTER (WHERE a.wait_event_type = 'Lock'),
  coalesce(pg_catalog.max(1000 * extract(epoch FROM pg_catalog.clock_timestamp() - a.xact_start))
    FILTER (WHERE a.pid <> pg_catalog.pg_backend_pid()), 0)
FROM pg_catalog.pg_stat_activity a WHERE a.datid IS NOT NULL AND coalesce(a.backend_type, 'client backend') = 'client backend'`;

/** Counters of this database: transactions, rows read and written, blocks read and found in memory, bytes of temporary files, deadlocks. */
export const COUNTERS = `
SELECT d.xact_commit + d.xact_rollback, d.tup_returned, d.tup_inserted + d.tup_updated + d.tup_deleted, d.blks_read, d.blks_hit, d.temp_bytes, d.deadlocks
FROM pg_catalog.pg_stat_database d WHERE d.datname = pg_catalog.current_database()`;

/** The server looks at each of its files, which are many in a database of many tables. */
export const SIZE = `SELECT pg_catalog.pg_database_size(pg_catalog.current_database())`;
export const SIZE_MILLISECONDS = 3_000;

/** Of a standby, in milliseconds. */
export const REPLAY_LAG = `SELECT 1000 * extract(epoch FROM pg_catalog.clock_timestamp() - pg_catalog.pg_last_xact_replay_timestamp())`;
