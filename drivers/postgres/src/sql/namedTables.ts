import type { TableRef } from '@tabularium/sdk';
import { SEEN_PATH } from '../catalogue/seenPath.ts';
import type { PgAnswer, PgStep } from '../wire/batch.ts';
import { arrayOf } from './arrayOf.ts';
import { eachOf } from './eachOf.ts';
import { isSymbol } from './isWord.ts';
import type { SqlToken } from './tokens.ts';

/** Verbs of statements that act on tables whole, and not on rows of them. */
const ACTING: ReadonlySet<string> = new Set([
  ...[
    'ALTER',
    'ANALYSE',
    'ANALYZE',
    'CLUSTER',
    'COMMENT',
    'COPY',
    'CREATE',
    'DROP',
    'GRANT',
    'LOCK',
    'REFRESH',
    'REINDEX',
    'REVOKE',
  ],
  ...['SECURITY', 'TRUNCATE', 'VACUUM'],
]);
/** Names that the server is asked about for one statement. */
export const MOST_NAMES = 500;

/**
 * The names in a statement that acts on tables whole, each of which may be a table's. Where the grammar has a table can't be seen without all of it: TABLE is a word and a name, a list may be in parentheses, and a second table
 * may be behind PARTITION, INHERIT, REFERENCES or LIKE.
 */
export function namedTables(
  own: readonly SqlToken[],
  identifier: (token: SqlToken | undefined) => string | undefined,
): readonly TableRef[] {
  if (own[0]?.kind !== 'word' || !ACTING.has(own[0].text)) return [];
  const found = own.slice(1).flatMap((token, before): readonly TableRef[] => {
    const name = identifier(token);
    if (name === undefined) return [];
    const schema = isSymbol(own[before], '.') ? identifier(own[before - 1]) : undefined;
    return [{ namespace: schema === undefined ? [] : [schema], name }];
  });
  return [...new Map(found.map((ref) => [JSON.stringify(ref), ref])).values()];
}

/** The tables that names without a schema stand for now. $1: schemas or empty texts, $2: the names behind them. */
const NAMED = `
SELECT f.nspname, f.relname FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.text[]), pg_catalog.unnest($2::pg_catalog.text[])) WITH ORDINALITY AS t (schema, name, place)
  CROSS JOIN LATERAL (SELECT n.nspname, c.relname FROM (SELECT) one ${eachOf('pg_class', 'c', 'c.relname = t.name::pg_catalog.name')} JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE CASE t.schema WHEN '' THEN n.nspname = ANY (${SEEN_PATH}) ELSE n.nspname = t.schema::pg_catalog.name END
    ORDER BY pg_catalog.array_position(${SEEN_PATH}, n.nspname) LIMIT 1) f
ORDER BY t.place`;

/** The question which tables these are, of the first {@link MOST_NAMES}. {@link foundNamed} reads the answer. */
export function questionOfNamed(named: readonly TableRef[]): readonly PgStep[] {
  if (named.length === 0) return [];
  const asked = named.slice(0, MOST_NAMES);
  const values = [asked.map(({ namespace }) => namespace.at(-1) ?? ''), asked.map(({ name }) => name)].map(arrayOf);
  return [{ name: 'named', text: NAMED, values }];
}

/** @param prefix - the names before the schema in the path of a table */
export function foundNamed(answer: PgAnswer | undefined, prefix: readonly string[]): readonly TableRef[] {
  const rows = new Map((answer?.rows ?? []).map((row) => [JSON.stringify(row), row]));
  return [...rows.values()].map(([schema, name]) => ({ namespace: [...prefix, schema ?? ''], name: name ?? '' }));
}
