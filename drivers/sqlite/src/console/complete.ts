import type { Completion, CompletionList } from '@tabularium/sdk';
import type { SqliteDatabase } from '../database.ts';
import { quoted } from '../names.ts';
import { listed, readTable } from '../schema.ts';
import { tokens } from '../sql/tokens.ts';

const KEYWORDS = [
  'SELECT',
  'FROM',
  'WHERE',
  'GROUP BY',
  'ORDER BY',
  'LIMIT',
  'OFFSET',
  'HAVING',
  'JOIN',
  'LEFT JOIN',
  'ON',
  'AS',
  'AND',
  'OR',
  'NOT',
  'NULL',
  'IS NULL',
  'IS NOT NULL',
  'IN',
  'LIKE',
  'GLOB',
  'BETWEEN',
  'EXISTS',
  'CASE',
  'WHEN',
  'THEN',
  'ELSE',
  'END',
  'DISTINCT',
  'UNION',
  'INSERT INTO',
  'VALUES',
  'UPDATE',
  'SET',
  'DELETE FROM',
  'RETURNING',
  'CREATE TABLE',
  'CREATE INDEX',
  'CREATE VIEW',
  'ALTER TABLE',
  'DROP TABLE',
  'WITH',
  'EXPLAIN QUERY PLAN',
  'PRAGMA table_info',
  'PRAGMA integrity_check',
  'count(*)',
  'sum(',
  'avg(',
  'min(',
  'max(',
  'coalesce(',
  'length(',
  'lower(',
  'upper(',
  'substr(',
  'round(',
  'date(',
  'datetime(',
  'strftime(',
] as const;
const PLAIN = /^[A-Za-z_][A-Za-z0-9_]*$/;
const WORD_BEFORE = /(?<![A-Za-z0-9_$\u0080-\u{10ffff}])[A-Za-z0-9_$\u0080-\u{10ffff}]+$/u;
const MOST = 200;

function written(name: string): string {
  return PLAIN.test(name) && !KEYWORDS.includes(name.toUpperCase() as (typeof KEYWORDS)[number]) ? name : quoted(name);
}

/** Completions at an offset: columns of the tables that the text names, tables, and words of SQL. */
export function complete(text: string, offset: number, database: SqliteDatabase): CompletionList {
  const before = text.slice(0, offset);
  const inside = tokens(text).find(
    ({ kind, start, end }) =>
      (kind === 'string' || kind === 'name' || kind === 'bad') && start < offset && (offset < end || kind === 'bad'),
  );
  const from = offset - (WORD_BEFORE.exec(before)?.[0].length ?? 0);
  if (inside !== undefined) return { from, items: [] };
  const typed = before.slice(from).toLowerCase();
  const tables = listed(database);
  const named = new Set(
    tokens(text)
      .filter(({ kind }) => kind === 'word' || kind === 'name')
      .map((token) => text.slice(token.start, token.end).replaceAll('"', '').toLowerCase()),
  );
  const columns = tables
    .filter(({ name }) => named.has(name.toLowerCase()))
    .flatMap(({ name }) => readTable(database, { namespace: [], name }).columns.map((column) => ({ column, name })));
  const items: Completion[] = [
    ...columns.map(({ column, name }): Completion => ({
      label: column.name,
      detail: `${column.type}, ${name}`,
      insert: written(column.name),
      kind: 'column',
    })),
    ...tables.map(({ name, type }): Completion => ({ label: name, detail: type, insert: written(name), kind: 'table' })),
    ...KEYWORDS.map((word): Completion => ({ label: word, insert: word, kind: 'keyword' })),
  ];
  return { from, items: items.filter(({ label }) => label !== '' && label.toLowerCase().startsWith(typed)).slice(0, MOST) };
}
