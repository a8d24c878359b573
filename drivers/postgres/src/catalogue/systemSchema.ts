/** The condition that a schema belongs to the server itself. Those of temporary tables belong to sessions. @param name - of a column with the name of the schema */
export function isOfServer(name: string): string {
  return `(${name} IN ('pg_catalog', 'information_schema', 'pg_toast') OR pg_catalog.starts_with(${name}::pg_catalog.text, 'pg_toast_temp'))`;
}

/** Whether a schema belongs to the server itself, as {@link isOfServer} says it in SQL. */
export function isSystemSchema(name: string): boolean {
  return ['pg_catalog', 'information_schema', 'pg_toast'].includes(name) || name.startsWith('pg_toast_temp');
}
