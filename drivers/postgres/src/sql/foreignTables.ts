import { eachOf } from './eachOf.ts';

/** Options of a file's table by which reading it does more: the output of a program is read, or a word in the file stands for the default of its column, which is computed then. */
const DOES_MORE = "'^(?:program|default)='";

/**
 * The foreign tables among the `relations` of which it isn't certain that they only read a file. All others are answered by another server, or by this one again: USAGE of a foreign server is enough to make a table of
 * anything there, which is read with the permissions of another role, in a transaction that isn't read-only, and can't be asked about from here.
 */
export const FOREIGN_TABLES = `
  SELECT 'the foreign table ' || c.relname || CASE WHEN NOT k.is_file THEN ', which asks the server ' || s.srvname WHEN k.more = 'program' THEN ', which runs a program' ELSE ', which computes defaults' END, NULL, NULL, NULL
  FROM relations c ${eachOf('pg_foreign_table', 'f', "c.relkind = 'f' AND f.ftrelid = c.oid")} ${eachOf('pg_foreign_server', 's', 's.oid = f.ftserver')}
  ${eachOf('pg_foreign_data_wrapper', 'w', 'w.oid = s.srvfdw')} CROSS JOIN LATERAL (
    -- Only a superuser makes functions in C.
    SELECT EXISTS (SELECT FROM pg_catalog.pg_proc h WHERE h.oid = w.fdwhandler AND h.prolang = 13::pg_catalog.oid AND h.prosrc = 'file_fdw_handler' AND h.probin = '$libdir/file_fdw'),
      (SELECT pg_catalog.max(pg_catalog.split_part(o.text, '=', 1)) FROM pg_catalog.unnest(w.fdwoptions || s.srvoptions || f.ftoptions) AS o (text) WHERE o.text ~ ${DOES_MORE})
  ) k (is_file, more) WHERE (NOT k.is_file OR k.more IS NOT NULL)`;
