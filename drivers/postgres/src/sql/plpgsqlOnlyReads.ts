import { lowerAscii } from './foldAscii.ts';
import { isSymbol, isWord } from './isWord.ts';
import { tokens } from './tokens.ts';
import type { SqlToken } from './tokens.ts';

/** Words by which a body may do more than read, wherever they are. As names they need no quotes, but few have them. */
const ACTS: readonly string[] = [
  'ALTER',
  'COPY',
  'CREATE',
  'CURSOR',
  'DELETE',
  'DO',
  'DROP',
  'EXECUTE',
  'EXPLAIN',
  'GRANT',
  'IMPORT',
  'INSERT',
  'MERGE',
  'REFRESH',
  'REVOKE',
  'TRUNCATE',
  'UPDATE',
];

/** Classes and conditions of errors whose handler would catch the end of a statement that somebody stops. */
const STOPS: readonly string[] = ['query_canceled', 'operator_intervention', "'57014'", "'57000'"];

/** Words behind which a query begins that reads. */
const QUERIES: readonly string[] = ['SELECT', 'WITH', 'VALUES', 'TABLE'];

/**
 * Whether the body of a function in PL/pgSQL assigns, decides, repeats, raises errors, returns and runs queries, and does nothing else. What it calls is to be looked up besides. As the
 * server's grammar cuts the statements; where anything is another way, the answer is no.
 */
export function plpgsqlOnlyReads(source: string): boolean {
  const own = tokens(source);
  if (own.some((token) => token.kind === 'bad' || isWord(token, ...ACTS))) return false;
  try {
    new Body(own).check();
    return true;
  } catch (error) {
    if (error instanceof UncertainError) return false;
    throw error;
  }
}

/** Statements within statements. */
const MOST_DEPTH = 100;

class UncertainError extends Error {}

class Body {
  readonly #own: readonly SqlToken[];
  #at = 0;
  #depth = 0;

  constructor(own: readonly SqlToken[]) {
    this.#own = own;
  }

  check(): void {
    while (this.#first?.text === '#') this.#takeOption();
    this.#takeLabel();
    this.#takeBlock();
    if (isSymbol(this.#first, ';')) this.#at += 1;
    this.#require(this.#first === undefined);
  }

  get #first(): SqlToken | undefined {
    return this.#own[this.#at];
  }

  get #second(): SqlToken | undefined {
    return this.#own[this.#at + 1];
  }

  #require(holds: boolean): void {
    if (!holds) throw new UncertainError();
  }

  #takeWord(...words: readonly string[]): void {
    this.#require(isWord(this.#first, ...words));
    this.#at += 1;
  }

  #takeSymbol(text: string): void {
    this.#require(isSymbol(this.#first, text));
    this.#at += 1;
  }

  #takeOption(): void {
    this.#at += 1;
    this.#takeWord('VARIABLE_CONFLICT', 'PRINT_STRICT_PARAMS');
    this.#require(this.#first?.kind === 'word');
    this.#at += 1;
  }

  #takeLabel(): void {
    if (this.#first?.text !== '<<' || this.#first.kind !== 'operator') return;
    const end = this.#own[this.#at + 2];
    this.#require(isIdentifier(this.#second) && end?.kind === 'operator' && end.text === '>>');
    this.#at += 3;
  }

  #takeBlock(): void {
    if (isWord(this.#first, 'DECLARE')) this.#takeDeclarations();
    this.#takeWord('BEGIN');
    this.#takeStatements('END', 'EXCEPTION');
    if (isWord(this.#first, 'EXCEPTION')) this.#takeHandlers();
    this.#takeWord('END');
    this.#takeEndLabel();
  }

  #takeEndLabel(): void {
    if (isIdentifier(this.#first)) this.#at += 1;
  }

  #takeDeclarations(): void {
    while (!isWord(this.#first, 'BEGIN')) {
      if (isWord(this.#first, 'DECLARE')) this.#at += 1;
      else {
        this.#require(isIdentifier(this.#first));
        this.#takeUntil(';');
      }
    }
  }

  #takeHandlers(): void {
    this.#at += 1;
    this.#require(isWord(this.#first, 'WHEN'));
    while (isWord(this.#first, 'WHEN')) {
      do {
        this.#at += 1;
        if (isWord(this.#first, 'SQLSTATE')) this.#at += 1;
        const condition = this.#first;
        this.#require(isIdentifier(condition) || /^'[0-9A-Z]{5}'$/.test(condition?.text ?? ''));
        this.#require(!STOPS.includes(lowerAscii(condition?.text ?? '')));
        this.#at += 1;
      } while (isWord(this.#first, 'OR'));
      this.#takeWord('THEN');
      this.#takeStatements('WHEN', 'END');
    }
  }

  /** Statements up to one of the words that end them. */
  #takeStatements(...ends: readonly string[]): void {
    this.#depth += 1;
    this.#require(this.#depth <= MOST_DEPTH);
    while (this.#isAssignment() || !isWord(this.#first, ...ends)) this.#takeStatement();
    this.#depth -= 1;
  }

  /** A word before one of these signs is a variable, and any that isn't is an error. */
  #isAssignment(): boolean {
    const sign = this.#second;
    if (!isIdentifier(this.#first) && this.#first?.kind !== 'parameter') return false;
    if (isSymbol(sign, ':')) return this.#own[this.#at + 2]?.text === '=';
    return isSymbol(sign, '[') || isSymbol(sign, '.') || (sign?.kind === 'operator' && sign.text === '=');
  }

  #takeStatement(): void {
    if (this.#isAssignment()) return this.#takeUntil(';');
    const isLabelled = this.#first?.kind === 'operator';
    this.#takeLabel();
    const word = this.#first?.kind === 'word' ? this.#first.text : '';
    switch (word) {
      case 'BEGIN':
      case 'DECLARE':
        this.#takeBlock();
        return this.#takeSymbol(';');
      case 'LOOP':
      case 'WHILE':
      case 'FOR':
      case 'FOREACH':
        return this.#takeLoop(word);
      default:
        // Only blocks and loops have labels.
        this.#require(!isLabelled);
    }
    switch (word) {
      case 'IF':
        return this.#takeIf();
      case 'CASE':
        return this.#takeCase();
      case 'NULL':
        this.#at += 1;
        return this.#takeSymbol(';');
      case 'RETURN':
        if (isWord(this.#second, 'QUERY')) this.#require(this.#beginsQuery(this.#at + 2));
        return this.#takeUntil(';');
      case 'ASSERT':
      case 'CONTINUE':
      case 'EXIT':
      case 'GET':
      case 'PERFORM':
      case 'RAISE':
        return this.#takeUntil(';');
      case 'SELECT':
      case 'WITH':
        return this.#takeUntil(';', 1);
      default:
        this.#require(false);
    }
  }

  #takeLoop(word: string): void {
    if (word === 'FOR') {
      this.#takeUntil('IN');
      // A number, or a query.
      const begins = this.#first;
      this.#require(begins?.kind !== 'word' || !UTILITIES.includes(begins.text));
    }
    this.#takeUntil('LOOP');
    this.#takeStatements('END');
    this.#takeWord('END');
    this.#takeWord('LOOP');
    this.#takeEndLabel();
    this.#takeSymbol(';');
  }

  #takeIf(): void {
    const ends = ['ELSIF', 'ELSEIF', 'ELSE', 'END'];
    this.#takeUntil('THEN');
    this.#takeStatements(...ends);
    while (isWord(this.#first, 'ELSIF', 'ELSEIF')) {
      this.#takeUntil('THEN');
      this.#takeStatements(...ends);
    }
    this.#takeElse();
    this.#takeWord('END');
    this.#takeWord('IF');
    this.#takeSymbol(';');
  }

  #takeCase(): void {
    this.#takeUntil('WHEN');
    do {
      this.#takeUntil('THEN');
      this.#takeStatements('WHEN', 'ELSE', 'END');
    } while (isWord(this.#first, 'WHEN'));
    this.#takeElse();
    this.#takeWord('END');
    this.#takeWord('CASE');
    this.#takeSymbol(';');
  }

  #takeElse(): void {
    if (!isWord(this.#first, 'ELSE')) return;
    this.#at += 1;
    this.#takeStatements('END');
  }

  #beginsQuery(at: number): boolean {
    let first = at;
    while (isSymbol(this.#own[first], '(')) first += 1;
    return isWord(this.#own[first], ...QUERIES);
  }

  /**
   * All up to a word or a semicolon outside of parentheses, and that. The server looks for no more than parentheses either.
   *
   * @param targets - how often a query may put its values into variables
   */
  #takeUntil(end: string, targets = 0): void {
    let depth = 0;
    let into = 0;
    for (; ; this.#at += 1) {
      const token = this.#first;
      this.#require(token !== undefined);
      if (depth === 0 && (isWord(token, end) || isSymbol(token, end))) break;
      if (isSymbol(token, '(') || isSymbol(token, '[')) depth += 1;
      if (isSymbol(token, ')') || isSymbol(token, ']')) depth -= 1;
      if (isWord(token, 'INTO')) into += 1;
      const isLock = isWord(token, 'FOR') && isWord(this.#second, 'KEY', 'NO', 'SHARE');
      this.#require(depth >= 0 && into <= targets && !isSymbol(token, ';') && !isLock);
    }
    this.#at += 1;
  }
}

/** Commands that a loop may run as a query, and that aren't one. */
const UTILITIES: readonly string[] = ['ANALYZE', 'CALL', 'FETCH', 'MOVE', 'SHOW'];

function isIdentifier(token: SqlToken | undefined): boolean {
  return token?.kind === 'word' || token?.kind === 'name';
}
