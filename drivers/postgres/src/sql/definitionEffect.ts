import type { StatementEffect } from '@tabularium/sdk';
import { isSymbol, isWord } from './isWord.ts';
import type { SqlToken } from './tokens.ts';

/** The effect of a statement that makes or alters something by its words. */
export interface DefinitionEffect {
  readonly effect: StatementEffect;
  readonly unknown?: true;
  readonly alone?: boolean;
  readonly summary?: string;
  readonly holdsSecret?: true;
  readonly acts?: 'calls' | 'upkeep';
}

/** Roles and their mappings to other servers, of which a password may be part. */
export function roleEffect(own: readonly SqlToken[], summary: string): DefinitionEffect {
  const holdsSecret = own.some((token) => isWord(token, 'PASSWORD')) || isWord(own[2], 'MAPPING');
  return { effect: 'destructive', summary, ...(holdsSecret ? { holdsSecret: true } : {}) };
}

/** The part of a statement that is one name, with the schema before it. */
export function isName(token: SqlToken | undefined): boolean {
  return token?.kind === 'word' || token?.kind === 'name';
}

/** The place behind a name that may have a schema before it; undefined where there is none. */
export function behindName(own: readonly SqlToken[], at: number): number | undefined {
  let place = at;
  while (isName(own[place])) {
    place += 1;
    if (!isSymbol(own[place], '.')) return place;
    place += 1;
  }
  return undefined;
}

/** The place behind words that follow one another there, or the same place where they don't. */
export function behindWords(own: readonly SqlToken[], at: number, ...words: readonly string[]): number {
  return words.every((word, index) => isWord(own[at + index], word)) ? at + words.length : at;
}

/** Parts of a list, without the commas between them. */
export function partsOf(own: readonly SqlToken[]): readonly (readonly SqlToken[])[] {
  const parts: SqlToken[][] = [[]];
  let depth = 0;
  for (const token of own) {
    if (isSymbol(token, '(') || isSymbol(token, '[')) depth += 1;
    if (isSymbol(token, ')') || isSymbol(token, ']')) depth -= 1;
    if (depth === 0 && isSymbol(token, ',')) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}
