import { SEEN_PATH } from '../catalogue/seenPath.ts';

/**
 * Whether a role is one that has no other between it and the role that runs the statement: a superuser, or that role itself. What belongs to another role may be another thing a moment later, while a statement runs that was judged by
 * what it was: a function and the checks of a domain are looked up when they are needed, which can be long after.
 *
 * @param oid - of the role
 */
export const isTrusted = (oid: string): string => `EXISTS (
        SELECT FROM pg_catalog.pg_roles r LEFT JOIN pg_catalog.pg_database d ON r.rolname = 'pg_database_owner' AND d.datname = pg_catalog.current_database()
        LEFT JOIN pg_catalog.pg_roles w ON w.oid = d.datdba
        WHERE r.oid = ${oid} AND (r.rolsuper OR r.rolname = current_user OR w.rolsuper OR w.rolname = current_user))`;

/** Schemas in which another role may make something, such as a function that fits a call better. */
const OPEN_SCHEMAS = `
        SELECT n.nspname FROM pg_catalog.pg_namespace n
        WHERE n.nspname NOT IN ('pg_catalog', 'information_schema') AND NOT pg_catalog.starts_with(n.nspname::pg_catalog.text, 'pg_t')
          AND (NOT ${isTrusted('n.nspowner')} OR EXISTS (
            SELECT FROM pg_catalog.aclexplode(n.nspacl) a WHERE a.privilege_type = 'CREATE' AND NOT ${isTrusted('a.grantee')}))`;

/**
 * Whether a function that is followed stays what it is while a statement runs: it belongs to a role that is trusted, and the names in its body are looked for where no other role can make something.
 *
 * @param p - its row
 */
export const isSealed = (p: string): string => `(${isTrusted(`${p}.proowner`)} AND NOT EXISTS (
        SELECT FROM (${OPEN_SCHEMAS}) o WHERE o.nspname = ANY (${SEEN_PATH}) OR pg_catalog.strpos(pg_catalog.lower(${p}.prosrc), pg_catalog.lower(o.nspname::pg_catalog.text)) > 0
          OR pg_catalog.strpos(${p}.proconfig::pg_catalog.text, CASE o.nspname WHEN current_user THEN '$user' ELSE o.nspname::pg_catalog.text END) > 0
          OR pg_catalog.strpos(${p}.proconfig::pg_catalog.text, o.nspname::pg_catalog.text) > 0))`;

/**
 * Domains of roles that aren't trusted: their checks may be others when a value is made.
 *
 * @param types - a query's name with the oids of types
 */
export const openDomains = (types: string): string => `
  SELECT 'the domain ' || t.typname, NULL::pg_catalog.text, NULL::pg_catalog.text, NULL::pg_catalog.text
  FROM ${types} w JOIN pg_catalog.pg_type t ON t.oid = w.oid WHERE t.typtype = 'd' AND t.oid >= 16384::pg_catalog.oid AND NOT ${isTrusted('t.typowner')}`;
