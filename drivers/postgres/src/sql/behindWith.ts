import { isName } from './definitionEffect.ts';
import { isSymbol, isWord } from './isWord.ts';
import type { SqlToken } from './tokens.ts';

/** The words by which a statement behind a WITH begins. */
const BEGINS = ['SELECT', 'VALUES', 'TABLE', 'INSERT', 'UPDATE', 'DELETE', 'MERGE'];

/**
 * The place of the statement behind a WITH, as the server's grammar has it: its queries, columns, SEARCH and CYCLE may have the names of verbs without
 * quotes. Undefined where something else is there.
 */
export function behindWith(own: readonly SqlToken[]): number | undefined {
  const clause = new WithClause(own);
  return clause.take() && (isSymbol(own[clause.at], '(') || isWord(own[clause.at], ...BEGINS)) ? clause.at : undefined;
}

class WithClause {
  readonly #own: readonly SqlToken[];
  at = 1;

  constructor(own: readonly SqlToken[]) {
    this.#own = own;
  }

  /** @returns whether all of it was as it has to be */
  take(): boolean {
    // A query may have this name, too.
    if (isWord(this.#first, 'RECURSIVE') && isName(this.#own[this.at + 1]) && !isWord(this.#own[this.at + 1], 'AS')) this.at += 1;
    do if (!this.#takeQuery()) return false;
    while (this.#takeSymbol(','));
    return true;
  }

  get #first(): SqlToken | undefined {
    return this.#own[this.at];
  }

  #takeQuery(): boolean {
    if (!this.#takeName()) return false;
    if (isSymbol(this.#first, '(') && !this.#takeParentheses()) return false;
    if (!this.#takeWord('AS')) return false;
    if (this.#takeWord('NOT')) {
      if (!this.#takeWord('MATERIALIZED')) return false;
    } else this.#takeWord('MATERIALIZED');
    return this.#takeParentheses() && this.#takeSearch() && this.#takeCycle();
  }

  #takeSearch(): boolean {
    // The statement that comes next doesn't begin with this word.
    if (!this.#takeWord('SEARCH')) return true;
    const isBegun = this.#takeWord('DEPTH', 'BREADTH') && this.#takeWord('FIRST') && this.#takeWord('BY');
    return isBegun && this.#takeNames() && this.#takeWord('SET') && this.#takeName();
  }

  #takeCycle(): boolean {
    if (!this.#takeWord('CYCLE')) return true;
    if (!this.#takeNames() || !this.#takeWord('SET') || !this.#takeName()) return false;
    if (this.#takeWord('TO') && !(this.#takeConstant('DEFAULT') && this.#takeConstant('USING', false))) return false;
    return this.#takeWord('USING') && this.#takeName();
  }

  /** A constant, which may have a type before it, up to a word that no name can be; with that word, or without. */
  #takeConstant(end: string, withEnd = true): boolean {
    const begin = this.at;
    while (this.#first !== undefined && !(isWord(this.#first, end) && !isSymbol(this.#own[this.at - 1], '.'))) this.at += 1;
    if (this.#first === undefined || this.at === begin) return false;
    if (withEnd) this.at += 1;
    return true;
  }

  #takeNames(): boolean {
    do if (!this.#takeName()) return false;
    while (this.#takeSymbol(','));
    return true;
  }

  #takeParentheses(): boolean {
    if (!isSymbol(this.#first, '(')) return false;
    let depth = 0;
    do {
      if (isSymbol(this.#first, '(')) depth += 1;
      if (isSymbol(this.#first, ')')) depth -= 1;
      this.at += 1;
    } while (depth > 0 && this.#first !== undefined);
    return depth === 0;
  }

  #takeName(): boolean {
    return this.#takes(isName(this.#first));
  }

  #takeWord(...words: readonly string[]): boolean {
    return this.#takes(isWord(this.#first, ...words));
  }

  #takeSymbol(text: string): boolean {
    return this.#takes(isSymbol(this.#first, text));
  }

  #takes(is: boolean): boolean {
    if (is) this.at += 1;
    return is;
  }
}
