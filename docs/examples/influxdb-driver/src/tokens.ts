/** A piece of a statement. `name` is in double quotes, `string` in single ones; their `value` is without quotes and escapes. */
export interface Token {
  readonly type: 'word' | 'name' | 'string' | 'regex' | 'symbol';
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** The tokens of one statement, without its separator and without comments. */
export interface TokenList {
  readonly tokens: readonly Token[];
  /** Why the server is certain to reject the text; undefined where it may accept it. */
  readonly problem: string | undefined;
  /** Whether the server might read it in another way: where a slash begins a pattern is known to its parser alone. */
  readonly isAmbiguous: boolean;
}

const WORD = /[A-Za-z_]\w*/y;
const QUOTED = /(["'])((?:\\[\s\S]|(?!\1)[^\\\r\n])*)\1/y;
/** A backslash before a slash escapes it, also one that another backslash escapes: so the server reads it. */
const REGEX = /\/((?:[^\\/\r\n]|\\\/|\\(?!\/))*)\//y;
const LINE_COMMENT = /--[^\r\n]*/y;
const BLOCK_COMMENT = /\/\*[\s\S]*?\*\//y;
const BLANKS = /[ \t\r\n]+/y;
const SYMBOL = /=~|!~|!=|<>|<=|>=|::|[-+*/%&|^()=<>.,:$\d]/y;

const BEFORE_PATTERN = new Set(['FROM', 'SELECT', 'BY', '=~', '!~', ',', '(']);
const ESCAPED: Readonly<Record<string, string>> = { n: '\n' };

function match(pattern: RegExp, text: string, index: number): RegExpExecArray | undefined {
  pattern.lastIndex = index;
  return pattern.exec(text) ?? undefined;
}

const unescaped = (text: string): string =>
  text.replaceAll(/\\([\s\S])/g, (_whole, character: string) => ESCAPED[character] ?? character);

/** Splits a text into the tokens of its statements. Statements that are blank or a comment are left out. */
export function tokenLists(text: string): TokenList[] {
  const lists: TokenList[] = [];
  let tokens: Token[] = [];
  let isAmbiguous = false;
  const finish = (problem?: string): void => {
    if (tokens.length > 0) lists.push({ tokens, problem, isAmbiguous });
    tokens = [];
    isAmbiguous = false;
  };
  let index = 0;
  while (index < text.length) {
    const last = tokens.at(-1);
    const isPatternPlace =
      last !== undefined && (last.type === 'word' || last.type === 'symbol') && BEFORE_PATTERN.has(last.value.toUpperCase());
    const add = (type: Token['type'], found: RegExpExecArray, value: string): void => {
      tokens.push({ type, value, start: index, end: index + found[0].length });
    };
    const skipped = match(BLANKS, text, index) ?? match(LINE_COMMENT, text, index) ?? match(BLOCK_COMMENT, text, index);
    const quoted = match(QUOTED, text, index);
    const pattern = isPatternPlace ? match(REGEX, text, index) : undefined;
    const word = match(WORD, text, index);
    const found = skipped ?? quoted ?? pattern ?? word ?? match(SYMBOL, text, index);
    if (text[index] === '/' && (found === skipped ? isPatternPlace : true)) isAmbiguous = true;
    if (text[index] === ';') {
      finish();
      index += 1;
      continue;
    }
    if (found === undefined) {
      tokens.push({ type: 'symbol', value: text.slice(index), start: index, end: text.trimEnd().length });
      finish(
        `The statement can’t be read from “${text.slice(index, index + 20)}” on: a quote isn’t closed, or InfluxQL doesn’t have the character`,
      );
      return lists;
    }
    if (found === quoted) add(found[1] === '"' ? 'name' : 'string', found, unescaped(found[2] ?? ''));
    else if (found === pattern) add('regex', found, found[1] ?? '');
    else if (found === word) add('word', found, found[0]);
    else if (found !== skipped) add('symbol', found, found[0]);
    index += found[0].length;
  }
  finish();
  return lists;
}
