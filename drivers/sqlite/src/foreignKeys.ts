import type { ForeignKey, ReferringKey } from '@tabularium/sdk';
import type { SqliteDatabase, SqlRow } from './database.ts';
import type { SqlValue } from './names.ts';

/** As many as a description may have. */
const MOST = 1_000;
const MOST_COLUMNS = 64;

const text = (value: SqlValue | undefined): string => (typeof value === 'string' ? value : '');

/** SQLite compares names without regard to the case of A to Z. */
const folded = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/**
 * The foreign keys of a table that can be followed. SQLite takes any words after REFERENCES: a table or columns that aren't there are left out here.
 *
 * @param tables the names of the tables that can be described
 */
export function readForeignKeys(database: SqliteDatabase, name: string, tables: readonly string[]): readonly ForeignKey[] {
  const rows = database.all(
    'SELECT id, "from", "table", "to" FROM pragma_foreign_key_list(?, ?) ORDER BY id DESC, seq',
    // The list begins with the last one of the definition.
    [name, 'main'],
  );
  return [...Map.groupBy(rows, ([id]) => id).values()].flatMap((parts) => followed(database, parts, tables) ?? []).slice(0, MOST);
}

/**
 * The foreign keys that refer to a table, of those that can be followed.
 *
 * @param tables the names of the tables that can be described
 */
export function readReferringKeys(database: SqliteDatabase, name: string, tables: readonly string[]): readonly ReferringKey[] {
  const found = database.all(
    `SELECT m.name FROM main.sqlite_schema m WHERE m.type = 'table' AND m.sql LIKE '%REFERENCES%'
      AND EXISTS (SELECT 1 FROM pragma_foreign_key_list(m.name, 'main') f WHERE f."table" = ? COLLATE NOCASE) ORDER BY m.name LIMIT ?`,
    [name, MOST],
  );
  const referring = new Set(found.map(([one]) => text(one)));
  return tables
    .filter((table) => referring.has(table))
    .flatMap((table) =>
      readForeignKeys(database, table, tables)
        .filter(({ references }) => references.name === name)
        .map(({ columns, referencedColumns }) => ({ table: { namespace: [], name: table }, columns, referencedColumns })),
    )
    .slice(0, MOST);
}

function followed(database: SqliteDatabase, parts: readonly SqlRow[], tables: readonly string[]): ForeignKey | undefined {
  const asked = folded(text(parts[0]?.[2]));
  const table = tables.find((one) => folded(one) === asked);
  if (table === undefined || parts.length > MOST_COLUMNS) return undefined;
  const columns = parts.map(([, from]) => text(from));
  const there = database.all('SELECT name, pk FROM pragma_table_xinfo(?, ?) WHERE hidden <> 1', [table, 'main']);
  const referencedColumns = parts.every(([, , , to]) => to === null)
    ? primaryKeyOf(there)
    : parts.map(([, , , to]) => text(there.find(([one]) => folded(text(one)) === folded(text(to)))?.[0]));
  if (referencedColumns.length !== columns.length || referencedColumns.includes('') || new Set(columns).size !== columns.length)
    return undefined;
  return { columns, references: { namespace: [], name: table }, referencedColumns };
}

/** The columns that a reference without columns refers to. */
function primaryKeyOf(columns: readonly SqlRow[]): readonly string[] {
  return columns
    .filter(([, place]) => place !== 0n)
    .toSorted((a, b) => Number(a[1]) - Number(b[1]))
    .map(([name]) => text(name));
}
