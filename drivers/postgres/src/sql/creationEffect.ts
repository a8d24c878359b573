import { behindName, behindWords, partsOf, roleEffect } from './definitionEffect.ts';
import type { DefinitionEffect } from './definitionEffect.ts';
import { isSymbol, isWord } from './isWord.ts';
import type { SqlToken } from './tokens.ts';

/** Words between CREATE and what is made. */
const BETWEEN = ['TEMP', 'TEMPORARY', 'UNLOGGED', 'GLOBAL', 'LOCAL', 'RECURSIVE', 'TRUSTED'];
/** Things that act by nothing but what they call, which the server is asked about. */
const PLAIN = ['TABLE', 'INDEX', 'UNIQUE', 'VIEW', 'MATERIALIZED', 'SEQUENCE', 'DOMAIN', 'COLLATION', 'STATISTICS'];
/** Things by which others get at rows, or that act on statements of others. */
const HANDS_OUT = ['POLICY', 'PUBLICATION', 'EVENT', 'CAST', 'LANGUAGE'];
/** Of CREATE TYPE … AS RANGE: options without functions. */
const OF_RANGE = ['SUBTYPE', 'SUBTYPE_OPCLASS', 'COLLATION', 'MULTIRANGE_TYPE_NAME'];

/** The effect of CREATE by its words: unknown, where what is made isn't one of the things that are known to act by nothing but what they call. */
export function creationEffect(own: readonly SqlToken[]): DefinitionEffect {
  const words = own.slice(1, 6).flatMap((token) => (token.kind === 'word' ? [token.text] : []));
  const replaces = words[0] === 'OR' && words[1] === 'REPLACE';
  const [kind = ''] = (replaces ? words.slice(2) : words).filter((word) => !BETWEEN.includes(word));
  if (['USER', 'ROLE', 'GROUP'].includes(kind)) return roleEffect(own, `CREATE ${kind}`);
  if (kind === 'DATABASE') return { effect: isPlainDatabase(own) ? 'write' : 'destructive', alone: true };
  // It makes folders where the server's account may.
  if (kind === 'TABLESPACE') return { effect: 'write', unknown: true, alone: true };
  if (kind === 'SUBSCRIPTION' || kind === 'SERVER')
    return { effect: 'destructive', alone: true, holdsSecret: true, summary: `CREATE ${kind}` };
  if (kind === 'SCHEMA') return schemaEffect(own);
  // The rows of the default partition are looked through for those that belong into a new one.
  const isPart = own.some((token, index) => isWord(token, 'PARTITION') && isWord(own[index + 1], 'OF'));
  const isPlain = kind === 'TYPE' ? isPlainType(own) : PLAIN.includes(kind) && !(kind === 'TABLE' && isFilledByQuery(own));
  const handsOut = HANDS_OUT.includes(kind) || (!isPlain && hasOwnersRights(own));
  return {
    effect: replaces || handsOut ? 'destructive' : 'write',
    alone: words.includes('CONCURRENTLY'),
    // A view is stored and not run; but its literals are read, by the types that they are of.
    acts: isPart ? 'upkeep' : 'calls',
    ...(isPlain ? {} : { unknown: true }),
  };
}

/** Whether a new table is filled by the query behind AS. In the parentheses of its columns that is a word of IDENTITY and of computed columns. */
export function isFilledByQuery(own: readonly SqlToken[]): boolean {
  let depth = 0;
  for (const token of own) {
    if (isSymbol(token, '(')) depth += 1;
    else if (isSymbol(token, ')')) depth -= 1;
    else if (depth === 0 && isWord(token, 'AS')) return true;
  }
  return false;
}

/** Options by which a new database belongs to the role that makes it, and is empty. */
const OF_DATABASE = [
  ...['ENCODING', 'STRATEGY', 'LOCALE', 'LC_COLLATE', 'LC_CTYPE', 'BUILTIN_LOCALE', 'ICU_LOCALE', 'ICU_RULES', 'LOCALE_PROVIDER'],
  ...['COLLATION_VERSION', 'TABLESPACE', 'ALLOW_CONNECTIONS', 'CONNECTION', 'LIMIT', 'IS_TEMPLATE', 'OID', 'DEFAULT'],
];
const EMPTY_TEMPLATES = ['TEMPLATE0', 'TEMPLATE1', 'DEFAULT'];

/** A new database may be given to another role, or be a copy of one, whose rows everybody may read then. */
function isPlainDatabase(own: readonly SqlToken[]): boolean {
  let at = isWord(own[3], 'WITH') ? 4 : 3;
  while (at < own.length) {
    const option = own[at];
    at += isWord(option, 'CONNECTION') ? 2 : 1;
    if (own[at]?.text === '=') at += 1;
    if (own[at]?.text === '-') at += 1;
    const isEmpty = isWord(option, 'TEMPLATE') && isWord(own[at], ...EMPTY_TEMPLATES);
    if (!isEmpty && !isWord(option, ...OF_DATABASE)) return false;
    at += 1;
  }
  return true;
}

/** A schema may be given to another role, and the statements in it may hand out access, or act later. */
function schemaEffect(own: readonly SqlToken[]): DefinitionEffect {
  const name = behindWords(own, 2, 'IF', 'NOT', 'EXISTS');
  if (!isWord(own[name], 'AUTHORIZATION') && behindName(own, name) === own.length) return { effect: 'write', acts: 'calls' };
  const handsOut = own.some((token) => isWord(token, 'AUTHORIZATION', 'GRANT'));
  return { effect: handsOut ? 'destructive' : 'write', unknown: true, acts: 'calls' };
}

/** A list of labels or attributes, a range without functions, or a name for a type that is to come. Others are made of functions that act with each value. */
function isPlainType(own: readonly SqlToken[]): boolean {
  const at = behindName(own, 2);
  if (at === undefined) return false;
  if (at === own.length) return true;
  if (!isWord(own[at], 'AS')) return false;
  if (isWord(own[at + 1], 'ENUM') || isSymbol(own[at + 1], '(')) return true;
  const options = partsOf(own.slice(at + 3, -1));
  return isWord(own[at + 1], 'RANGE') && options.every(([option]) => isWord(option, ...OF_RANGE));
}

/** Whether what is made runs with the permissions of its owner in each call. */
function hasOwnersRights(own: readonly SqlToken[]): boolean {
  return own.some((token, index) => isWord(token, 'SECURITY') && isWord(own[index + 1], 'DEFINER'));
}
