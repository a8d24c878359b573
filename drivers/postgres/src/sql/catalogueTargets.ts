import type { TableRef } from '@tabularium/sdk';
import { SEEN_PATH } from '../catalogue/seenPath.ts';
import { isOfServer } from '../catalogue/systemSchema.ts';
import type { PgAnswer, PgStep } from '../wire/batch.ts';
import { arrayOf } from './arrayOf.ts';
import { eachOf } from './eachOf.ts';
import { isWord } from './isWord.ts';
import type { SqlToken } from './tokens.ts';

/**
 * Tables of the server itself that a change reaches, by its own name, through views that pass it on, and by rules. A stored tree names each table in a field of this name. The server looks for a
 * name without a schema in pg_catalog, too. $1: schemas or empty texts, $2: the names behind them; $3: identifiers of a statement that locks rows, of which each may be a table.
 */
const CATALOGUE_TARGETS = `
WITH RECURSIVE reached (oid) AS (
  SELECT c.oid FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.text[]), pg_catalog.unnest($2::pg_catalog.text[])) AS t (schema, name)
    ${eachOf('pg_class', 'c', 'c.relname = t.name::pg_catalog.name')} JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE CASE t.schema WHEN '' THEN n.nspname = 'pg_catalog' OR n.nspname = ANY (${SEEN_PATH}) ELSE n.nspname = t.schema::pg_catalog.name END
  UNION
  SELECT c.oid FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relname = ANY ($3::pg_catalog.name[]) AND (n.nspname <> 'information_schema' OR 'information_schema' = ANY (${SEEN_PATH} || $3::pg_catalog.name[]))
  UNION
  SELECT m.oid FROM reached r CROSS JOIN LATERAL (
    SELECT k.found[1]::pg_catalog.oid FROM (SELECT w.ev_action::pg_catalog.text AS tree FROM pg_catalog.pg_rewrite w WHERE w.ev_class = r.oid OFFSET 0) w, pg_catalog.regexp_matches(w.tree, ':relid ([0-9]+)', 'g') AS k (found)
    UNION ALL SELECT h.inhrelid FROM (SELECT h.inhrelid FROM pg_catalog.pg_inherits h WHERE h.inhparent = r.oid OFFSET 0) h
  ) m (oid)
)
SELECT n.nspname, c.relname FROM reached r ${eachOf('pg_class', 'c', 'c.oid = r.oid')} JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE ${isOfServer('n.nspname')} ORDER BY c.relkind = 'v', 1, 2 LIMIT 1`;

/** Whether a statement locks rows or tables without changing them. */
export function locks(own: readonly SqlToken[]): boolean {
  return (
    isWord(own[0], 'LOCK') ||
    own.some((token, index) => isWord(token, 'FOR') && isWord(own[index + 1], 'UPDATE', 'SHARE', 'NO', 'KEY'))
  );
}

/**
 * The question whether tables of the server itself are changed or locked. {@link foundCatalogue} reads the answer.
 *
 * @param locked - the identifiers of a statement that locks
 */
export function catalogueTargets(targets: readonly (TableRef | undefined)[], locked: readonly string[]): readonly PgStep[] {
  const named = targets.flatMap((ref) => ref ?? []);
  if (named.length === 0 && locked.length === 0) return [];
  const schemas = named.map(({ namespace }) => namespace.at(-1) ?? '');
  const values = [schemas, named.map(({ name }) => name), locked].map(arrayOf);
  return [{ name: 'ofServer', text: CATALOGUE_TARGETS, values }];
}

/** The table of the server itself that is changed or locked; undefined where none is. */
export function foundCatalogue(answer: PgAnswer | undefined): string | undefined {
  return answer?.rows[0]?.join('.');
}
