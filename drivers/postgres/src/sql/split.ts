import type { Statement } from '@tabularium/sdk';
import { tokens } from './tokens.ts';
import type { SqlToken } from './tokens.ts';

/** A statement with its tokens; the semicolon at its end is none of them. */
export interface SplitStatement extends Statement {
  readonly tokens: readonly SqlToken[];
}

/**
 * The statements of a text. Semicolons in the body of a SQL function (BEGIN ATOMIC … END) and in parentheses (rules) end nothing.
 *
 * @param connects - whether a line between statements may change the database: it is one of its own then
 */
export function splitSql(text: string, connects = false): SplitStatement[] {
  const found: SplitStatement[] = [];
  let own: SqlToken[] = [];
  let brackets = 0;
  let blocks = 0;
  const finish = (): void => {
    const first = own[0];
    const last = own.at(-1);
    if (first !== undefined && last !== undefined)
      found.push({ text: text.slice(first.start, last.end), start: first.start, end: last.end, tokens: own });
    own = [];
    brackets = 0;
    blocks = 0;
  };
  for (const token of tokens(text, connects)) {
    if (token.kind === 'symbol' && token.text === ';' && brackets === 0 && blocks === 0) {
      finish();
      continue;
    }
    own.push(token);
    if (token.kind === 'connect' && own.length === 1) finish();
    else if (token.kind === 'symbol' && token.text === '(') brackets += 1;
    else if (token.kind === 'symbol' && token.text === ')') brackets = Math.max(0, brackets - 1);
    else if (token.kind === 'word' && own[0]?.text === 'CREATE') {
      const before = own.at(-2);
      if (token.text === 'ATOMIC' && before?.kind === 'word' && before.text === 'BEGIN') blocks += 1;
      else if (blocks > 0 && token.text === 'CASE') blocks += 1;
      else if (blocks > 0 && token.text === 'END') blocks -= 1;
    }
  }
  finish();
  return found;
}
