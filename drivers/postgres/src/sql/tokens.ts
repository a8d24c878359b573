import { upperAscii } from './foldAscii.ts';

/** A piece of SQL text. White space and comments aren't tokens. */
export interface SqlToken {
  /**
   * `word`: a keyword or a bare identifier; `name`: a quoted identifier; `connect`: a line that changes the database; `bad`: text that isn't SQL, such as a
   * string without an end.
   */
  readonly kind: 'word' | 'name' | 'string' | 'number' | 'parameter' | 'operator' | 'symbol' | 'connect' | 'bad';
  /** Of a word: in capitals. Of a quoted name: without its quotes. Of the operator `!=`: `<>`. Else unchanged. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const SPACE = /[ \t\n\r\f\v]/;
const LINE_END = /[\n\r]/;
const WORD = /[A-Za-z_\u0080-\u{10ffff}][A-Za-z0-9_$\u0080-\u{10ffff}]*/uy;
const NUMBER =
  /(?:0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|(?:\d[\d_]*(?:\.(?!\.)[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?)/y;
const PARAMETER = /\$\d+/y;
const DOLLAR = /\$(?:[A-Za-z_\u0080-\u{10ffff}][A-Za-z0-9_\u0080-\u{10ffff}]*)?\$/uy;
const OPERATOR = /[+\-*/<>=~!@#%^&|`?]/;
const SPECIAL = /[~!@#%^&|`?]/;
const SYMBOL = /[()[\],;:.]/;

/** A line of psql's by which the statements after it run in another database. */
const CONNECT = /\\c(?:onnect)?(?![A-Za-z0-9_])[^\n\r]*/y;
/** Each statement behind such a line has a copy of it. No name is longer than 63 bytes, each of which may be a quote that is written twice. */
const LONGEST_CONNECT = 200;

/**
 * The tokens of a text, as the server's own scanner cuts it (standard_conforming_strings is on).
 *
 * @param connects - whether a line may change the database, as in psql
 */
export function tokens(text: string, connects = false): SqlToken[] {
  return new Scanner(text, connects).all();
}

/** Signs in a row, up to a comment. */
interface SignRun {
  readonly end: number;
  /** The last sign by which an operator may end with a plus or a minus; -1 for none. */
  readonly lastSpecial: number;
  /** The last one that is neither a plus nor a minus; -1 for none. */
  readonly lastOther: number;
}

class Scanner {
  readonly #text: string;
  readonly #found: SqlToken[] = [];
  readonly #connects: boolean;
  #at = 0;
  #signs: SignRun = { end: 0, lastSpecial: -1, lastOther: -1 };

  constructor(text: string, connects: boolean) {
    this.#text = text;
    this.#connects = connects;
  }

  all(): SqlToken[] {
    while (this.#at < this.#text.length) this.#next();
    return this.#found;
  }

  #take(kind: SqlToken['kind'], end: number, value = this.#text.slice(this.#at, end)): void {
    this.#found.push({ kind, text: value, start: this.#at, end });
    this.#at = end;
  }

  #next(): void {
    const text = this.#text;
    const at = this.#at;
    const character = text[at] ?? '';
    const next = text[at + 1] ?? '';
    if (SPACE.test(character)) this.#at += 1;
    else if (character === '-' && next === '-') this.#skipLine();
    else if (character === '/' && next === '*') this.#skipComment();
    else if (character === "'") this.#takeString(at, false);
    else if (/[eE]/.test(character) && next === "'") this.#takeString(at + 1, true);
    else if (/[bBxXnN]/.test(character) && next === "'") this.#takeString(at + 1, false);
    else if (/[uU]/.test(character) && next === '&' && text[at + 2] === "'") this.#takeString(at + 2, false);
    // An identifier with escapes means another one than it says: nothing is known of it.
    else if (/[uU]/.test(character) && next === '&' && text[at + 2] === '"') this.#take('bad', at + 3);
    else if (character === '"') this.#takeName();
    else if (character === '$') this.#takeDollar();
    else if (/\d/.test(character) || (character === '.' && /\d/.test(next))) this.#takeBy(NUMBER, 'number');
    else if (this.#matchesAt(WORD) !== undefined) this.#takeWord();
    else if (OPERATOR.test(character)) this.#takeOperator();
    else if (character === ':' && (next === ':' || next === '=')) this.#takePair(next);
    else if (SYMBOL.test(character)) this.#take('symbol', at + 1);
    else if (this.#connects && this.#beginsLine() && this.#matchesAt(CONNECT) !== undefined) this.#takeConnect();
    else this.#take('bad', at + 1);
  }

  #takeConnect(): void {
    const line = this.#matchesAt(CONNECT) ?? '';
    this.#take(line.trim().length > LONGEST_CONNECT ? 'bad' : 'connect', this.#at + line.length);
  }

  #beginsLine(): boolean {
    let at = this.#at - 1;
    while (/[ \t]/.test(this.#text[at] ?? '')) at -= 1;
    return at < 0 || LINE_END.test(this.#text[at] ?? '');
  }

  #matchesAt(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text)?.[0];
  }

  #takeBy(pattern: RegExp, kind: SqlToken['kind']): void {
    this.#take(kind, this.#at + (this.#matchesAt(pattern)?.length ?? 1));
  }

  #takeWord(): void {
    const word = this.#matchesAt(WORD) ?? '';
    this.#take('word', this.#at + word.length, upperAscii(word));
  }

  /** A cast or an assignment: the second sign doesn't begin an operator. */
  #takePair(second: string): void {
    this.#take('symbol', this.#at + 1);
    this.#take(second === '=' ? 'operator' : 'symbol', this.#at + 1);
  }

  #skipLine(): void {
    const rest = this.#text.slice(this.#at).search(/[\n\r]/);
    this.#at = rest < 0 ? this.#text.length : this.#at + rest + 1;
  }

  /** Comments nest. */
  #skipComment(): void {
    let depth = 0;
    for (let at = this.#at; at < this.#text.length;) {
      const pair = this.#text.slice(at, at + 2);
      if (pair === '/*') {
        depth += 1;
        at += 2;
      } else if (pair === '*/') {
        depth -= 1;
        at += 2;
        if (depth === 0) {
          this.#at = at;
          return;
        }
      } else at += 1;
    }
    this.#take('bad', this.#text.length);
  }

  /**
   * One string with all its pieces: behind white space with a line end, and comments, the next quote continues it, with the escapes of its beginning.
   *
   * @param quote - where the first quote is
   */
  #takeString(quote: number, escapes: boolean): void {
    for (let at = quote + 1; at < this.#text.length; at += 1) {
      const character = this.#text[at];
      if (escapes && character === '\\') at += 1;
      else if (character === "'" && this.#text[at + 1] === "'") at += 1;
      else if (character === "'") {
        const next = this.#nextPiece(at + 1);
        if (next === undefined) return this.#take('string', at + 1);
        at = next;
      }
    }
    this.#take('bad', this.#text.length);
  }

  /** Where the quote is that continues a string which ended before this place; undefined where none does. Of comments only those with two dashes may be between. */
  #nextPiece(end: number): number | undefined {
    let hasLineEnd = false;
    for (let at = end; at < this.#text.length; at += 1) {
      const character = this.#text[at] ?? '';
      if (LINE_END.test(character)) hasLineEnd = true;
      else if (character === "'") return hasLineEnd ? at : undefined;
      else if (character === '-' && this.#text[at + 1] === '-') {
        while (at + 1 < this.#text.length && !LINE_END.test(this.#text[at + 1] ?? '')) at += 1;
      } else if (!SPACE.test(character)) return undefined;
    }
    return undefined;
  }

  #takeName(): void {
    for (let at = this.#at + 1; at < this.#text.length; at += 1) {
      if (this.#text[at] !== '"') continue;
      if (this.#text[at + 1] !== '"') return this.#take('name', at + 1, this.#text.slice(this.#at + 1, at).replaceAll('""', '"'));
      at += 1;
    }
    this.#take('bad', this.#text.length);
  }

  #takeDollar(): void {
    const parameter = this.#matchesAt(PARAMETER);
    if (parameter !== undefined) return this.#take('parameter', this.#at + parameter.length);
    const quote = this.#matchesAt(DOLLAR);
    if (quote === undefined) return this.#take('bad', this.#at + 1);
    const end = this.#text.indexOf(quote, this.#at + quote.length);
    if (end < 0) return this.#take('bad', this.#text.length);
    this.#take('string', end + quote.length);
  }

  /** As many characters as belong to one operator; a comment ends it, and a sign at its end is one of its own. */
  #takeOperator(): void {
    if (this.#at >= this.#signs.end) this.#signs = this.#signsAt(this.#at);
    const { end, lastSpecial, lastOther } = this.#signs;
    const last = lastSpecial >= this.#at ? end : Math.max(this.#at, lastOther) + 1;
    const operator = this.#text.slice(this.#at, last);
    // The server's scanner reads one as the other.
    this.#take('operator', last, operator === '!=' ? '<>' : operator);
  }

  /** Signs in a row are looked at once, however many operators they are. */
  #signsAt(start: number): SignRun {
    let lastSpecial = -1;
    let lastOther = -1;
    let end = start;
    for (; OPERATOR.test(this.#text[end] ?? ''); end += 1) {
      const sign = this.#text[end] ?? '';
      const next = this.#text[end + 1];
      if (end > start && ((sign === '-' && next === '-') || (sign === '/' && next === '*'))) break;
      if (sign !== '+' && sign !== '-') lastOther = end;
      if (SPECIAL.test(sign)) lastSpecial = end;
    }
    return { end, lastSpecial, lastOther };
  }
}
