import type { SqlToken } from './tokens.ts';
import { isSymbol, isWord } from './isWord.ts';

/** Words behind which the name of a table is that table, and not the type of its rows. Behind COPY it is both: it makes values for each column. */
const BEFORE_TABLES = [
  ...['FROM', 'JOIN', 'INTO', 'UPDATE', 'ONLY', 'USING', 'TABLE', 'SELECT', 'OF', 'ON', 'VIEW', 'INDEX'],
  ...['TRUNCATE', 'LOCK', 'VACUUM', 'ANALYZE', 'ANALYSE', 'CLUSTER', 'EXISTS'],
];

/**
 * The identifiers that may be in the place of a type, some of which may be tables: the type of a table's rows has the table's name. A type comes behind two colons, behind a word, or behind the name of a column, or it has its value behind it.
 *
 * @param own - the tokens of a statement
 */
export function usedAsTypes(own: readonly SqlToken[]): readonly SqlToken[] {
  return own.filter((token, index) => {
    if (!isIdentifier(token)) return false;
    const next = own[index + 1];
    // The last of several names is that of the type.
    if (isSymbol(next, '.')) return false;
    return next?.kind === 'string' || isBehindOther(own, startOf(own, index));
  });
}

function isIdentifier(token: SqlToken | undefined): boolean {
  return token?.kind === 'word' || token?.kind === 'name';
}

/** Where a name with schemas in front of it begins. */
function startOf(own: readonly SqlToken[], index: number): number {
  let start = index;
  while (isSymbol(own[start - 1], '.') && isIdentifier(own[start - 2])) start -= 2;
  return start;
}

function isBehindOther(own: readonly SqlToken[], start: number): boolean {
  const before = own[start - 1];
  return isSymbol(before, ':') || (isIdentifier(before) && !isWord(before, ...BEFORE_TABLES));
}
