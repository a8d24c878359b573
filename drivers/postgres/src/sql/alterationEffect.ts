import { behindName, behindWords, isName, partsOf, roleEffect } from './definitionEffect.ts';
import type { DefinitionEffect } from './definitionEffect.ts';
import { isWord } from './isWord.ts';
import type { SqlToken } from './tokens.ts';

/** Things of which some alterations lose nothing: what ADD may begin there, and parts that are renamed. */
const HARMLESS: Readonly<Record<string, { readonly adds: 'anything' | readonly string[]; readonly parts: readonly string[] }>> = {
  // The server's grammar has nothing behind ADD there but a column or a constraint, and neither changes a row that is there.
  TABLE: { adds: 'anything', parts: ['COLUMN', 'CONSTRAINT'] },
  TYPE: { adds: ['ATTRIBUTE', 'VALUE'], parts: ['ATTRIBUTE', 'VALUE'] },
  INDEX: { adds: [], parts: [] },
  SEQUENCE: { adds: [], parts: [] },
  SCHEMA: { adds: [], parts: [] },
};

/** The effect of ALTER by its words: destructive, where not every action of it is known to lose nothing. */
export function alterationEffect(own: readonly SqlToken[]): DefinitionEffect {
  const [, second, third] = own;
  const kind = second?.kind === 'word' ? second.text : '';
  if (['USER', 'ROLE', 'GROUP'].includes(kind)) return roleEffect(own, `ALTER ${kind}`);
  if (['SYSTEM', 'DATABASE', 'TABLESPACE'].includes(kind)) return { effect: 'destructive', alone: true };
  if (['SUBSCRIPTION', 'SERVER'].includes(kind))
    return { effect: 'destructive', alone: true, holdsSecret: true, summary: `ALTER ${kind}` };
  if (kind === 'DEFAULT' && isWord(third, 'PRIVILEGES')) return { effect: 'destructive' };
  // Types, checks and partitions are computed of the rows that are there.
  const computes = ['TABLE', 'DOMAIN', 'FOREIGN', 'MATERIALIZED'].includes(kind);
  const losesNothing = isHarmless(own, kind);
  return {
    effect: losesNothing ? 'write' : 'destructive',
    alone: kind === 'TYPE' && own.some((token) => isWord(token, 'ADD')),
    ...(losesNothing || computes ? { acts: 'upkeep' } : {}),
    // By a foreign key it reads another table, which no word of it names.
    ...(losesNothing && own.some((token) => isWord(token, 'VALIDATE')) ? { unknown: true } : {}),
  };
}

function isHarmless(own: readonly SqlToken[], kind: string): boolean {
  if (!Object.hasOwn(HARMLESS, kind)) return false;
  const { adds = [], parts = [] } = HARMLESS[kind] ?? {};
  const name = behindWords(own, behindWords(own, 2, 'IF', 'EXISTS'), 'ONLY');
  let at = behindName(own, name);
  if (at === undefined) return false;
  if (own[at]?.text === '*') at += 1;
  return partsOf(own.slice(at)).every(([first, ...rest]) => {
    if (isWord(first, 'ADD') && followsAnother(rest)) return false;
    if (isWord(first, 'ADD')) return rest.length > 0 && (adds === 'anything' || isWord(rest[0], ...adds));
    // Rows that a constraint has been let go for are looked at, and stay as they are.
    if (kind === 'TABLE' && isWord(first, 'VALIDATE'))
      return rest.length === 2 && isWord(rest[0], 'CONSTRAINT') && isName(rest[1]);
    return isWord(first, 'RENAME') && renames(rest, parts);
  });
}

/** Whether rows of the table change or go from then on when those change that a new foreign key leads to, by a change of another role, too. */
function followsAnother(own: readonly SqlToken[]): boolean {
  return own.some(
    (token, index) =>
      isWord(token, 'ON') && isWord(own[index + 1], 'DELETE', 'UPDATE') && isWord(own[index + 2], 'CASCADE', 'SET'),
  );
}

/** Whether words behind RENAME give something a name: `TO b`, `COLUMN a TO b`, `a TO b`, `VALUE 'a' TO 'b'`. */
function renames(own: readonly SqlToken[], parts: readonly string[]): boolean {
  const isNamed = (token: SqlToken | undefined): boolean => isName(token) || token?.kind === 'string';
  const to = own.findIndex((token, index) => isWord(token, 'TO') && isNamed(own[index + 1]));
  const old = own.slice(0, to);
  const isOld = old.length === 0 || (parts.length > 0 && old.length <= 2 && isNamed(old.at(-1)));
  const isPart = old.length < 2 || isWord(old[0], ...parts);
  const rest = own.slice(to + 2);
  return to >= 0 && isOld && isPart && (rest.length === 0 || (rest.length === 1 && isWord(rest[0], 'CASCADE', 'RESTRICT')));
}
