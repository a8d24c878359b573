import type { Statement } from '@tabularium/sdk';
import { tokens } from './tokens.ts';
import type { SqlToken } from './tokens.ts';

/** A statement with its tokens; the semicolon at its end is none of them. */
export interface SplitStatement extends Statement {
  readonly tokens: readonly SqlToken[];
}

const BETWEEN = new Set(['TEMP', 'TEMPORARY']);

/** The statements of a text. Semicolons inside the body of a trigger end nothing. */
export function splitSql(text: string): SplitStatement[] {
  const found: SplitStatement[] = [];
  let own: SqlToken[] = [];
  let depth = 0;
  const finish = (): void => {
    const first = own[0];
    const last = own.at(-1);
    if (first !== undefined && last !== undefined) {
      found.push({ text: text.slice(first.start, last.end), start: first.start, end: last.end, tokens: own });
    }
    own = [];
    depth = 0;
  };
  for (const token of tokens(text)) {
    if (token.kind === 'symbol' && token.text === ';' && depth === 0) {
      finish();
      continue;
    }
    own.push(token);
    if (token.kind !== 'word' || !isTrigger(own)) continue;
    if (token.text === 'BEGIN' || token.text === 'CASE') depth += 1;
    else if (token.text === 'END') depth = Math.max(0, depth - 1);
  }
  finish();
  return found;
}

function isTrigger(own: readonly SqlToken[]): boolean {
  const words = own.slice(0, 6).map(({ kind, text }) => (kind === 'word' ? text : ''));
  if (words[0] === 'EXPLAIN') words.splice(0, words[1] === 'QUERY' && words[2] === 'PLAN' ? 3 : 1);
  return words[0] === 'CREATE' && (words[1] === 'TRIGGER' || (BETWEEN.has(words[1] ?? '') && words[2] === 'TRIGGER'));
}
