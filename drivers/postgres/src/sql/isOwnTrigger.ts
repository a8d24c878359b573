/**
 * A condition on a row of pg_trigger: somebody made it, and it acts. Up to version 14 the copy on a partition counts as one of the server's, which only those of constraints are.
 *
 * @param alias - of the row
 */
export const isOwnTrigger = (alias: string): string =>
  `(NOT ${alias}.tgisinternal OR ${alias}.tgparentid <> 0::pg_catalog.oid AND ${alias}.tgconstraint = 0::pg_catalog.oid) AND ${alias}.tgenabled <> 'D'`;
