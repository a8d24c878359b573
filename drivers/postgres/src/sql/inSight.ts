import { SEEN_PATH } from '../catalogue/seenPath.ts';

/**
 * The schemas that names of a statement may lead to: those in which the session looks for a name, that of its temporary tables and the server's own among them, and others that are listed. What is in none of them can't be
 * meant, whatever its name is, so that another role can't make a statement uncertain by a function of a well-known name in a schema of its own.
 *
 * @param looksIn - a parameter with further schemas, such as those that the statement names; null for all schemas
 */
export const inSight = (looksIn: string): string => `sight (oid) AS MATERIALIZED (
  SELECT n.oid FROM pg_catalog.pg_namespace n
  WHERE ${looksIn}::pg_catalog.name[] IS NULL OR n.nspname = 'pg_catalog' OR n.nspname = ANY (${SEEN_PATH}) OR n.nspname = ANY (${looksIn}::pg_catalog.name[])
)`;

/** Whether something is in one of the schemas of {@link inSight}. @param schema - its oid */
export const isInSight = (schema: string): string => `${schema} IN (SELECT g.oid FROM sight g)`;
