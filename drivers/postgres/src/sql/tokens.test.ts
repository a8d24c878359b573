import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeWithServer } from '../server.test-helper.ts';
import { PgClient } from '../wire/pgClient.ts';
import { tokens } from './tokens.ts';
import type { SqlToken } from './tokens.ts';

const kinds = (text: string): string[] => tokens(text).map(({ kind }) => kind);

describe('strings of several lines', () => {
  it.each([
    ["'a'\n'b'", ['string']],
    ["E'a'\n'\\'' , 1 --'", ['string', 'symbol', 'number']],
    ["E'a' -- it's\n\t-- 'x'\r\n '\\'b'", ['string']],
    [
      "U&'a'\n'\\0061', N'a'\n'b', x'1'\r'2', B'1'\n\n'0'",
      ['string', 'symbol', 'string', 'symbol', 'string', 'symbol', 'string'],
    ],
    // Without a line end, or with another comment between, the next quote begins another string.
    ["'a' 'b'", ['string', 'string']],
    ["'a' --'\n", ['string']],
    ["'a'\n/* */'b'", ['string', 'string']],
    ["'a'\n- 'b'", ['string', 'operator', 'string']],
    ["'a'\nE'b'", ['string', 'string']],
    ["'a\\'\n'b'", ['string']],
    ["E'a'\n'b", ['bad']],
    // Names aren't continued.
    ['"a"\n"b"', ['name', 'name']],
  ])('%j', (text, expected) => {
    expect(kinds(text)).toEqual(expected);
  });

  it('are looked through once, however many comments are between', () => {
    expect(kinds(`'a'${'\n-- x -- x'.repeat(20_000)}`)).toEqual(['string']);
  });
});

const PIECES = [
  ...["'", "'", "'", "''", "\\'", "'\n'", "'\r\n'", "'\n--'\n'", "' '", "'a'", '"', '"x"', '""'],
  ...["E'", "e'", "E'a'\n'", "U&'", "u&'", "B'", "b'1'", "X'", "N'", "n'a'"],
  ...['$$', '$$', '$a$', '$a$', '$a', '$'],
  ...['--', '-- x\n', '/*', '*/', '/* /* */', '\n', '\r', '\f', ' ', '\t', '\v'],
  ...['\\', '\\\\', ', 7', ', 7', ', 7, ', ', ', '7', '1', 'a', 'e', '+', '-', '*', '/', 'é', '\u00a0'],
];

/** Any of the pieces in any order. */
const pieces = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 8 }).map((all) => all.join(''));

/** A string, which its own pieces may end before its end. */
const string = fc
  .tuple(
    fc.constantFrom("'", "E'", "e'", "U&'", "N'", "B'1", '$$'),
    fc.array(
      fc.constantFrom(
        'a',
        "''",
        "\\'",
        '\\',
        '\\\\',
        "'\n'",
        "'\r\t'",
        "' -- it's\n'",
        "'\n-- x\n'",
        "' '",
        ', 7',
        ", 7, '",
        '--',
        '/*',
        "'\n",
      ),
      { maxLength: 5 },
    ),
    fc.constantFrom("'", "'", "'", "' --'", ", 7 --'", '$$'),
  )
  .map(([start, inner, end]) => start + inner.join('') + end);

/** `SELECT` and columns of which many are strings. */
const texts = fc
  .array(
    fc.oneof({ weight: 4, arbitrary: string }, { weight: 1, arbitrary: pieces }, { weight: 1, arbitrary: fc.constant('7') }),
    {
      minLength: 1,
      maxLength: 3,
    },
  )
  .map((columns) => `SELECT ${columns.join(', ')}`);

/** The columns of a SELECT without parentheses, each by its tokens. */
function columnsOf([, ...rest]: readonly SqlToken[]): readonly (readonly SqlToken[])[] {
  const columns: SqlToken[][] = [[]];
  for (const token of rest)
    if (token.kind === 'symbol' && token.text === ',') columns.push([]);
    else columns.at(-1)?.push(token);
  return columns;
}

const INTEGER = 23;

it('keeps every letter that is none of ASCII, so that no word with one is a keyword', () => {
  const others = Array.from({ length: 0x11_0000 - 0x80 }, (_, index) => index + 0x80)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((letter) => letter.toUpperCase() !== letter || letter.toLowerCase() !== letter);
  expect(others).toEqual(expect.arrayContaining(['\u017F', '\u0131', '\u212A', '\uFB06']));
  for (const letter of others) expect(tokens(`in${letter}o`).map(({ text }) => text)).toEqual([`IN${letter}O`]);
});

describeWithServer('tokens, beside what the server makes of a text', (server) => {
  let client: PgClient;
  beforeAll(async () => {
    const { port, user, password } = server();
    client = new PgClient({ host: '127.0.0.1', port, user, password, database: 'postgres' });
    await client.connect();
  });
  afterAll(() => client.end());

  it('are the same columns of the same kinds, whatever pieces of strings and comments a text is made of', async () => {
    const seen = { accepted: 0, several: 0, continued: 0 };
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const types = await client.query(text).then(
          ({ fields }) => fields.map(({ dataTypeID }) => dataTypeID),
          () => undefined,
        );
        if (types === undefined) return;
        const found = tokens(text);
        const isEmpty = found.length === 1;
        const columns = isEmpty ? [] : columnsOf(found);
        seen.accepted += 1;
        if (columns.length > 1) seen.several += 1;
        if (found.some((token) => token.kind === 'string' && /'\s+'/.test(text.slice(token.start, token.end))))
          seen.continued += 1;
        expect(found.filter(({ kind }) => kind === 'bad')).toEqual([]);
        expect(columns.length, text).toBe(types.length);
        for (const [index, [first, second]] of columns.entries())
          if (first?.kind === 'number' && second === undefined) expect(types[index], text).toBe(INTEGER);
          else if (first?.kind === 'string' && second === undefined) expect(types[index], text).not.toBe(INTEGER);
      }),
      { numRuns: 1_500, interruptAfterTimeLimit: 20_000 },
    );
    // It has looked at something only if the server took enough of the texts.
    expect(seen.accepted).toBeGreaterThan(200);
    expect(seen.several).toBeGreaterThan(50);
    expect(seen.continued).toBeGreaterThan(20);
  });
});

describe('signs in a row', () => {
  it.each([
    ['+++', ['+', '+', '+']],
    ['*++', ['*', '+', '+']],
    ['+*+-', ['+*', '+', '-']],
    ['@+-', ['@+-']],
    ['+@++*-', ['+@++*-']],
    ['*-+--', ['*', '-', '+']],
    ['@-/* */+-', ['@-', '+', '-']],
    ['<+ >-', ['<', '+', '>', '-']],
  ])('%s', (text, expected) => {
    expect(tokens(text).map((token) => token.text)).toEqual(expected);
  });
});
