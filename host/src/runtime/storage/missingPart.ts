import { DatabaseSync } from 'node:sqlite';
import { CREATE_MIGRATIONS } from './migrations/migration.ts';
import type { Migration } from './migrations/migration.ts';

/**
 * The first table, column, index, trigger or view of its migrations that a database lacks: `the table "connections"`; undefined when
 * it lacks nothing. Others beyond them don't matter.
 *
 * @param applied - the ids of the migrations that the database has
 */
export function missingPart(
  connection: DatabaseSync,
  migrations: readonly Migration[],
  applied: readonly string[],
): string | undefined {
  const model = new DatabaseSync(':memory:');
  try {
    model.exec(CREATE_MIGRATIONS);
    for (const { id, sql } of migrations) if (applied.includes(id)) model.exec(sql);
    const present = partsOf(connection);
    return [...partsOf(model)].find((part) => !present.has(part));
  } finally {
    model.close();
  }
}

function partsOf(connection: DatabaseSync): ReadonlySet<string> {
  const parts = connection
    .prepare("SELECT type, name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY type = 'table' DESC, name")
    .all()
    .map(({ type, name }) => `the ${String(type)} "${String(name)}"`);
  const columns = connection
    .prepare(
      "SELECT t.name AS name, c.name AS column FROM sqlite_schema t, pragma_table_xinfo(t.name) c WHERE t.type = 'table' ORDER BY t.name, c.cid",
    )
    .all()
    .map(({ name, column }) => `the column "${String(column)}" of the table "${String(name)}"`);
  return new Set([...parts, ...columns]);
}
