/** A piece of SQL text. White space and comments aren't tokens. */
export interface SqlToken {
  /** `word`: a keyword or a bare identifier; `name`: a quoted identifier; `bad`: text that isn't SQL, such as a string without an end. */
  readonly kind: 'word' | 'name' | 'string' | 'blob' | 'number' | 'parameter' | 'symbol' | 'bad';
  /** Of a word: in capitals. Of a quoted name: without its quotes. Else unchanged. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const SPACE = /[ \t\n\f\r]/;
const WORD_START = /[A-Za-z_\u0080-\u{10ffff}]/u;
const WORD_PART = /[A-Za-z0-9_$\u0080-\u{10ffff}]/u;
const DIGIT = /[0-9]/;
const NUMBER = /(?:0[xX][0-9a-fA-F_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?)/y;
const PARAMETER = /\?\d*|[:@#$][A-Za-z0-9_$\u0080-\u{10ffff}]+/uy;

/** The tokens of a text, as SQLite itself cuts it. */
export function tokens(text: string): SqlToken[] {
  const found: SqlToken[] = [];
  let at = 0;
  const take = (kind: SqlToken['kind'], end: number, value = text.slice(at, end)): void => {
    found.push({ kind, text: value, start: at, end });
    at = end;
  };
  while (at < text.length) {
    const character = text[at] ?? '';
    const next = text[at + 1] ?? '';
    // A byte order mark is space to SQLite wherever a token could begin.
    if (SPACE.test(character) || character === '\uFEFF') at += 1;
    else if (character === '-' && next === '-') at = endOf(text.indexOf('\n', at), text);
    else if (character === '/' && next === '*') {
      const end = text.indexOf('*/', at + 2);
      // SQLite takes a comment without an end for one that goes to the end of the text.
      at = end < 0 ? text.length : end + 2;
    } else if (character === "'") takeQuoted("'", 'string');
    else if (character === '"' || character === '`') takeQuoted(character, 'name');
    else if (character === '[') {
      const end = text.indexOf(']', at);
      if (end < 0) take('bad', text.length);
      else take('name', end + 1, text.slice(at + 1, end));
    } else if ((character === 'x' || character === 'X') && next === "'") {
      const end = text.indexOf("'", at + 2);
      const isBlob = end > 0 && (end - at) % 2 === 0 && /^[0-9a-fA-F]*$/.test(text.slice(at + 2, end));
      take(isBlob ? 'blob' : 'bad', end < 0 ? text.length : end + 1);
    } else if (DIGIT.test(character) || (character === '.' && DIGIT.test(next))) {
      NUMBER.lastIndex = at;
      take('number', at + (NUMBER.exec(text)?.[0].length ?? 1));
    } else if (wordStartsAt(text, at)) {
      let end = at;
      while (end < text.length) {
        const point = text.codePointAt(end) ?? 0;
        if (!WORD_PART.test(String.fromCodePoint(point))) break;
        end += point > 0xffff ? 2 : 1;
      }
      take('word', end, text.slice(at, end).toUpperCase());
    } else {
      PARAMETER.lastIndex = at;
      const parameter = PARAMETER.exec(text);
      if (parameter !== null) take('parameter', at + parameter[0].length);
      else if (/[;,().+\-*/%<>=!|&~]/.test(character)) take('symbol', at + 1);
      else take('bad', at + 1);
    }
  }
  return found;

  function takeQuoted(quote: string, kind: 'string' | 'name'): void {
    let end = at + 1;
    for (;;) {
      end = text.indexOf(quote, end);
      if (end < 0) return take('bad', text.length);
      if (text[end + 1] !== quote) break;
      end += 2;
    }
    const inner = text.slice(at + 1, end).replaceAll(quote + quote, quote);
    take(kind, end + 1, inner);
  }
}

function wordStartsAt(text: string, at: number): boolean {
  return WORD_START.test(String.fromCodePoint(text.codePointAt(at) ?? 0));
}

function endOf(at: number, text: string): number {
  return at < 0 ? text.length : at + 1;
}
