/** Entries of a list at most, as the contract has it. */
const MOST_ENTRIES = 2_000;
const MOST_CHARACTERS = 8_000;
/** Statements of the statistics at most. */
const MOST_STATEMENTS = 100;

/** A moment as a number that is the same in every session, whatever its time zone. */
const micros = (moment: string): string =>
  `pg_catalog.round((pg_catalog.date_part('epoch', ${moment}) * 1000000)::pg_catalog.numeric)::pg_catalog.int8`;
const since = (moment: string): string =>
  `pg_catalog.round((pg_catalog.date_part('epoch', pg_catalog.clock_timestamp() - ${moment}) * 1000)::pg_catalog.numeric)`;

const RUNS = `('active', 'fastpath function call')`;

/**
 * The sessions of the server but the one that asks, and work of the server in a database. Locks are looked at, and none is taken. The columns are
 * read by their places in `entryOf`.
 */
export const LIST_SESSIONS = `
WITH me AS MATERIALIZED (
  SELECT r.rolsuper, pg_catalog.pg_has_role('pg_signal_backend', 'USAGE') AS signals,
    pg_catalog.pg_size_bytes(pg_catalog.current_setting('track_activity_query_size')) AS text_bytes
  FROM pg_catalog.pg_roles r WHERE r.rolname = current_user
), locks AS MATERIALIZED (
  SELECT DISTINCT ON (l.pid) l.pid,
    CASE WHEN l.relation IS NOT NULL AND l.database IN (0, d.oid) THEN l.locktype || ' ' || l.relation::pg_catalog.regclass::pg_catalog.text
      WHEN l.relation IS NOT NULL THEN l.locktype || ' ' || l.relation::pg_catalog.text
      WHEN l.locktype = 'transactionid' THEN l.locktype || ' ' || l.transactionid::pg_catalog.text
      WHEN l.locktype = 'virtualxid' THEN l.locktype || ' ' || l.virtualxid
      WHEN l.locktype = 'advisory' THEN l.locktype || ' ' || l.classid::pg_catalog.text || ' ' || l.objid::pg_catalog.text
      ELSE l.locktype END || ' (' || l.mode || ')' AS lock,
    pg_catalog.array_to_json(pg_catalog.pg_blocking_pids(l.pid)) AS blockers
  FROM pg_catalog.pg_locks l, pg_catalog.pg_database d WHERE NOT l.granted AND d.datname = pg_catalog.current_database()
  ORDER BY l.pid
)
SELECT a.pid, ${micros('a.backend_start')}, a.backend_type, a.state, a.wait_event_type, a.wait_event, a.usename, a.application_name,
  pg_catalog.host(a.client_addr), a.client_port, a.datname, ${micros('a.query_start')}, pg_catalog.left(a.query, ${MOST_CHARACTERS}),
  pg_catalog.length(a.query) > ${MOST_CHARACTERS} OR pg_catalog.octet_length(a.query) >= me.text_bytes - 4,
  ${since(`CASE WHEN a.state IN ${RUNS} THEN a.query_start ELSE a.state_change END`)}, ${since('a.xact_start')}, ${since('a.backend_start')},
  locks.lock, locks.blockers, a.leader_pid,
  me.rolsuper OR (r.oid IS NOT NULL AND NOT r.rolsuper AND (me.signals OR pg_catalog.pg_has_role(r.oid, 'USAGE'))),
  pg_catalog.count(*) OVER ()
FROM pg_catalog.pg_stat_activity a CROSS JOIN me LEFT JOIN locks ON locks.pid = a.pid LEFT JOIN pg_catalog.pg_roles r ON r.oid = a.usesysid
WHERE a.pid <> pg_catalog.pg_backend_pid() AND (a.datid IS NOT NULL OR a.backend_type = 'walsender')
ORDER BY a.state IN ${RUNS} DESC NULLS LAST, a.state <> 'idle' DESC NULLS LAST,
  CASE WHEN a.state IN ${RUNS} THEN a.query_start ELSE a.state_change END NULLS LAST, a.pid
LIMIT ${MOST_ENTRIES}`;

/** The process of a request, where it is still the same one, and runs the same statement if the request names one. */
const SAME = `SELECT a.pid FROM pg_catalog.pg_stat_activity a
  WHERE a.pid = $1::pg_catalog.int4 AND ${micros('a.backend_start')} = $2::pg_catalog.int8
    AND ($3::pg_catalog.text = 'terminate' OR a.state IN ${RUNS})
    AND ($4::pg_catalog.int8 IS NULL OR ${micros('a.query_start')} = $4::pg_catalog.int8)`;

/** Whether the entry of a request is there. */
export const IS_THERE = SAME;

/** Compared and ended in one statement: between the two there are microseconds, and no round trip. */
export const END_ENTRY = `WITH same AS MATERIALIZED (${SAME})
SELECT CASE WHEN $3::pg_catalog.text = 'terminate' THEN pg_catalog.pg_terminate_backend(same.pid) ELSE pg_catalog.pg_cancel_backend(same.pid) END FROM same`;

/** The schema with the statistics of statements. */
export const STATISTICS_SCHEMA = `SELECT pg_catalog.quote_ident(n.nspname) FROM pg_catalog.pg_extension e
JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'pg_stat_statements'`;

/** Statements with the most time in all, as an extension records them. */
export const statistics = (
  schema: string,
): string => `SELECT pg_catalog.left(s.query, ${MOST_CHARACTERS}), pg_catalog.length(s.query) > ${MOST_CHARACTERS}, r.rolname, d.datname,
  s.calls, s.total_exec_time, s.mean_exec_time, s.max_exec_time, s.rows
FROM ${schema}.pg_stat_statements s LEFT JOIN pg_catalog.pg_roles r ON r.oid = s.userid LEFT JOIN pg_catalog.pg_database d ON d.oid = s.dbid
WHERE s.query <> '<insufficient privilege>' ORDER BY s.total_exec_time DESC LIMIT ${MOST_STATEMENTS}`;
