import { SEEN_PATH } from '../catalogue/seenPath.ts';

/**
 * Whether a role is one that has no other between it and the role that signed in: a superuser, or that role itself. The role in whose name the statement runs (`SET ROLE`) may be another one with fewer rights, from which
 * its functions lead back. What belongs to another role may be another thing a moment later, while a statement runs that was judged by
 * what it was: a function and the checks of a domain are looked up when they are needed, which can be long after.
 *
 * @param oid - of the role
 */
export const isTrusted = (oid: string): string => `EXISTS (
        SELECT FROM pg_catalog.pg_roles r LEFT JOIN pg_catalog.pg_database d ON r.rolname = 'pg_database_owner' AND d.datname = pg_catalog.current_database()
        LEFT JOIN pg_catalog.pg_roles w ON w.oid = d.datdba
        WHERE r.oid = ${oid} AND (r.rolsuper OR r.rolname = session_user OR w.rolsuper OR w.rolname = session_user))`;

/** A right of everybody is a right of another role where one can sign in. */
const OTHERS_SIGN_IN = `EXISTS (SELECT FROM pg_catalog.pg_roles o WHERE o.rolcanlogin AND NOT ${isTrusted('o.oid')})`;

/** Schemas in which another role may make something, such as a function that fits a call better. */
const OPEN_SCHEMAS = `
        SELECT n.nspname FROM pg_catalog.pg_namespace n
        WHERE n.nspname NOT IN ('pg_catalog', 'information_schema') AND NOT pg_catalog.starts_with(n.nspname::pg_catalog.text, 'pg_t')
          AND (NOT ${isTrusted('n.nspowner')} OR EXISTS (
            SELECT FROM pg_catalog.aclexplode(n.nspacl) a WHERE a.privilege_type = 'CREATE'
              AND CASE a.grantee WHEN 0::pg_catalog.oid THEN ${OTHERS_SIGN_IN} ELSE NOT ${isTrusted('a.grantee')} END))`;

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
 * Whether the role that signed in can do things that a transaction which only reads doesn't keep it from: run programs, and read and write files of the server. So can a role that may become such a one, as a function may make it.
 */
const IS_POWERFUL = `EXISTS (
        SELECT FROM pg_catalog.pg_roles f
        WHERE (f.rolsuper OR f.rolname IN ('pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files')) AND pg_catalog.pg_has_role(session_user, f.oid, 'MEMBER'))`;

/**
 * Whether it counts what another role may put in the place of something while the statement runs. It doesn't where the statement runs in a transaction that only reads and is rolled back, in the name of a role with no rights beyond that.
 *
 * @param mayWrite - whether the statement may run in a transaction that writes
 */
export const countsOthers = (mayWrite: string): string => `(${mayWrite} OR ${IS_POWERFUL})`;

/**
 * The type `t` isn't that of the rows of a table that the statement has locked: one that it names, or that a view, a policy or a rule of those leads to. A type of rows that is found within another one has no lock.
 */
const IS_NO_LOCKED_ROW = `NOT EXISTS (SELECT FROM pg_catalog.pg_class k JOIN reached r ON r.oid = k.oid WHERE k.oid = t.typrelid AND k.relkind <> 'c' AND r.is_named IS NOT NULL)`;

/**
 * Types of roles that aren't trusted, where a value of them may be made by something else a moment later: the check of a domain, an attribute that a composite type gets, a cast to JSON that is looked up for each value. A composite type has no lock,
 * wherever it is: named, or within an array, a range, a domain, or a type that belongs to somebody else.
 *
 * @param types - a query's name with the oids of types and whether the statement makes values of each
 * @param makes - a condition for a row `t` of a type that isn't a domain: values of it are made into something else
 * @param strict - see {@link countsOthers}
 */
export const openTypes = (types: string, makes: string, strict: string): string => `
  SELECT CASE t.typtype WHEN 'd' THEN 'the domain ' ELSE 'the type ' END || t.typname, NULL::pg_catalog.text, NULL::pg_catalog.text, NULL::pg_catalog.text
  FROM ${types} w JOIN pg_catalog.pg_type t ON t.oid = w.oid
  WHERE ${strict} AND t.oid >= 16384::pg_catalog.oid AND NOT ${isTrusted('t.typowner')}
    AND (t.typtype = 'd' OR t.typelem = 0::pg_catalog.oid AND (t.typtype = 'c' AND w.is_built OR ${makes}) AND ${IS_NO_LOCKED_ROW})`;
