import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDriverError } from '@tabularium/sdk';
import { expect, test } from 'vitest';
import { completeRequest } from '../../drivers/search/src/console/complete.ts';
import type { Names } from '../../drivers/search/src/console/names.ts';
import { effectOf } from '../../drivers/search/src/console/effects.ts';
import { parseRequest } from '../../drivers/search/src/console/request.ts';
import { splitRequests } from '../../drivers/search/src/console/requestText.ts';
import { complete } from '../../drivers/postgres/src/console/complete.ts';
import { plannedText } from '../../drivers/postgres/src/explain/explain.ts';
import type { PgDatabase } from '../../drivers/postgres/src/pgDatabase.ts';
import { checkRaw } from '../../drivers/postgres/src/rows/rawCondition.ts';
import type { PgTable } from '../../drivers/postgres/src/catalogue/pgTable.ts';
import { placeAt, placedStatement, splitPlaced, withoutLines } from '../../drivers/postgres/src/sql/connectLine.ts';
import { cutIdentifiers } from '../../drivers/postgres/src/sql/cutIdentifiers.ts';
import { onlyReads } from '../../drivers/postgres/src/sql/functionBody.ts';
import { judge } from '../../drivers/postgres/src/sql/judge.ts';
import { reachesBeyond } from '../../drivers/postgres/src/sql/reachesBeyond.ts';
import { checkedRaw } from '../../drivers/sqlite/src/filters.ts';
import { judge as judgeSqlite } from '../../drivers/sqlite/src/sql/classify.ts';
import { splitSql as splitSqlite } from '../../drivers/sqlite/src/sql/split.ts';
import { approvalText } from '../../host/src/common/approvalText.ts';
import { filledLength, fillVariables, variablesOf } from '../../host/src/common/console.ts';
import { lookAlikeWords } from '../../host/src/common/lookAlike.ts';
import { formatJson } from '../../host/src/renderer/console/formatJson.ts';
import { errorText } from '../../host/src/runtime/mcp/server/errorText.ts';
import { root } from '../../scripts/paths.ts';
import { shareOf } from '../../scripts/testing/shareOf.ts';

/**
 * A driver's process is shared by all connections of the driver, and reads statements of every client: none, of whatever pieces, may take it for long or
 * end it. Every piece is repeated up to the longest statement that a client may send.
 */

const PIECES = [
  ...[
    '+',
    '-',
    '+ ',
    '- ',
    '*+',
    '@-',
    '/*',
    '/* ',
    '*/',
    '/**/',
    '(',
    ')',
    '()',
    '[',
    '[]',
    ']',
    '[[',
    '{',
    '}',
    '{{',
    "'",
    "''",
    "' ",
    "'\n",
  ],
  ...[
    '"',
    '""',
    '" ',
    '`',
    '$$',
    '$a$',
    '$a',
    '$1 ',
    '--',
    '-- \n',
    '--\r',
    ';',
    ',',
    '.',
    '..',
    'a.',
    '::',
    ':=',
    ':name ',
    ':',
    '?',
    '\\',
    '#',
    '//',
  ],
  ...[
    'explain ',
    'explain (',
    'explain () ',
    'explain analyze ',
    'explain query plan ',
    'for update ',
    'select for update ',
    'with a as (select 1), ',
  ],
  ...[
    'with a as (select 1) ',
    'with a as (select 1) explain ',
    'case when ',
    'begin ',
    'declare ',
    'begin atomic ',
    'create trigger ',
    'not ',
    'select (',
  ],
  ...[
    'values (',
    'array[',
    'U&"',
    "U&'",
    "E'\\",
    "E'a' ",
    "x'",
    "x'0' ",
    '\\connect x\n',
    '\\c x\n;',
    ' \\',
    'from ',
    'from from, ',
    'from a, ',
    'join a on ',
    'update ',
    'update a set b = (',
  ],
  ...[
    'delete from a where (',
    'insert into a ',
    'merge into ',
    'set a = 1, ',
    '(update a set b = 1)',
    'or replace ',
    'if x then ',
    'loop ',
    'for i in a loop ',
    '<<a>> ',
  ],
  ...[
    'exception when a then ',
    'elsif a then ',
    'end; ',
    'into ',
    '1',
    '1.',
    '1e',
    '0x',
    '.1',
    '1_',
    'a',
    'ä',
    'a ',
    'A1 ',
    '😀',
    '\u{20000}',
    'а',
    'aа ',
    ' ',
    '\t',
    '\n',
    '\r\n',
    '\0',
    '\u200b',
    '\u0301',
    'a\u0301',
    '\uFEFF',
  ],
  ...[
    'GET /a\n',
    '# a\n',
    '\n{\n',
    '"a":[',
    '"\\',
    '\\"',
    '{"a":',
    '"conversation":',
    '{{ a }} ',
    '{{a ',
    'password=',
    'https://a',
  ],
];

const BEGINNINGS = ['', 'with a as (select 1) ', 'update a set b = 1 ', 'POST /multi_search\n'];

const signal = new AbortController().signal;
const nothing = { fields: [], rows: [], tag: '' };
const database = {
  read: async (steps: readonly unknown[]) => Promise.resolve(steps.map(() => nothing)),
  facts: { path: ['public'] },
  prefix: [],
} as unknown as PgDatabase;
const names = {
  collections: async () => Promise.resolve([]),
  aliases: async () => Promise.resolve([]),
  fields: async () => Promise.resolve([]),
} as unknown as Names;

type Reader = (text: string) => unknown;

const READERS: Readonly<Record<string, Reader>> = {
  'split (PostgreSQL)': (text) => splitPlaced(text).map(({ text: statement, start, end }) => statement.length + start + end),
  'judge (PostgreSQL)': async (text) => judge(database, text, signal),
  'judge in a session (PostgreSQL)': async (text) => judge(database, text, signal, 'session'),
  'place (PostgreSQL)': (text) => [placedStatement(text), placeAt(text, text.length), withoutLines(text)],
  'plan (PostgreSQL)': (text) => plannedText(text, 'shared'),
  'condition (PostgreSQL)': async (text) =>
    checkRaw(database, { conditions: [], match: 'all', raw: text }, { sql: '"a"' } as PgTable, signal),
  'bodies (PostgreSQL)': (text) => [
    onlyReads({ language: 'plpgsql', source: text, types: '', key: '' }),
    onlyReads({ language: 'sql', source: text, types: '', key: '' }),
    reachesBeyond('plpgsql', text),
    cutIdentifiers(text),
  ],
  'completion (PostgreSQL)': async (text) => complete(text, text.length, database, signal),
  'split (SQLite)': (text) => splitSqlite(text),
  'judge (SQLite)': (text) => judgeSqlite(text),
  'condition (SQLite)': (text) => checkedRaw(text.trim()),
  'split (search)': (text) => splitRequests(text),
  'request (search)': (text) => effectOf(parseRequest(text)),
  'completion (search)': async (text) => completeRequest(text, text.length, names, undefined),
  'question to a person': (text) => [approvalText(text), lookAlikeWords(text)],
  variables: (text) => [variablesOf(text), filledLength(text, { a: 'b' }), fillVariables(text, { a: 'b' }).length],
  'JSON in a console': (text) => formatJson(text),
  'error text': (text) => errorText(text),
};

/** Milliseconds, whatever the answer is. A refusal is one that says what is wrong. */
async function time(read: Reader, text: string): Promise<number> {
  const began = performance.now();
  try {
    await read(text);
  } catch (error) {
    if (!isDriverError(error)) throw error;
  }
  return performance.now() - began;
}

/** Milliseconds. The watchdog ends a process after 20 s; another program may have half of the machine meanwhile. */
const WATCHED = 6_000;

const SHORT = 3_000;
const LONG = 24_000;
/** Readers of which a beginning decides what is read, and how. */
const BY_BEGINNING = /judge|request/;

/** Longer than each of the texts that did harm. */
const ONCE_HEAVY = 400_000;

/** Those that do most with a statement. */
const DEEP = /^(?:judge \(|place|bodies|request)/;

function repeated(beginning: string, piece: string, length: number): string {
  return beginning + piece.repeat(Math.floor((length - beginning.length) / piece.length));
}

/** Eight times as much takes about eight times as long. What seems to take more shows it again with more. */
async function faultOf(read: Reader, beginning: string, piece: string): Promise<string | undefined> {
  try {
    const short = await time(read, repeated(beginning, piece, SHORT));
    const long = await time(read, repeated(beginning, piece, LONG));
    if (long < 100 || long < short * 16) return undefined;
    if (long > 1_500) return `${Math.round(long)} ms for ${LONG} characters`;
    return await slowAt(read, beginning, piece, LONG * 8);
  } catch (error) {
    return String(error);
  }
}

/** A time that isn't well below the watchdog's, and not in proportion to the length. */
async function slowAt(read: Reader, beginning: string, piece: string, length: number): Promise<string | undefined> {
  const part = await time(read, repeated(beginning, piece, length / 8));
  const whole = await time(read, repeated(beginning, piece, length));
  return whole < WATCHED || whole < part * 20
    ? undefined
    : `${Math.round(part)} ms, then ${Math.round(whole)} ms for eight times as much`;
}

const numbered = Object.entries(READERS).map(([name, read], at) => [name, read, at] as const);

test.each(numbered)('%s takes little time for whatever is repeated', async (name, read, at) => {
  const slow: string[] = [];
  for (const beginning of BY_BEGINNING.test(name) ? BEGINNINGS : ['']) {
    for (const piece of shareOf(PIECES, { of: 3, at })) {
      const fault = await faultOf(read, beginning, piece);
      if (fault !== undefined) slow.push(`${JSON.stringify(`${beginning}${piece}…`)}: ${fault}`);
    }
  }
  expect(slow).toEqual([]);
});

/** The words at the beginning of a statement for which the judge of PostgreSQL has a case of its own, by its own text. */
const VERBS = [...readFileSync(join(root, 'drivers/postgres/src/sql/verdict.ts'), 'utf8').matchAll(/case '([A-Z]+)'/g)].map(
  ([, verb = '']) => verb.toLowerCase(),
);
const BEHIND_VERBS = ['', 'table ', 'on a '];
const LISTED = ['a,', 'a.b, ', 'a ', '(a), '];

test('the judge of PostgreSQL takes little time for whatever a statement of any kind lists', async () => {
  expect(VERBS).toContain('truncate');
  const slow: string[] = [];
  for (const verb of VERBS) {
    for (const behind of BEHIND_VERBS) {
      for (const piece of LISTED) {
        const fault = await faultOf(async (text) => judge(database, text, signal, 'session'), `${verb} ${behind}`, piece);
        if (fault !== undefined) slow.push(`${JSON.stringify(`${verb} ${behind}${piece}…`)}: ${fault}`);
      }
    }
  }
  expect(slow).toEqual([]);
});

/** Texts that once took a process for long, or ended it, at a length at which they did. */
test.each([
  ['select 1 ', '+'],
  ['', 'explain '],
  ['select 1 from a ', 'for update '],
  ['with a as (select 1)', ', a as (select 1)'],
  ['with a as (select 1)', ', a as (update b set c = 1)'],
  ['', 'begin '],
  ['', '\\connect x\n'],
  ['select 1 from ', 'from from, '],
  ['', 'with a as (select 1) '],
  ['POST /multi_search\n', '[{"a":'],
  ['truncate ', 'a,'],
])('%j and then only %j takes little time', async (beginning, piece) => {
  for (const [name, read] of Object.entries(READERS)) {
    if (DEEP.test(name)) expect.soft(await slowAt(read, beginning, piece, ONCE_HEAVY), name).toBeUndefined();
  }
});
