/** A statement, written in another way. */
export interface Spelling {
  /** The change, such as `a trailing slash`. */
  readonly name: string;
  readonly statement: string;
}

/** Languages whose spellings the kit has, by the name that a manifest gives its console's language. */
const LANGUAGES: Readonly<Record<string, (statement: string) => readonly Spelling[]>> = {
  http: httpSpellings,
  sql: sqlSpellings,
};

/**
 * Other ways to write a statement, each of which some server takes for the same statement. None of them is the statement itself, and none
 * occurs twice.
 *
 * @param language - as the manifest names the language of the console
 * @returns undefined for a language whose spellings are not known
 */
export function hiddenSpellings(language: string, statement: string): readonly Spelling[] | undefined {
  const spell = Object.hasOwn(LANGUAGES, language) ? LANGUAGES[language] : undefined;
  if (spell === undefined) return undefined;
  const seen = new Set([statement]);
  return spell(statement).filter((spelling) => {
    const isNew = !seen.has(spelling.statement);
    seen.add(spelling.statement);
    return isNew;
  });
}

/** `aLtErNaTe`: neither of the ways in which people write a word. */
function mixedCase(word: string): string {
  return Array.from(word, (letter, index) => (index % 2 === 0 ? letter.toLowerCase() : letter.toUpperCase())).join('');
}

const REQUEST_LINE = /^([ \t]*)([A-Za-z]+)([ \t]+)(\/[^\s?]*)(\?\S*)?/m;

function httpSpellings(statement: string): readonly Spelling[] {
  const leading: readonly Spelling[] = [
    { name: 'leading whitespace', statement: `\r\n \t${statement}` },
    { name: 'a leading comment with #', statement: `# GET /\n${statement}` },
    { name: 'a leading comment with //', statement: `// GET /\n${statement}` },
  ];
  const found = REQUEST_LINE.exec(statement);
  if (found === null) return leading;
  const [line, indent = '', method = '', gap = '', path = '', query = ''] = found;
  const before = statement.slice(0, found.index) + indent;
  const rest = statement.slice(found.index + line.length);
  const spelled = (name: string, changed: { method?: string; gap?: string; path?: string; query?: string }): Spelling => {
    const parts = { method, gap, path, query, ...changed };
    return { name, statement: `${before}${parts.method}${parts.gap}${parts.path}${parts.query}${rest}` };
  };
  return [
    ...leading,
    spelled('the method in lower case', { method: method.toLowerCase() }),
    spelled('the method in mixed case', { method: mixedCase(method) }),
    spelled('whitespace between method and path', { gap: ' \t ' }),
    spelled('empty path segments', { path: path.replaceAll(/(?<=.)\//g, '///') }),
    spelled('an empty first path segment', { path: `/${path}` }),
    spelled('a trailing slash', { path: `${path}/` }),
    spelled('several trailing slashes', { path: `${path}///` }),
    ...encodings(path, /[^/]+/g).map((changed) => spelled('a percent-encoded letter in the path', { path: changed })),
    ...encodings(query, /[^?&=]+/g).map((changed) => spelled('a percent-encoded letter in the query', { query: changed })),
  ];
}

/** A text once for each of its parts, with the first and with every letter of that part percent-encoded. */
function encodings(text: string, part: RegExp): readonly string[] {
  return [...text.matchAll(part)].flatMap(({ 0: found, index }) =>
    [encodeLetters(found, 1), encodeLetters(found, found.length)].map(
      (encoded) => text.slice(0, index) + encoded + text.slice(index + found.length),
    ),
  );
}

/** Percent-encodes the first `count` letters. What is encoded already stays as it is. */
function encodeLetters(text: string, count: number): string {
  let left = count;
  return text.replaceAll(/%[0-9A-Fa-f]{2}|[A-Za-z]/g, (found) => {
    if (found.startsWith('%') || left === 0) return found;
    left -= 1;
    return `%${found.charCodeAt(0).toString(16).toUpperCase()}`;
  });
}

/** Words whose letter case counts in no SQL. Names are left alone: in some databases their letter case counts. */
const KEYWORDS: ReadonlySet<string> = new Set(
  (
    'ALTER AND AS ATTACH BEGIN BY CALL CASCADE COLUMN COPY CREATE DATABASE DELETE DETACH DO DROP EXEC EXECUTE EXPLAIN FROM GRANT IF INDEX ' +
    'INSERT INTO KEY MERGE NOT NULL OR PRAGMA REINDEX RENAME REPLACE RETURNING REVOKE SCHEMA SELECT SET TABLE TO TRIGGER TRUNCATE UPDATE ' +
    'USER USING VACUUM VALUES VIEW WHERE WITH'
  ).split(' '),
);

/** Quoted text and names, comments, whitespace, words, and every other character. A line comment ends with its line. */
const SQL_PIECE =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^[\]]*\]|\$(\w*)\$[\s\S]*?\$\1\$|--[^\n]*\n?|\/\*[\s\S]*?\*\/|\s+|[\p{L}_][\p{L}\p{N}_$]*|[\s\S]/gu;
const SQL_WORD = /^[\p{L}_]/u;

/** Without the semicolons and whitespace at its end. */
function withoutEnd(statement: string): string {
  let end = statement.length;
  while (end > 0 && /[\s;]/.test(statement.charAt(end - 1))) end -= 1;
  return statement.slice(0, end);
}

function sqlSpellings(statement: string): readonly Spelling[] {
  const whole = withoutEnd(statement);
  const around: readonly Spelling[] = [
    { name: 'leading whitespace', statement: `\r\n \t${statement}` },
    { name: 'a leading comment', statement: `/* SELECT 1 */${statement}` },
    { name: 'a leading line comment', statement: `-- SELECT 1\n${statement}` },
    { name: 'a leading comment with a semicolon', statement: `/* SELECT 1; */\n${statement}` },
    { name: 'a trailing semicolon', statement: `${whole}\n;` },
    { name: 'a trailing semicolon and a comment', statement: `${whole}\n; /* SELECT 1 */` },
    { name: 'a trailing semicolon and a line comment', statement: `${whole}\n; -- SELECT 1` },
  ];
  // Databases differ in whether a backslash ends a quoted text: where one is, what is quoted is not known.
  if (statement.includes('\\')) return around;
  const pieces = [...statement.matchAll(SQL_PIECE)].map(([piece]) => piece);
  const first = pieces.findIndex((piece) => SQL_WORD.test(piece));
  const words = (change: (word: string) => string): string =>
    pieces.map((piece, index) => (index === first || KEYWORDS.has(piece.toUpperCase()) ? change(piece) : piece)).join('');
  const spaces = (space: string): string => pieces.map((piece) => (piece.trim() === '' ? space : piece)).join('');
  return [
    ...around,
    { name: 'keywords in lower case', statement: words((word) => word.toLowerCase()) },
    { name: 'keywords in upper case', statement: words((word) => word.toUpperCase()) },
    { name: 'keywords in mixed case', statement: words(mixedCase) },
    { name: 'more whitespace', statement: spaces(' \r\n\t ') },
    { name: 'empty comments instead of spaces', statement: spaces('/**/') },
    { name: 'comments between words', statement: spaces(' /* SELECT 1; */ ') },
    { name: 'line comments between words', statement: spaces(' -- SELECT 1;\n') },
  ];
}
