import type { Completion, CompletionList } from '@tabularium/sdk';
import type { PgDatabase } from '../pgDatabase.ts';
import { quoted } from '../names.ts';
import { arrayOf } from '../sql/arrayOf.ts';
import { tokens } from '../sql/tokens.ts';
import { identifierOf } from '../sql/verdict.ts';

const KEYWORDS =
  `SELECT|FROM|WHERE|GROUP BY|ORDER BY|LIMIT|OFFSET|HAVING|JOIN|LEFT JOIN|CROSS JOIN|LATERAL|ON|USING|AS|AND|OR|NOT|NULL|IS NULL|IS NOT NULL|IS DISTINCT FROM|IN|LIKE|ILIKE|BETWEEN|EXISTS|CASE|WHEN|THEN|ELSE|END|DISTINCT|DISTINCT ON|UNION ALL|EXCEPT|INTERSECT|WITH|WITH RECURSIVE|INSERT INTO|VALUES|ON CONFLICT|DO NOTHING|DO UPDATE SET|UPDATE|SET|DELETE FROM|MERGE INTO|RETURNING|CREATE TABLE|CREATE INDEX|CREATE VIEW|CREATE MATERIALIZED VIEW|ALTER TABLE|DROP TABLE|TRUNCATE|EXPLAIN|EXPLAIN ANALYZE|VACUUM|REFRESH MATERIALIZED VIEW|PARTITION BY|OVER|FILTER|WINDOW|NULLS FIRST|NULLS LAST|ASC|DESC|TRUE|FALSE|count(*)|sum(|avg(|min(|max(|coalesce(|nullif(|array_agg(|string_agg(|jsonb_agg(|jsonb_build_object(|generate_series(|row_number()|now()|current_date|date_trunc(|extract(|to_char(|length(|lower(|upper(|substring(|replace(|round(|unnest(`.split(
    '|',
  );
const PLAIN = /^[a-z_][a-z0-9_]*$/;
const WORD_BEFORE = /(?<![A-Za-z0-9_$\u0080-\u{10ffff}])[A-Za-z0-9_$\u0080-\u{10ffff}]+$/u;
const MOST = 300;

/** $1: names that the text has; $2: the search path. Columns of the tables so named, and tables. */
const NAMES = `
SELECT 't', n.nspname, c.relname, '', c.relkind::pg_catalog.text, n.nspname = ANY ($2::pg_catalog.name[])
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname <> 'information_schema' AND NOT pg_catalog.starts_with(n.nspname::pg_catalog.text, 'pg_')
  AND pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND pg_catalog.has_any_column_privilege(c.oid, 'SELECT')
UNION ALL
SELECT 'c', n.nspname, c.relname, a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod), n.nspname = ANY ($2::pg_catalog.name[])
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
WHERE c.relname = ANY ($1::pg_catalog.name[]) AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
  AND pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND pg_catalog.has_column_privilege(c.oid, a.attnum, 'SELECT')
LIMIT 5000`;
const RELKINDS: Readonly<Record<string, string>> = { v: 'view', m: 'materialized view', f: 'foreign table' };

function written(name: string): string {
  return PLAIN.test(name) && !KEYWORDS.includes(name.toUpperCase()) ? name : quoted(name);
}

/** Completions at an offset: columns of the tables that the text names, tables, and words of SQL. */
export async function complete(text: string, offset: number, database: PgDatabase, signal: AbortSignal): Promise<CompletionList> {
  const all = tokens(text);
  const inside = all.find(
    ({ kind, start, end }) =>
      (kind === 'string' || kind === 'name' || kind === 'bad') && start < offset && (offset < end || kind === 'bad'),
  );
  const before = text.slice(0, offset);
  const from = offset - (WORD_BEFORE.exec(before)?.[0].length ?? 0);
  if (inside !== undefined) return { from, items: [] };
  const typed = before.slice(from).toLowerCase();
  const named = [...new Set(all.flatMap((token) => identifierOf(token, text) ?? []))];
  const [answer] = await database
    .read([{ text: NAMES, values: [arrayOf(named), arrayOf(database.facts.path)] }], signal)
    .catch(() => []);
  const rows = answer?.rows ?? [];
  const columns = rows.filter(([sort]) => sort === 'c');
  const tables = rows.filter(([sort]) => sort === 't');
  const items: Completion[] = [
    ...columns.map(([, , table, column, type]): Completion => ({
      label: column ?? '',
      detail: `${type ?? ''}, ${table ?? ''}`,
      insert: written(column ?? ''),
      kind: 'column',
    })),
    ...tables.map(([, schema, table, , relkind, isFound]): Completion => ({
      label: table ?? '',
      detail: `${RELKINDS[relkind ?? ''] ?? 'table'} in ${schema ?? ''}`,
      insert: isFound === 't' ? written(table ?? '') : `${written(schema ?? '')}.${written(table ?? '')}`,
      kind: 'table',
    })),
    ...KEYWORDS.map((word): Completion => ({ label: word, insert: word, kind: 'keyword' })),
  ];
  const fitting = items.filter(({ label }) => label !== '' && label.toLowerCase().startsWith(typed));
  return { from, items: fitting.slice(0, MOST) };
}
