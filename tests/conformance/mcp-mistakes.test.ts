import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { McpFixture, READING_ROOM } from '../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';

/**
 * A call as models get it wrong, the words of the answer that say what is right, and the call that follows from them: each mistake costs one
 * call and no more.
 */
type Mistake = readonly [tool: string, wrong: object, says: string | readonly string[], right: object];

const BOOKS = { connection: 'Reading room', table: 'books' };
const KEY = { library: 'north', number: '9007199254740993' };
const filter = (column: string, operator: string, ...values: unknown[]) => ({ filters: [{ column, operator, values }] });
const equals = filter('title', 'equals', 'Book 0');
const sort = (column: string, direction?: string) => ({ sorts: [{ column, ...(direction === undefined ? {} : { direction }) }] });

/** Names of arguments that other servers have for it. */
const OTHER_NAMES: readonly Mistake[] = (
  [
    ...['limit', 'top', 'rows', 'per_page', 'pageSize', 'max_rows', 'MaxRows', 'maxrow', 'max-rows'].map((name) => [
      ...['browse_table', name, 'maxRows'],
      3,
    ]),
    ...['skip', 'Offset', 'off_set'].map((name) => ['browse_table', name, 'offset', 3]),
    ...['where', 'filter', 'filter_by', 'conditions', 'Filters'].map((name) => ['browse_table', name, 'filters', equals.filters]),
    ...['where', 'filter', 'filterBy'].map((name) => ['count_rows', name, 'filters', equals.filters]),
    ...['sort', 'sort_by', 'orderBy', 'order_by', 'sorting'].map((name) => [
      ...['browse_table', name, 'sorts'],
      sort('number').sorts,
    ]),
    ...['select', 'fields', 'include_fields', 'column'].map((name) => ['browse_table', name, 'columns', ['title']]),
    ...['timeout', 'timeout_seconds', 'timeoutSecs'].map((name) => ['browse_table', name, 'timeoutSeconds', 5]),
    ...['max_tokens', 'maxToken'].map((name) => ['browse_table', name, 'maxTokens', 1_000]),
    ['insert_rows', 'data', 'rows', [{ title: 'x' }]],
    ['insert_rows', 'records', 'rows', [{ title: 'x' }]],
    ['insert_rows', 'documents', 'rows', [{ title: 'x' }]],
  ] as [string, string, string, unknown][]
).map(([tool, other, name, value]) => [
  tool,
  { ...BOOKS, [other]: value },
  [`there is no argument "${other}". Did you mean "${name}"?`],
  { ...BOOKS, [name]: value },
]);

const TABLES: readonly Mistake[] = [
  ...['tableName', 'table_name', 'index', 'Table'].map((name): Mistake => [
    'describe_table',
    { connection: 'Reading room', [name]: 'books' },
    ['table: it is missing; it takes a text.', `there is no argument "${name}". Did you mean "table"?`],
    BOOKS,
  ]),
  ...['database', 'connectionId', 'connection_id', 'Connection'].map((name): Mistake => [
    'list_tables',
    { [name]: 'Reading room' },
    `there is no argument "${name}". Did you mean "connection"?`,
    { connection: 'Reading room' },
  ]),
  ...['book', 'Books', 'bookss', 'boks', 'BOOKS', 'the_books'].flatMap((table): Mistake[] => [
    ['describe_table', { ...BOOKS, table }, ['Did you mean "books"?', 'The tables are: books, recent, '], BOOKS],
    ['browse_table', { ...BOOKS, table }, 'Did you mean "books"?', BOOKS],
  ]),
  ['describe_table', { ...BOOKS, table: 'customers' }, 'The tables are: books, recent, loans', { ...BOOKS, table: 'recent' }],
  [
    'browse_table',
    { ...BOOKS, table: 'loans' },
    'Say which one with namespace: ["north"], ["south"]',
    { ...BOOKS, table: 'loans', namespace: ['north'] },
  ],
  [
    'browse_table',
    { ...BOOKS, table: 'loans', namespace: 'north' },
    'namespace: it takes a list, not a text.',
    { ...BOOKS, table: 'loans', namespace: ['north'] },
  ],
  ['describe_table', { ...BOOKS, table: ['books'] }, 'table: it takes a text, not a list.', BOOKS],
  ['describe_table', { ...BOOKS, table: null }, 'table: it takes a text, not null.', BOOKS],
  ['describe_table', { ...BOOKS, table: '' }, 'table: it takes at least 1 character.', BOOKS],
];

const COLUMNS: readonly Mistake[] = [
  ...['titel', 'Title', 'titles', 'book_title'].flatMap((name): Mistake[] => [
    ['browse_table', { ...BOOKS, columns: [name] }, 'Did you mean "title"?', { ...BOOKS, columns: ['title'] }],
    ['count_rows', { ...BOOKS, ...filter(name, 'equals', 'x') }, 'Did you mean "title"?', { ...BOOKS, ...equals }],
    [
      'browse_table',
      { ...BOOKS, ...filter(name, 'equals', 'x') },
      'The columns are: library, number, title, scan.',
      { ...BOOKS, ...equals },
    ],
  ]),
  ['browse_table', { ...BOOKS, ...sort('numbers') }, 'Did you mean "number"?', { ...BOOKS, ...sort('number') }],
  [
    'browse_table',
    { ...BOOKS, ...sort('NUMBER', 'descending') },
    'Did you mean "number"?',
    { ...BOOKS, ...sort('number', 'descending') },
  ],
  ['browse_table', { ...BOOKS, columns: 'title' }, 'columns: it takes a list, not a text.', { ...BOOKS, columns: ['title'] }],
  ['browse_table', { ...BOOKS, columns: '["title"]' }, 'Send JSON, not a text of it.', { ...BOOKS, columns: ['title'] }],
  ['browse_table', { ...BOOKS, columns: [] }, 'columns: it takes at least 1 entry.', BOOKS],
];

const OPERATORS: readonly Mistake[] = [
  ...['=', '==', ':=', 'eq', 'is', 'EQUALS', 'equal'].map((operator): Mistake => [
    'count_rows',
    { ...BOOKS, ...filter('title', operator, 'Book 0') },
    ['Did you mean "equals"?', 'Use one of equals, contains.'],
    { ...BOOKS, ...equals },
  ]),
  ...['<', 'lt', 'less_than', 'lessthan'].map((operator): Mistake => [
    'browse_table',
    { ...BOOKS, ...filter('number', operator, 5) },
    'Did you mean "lessThan"?',
    { ...BOOKS, ...filter('number', 'lessThan', 5) },
  ]),
  ...['like', 'ilike', 'includes', 'contain'].map((operator): Mistake => [
    'browse_table',
    { ...BOOKS, ...filter('title', operator, 'Book') },
    'Did you mean "contains"?',
    { ...BOOKS, ...filter('title', 'contains', 'Book') },
  ]),
  ['count_rows', { ...BOOKS, ...filter('title', 'greaterThan', 'x') }, 'Use one of equals, contains.', { ...BOOKS, ...equals }],
  ['count_rows', { ...BOOKS, ...filter('scan', 'equals', 'x') }, 'Filter by another column', { ...BOOKS, ...equals }],
  ['count_rows', { ...BOOKS, ...filter('title', 'constructor', 'x') }, 'Use one of equals, contains.', { ...BOOKS, ...equals }],
  [
    'count_rows',
    { ...BOOKS, ...filter('title', 'equals') },
    'equals on "title" takes one value, not 0. Give values as a list',
    { ...BOOKS, ...equals },
  ],
  ['count_rows', { ...BOOKS, ...filter('title', 'equals', 'a', 'b') }, 'takes one value, not 2', { ...BOOKS, ...equals }],
  [
    'count_rows',
    { ...BOOKS, filters: [{ column: 'title', operator: 'equals', value: 'Book 0' }] },
    'filters[0]: there is no argument "value". Did you mean "values"?',
    { ...BOOKS, ...equals },
  ],
  [
    'count_rows',
    { ...BOOKS, filters: [{ field: 'title', op: 'equals', values: ['Book 0'] }] },
    ['there is no argument "field". Did you mean "column"?', 'there is no argument "op". Did you mean "operator"?'],
    { ...BOOKS, ...equals },
  ],
  ['count_rows', { ...BOOKS, filters: { title: 'Book 0' } }, 'filters: it takes a list, not an object.', { ...BOOKS, ...equals }],
  ['count_rows', { ...BOOKS, filters: 'title = Book 0' }, 'filters: it takes a list, not a text.', { ...BOOKS, ...equals }],
  [
    'count_rows',
    { ...BOOKS, filters: [{ column: 'title', operator: 'equals', values: 'Book 0' }] },
    'filters[0].values: it takes a list, not a text.',
    { ...BOOKS, ...equals },
  ],
  [
    'count_rows',
    { ...BOOKS, filters: [{ column: 'title', operator: 'equals', values: [null] }] },
    'filters[0].values[0]: it takes a text, a number, true or false, not null.',
    { ...BOOKS, ...equals },
  ],
  [
    'count_rows',
    { ...BOOKS, ...equals, match: 'and' },
    'match: it takes one of all, any.',
    { ...BOOKS, ...equals, match: 'all' },
  ],
  ['count_rows', { ...BOOKS, ...equals, match: 'ALL' }, 'Did you mean "all"?', { ...BOOKS, ...equals, match: 'all' }],
  [
    'browse_table',
    { ...BOOKS, ...sort('number', 'desc') },
    ['one of ascending, descending', 'Did you mean "descending"?'],
    { ...BOOKS, ...sort('number', 'descending') },
  ],
  ['browse_table', { ...BOOKS, sorts: ['number'] }, 'sorts[0]: it takes an object, not a text.', { ...BOOKS, ...sort('number') }],
  [
    'browse_table',
    { ...BOOKS, sorts: [{ column: 'number', order: 'descending' }] },
    'Did you mean "direction"?',
    { ...BOOKS, ...sort('number', 'descending') },
  ],
];

const NUMBERS: readonly Mistake[] = [
  ['browse_table', { ...BOOKS, maxRows: '5' }, 'maxRows: it takes a number, not a text.', { ...BOOKS, maxRows: 5 }],
  ['browse_table', { ...BOOKS, maxRows: 0 }, 'maxRows: it takes at least 1.', { ...BOOKS, maxRows: 1 }],
  ['browse_table', { ...BOOKS, maxRows: 1_000_000 }, 'maxRows: it takes at most 10000.', { ...BOOKS, maxRows: 10_000 }],
  ['browse_table', { ...BOOKS, maxRows: 2.5 }, 'maxRows: it takes a whole number, not a number.', { ...BOOKS, maxRows: 2 }],
  ['browse_table', { ...BOOKS, offset: -1 }, 'offset: it takes at least 0.', { ...BOOKS, offset: 0 }],
  ['browse_table', { ...BOOKS, maxTokens: 10 }, 'maxTokens: it takes at least 500.', { ...BOOKS, maxTokens: 500 }],
  ['browse_table', { ...BOOKS, maxTokens: 5_000_000 }, 'maxTokens: it takes at most 100000.', { ...BOOKS, maxTokens: 100_000 }],
  [
    'browse_table',
    { ...BOOKS, timeoutSeconds: 3_600 },
    'timeoutSeconds: it takes at most 300.',
    { ...BOOKS, timeoutSeconds: 300 },
  ],
  ['browse_table', { ...BOOKS, cursor: 'abc' }, 'This table is not paged by cursor. Use offset.', { ...BOOKS, offset: 0 }],
  [
    'list_tables',
    { connection: 'Reading room', includeRowCounts: 'yes' },
    'includeRowCounts: it takes true or false, not a text.',
    { connection: 'Reading room', includeRowCounts: true },
  ],
  ['list_connections', { verbose: true }, 'there is no argument "verbose".', {}],
];

const CHANGES: readonly Mistake[] = [
  [
    'insert_rows',
    { ...BOOKS, rows: { title: 'x' } },
    'rows: it takes a list, not an object.',
    { ...BOOKS, rows: [{ title: 'x' }] },
  ],
  [
    'insert_rows',
    { ...BOOKS, rows: '[{"title":"x"}]' },
    'rows: it takes a list, not a text. Send JSON',
    { ...BOOKS, rows: [{ title: 'x' }] },
  ],
  ['insert_rows', { ...BOOKS, rows: ['x'] }, 'rows[0]: expected an object.', { ...BOOKS, rows: [{ title: 'x' }] }],
  ['insert_rows', { ...BOOKS, rows: [] }, 'rows: it takes at least 1 entry.', { ...BOOKS, rows: [{ title: 'x' }] }],
  [
    'insert_rows',
    { ...BOOKS, rows: [{ number: 9_007_199_254_740_992 }] },
    'Send it as a string of its digits.',
    { ...BOOKS, rows: [{ number: '9007199254740992' }] },
  ],
  [
    'update_rows',
    { ...BOOKS, rows: [{ library: 'north', number: '1', title: 'x' }] },
    ['rows[0].key: expected an object', 'there is no argument "library"', 'There are: key, values.'],
    { ...BOOKS, rows: [{ key: KEY, values: { title: 'x' } }] },
  ],
  [
    'update_rows',
    { ...BOOKS, rows: [{ key: '1', values: { title: 'x' } }] },
    'rows[0].key: expected an object.',
    { ...BOOKS, rows: [{ key: KEY, values: { title: 'x' } }] },
  ],
  [
    'update_rows',
    { ...BOOKS, rows: [{ key: { id: '1' }, values: { title: 'x' } }] },
    'The key of this table is library, number.',
    { ...BOOKS, rows: [{ key: KEY, values: { title: 'x' } }] },
  ],
  [
    'update_rows',
    { ...BOOKS, rows: [{ key: KEY, set: { title: 'x' } }] },
    'Did you mean "values"?',
    { ...BOOKS, rows: [{ key: KEY, values: { title: 'x' } }] },
  ],
  ['delete_rows', { ...BOOKS, keys: ['1'] }, 'keys[0]: expected an object.', { ...BOOKS, keys: [KEY] }],
  ['delete_rows', { ...BOOKS, key: KEY }, 'Did you mean "keys"?', { ...BOOKS, keys: [KEY] }],
  [
    'delete_rows',
    { ...BOOKS, keys: [{ ...KEY, title: 'x' }] },
    'The key of this table is library, number. Give exactly these values.',
    { ...BOOKS, keys: [KEY] },
  ],
];

const STATEMENTS: readonly Mistake[] = [
  ...['query', 'sql', 'command', 'Statement'].map((name): Mistake => [
    'execute_query',
    { connection: 'Reading room', [name]: 'read 1' },
    `there is no argument "${name}". Did you mean "statement"?`,
    { connection: 'Reading room', statement: 'read 1' },
  ]),
  [
    'execute_query',
    { connection: 'Reading room', statement: 'read 1\nread 2' },
    'There are 2 statements in this text. Send them one by one.',
    { connection: 'Reading room', statement: 'read 1' },
  ],
  [
    'execute_query',
    { connection: 'Reading room', statement: ' ' },
    'There is no statement in this text. Send one statement.',
    { connection: 'Reading room', statement: 'read 1' },
  ],
  [
    'execute_query',
    { connection: 'Reading room', statement: ['read 1'] },
    'statement: it takes a text, not a list.',
    { connection: 'Reading room', statement: 'read 1' },
  ],
  [
    'search_schema',
    { connection: 'Reading room', q: 'loan' },
    'Did you mean "term"?',
    { connection: 'Reading room', term: 'loan' },
  ],
  [
    'search_schema',
    { connection: 'Reading room', term: '' },
    'term: it takes at least 1 character.',
    { connection: 'Reading room', term: 'loan' },
  ],
];

const MISTAKES = [...OTHER_NAMES, ...TABLES, ...COLUMNS, ...OPERATORS, ...NUMBERS, ...CHANGES, ...STATEMENTS];

let fixture: McpFixture;
let client: Client;

beforeAll(async () => {
  fixture = new McpFixture();
  fixture.setAccess(READING_ROOM, { externalClients: 'readWrite', aiPolicy: 'alwaysAllow' });
  const { url } = await fixture.start();
  client = new Client({ name: 'test', version: '1' });
  const { text } = fixture.mint({ scope: 'fullAccess' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization: `Bearer ${text}` } } }),
  );
});
afterAll(async () => {
  await client.close();
  await fixture[Symbol.asyncDispose]();
});

describe('a mistake that models make', () => {
  it('is one of at least a hundred', () => {
    expect(MISTAKES.length).toBeGreaterThanOrEqual(100);
  });

  it.each(MISTAKES)('is answered so that the next call is right: %s with %j', async (name, wrong, says, right) => {
    const changes = fixture.session.calls.filter((call) => call.startsWith('CHANGE')).length;
    const failed = await client.callTool({ name, arguments: { ...wrong } });
    const [part] = failed.content;
    const text = part?.type === 'text' ? part.text : '';
    expect(failed.isError, text).toBe(true);
    for (const words of [says].flat()) expect(text).toContain(words);
    // A model reads it in full: hosts cut long ones.
    expect(text.length).toBeLessThan(800);
    expect(fixture.session.calls.filter((call) => call.startsWith('CHANGE'))).toHaveLength(changes);
    const mended = await client.callTool({ name, arguments: { ...right } });
    expect(mended.isError, JSON.stringify(mended.content)).toBeUndefined();
  });
});
