import type { SqliteDatabase } from '../database.ts';
import { quoted } from '../names.ts';
import { listed } from '../schema.ts';

/** Tables that are offered; the sidebar has all of them. */
const MOST_TABLES = 2;

/** Queries to begin with: the first rows of a table, how many it has, and what is in the file. */
export function exampleQueries(database: SqliteDatabase): readonly string[] {
  const tables = listed(database).slice(0, MOST_TABLES);
  const [first] = tables;
  return [
    ...tables.map(({ name }) => `SELECT * FROM ${quoted(name)} LIMIT 100;`),
    ...(first === undefined ? [] : [`SELECT count(*) FROM ${quoted(first.name)};`]),
    'SELECT name, type FROM sqlite_schema ORDER BY name;',
  ];
}
