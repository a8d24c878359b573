import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DriverError } from '@tabularium/sdk';
import type { Session } from '@tabularium/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LIBRARY_KEY } from '../../host/src/runtime/mcp/server/libraryFacets.test-helper.ts';
import { READING_ROOM } from '../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';
import type { McpFixture } from '../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';
import { McpReader } from '../support/mcpReader.ts';
import { toolAnswer } from '../support/toolAnswer.ts';

let reader: McpReader;
let fixture: McpFixture;

beforeEach(async () => {
  reader = await McpReader.connect();
  ({ fixture } = reader);
});
afterEach(() => reader[Symbol.asyncDispose]());

/** A row by the names of the columns. */
const row = (page: Record<string, unknown>, index: number): Record<string, unknown> => {
  const values = (page['rows'] as unknown[][])[index] ?? [];
  return Object.fromEntries((page['columns'] as string[]).map((name, column) => [name, values[column]]));
};

describe('tools that read', () => {
  it('browse rows: exact integers as strings, absent fields null, JSON with such a number by its text, odd names kept', async () => {
    const page = await reader.said('browse_table', { table: 'books', maxRows: 3 });
    expect(page).toMatchObject({ rowCount: 3, total: 2_500, atEnd: false, nextOffset: 3 });
    const first = row(page, 0);
    expect(first).toMatchObject({ number: '9007199254740993', title: 'Book 0' });
    expect(Object.getOwnPropertyDescriptor(first, '__proto__')?.value).toEqual({
      $json: '{"page":0,"big":9007199254740993,"price":1.50}',
    });
    expect(row(page, 2)).toMatchObject({ title: null });
  });

  it('browse page by page to the end', async () => {
    let offset: unknown = 0;
    let rows = 0;
    while (offset !== undefined) {
      const page = await reader.said('browse_table', { table: 'books', maxRows: 1_000, maxTokens: 100_000, offset });
      rows += Number(page['rowCount']);
      offset = page['nextOffset'];
    }
    expect(rows).toBe(2_500);
  });

  it('browse rows that are too large together in smaller pages, to the end, and each exactly once', async () => {
    fixture.session.mostRows = 300;
    const numbers: unknown[] = [];
    for (let offset: unknown = 0; offset !== undefined;) {
      const page = await reader.said('browse_table', { table: 'books', maxRows: 1_000, maxTokens: 100_000, offset });
      numbers.push(...(page['rows'] as unknown[][]).map((_, index) => row(page, index)['number']));
      expect(page).toMatchObject({ rowCount: 250, total: 2_500 });
      offset = page['nextOffset'];
    }
    expect(new Set(numbers).size).toBe(2_500);
    expect(numbers).toHaveLength(2_500);
  });

  it('browse chosen columns in their order, say which sorts were dropped, refuse what cannot be filtered', async () => {
    const page = await reader.said('browse_table', {
      table: 'books',
      columns: ['title', 'number'],
      maxRows: 1,
      sorts: [{ column: 'title' }],
    });
    expect(page['columns']).toEqual(['title', 'number']);
    expect(page['notes']).toEqual(['Not sorted by title: It cannot be sorted by.']);
    for (const [filters, words] of [
      [
        [{ column: 'title', operator: 'endsWith', values: ['x'] }],
        /^INVALID_INPUT: "title" cannot be filtered with "endsWith"\. Use one of equals, contains\./,
      ],
      [
        [{ column: 'no', operator: 'equals', values: ['x'] }],
        /^INVALID_INPUT: There is no column "no"\. .*The columns are: library, number, title, scan\.$/,
      ],
      [[{ column: 'title', operator: 'equals', values: [] }], /^INVALID_INPUT: equals on "title" takes one value, not 0\./],
    ] as const) {
      expect((await reader.call('count_rows', { table: 'books', filters })).content[0]?.text).toMatch(words);
    }
    expect((await reader.call('browse_table', { table: 'books', filters: [], raw: 'anything' })).content[0]?.text).toMatch(
      /^INVALID_ARGUMENTS: browse_table: there is no argument "raw"\. There are: connection, table, /,
    );
  });

  it('cut an answer that is too long, and say so', async () => {
    const answer = await reader.said('execute_query', { statement: 'read 9000', maxRows: 7 });
    expect(answer['results']).toMatchObject([{ truncated: true }]);
    expect((answer['results'] as { rows: unknown[] }[])[0]?.rows).toHaveLength(7);
    expect(answer['notes']).toEqual([expect.stringContaining('Only the first 7 rows')]);
  });

  it('search names, count, and return metrics, principals and history', async () => {
    const found = await reader.said('search_schema', { term: 'LOAN' });
    expect(found['matches']).toEqual([
      { table: 'loans', namespace: ['north'] },
      { table: 'loans', namespace: ['south'] },
    ]);
    expect((await reader.said('search_schema', { term: 'number', maxMatches: 2 }))['notes']).toEqual([
      'Only the first 2 matches are here. Give a longer term.',
    ]);
    expect(await reader.said('count_rows', { table: 'books' })).toEqual({ rows: 3, exact: true });
    expect(await reader.said('get_dashboard')).toMatchObject({
      metrics: [{ id: 'memory', value: 5, total: 10 }],
      problems: [{ source: 'disk' }],
      node: 'north:1',
      nodes: [
        { name: 'north:1', state: 'ready', facts: { role: 'Leader' }, metrics: { behind: 0 } },
        { name: 'south:1', state: 'unreachable', message: expect.stringMatching(/^Nothing listens/) as string },
      ],
    });
    expect(JSON.stringify(await reader.said('get_dashboard'))).not.toContain(LIBRARY_KEY);
    expect(await reader.said('list_principals')).toMatchObject({ term: 'Readers', principals: [{ label: 'Librarian' }] });
    expect(await reader.said('search_query_history')).toMatchObject({ entries: [{ statement: 'read 1' }] });
    expect(await reader.said('get_connection_status', { connect: true })).toMatchObject({
      state: 'open',
      readOnly: false,
      abilities: ['statements', 'rowChanges', 'export', 'principals', 'dashboard'],
    });
  });

  it('explain one statement without running it, and run for its plan only what reads', async () => {
    const plan = await reader.said('explain_query', { statement: 'destroy books' });
    expect(plan).toMatchObject({
      steps: [
        { depth: 0, operation: 'Sort', estimatedRows: 3, cost: 12 },
        { depth: 1, operation: 'Walk', target: 'books' },
      ],
    });
    expect(JSON.stringify(plan)).not.toContain(LIBRARY_KEY);
    expect(await reader.said('explain_query', { statement: 'read 2', analyze: true })).toMatchObject({
      steps: [{ actualRows: 900 }, {}],
    });
    fixture.session.calls.splice(0);
    for (const [args, text] of [
      [
        { statement: 'write it', analyze: true },
        /^ACCESS_FORBIDDEN: It isn't certain that this statement only reads.* Call again without analyze\./,
      ],
      [{ statement: 'destroy books', analyze: true }, /^ACCESS_FORBIDDEN: /],
      [{ statement: 'no word that anybody knows' }, /^ACCESS_FORBIDDEN: The server may run functions while it plans/],
      [{ statement: 'read 1\ndestroy books' }, /^INVALID_INPUT: There are 2 statements/],
    ] as const)
      expect((await reader.call('explain_query', args)).content[0]?.text).toMatch(text);
    expect(fixture.session.calls.filter((name) => name.includes('explain'))).toEqual([]);
  });

  it('say what a database cannot do, and what to do instead', async () => {
    const { session } = fixture;
    Object.assign(session, {
      console: undefined,
      edits: undefined,
      explain: undefined,
      export: undefined,
      principals: undefined,
      metrics: undefined,
    });
    fixture.exportFolders = [tmpdir()];
    for (const [tool, args] of [
      ['execute_query', { statement: 'read' }],
      ['insert_rows', { table: 'books', rows: [{ title: 'x' }] }],
      ['export_table', { table: 'books', file: 'x.jsonl' }],
      ['explain_query', { statement: 'read' }],
      ['list_principals', {}],
      ['get_dashboard', {}],
    ] as const) {
      const answer = await reader.call(tool, args);
      expect(answer.content[0]?.text, tool).toMatch(/^UNSUPPORTED: .+\. .+\.$/);
    }
  });

  it('return data as it is, even where it equals a credential of the connection', async () => {
    const answer = await reader.call('execute_query', { statement: 'read text' });
    expect(toolAnswer(answer)).toMatchObject({ results: [{ json: { big: '9007199254740993', key: LIBRARY_KEY } }] });
  });

  it('hide a credential of the connection in the error of a server', async () => {
    fixture.session.fault = new DriverError('SERVER_ERROR', `The key ${LIBRARY_KEY} is too old.`);
    const answer = await reader.call('count_rows', { table: 'books' });
    expect(answer.content[0]?.text).toContain('The key [hidden] is too old.');
  });
});

describe('tools that change rows', () => {
  it('insert, update and delete, and say what became of each row', async () => {
    expect(await reader.said('insert_rows', { table: 'books', rows: [{ title: 'One' }, { title: 'refuse' }] })).toEqual({
      changed: 1,
      failed: [{ row: 1, outcome: 'failed', code: 'INVALID_INPUT', message: 'The library refuses it.', column: 'title' }],
      keys: [{ library: 'north', number: '9007199254740993' }],
    });
    const key = { library: 'north', number: '9007199254740993' };
    await reader.said('update_rows', { table: 'books', rows: [{ key, values: { title: 'Two' } }] });
    await reader.said('delete_rows', { table: 'books', keys: [key] });
    expect(fixture.session.calls.filter((name) => name.startsWith('CHANGE')).map((name) => name.split(' ')[1])).toEqual([
      'insert',
      'insert',
      'update',
      'delete',
    ]);
    // Digit for digit on its way in, too.
    expect(fixture.session.calls.at(-1)).toContain('"9007199254740993"');
  });

  it('answer as failures when no row was written and one was refused, with why in the same JSON', async () => {
    const call = { table: 'books', rows: [{ title: 'refuse' }, { title: 'refuse' }] };
    const refused = await reader.call('insert_rows', call);
    expect(refused.isError).toBe(true);
    expect(JSON.parse(refused.content[0]?.text ?? '')).toMatchObject({
      changed: 0,
      failed: [{ row: 0, code: 'INVALID_INPUT' }, { row: 1 }],
    });
    expect(fixture.reports.at(-1)).toMatchObject({ outcome: 'failed', code: 'INVALID_INPUT' });
    const some = await reader.call('insert_rows', { ...call, rows: [{ title: 'One' }, ...call.rows] });
    expect(some.isError).toBeUndefined();
  });

  it('take a place as rows show it, and send the text of it', async () => {
    const { session } = fixture;
    const books = await session.describeTable({ namespace: [], name: 'books' }, { signal: new AbortController().signal });
    const place = {
      name: 'place',
      kind: 'geo',
      type: 'geopoint',
      nullable: true,
      editable: { allowed: true },
      sortable: { allowed: true },
    } as const;
    fixture.otherSession = Object.assign(Object.create(session) as Session, {
      describeTable: async () => ({ ...books, columns: [...books.columns, place] }),
    });
    await reader.said('insert_rows', { table: 'books', rows: [{ place: [48.85, 2.35] }] });
    expect(fixture.session.calls.at(-1)).toContain(JSON.stringify({ column: 'place', value: '[48.85,2.35]' }));
  });

  it('change nothing when one row cannot be sent, or a number has lost digits, or the key is not the key', async () => {
    for (const [tool, args] of [
      ['insert_rows', { rows: [{ title: 'fine' }, { forbidden: 'x' }] }],
      ['insert_rows', { rows: [{ number: 9_007_199_254_740_992 }] }],
      ['update_rows', { rows: [{ key: { library: 'north' }, values: { title: 'x' } }] }],
      ['delete_rows', { keys: [{ library: 'north', number: '1', title: 'x' }] }],
    ] as const) {
      expect((await reader.call(tool, { table: 'books', ...args })).content[0]?.text, tool).toMatch(/^INVALID_INPUT: /);
    }
    expect(fixture.session.calls.filter((name) => name.startsWith('CHANGE'))).toEqual([]);
    expect((await reader.call('insert_rows', { table: 'books', rows: [{ forbidden: 'x' }] })).content[0]?.text).toMatch(
      /There is no such mark\. The column is "forbidden"\. The columns are: library, number, /,
    );
  });
});

describe('statements', () => {
  it('run one at a time', async () => {
    for (const statement of ['read 1\nwrite it', 'read 1\nread 2']) {
      expect((await reader.call('execute_query', { statement })).content[0]?.text).toMatch(
        /^INVALID_INPUT: There are 2 statements/,
      );
    }
    expect((await reader.call('execute_query', { statement: ' \n ' })).content[0]?.text).toMatch(
      /^INVALID_INPUT: There is no statement/,
    );
    expect(fixture.session.calls).toEqual([]);
  });

  it('that the driver cannot read are refused with its words, before anybody is asked', async () => {
    fixture.session.fault = new DriverError('INVALID_INPUT', 'Line 2 is no request.', {
      details: { advice: 'Begin it with GET.' },
    });
    for (const tool of ['execute_query', 'confirm_destructive_operation']) {
      const { isError, content } = await reader.call(tool, { statement: 'write it' });
      expect([isError, content[0]?.text], tool).toEqual([true, 'INVALID_INPUT: Line 2 is no request. Begin it with GET.']);
    }
    expect(fixture.session.calls.every((name) => name.startsWith('classify'))).toBe(true);
    expect(fixture.session.calls.length).toBeGreaterThan(1);
  });

  it('that destroy run by confirm_destructive_operation alone, and that tool runs nothing else', async () => {
    expect((await reader.call('execute_query', { statement: 'destroy it' })).content[0]?.text).toMatch(
      /Call confirm_destructive_operation/,
    );
    expect((await reader.call('confirm_destructive_operation', { statement: 'write it' })).content[0]?.text).toMatch(
      /Run it with execute_query/,
    );
    expect(fixture.session.calls.some((name) => name.startsWith('CHANGE'))).toBe(false);
    expect(await reader.said('confirm_destructive_operation', { statement: 'destroy it' })).toMatchObject({
      effect: 'destructive',
    });
  });
});

describe('exports', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tabularium-export-'));
    mkdirSync(join(folder, 'granted'));
    fixture.exportFolders = [join(folder, 'granted')];
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('write every row exactly, and never over a file that is there', async () => {
    for (const name of ['books.jsonl', 'books-1.jsonl']) {
      expect(await reader.said('export_table', { table: 'books', file: 'books.jsonl' })).toMatchObject({
        file: name,
        rows: 2_500,
      });
      const lines = readFileSync(join(folder, 'granted', name), 'utf8')
        .trimEnd()
        .split('\n');
      expect(lines).toHaveLength(2_500);
      expect(lines[1]).toContain('"number":9007199254740994');
    }
    expect(readdirSync(join(folder, 'granted'))).toEqual(['books-1.jsonl', 'books.jsonl']);
  });

  it('stay in the folder, whatever the name says', async () => {
    symlinkSync(folder, join(folder, 'granted', 'out'));
    symlinkSync(join(folder, 'elsewhere.jsonl'), join(folder, 'granted', 'link.jsonl'));
    for (const file of [
      '../x.jsonl',
      'sub/x.jsonl',
      join(folder, 'x.jsonl'),
      join(folder, 'granted', '..', 'x.jsonl'),
      join(folder, 'granted', 'out', 'x.jsonl'),
      '/etc/x.jsonl',
      '.hidden.jsonl',
      'books.csv',
      'books',
      'con.jsonl',
      'a\u0000.jsonl',
      'a\n.jsonl',
      'a:b.jsonl',
    ]) {
      const { isError, content } = await reader.call('export_table', { table: 'books', file });
      expect(isError, file).toBe(true);
      expect(content[0]?.text, file).not.toContain(folder);
    }
    await reader.said('export_table', { table: 'books', file: 'link.jsonl' });
    expect(readdirSync(folder)).toEqual(['granted']);
    fixture.exportFolders = [];
    expect((await reader.call('export_table', { table: 'books', file: 'x.jsonl' })).content[0]?.text).toMatch(
      /No folder is granted/,
    );
  });

  it('leave nothing behind when they are cut off', async () => {
    fixture.session.onBegin = () => {
      if (fixture.session.calls.at(-1) === 'export part 1000') fixture.setAccess(READING_ROOM, { externalClients: 'blocked' });
    };
    await expect(reader.call('export_table', { table: 'books', file: 'cut.jsonl' })).rejects.toMatchObject({ code: -33_007 });
    expect(readdirSync(join(folder, 'granted'))).toEqual([]);
  });
});
