import { splitSql } from '../sql/split.ts';
import type { SplitStatement } from '../sql/split.ts';
import { tokens } from '../sql/tokens.ts';
import type { SqlToken } from '../sql/tokens.ts';

/** Constraints that need nothing but the table itself. */
const OWN_CONSTRAINTS: ReadonlySet<string> = new Set(['PRIMARY', 'UNIQUE', 'CHECK']);
const BEHIND_TYPE: ReadonlySet<string> = new Set(['GENERATED', 'DEFAULT', 'NOT', 'PRIMARY']);

/** A column of another table. */
interface LikeColumn {
  readonly sql: string;
  readonly type: string;
  /** Without what another database may lack; undefined where it has none. */
  readonly preset: string | undefined;
  readonly notNull: boolean;
  /** Whether it is the primary key alone, as a proposed definition says it. */
  readonly isKey: boolean;
}

/** The parts of another table's definition that a copy has. */
export interface LikeTable {
  readonly columns: readonly LikeColumn[];
  readonly constraints: readonly string[];
}

/**
 * Reads a definition as `describeTable` and a proposal write it.
 *
 * @returns undefined for a text that makes no table
 */
export function likeTable(definition: string): LikeTable | undefined {
  for (const statement of splitSql(definition)) {
    const items = itemsOf(statement);
    if (items === undefined) continue;
    const columns: LikeColumn[] = [];
    const constraints: string[] = [];
    for (const item of items) {
      const [first, , kind] = item;
      if (first?.kind === 'name') {
        const column = columnOf(item, definition);
        if (column === undefined) return undefined;
        columns.push(column);
      } else if (first?.kind === 'word' && first.text === 'CONSTRAINT' && kind !== undefined) {
        // Its name is that of an index, which a schema has once.
        if (OWN_CONSTRAINTS.has(kind.text)) constraints.push(textOf(item.slice(2), definition));
      } else return undefined;
    }
    return columns.length === 0 ? undefined : { columns, constraints };
  }
  return undefined;
}

/** The database that gets a table like another one. */
export interface LikePlace {
  hasType(type: string): boolean;
  /** Of functions by their names alone, in small letters. */
  hasFunction(name: string): boolean;
  /** Such as 180000. */
  readonly version: number;
}

/** The functions that its defaults and constraints call without a schema, in small letters; words of SQL such as CHECK are among them. */
export function likeFunctions({ columns, constraints }: LikeTable): readonly string[] {
  return [...new Set([...columns.flatMap(({ preset }) => preset ?? []), ...constraints].flatMap(calledIn))];
}

/** Behind a schema, or the name of a type behind `::`. */
function isQualified(before: SqlToken | undefined): boolean {
  return before?.kind === 'symbol' && (before.text === '.' || before.text === ':');
}

function calledIn(text: string): readonly string[] {
  const all = tokens(text);
  return all.flatMap(({ kind, text: name }, at) => {
    const [before, behind] = [all[at - 1], all[at + 1]];
    if (behind?.kind !== 'symbol' || behind.text !== '(' || isQualified(before)) return [];
    return kind === 'word' ? [name.toLowerCase()] : kind === 'name' ? [name] : [];
  });
}

/** Words of constraints with the version that has them first. */
const NEWER_WORDS = [
  { words: ['NULLS', 'NOT', 'DISTINCT'], since: 150_000 },
  { words: ['WITHOUT', 'OVERLAPS'], since: 180_000 },
  { words: ['NOT', 'ENFORCED'], since: 180_000 },
] as const;

function isOfVersion(constraint: string, version: number): boolean {
  const all = tokens(constraint);
  return NEWER_WORDS.every(
    ({ words, since }) =>
      version >= since || !all.some((_, begin) => words.every((word, place) => isWord(all[begin + place], word))),
  );
}

/**
 * The statement for a table like it. Without defaults and constraints that this server lacks something for.
 *
 * @param sql - the qualified name
 */
export function likeStatement(sql: string, { columns, constraints }: LikeTable, place: LikePlace): string {
  const isWhole = (text: string): boolean => calledIn(text).every((name) => place.hasFunction(name));
  const lines = columns.map(({ sql: name, type, preset, notNull, isKey }) => {
    const isKnown = place.hasType(type);
    return [
      `${name} ${isKnown ? type : 'text'}`,
      ...(isKnown && preset !== undefined && isWhole(preset) ? [`DEFAULT ${preset}`] : []),
      ...(notNull ? ['NOT NULL'] : []),
      ...(isKey ? ['PRIMARY KEY'] : []),
    ].join(' ');
  });
  const own = constraints.filter((constraint) => isWhole(constraint) && isOfVersion(constraint, place.version));
  return `CREATE TABLE ${sql} (\n${[...lines, ...own].map((line) => `  ${line}`).join(',\n')}\n)`;
}

/** The parts between the parentheses of a CREATE TABLE, cut at its commas; undefined for another statement. */
function itemsOf({ tokens: all }: SplitStatement): readonly (readonly SqlToken[])[] | undefined {
  const word = (at: number): string => (all[at]?.kind === 'word' ? all[at].text : '');
  const at = word(1) === 'UNLOGGED' || word(1) === 'FOREIGN' ? 2 : 1;
  if (word(0) !== 'CREATE' || word(at) !== 'TABLE') return undefined;
  const begin = all.findIndex(({ kind, text }) => kind === 'symbol' && text === '(');
  if (begin !== at + 4) return undefined;
  const items: SqlToken[][] = [[]];
  let depth = 1;
  for (const token of all.slice(begin + 1)) {
    if (token.kind === 'bad') return undefined;
    depth += stepOf(token);
    if (depth === 0) return items;
    if (depth === 1 && token.kind === 'symbol' && token.text === ',') items.push([]);
    else items.at(-1)?.push(token);
  }
  return undefined;
}

function stepOf({ kind, text }: SqlToken): number {
  if (kind !== 'symbol') return 0;
  if (text === '(' || text === '[') return 1;
  return text === ')' || text === ']' ? -1 : 0;
}

function textOf(item: readonly SqlToken[], definition: string): string {
  return definition.slice(item[0]?.start ?? 0, item.at(-1)?.end ?? 0);
}

function columnOf(item: readonly SqlToken[], definition: string): LikeColumn | undefined {
  let depth = 0;
  let end = 1;
  for (; end < item.length; end += 1) {
    const token = item[end];
    if (token === undefined || (depth === 0 && token.kind === 'word' && BEHIND_TYPE.has(token.text))) break;
    depth += stepOf(token);
  }
  const type = textOf(item.slice(1, end), definition);
  if (end === 1) return undefined;
  const [before, not, last] = [item.at(-3), item.at(-2), item.at(-1)];
  const notNull = isWord(not, 'NOT') && isWord(last, 'NULL') && !isWord(before, 'IS');
  const clause = item.slice(end, notNull ? -2 : undefined);
  return {
    sql: textOf(item.slice(0, 1), definition),
    type,
    preset: isWord(clause[0], 'DEFAULT') ? ownPreset(textOf(clause.slice(1), definition), type) : undefined,
    notNull,
    isKey: isWord(clause[0], 'PRIMARY'),
  };
}

function isWord(token: SqlToken | undefined, text: string): boolean {
  return token?.kind === 'word' && token.text === text;
}

/** A default that needs nothing but its column's type: no sequence of the other table, and no function of another schema. */
function ownPreset(preset: string, type: string): string | undefined {
  const parts = tokens(preset.replaceAll(`::${type}`, ''));
  const reaches = parts.some(({ kind, text }) => (kind === 'symbol' && text === '.') || (kind === 'word' && text === 'NEXTVAL'));
  return reaches ? undefined : preset;
}
