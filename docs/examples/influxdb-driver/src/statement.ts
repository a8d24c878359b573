import { DriverError } from '@tabularium/sdk';
import type { StatementClassification, StatementEffect, TableRef } from '@tabularium/sdk';
import { tokenLists } from './tokens.ts';
import type { Token } from './tokens.ts';

const VERBS = ['SELECT', 'SHOW', 'EXPLAIN', 'CREATE', 'DELETE', 'DROP', 'ALTER', 'GRANT', 'REVOKE', 'SET', 'KILL'];
/** Words that end the list of sources after FROM, and aren't names themselves. */
const AFTER_SOURCES = new Set([
  'WHERE',
  'GROUP',
  'ORDER',
  'LIMIT',
  'OFFSET',
  'SLIMIT',
  'SOFFSET',
  'FILL',
  'TZ',
  'WITH',
  'FROM',
  'END',
]);

const upper = (token: Token | undefined): string => (token?.type === 'word' ? token.value.toUpperCase() : '');
const isName = (token: Token | undefined): token is Token =>
  token !== undefined && (token.type === 'name' || (token.type === 'word' && !AFTER_SOURCES.has(upper(token))));

/**
 * The tokens of a text that must be one statement.
 *
 * @throws DriverError `INVALID_INPUT`
 */
function oneStatement(text: string): { readonly tokens: readonly Token[]; readonly isAmbiguous: boolean } {
  const lists = tokenLists(text);
  const [list] = lists;
  if (list === undefined) throw new DriverError('INVALID_INPUT', 'There is no statement.');
  if (lists.length > 1) throw new DriverError('INVALID_INPUT', `These are ${lists.length} statements. Run one after the other.`);
  if (list.problem !== undefined) throw new DriverError('INVALID_INPUT', `${list.problem}.`);
  if (!VERBS.includes(upper(list.tokens[0])))
    throw new DriverError('INVALID_INPUT', `A statement of InfluxQL begins with one of ${VERBS.join(', ')}.`);
  return list;
}

/** The sources that follow one FROM or INTO. */
function sourcesFrom(tokens: readonly Token[], begin: number, database: string | undefined): TableRef[] {
  const refs: TableRef[] = [];
  let index = begin;
  for (;;) {
    const parts = [''];
    for (; index < tokens.length; index += 1) {
      const token = tokens[index];
      if (token?.type === 'symbol' && token.value === '.') parts.push('');
      else if (parts.at(-1) === '' && isName(token)) parts[parts.length - 1] = token.value;
      else break;
    }
    const name = parts.at(-1) ?? '';
    const of = parts.length === 3 ? parts[0] : database;
    if (name !== '' && of !== undefined && of !== '') refs.push({ namespace: [of], name });
    if (tokens[index]?.value !== ',' || name === '') return refs;
    index += 1;
  }
}

/** The measurements that a statement names, in any of its parts. */
function tablesOf(tokens: readonly Token[], database: string | undefined): TableRef[] {
  const on = tokens.findIndex((token) => upper(token) === 'ON');
  const named = on > 0 && isName(tokens[on + 1]) ? tokens[on + 1]?.value : undefined;
  const refs = tokens.flatMap((token, index) => {
    const isDrop = upper(token) === 'MEASUREMENT' && upper(tokens[index - 1]) === 'DROP';
    return isDrop || upper(token) === 'FROM' || upper(token) === 'INTO' ? sourcesFrom(tokens, index + 1, named ?? database) : [];
  });
  return refs.filter((ref, index) => refs.findIndex((one) => JSON.stringify(one) === JSON.stringify(ref)) === index);
}

function effectOf(verb: string, noun: string, tokens: readonly Token[]): StatementEffect {
  const has = (word: string): boolean => tokens.some((token) => upper(token) === word);
  switch (verb) {
    case 'SHOW':
      return 'read';
    case 'SELECT':
    case 'EXPLAIN':
      // Points of the same time are replaced. EXPLAIN ANALYZE runs what it explains.
      return has('INTO') ? 'destructive' : 'read';
    case 'CREATE':
      return noun === 'DATABASE' || (noun === 'RETENTION' && !has('DEFAULT')) ? 'write' : 'destructive';
    default:
      return 'destructive';
  }
}

/**
 * Says what a statement does.
 *
 * @param database - of sources that name none
 * @throws DriverError `INVALID_INPUT` for what isn't one statement
 */
export function classifyStatement(text: string, database: string | undefined): StatementClassification {
  const { tokens, isAmbiguous } = oneStatement(text);
  const verb = upper(tokens[0]);
  const noun = verb === 'SELECT' || verb === 'EXPLAIN' ? '' : upper(tokens[1]);
  const effect = effectOf(verb, noun, tokens);
  const isSecret = (verb === 'CREATE' && noun === 'USER') || (verb === 'SET' && noun === 'PASSWORD');
  const tables = tablesOf(tokens, database);
  // Nothing that the server could read in another way is called a read.
  const isUnclear = effect === 'read' && isAmbiguous && /;|\binto\b/i.test(text);
  const [table] = tables;
  const isWhole = verb === 'DELETE' && tables.length === 1 && !tokens.some((token) => upper(token) === 'WHERE');
  return {
    effect: isUnclear ? 'write' : effect,
    ...(isUnclear ? { unknown: true } : {}),
    tables,
    summary:
      [verb, noun].filter((word) => word !== '').join(' ') +
      (tables.length === 0
        ? ''
        : ` of ${tables
            .map(({ name }) => name)
            .join(', ')
            .slice(0, 100)}`),
    ...(isSecret ? { holdsSecret: true, newSecret: 'inStatement' as const } : {}),
    ...(isWhole && table !== undefined ? { everyRowOf: table } : {}),
  };
}
