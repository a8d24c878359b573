import type { TableRef } from '@tabularium/sdk';
import { SEEN_PATH } from '../catalogue/seenPath.ts';
import type { PgAnswer, PgStep } from '../wire/batch.ts';
import { arrayOf } from './arrayOf.ts';
import { eachOf } from './eachOf.ts';
import { isSymbol, isWord } from './isWord.ts';
import type { SqlToken } from './tokens.ts';

/** Words of kinds of tables, and those between a verb and the first name. */
const TABLES = ['TABLE', 'VIEW', 'SEQUENCE', 'INDEX'];
const BEFORE_NAMES = [
  ...TABLES,
  ...['MATERIALIZED', 'FOREIGN', 'CONCURRENTLY', 'IF', 'EXISTS', 'ONLY', 'FULL', 'FREEZE', 'VERBOSE', 'ANALYZE', 'ANALYSE'],
];
const OF_OTHER_THINGS = ['SCHEMA', 'DATABASE', 'SYSTEM', 'FUNCTION', 'PROCEDURE', 'ROUTINE', 'ALL', 'TYPE', 'DOMAIN', 'LANGUAGE'];

/** Where the names begin of the tables that a statement defines, empties, hands out, fills or looks after; undefined where it names none so. */
function firstName(own: readonly SqlToken[]): number | undefined {
  const [verb, second] = own;
  const behind = (...words: readonly string[]): number | undefined => {
    const at = own.findIndex((token, index) => index > 0 && isWord(token, ...words));
    return at < 0 ? undefined : at + 1;
  };
  switch (verb?.text) {
    case 'DROP':
    case 'ALTER': {
      const isTable = isWord(second, ...TABLES) || (isWord(second, 'MATERIALIZED', 'FOREIGN') && isWord(own[2], 'VIEW', 'TABLE'));
      // Of triggers, rules and policies the table is behind ON.
      return isTable ? 1 : isWord(second, 'TRIGGER', 'RULE', 'POLICY') ? behind('ON') : undefined;
    }
    case 'CREATE':
      if (own.slice(1, 5).some((token) => isWord(token, 'RULE'))) return behind('TO');
      return own.slice(1, 5).some((token) => isWord(token, 'INDEX', 'TRIGGER', 'POLICY')) ? behind('ON') : undefined;
    case 'GRANT':
    case 'REVOKE':
      return behind('ON');
    case 'TRUNCATE':
    case 'COPY':
    case 'LOCK':
    case 'REFRESH':
    case 'CLUSTER':
    case 'VACUUM':
    case 'ANALYZE':
    case 'ANALYSE':
    case 'REINDEX':
      return 1;
    default:
      return undefined;
  }
}

/** The tables that a statement names which acts on them whole, and not on rows of them. */
export function namedTables(
  own: readonly SqlToken[],
  nameAt: (at: number) => { readonly ref: TableRef; readonly end: number } | undefined,
): readonly TableRef[] {
  let at = firstName(own);
  if (at === undefined || isWord(own[at], ...OF_OTHER_THINGS)) return [];
  if (isSymbol(own[at], '(')) while (at < own.length && !isSymbol(own[at - 1], ')')) at += 1;
  const found: TableRef[] = [];
  for (;;) {
    while (isWord(own[at], ...BEFORE_NAMES)) at += 1;
    const name = nameAt(at);
    if (name === undefined) return found;
    found.push(name.ref);
    at = name.end;
    if (own[at]?.text === '*') at += 1;
    if (!isSymbol(own[at], ',')) return found;
    at += 1;
  }
}

/** The tables that names without a schema stand for now. $1: schemas or empty texts, $2: the names behind them. */
const NAMED = `
SELECT f.nspname, f.relname FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.text[]), pg_catalog.unnest($2::pg_catalog.text[])) WITH ORDINALITY AS t (schema, name, place)
  CROSS JOIN LATERAL (SELECT n.nspname, c.relname FROM (SELECT) one ${eachOf('pg_class', 'c', 'c.relname = t.name::pg_catalog.name')} JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE CASE t.schema WHEN '' THEN n.nspname = ANY (${SEEN_PATH}) ELSE n.nspname = t.schema::pg_catalog.name END
    ORDER BY pg_catalog.array_position(${SEEN_PATH}, n.nspname) LIMIT 1) f
ORDER BY t.place`;

/** The question which tables these are. {@link foundNamed} reads the answer. */
export function questionOfNamed(named: readonly TableRef[]): readonly PgStep[] {
  if (named.length === 0) return [];
  const values = [named.map(({ namespace }) => namespace.at(-1) ?? ''), named.map(({ name }) => name)].map(arrayOf);
  return [{ name: 'named', text: NAMED, values }];
}

/** @param prefix - the names before the schema in the path of a table */
export function foundNamed(answer: PgAnswer | undefined, prefix: readonly string[]): readonly TableRef[] {
  const rows = new Map((answer?.rows ?? []).map((row) => [JSON.stringify(row), row]));
  return [...rows.values()].map(([schema, name]) => ({ namespace: [...prefix, schema ?? ''], name: name ?? '' }));
}
