import { isSymbol, isWord } from './isWord.ts';
import type { SqlToken } from './tokens.ts';

/** Aggregates that make nothing of a value but a value of the same type, a number or a count. */
const PLAIN_CALLS = ['COUNT', 'SUM', 'MIN', 'MAX', 'AVG'];
/** Words of SQL behind which a parenthesis isn’t that of a call. */
const BEFORE_VALUES = [
  'SELECT',
  'DISTINCT',
  'WHERE',
  'ON',
  'USING',
  'AND',
  'OR',
  'NOT',
  'BY',
  'HAVING',
  'WHEN',
  'THEN',
  'ELSE',
  'RETURNING',
];

/**
 * Whether a statement may make values whose type isn't in it: a text or a parameter takes the type of what is beside it, and so does a row, be it written, of a query or of a function. Beside a column of a
 * composite type it becomes one, with the attributes that the type has when the statement is parsed.
 *
 * False for statements that only name columns, compare with numbers and count.
 *
 * @param own - the tokens of a statement
 */
export function makesValues(own: readonly SqlToken[]): boolean {
  return own.some(
    (token, index) =>
      token.kind === 'string' ||
      token.kind === 'parameter' ||
      isWord(token, 'ROW', 'VALUES') ||
      (isSymbol(token, '(') && !isPlainCall(own, index) && !isAroundName(own, index)),
  );
}

/** As around the name of a composite column, of which an attribute is read. */
function isAroundName(own: readonly SqlToken[], parenthesis: number): boolean {
  // Behind another word it may be a call.
  const before = own[parenthesis - 1];
  if (isIdentifier(before) && !isWord(before, ...BEFORE_VALUES)) return false;
  let at = parenthesis + 1;
  while (isIdentifier(own[at]) && isSymbol(own[at + 1], '.')) at += 2;
  // A name behind USING is that of a row of the columns in it.
  const namesRow = isWord(before, 'USING') && isWord(own[at + 2], 'AS');
  return !namesRow && isIdentifier(own[at]) && isSymbol(own[at + 1], ')');
}

function isIdentifier(token: SqlToken | undefined): boolean {
  return token?.kind === 'word' || token?.kind === 'name';
}

function isPlainCall(own: readonly SqlToken[], parenthesis: number): boolean {
  return isWord(own[parenthesis - 1], ...PLAIN_CALLS) && !isSymbol(own[parenthesis - 2], '.');
}
