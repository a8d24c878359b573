import { tokens } from './tokens.ts';
import type { SqlToken } from './tokens.ts';

/** Words by which a trigger's function reaches beyond the row in hand, wherever they are. */
const REACHES: ReadonlySet<string> = new Set([
  'DELETE',
  'TRUNCATE',
  'DROP',
  'UPDATE',
  'MERGE',
  'EXECUTE',
  'PERFORM',
  'ALTER',
  'INSERT',
  'SELECT',
  'COPY',
  'CREATE',
  'DO',
  'GRANT',
  'REFRESH',
  'REVOKE',
]);

/** Words by which it does where they begin a statement. Elsewhere they may be names of columns. DECLARE begins a block. */
const BEGINS: ReadonlySet<string> = new Set([
  'ANALYSE',
  'ANALYZE',
  'CALL',
  'CHECKPOINT',
  'CLUSTER',
  'COMMENT',
  'COMMIT',
  'DEALLOCATE',
  'DISCARD',
  'EXPLAIN',
  'IMPORT',
  'LISTEN',
  'LOAD',
  'LOCK',
  'NOTIFY',
  'PREPARE',
  'REASSIGN',
  'REINDEX',
  'RELEASE',
  'RESET',
  'ROLLBACK',
  'SAVEPOINT',
  'SECURITY',
  'SET',
  'START',
  'TABLE',
  'UNLISTEN',
  'VACUUM',
  'VALUES',
  'WITH',
]);

/**
 * Whether the function of a trigger may do more than look at its row and change that. The functions that it calls are to be looked up besides.
 *
 * @param language - by the catalogue's name
 */
export function reachesBeyond(language: string, source: string): boolean {
  if (language !== 'plpgsql') return true;
  const own = tokens(source);
  return own.some((token, index) => {
    if (token.kind === 'bad') return true;
    if (token.kind !== 'word') return false;
    return REACHES.has(token.text) || (BEGINS.has(token.text) && isBeginning(own[index - 1]));
  });
}

/** Behind what a statement of PL/pgSQL begins: another statement, a keyword, or a label. */
function isBeginning(before: SqlToken | undefined): boolean {
  if (before === undefined || before.text === ';' || before.kind === 'operator') return true;
  return before.kind === 'word' && ['BEGIN', 'THEN', 'ELSE', 'LOOP'].includes(before.text);
}
