import type { PgStep } from '../wire/batch.ts';

/** Memberships that are read at most; a server with more shows those of the first roles. */
const MOST_MEMBERSHIPS = 100_000;
const MOST_ROLES = 100_000;
/** Rows of one kind of facts. */
export const MOST_FACTS = 500;

const ISO = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;

/** All roles. The columns are read by their places in `roleOf`. No hash of a password is read. */
export const ROLES: PgStep = {
  text: `SELECT r.oid, r.rolname, r.rolcanlogin, r.rolsuper, r.rolcreatedb, r.rolcreaterole, r.rolreplication, r.rolbypassrls, r.rolinherit,
  r.rolconnlimit,
  CASE WHEN pg_catalog.isfinite(r.rolvaliduntil) AND pg_catalog.date_part('year', r.rolvaliduntil) BETWEEN 2 AND 9998
    THEN pg_catalog.to_char(r.rolvaliduntil AT TIME ZONE 'UTC', ${ISO}) END,
  CASE WHEN NOT (pg_catalog.isfinite(r.rolvaliduntil) AND pg_catalog.date_part('year', r.rolvaliduntil) BETWEEN 2 AND 9998)
    AND r.rolvaliduntil <> 'infinity' THEN r.rolvaliduntil::pg_catalog.text END,
  pg_catalog.shobj_description(r.oid, 'pg_authid'), r.oid::pg_catalog.int8 < 16384 AND pg_catalog.starts_with(r.rolname::pg_catalog.text, 'pg_'),
  r.oid = 10, r.rolname IN (current_user, session_user), r.rolname = current_user,
  pg_catalog.pg_has_role(r.oid, 'MEMBER WITH ADMIN OPTION'), pg_catalog.pg_has_role(r.oid, 'USAGE')
FROM pg_catalog.pg_roles r
ORDER BY r.oid::pg_catalog.int8 < 16384 AND pg_catalog.starts_with(r.rolname::pg_catalog.text, 'pg_'), r.rolname LIMIT ${MOST_ROLES}`,
};

/** Memberships of roles. Options of a membership are there since 16; before, inheriting is an attribute of the member. */
export function memberships(version: number): PgStep {
  const options = version >= 160_000 ? 'm.inherit_option, m.set_option' : 'NULL::pg_catalog.bool, NULL::pg_catalog.bool';
  return {
    text: `SELECT m.roleid, m.member, m.grantor, m.admin_option, ${options} FROM pg_catalog.pg_auth_members m
ORDER BY m.roleid, m.member, m.grantor LIMIT ${MOST_MEMBERSHIPS}`,
  };
}

/** How many rounds the server would take for a password; the setting is there since 16. */
export const ITERATIONS: PgStep = { text: `SELECT pg_catalog.current_setting('scram_iterations', true)` };

const DEPENDS = `pg_catalog.pg_shdepend s WHERE s.refclassid = 'pg_catalog.pg_authid'::pg_catalog.regclass AND s.refobjid = $1::pg_catalog.oid`;
const HERE = `(SELECT d.oid FROM pg_catalog.pg_database d WHERE d.datname = pg_catalog.current_database())`;

/** How much keeps a role from being dropped, by database; null is what belongs to the server as a whole. */
export const dependents = (oid: string): PgStep => ({
  text: `SELECT d.datname, s.dbid IN (0, ${HERE}), pg_catalog.count(*) FILTER (WHERE s.deptype = 'o'), pg_catalog.count(*) FILTER (WHERE s.deptype <> 'o')
FROM (SELECT s.dbid, s.deptype FROM ${DEPENDS}) s LEFT JOIN pg_catalog.pg_database d ON d.oid = s.dbid GROUP BY s.dbid, d.datname ORDER BY d.datname NULLS FIRST
LIMIT ${MOST_FACTS}`,
  values: [oid],
});

/** The objects that a role owns, in this database and of the server. */
export const owned = (oid: string): PgStep => ({
  text: `SELECT pg_catalog.left(pg_catalog.pg_describe_object(s.classid, s.objid, s.objsubid), 1000) FROM ${DEPENDS} AND s.deptype = 'o'
AND s.dbid IN (0, ${HERE}) ORDER BY 1 LIMIT ${MOST_FACTS + 1}`,
  values: [oid],
});

const granted = (kind: string, name: string, from: string, acl: string): string =>
  `SELECT ${kind} AS kind, ${name} AS name, a.privilege_type, a.is_grantable, a.grantor FROM ${from} CROSS JOIN LATERAL pg_catalog.aclexplode(${acl}) a
   WHERE a.grantee = $1::pg_catalog.oid AND a.grantor <> a.grantee`;
const IN_SCHEMA = `pg_catalog.quote_ident(n.nspname) || '.' || pg_catalog.quote_ident(c.relname)`;
const RELATIONS = 'pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace';

/** Permissions that a role was granted itself, on databases, schemas, tables, columns, sequences and functions; not those of a member or an owner. */
export const grants = (oid: string): PgStep => ({
  text: `SELECT g.kind, pg_catalog.left(g.name, 1000),
  pg_catalog.string_agg(g.privilege_type || CASE WHEN g.is_grantable THEN ' (grant option)' ELSE '' END, ', ' ORDER BY g.privilege_type), r.rolname
FROM (${[
    granted(`'Database'`, 'pg_catalog.quote_ident(d.datname)', 'pg_catalog.pg_database d', 'd.datacl'),
    granted(`'Schema'`, 'pg_catalog.quote_ident(n.nspname)', 'pg_catalog.pg_namespace n', 'n.nspacl'),
    granted(
      `CASE c.relkind WHEN 'S' THEN 'Sequence' WHEN 'v' THEN 'View' WHEN 'm' THEN 'Materialized view' ELSE 'Table' END`,
      IN_SCHEMA,
      RELATIONS,
      'c.relacl',
    ),
    granted(
      `'Column'`,
      `${IN_SCHEMA} || '.' || pg_catalog.quote_ident(t.attname)`,
      `${RELATIONS} JOIN pg_catalog.pg_attribute t ON t.attrelid = c.oid AND NOT t.attisdropped`,
      't.attacl',
    ),
    granted(
      `'Function'`,
      `pg_catalog.quote_ident(n.nspname) || '.' || pg_catalog.quote_ident(p.proname) || '(' || pg_catalog.pg_get_function_identity_arguments(p.oid) || ')'`,
      'pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace',
      'p.proacl',
    ),
  ].join('\n UNION ALL ')}) g LEFT JOIN pg_catalog.pg_roles r ON r.oid = g.grantor
GROUP BY g.kind, g.name, r.rolname ORDER BY g.kind, g.name, r.rolname LIMIT ${MOST_FACTS + 1}`,
  values: [oid],
});

/** Settings of a role's sessions. */
export const settings = (oid: string): PgStep => ({
  text: `SELECT coalesce(d.datname, ''), pg_catalog.left(c.one, 1000) FROM pg_catalog.pg_db_role_setting s LEFT JOIN pg_catalog.pg_database d ON d.oid = s.setdatabase
CROSS JOIN LATERAL pg_catalog.unnest(s.setconfig) AS c(one) WHERE s.setrole = $1::pg_catalog.oid ORDER BY 1, 2 LIMIT ${MOST_FACTS + 1}`,
  values: [oid],
});
