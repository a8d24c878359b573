import { describe, expect, it } from 'vitest';
import { DriverError, isDriverError } from '@tabularium/sdk';
import type { ResultEvent } from '@tabularium/sdk';
import { FORBIDDEN, answering } from '../answers.test-helper.ts';
import type { Answer } from '../answers.test-helper.ts';
import { SearchClient } from '../client.ts';
import { createConsole } from './console.ts';
import { prettyJson } from './prettyJson.ts';

const LINES = 'text/plain; charset=utf-8';

async function run(
  text: string,
  answer: Answer,
  maxRows = 100,
  whole?: boolean,
): Promise<{ events: ResultEvent[]; http: ReturnType<typeof answering> }> {
  const http = answering(() => answer);
  const events: ResultEvent[] = [];
  const signal = new AbortController().signal;
  const options = { maxRows, signal, ...(whole === undefined ? {} : { whole }) };
  for await (const event of createConsole(new SearchClient(http, 1_000)).run(text, options)) events.push(event);
  return { events, http };
}

/** The grid of the events, or the text, and how it ended. */
async function shown(text: string, answer: Answer, maxRows?: number): Promise<unknown> {
  const { events } = await run(text, answer, maxRows);
  const [first] = events;
  if (first?.type === 'text') return first.text;
  if (first?.type !== 'rowsBegin') return first?.type;
  const rows = events.flatMap((event) => (event.type === 'rows' ? event.rows : []));
  return [first.columns.map(({ name }) => name), ...rows];
}

const hits = (...documents: unknown[]): unknown => ({
  found: documents.length,
  hits: documents.map((document) => ({ document, highlight: {} })),
});

describe('an answer', () => {
  it('with hits is a grid of documents, id first, nested fields dotted', async () => {
    const body = JSON.stringify(hits({ z: 1, id: 'a', n: { x: [1] } }, { id: 'b', B: null }));
    expect(await shown('GET /collections/x/documents/search?q=*', { body })).toEqual([
      ['id', 'B', 'n.x', 'z'],
      ['a', ['absent'], '[1]', 1],
      ['b', null, ['absent'], ['absent']],
    ]);
  });

  it('of exactly one search is a grid; of several it is JSON', async () => {
    const search = hits({ id: 'a' });
    expect(await shown('POST /multi_search\n{}', { body: JSON.stringify({ results: [search] }) })).toEqual([['id'], ['a']]);
    expect(await shown('POST /multi_search\n{}', { body: JSON.stringify({ results: [search, search] }) })).toMatch(
      /^\{\n {2}"results"/,
    );
    expect(await shown('POST /multi_search\n{}', { body: '{"results":[{"code":404,"error":"Not found."}]}' })).toContain(
      '"code": 404',
    );
  });

  it('that is an array of objects is a grid; another array is JSON', async () => {
    expect(await shown('GET /collections', { body: '[{"name":"x","fields":[{"a":1}]}]' })).toEqual([
      ['fields', 'name'],
      ['[{"a":1}]', 'x'],
    ]);
    expect(await shown('GET /collections', { body: '[]' })).toEqual([[]]);
    expect(await shown('GET /x', { body: '[1,[]]' })).toBe('[\n  1,\n  []\n]');
  });

  it('in JSON lines is a grid, whatever the chunks', async () => {
    const body = '{"id":"1","ö":"💥"}\n{"id":"2","n":9007199254740993}\n';
    expect(await shown('GET /collections/x/documents/export', { type: LINES, body })).toEqual([
      ['id', 'n', 'ö'],
      ['1', ['absent'], '💥'],
      ['2', '9007199254740993', ['absent']],
    ]);
    expect(await shown('GET /collections/x/documents/export', { type: LINES, body: '{"id":"1"}' })).toEqual([['id'], ['1']]);
    expect(await shown('GET /collections/x/documents/export', { type: LINES, body: '' })).toEqual([[]]);
    expect(await shown('GET /collections/x/documents/export', { type: 'application/x-ndjson', body: '{"id":"1"}\n' })).toEqual([
      ['id'],
      ['1'],
    ]);
  });

  it('of an import is a grid of outcomes; a single outcome is JSON', async () => {
    const request = 'POST /collections/x/documents/import\n{"id":"1"}\n{"id":"2"}';
    const body = '{"success":true}\n{"code":400,"error":"Bad JSON.","success":false}';
    expect(await shown(request, { type: LINES, body })).toEqual([
      ['code', 'error', 'success'],
      [['absent'], ['absent'], true],
      [400, 'Bad JSON.', false],
    ]);
    expect(await shown(request, { type: LINES, body: '{"success":true}' })).toBe('{\n  "success": true\n}');
  });

  it('that is neither is indented JSON, every digit as it came', async () => {
    const body = '{"a":1.0,"b":[9007199254740993,1e+21],"c":{},"d":"{\\"x\\":1}"}';
    expect(await shown('GET /stats.json', { body })).toBe(
      '{\n  "a": 1.0,\n  "b": [\n    9007199254740993,\n    1e+21\n  ],\n  "c": {},\n  "d": "{\\"x\\":1}"\n}',
    );
  });

  it("that isn't valid JSON is text; nothing is nothing", async () => {
    expect(await shown('GET /x', { type: 'text/html', body: '<p>' })).toBe('<p>');
    expect(await shown('GET /x', { type: LINES, body: 'one\ntwo\n' })).toBe('one\ntwo');
    expect(await shown('HEAD /x', { body: '' })).toBe('done');
  });

  it('reports the status, the duration and the number of changed documents', async () => {
    const { events } = await run('DELETE /collections/x/documents?filter_by=a:1', { body: '{"num_deleted":3}' });
    expect(events.at(-1)).toEqual({
      type: 'done',
      truncated: false,
      affectedRows: 3,
      status: '200 OK',
      milliseconds: expect.any(Number) as number,
    });
    expect((await run('POST /x', { status: 201, body: '{}' })).events.at(-1)).toMatchObject({ status: '201 Created' });
  });

  it.each([
    ['an array', '[{"id":1},{"id":2},{"id":3}]', undefined],
    ['lines', '{"id":1}\n{"id":2}\n{"id":3}\n', LINES],
  ])('of more rows than wanted is cut, and says so: %s', async (_name, body, type) => {
    const cut = await run('GET /collections/x/documents/export', { body, ...(type === undefined ? {} : { type }) }, 2);
    expect(
      cut.events.filter(({ type: kind }) => kind === 'rows').flatMap((event) => (event.type === 'rows' ? event.rows : [])),
    ).toEqual([[1], [2]]);
    expect(cut.events.at(-1)).toMatchObject({ truncated: true });
    const whole = await run('GET /collections/x/documents/export', { body, ...(type === undefined ? {} : { type }) }, 3);
    expect(whole.events.at(-1)).toMatchObject({ truncated: false });
  });

  it('that breaks off between lines is an error, after the rows that came', async () => {
    const events: ResultEvent[] = [];
    const lines = Array.from({ length: 1_500 }, (_, index) => `{"id":"${index}"}`).join('\n');
    const http = answering(() => ({ type: LINES, body: `${lines}\n{"id":"cut` }));
    const running = async (): Promise<void> => {
      const options = { maxRows: 10_000, signal: new AbortController().signal };
      for await (const event of createConsole(new SearchClient(http, 1_000)).run('GET /collections/x/documents/export', options))
        events.push(event);
    };
    await expect(running()).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
    expect(events.length).toBeGreaterThan(2);
    expect(events.at(-1)?.type).toBe('rows');
  });

  it('keeps what later documents bring in a column of its own', async () => {
    const first = Array.from({ length: 1_000 }, (_, index) => `{"id":"${index}"}`);
    const body = [...first, '{"id":"late","new":{"big":9007199254740993}}'].join('\n');
    const { events } = await run('GET /collections/x/documents/export', { type: LINES, body }, 10_000);
    expect(events[0]).toMatchObject({ columns: [{ name: 'id' }, { name: '(other fields)', kind: 'json' }] });
    const rows = events.flatMap((event) => (event.type === 'rows' ? event.rows : []));
    expect(rows[0]).toEqual(['0', ['absent']]);
    expect(rows.at(-1)).toEqual(['late', '{"new.big":9007199254740993}']);
  });
});

describe('the whole answer', () => {
  const kinds = ({ events }: { events: readonly ResultEvent[] }) => events.map(({ type }) => type);
  const ends = ({ events }: { events: readonly ResultEvent[] }) =>
    events.flatMap((event) => (event.type === 'done' ? [event] : []));

  it('goes with its rows when it is asked for, to the letter, and is not sent otherwise', async () => {
    const body = '{"found":9007199254740993,"facet_counts":[],"hits":[{"document":{"id":"a"},"text_match":578730123365711993}]}';
    const asked = await run('GET /collections/x/documents/search?q=*', { body }, 100, true);
    expect(ends(asked)).toMatchObject([{ whole: body, truncated: false }]);
    const not = await run('GET /collections/x/documents/search?q=*', { body });
    expect(ends(not)[0]).not.toHaveProperty('whole');
  });

  it('of several searches is JSON, followed by the documents of each', async () => {
    const results = [
      { ...(hits({ id: 'a' }, { id: 'b' }) as object), request_params: { collection_name: 'books' } },
      { code: 404, error: 'Not found.' },
      { ...(hits({ id: 'c' }) as object), request_params: { collection_name: 'films' } },
    ];
    const answer = { body: JSON.stringify({ results }) };
    const asked = await run('POST /multi_search\n{}', answer, 1, true);
    expect(kinds(asked)).toEqual(['text', 'done', 'rowsBegin', 'rows', 'done', 'rowsBegin', 'rows', 'done']);
    expect(ends(asked).map(({ label, truncated, status }) => [label, truncated, status])).toEqual([
      [undefined, false, '200 OK'],
      ['1 books', true, '200 OK'],
      ['3 films', false, '200 OK'],
    ]);
    // The command line and external clients still get one text.
    expect(kinds(await run('POST /multi_search\n{}', answer))).toEqual(['text', 'done']);
  });

  it('in groups is JSON, followed by the documents of the groups with their keys', async () => {
    const body = JSON.stringify({
      found: 3,
      grouped_hits: [
        { group_key: ['Acme'], found: 2, hits: [{ document: { id: 'a' } }] },
        { group_key: ['Bolt'], found: 1, hits: [{ document: { id: 'b' } }] },
      ],
      request_params: { collection_name: 'products' },
    });
    const { events } = await run('GET /collections/products/documents/search?q=*&group_by=brand', { body }, 100, true);
    expect(kinds({ events })).toEqual(['text', 'done', 'rowsBegin', 'rows', 'done']);
    const rows = events.flatMap((event) => (event.type === 'rows' ? event.rows : []));
    expect(rows).toEqual([
      ['a', '["Acme"]'],
      ['b', '["Bolt"]'],
    ]);
    expect(ends({ events }).map(({ label }) => label)).toEqual([undefined, 'products']);
  });

  it('that no event can hold is left out, and the rows stay', async () => {
    const body = JSON.stringify(
      hits(...Array.from({ length: 17 }, (_, id) => ({ id: String(id), text: 'x'.repeat(1_000_000) }))),
    );
    const asked = await run('GET /collections/x/documents/search?q=*', { body }, 100, true);
    expect(ends(asked)).toMatchObject([{ wholeLeftOut: true }]);
    expect(asked.events.flatMap((event) => (event.type === 'rows' ? event.rows : []))).toHaveLength(17);
  });
});

describe('a request', () => {
  it('is sent as it is written', async () => {
    const body = '{"id":"1"}\n{oops\n';
    const { http } = await run(`POST /collections/x/documents/import?action=create\n${body}`, { type: LINES, body: '' });
    expect(http.requests).toMatchObject([
      {
        method: 'POST',
        path: '/collections/x/documents/import?action=create',
        body: body.trimEnd(),
        repeatable: false,
        headers: { 'content-type': 'text/plain' },
      },
    ]);
    const read = await run('POST /multi_search\n{"searches":[]}', { body: '{}' });
    expect(read.http.requests).toMatchObject([
      { repeatable: true, body: '{"searches":[]}', headers: { 'content-type': 'application/json' } },
    ]);
  });

  it.each(['DELETE FROM books', 'SELECT 1', 'GET //evil.example', 'GET /keys/abc'])('%j is not sent', async (text) => {
    const http = answering(() => ({ body: '{}' }));
    const events = createConsole(new SearchClient(http, 1_000)).run(text, { maxRows: 1, signal: new AbortController().signal });
    const running = events[Symbol.asyncIterator]();
    await expect(running.next()).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(http.requests).toEqual([]);
  });

  it.each<[string, Answer]>([
    ['ACCESS_REFUSED', FORBIDDEN],
    ['NOT_FOUND', { status: 404, body: '{"message":"Not Found"}' }],
    ['INVALID_INPUT', { status: 422, body: '{"message":"Only upto 250 hits can be fetched per page."}' }],
    ['STRUCTURE_CHANGED', { status: 404, body: '{"message":"Could not find a field named `t` in the schema for sorting."}' }],
  ])('that the server refuses ends in %s', async (code, answer) => {
    await expect(run('GET /collections/x/documents/search?q=*&key=secret', answer)).rejects.toMatchObject({
      code,
      details: { request: 'GET /collections/x/documents/search' },
    });
  });
});

describe('an answer that is not from the search server', () => {
  it.each(['GET /collections', 'GET /collections/x/documents/export'])(
    'to %s with 200 and a page is shown as it is, and its status says what it seems to be',
    async (text) => {
      const body = '<!doctype html>\n<title>It works</title>';
      const { events } = await run(text, { type: 'text/html; charset=utf-8', body });
      expect(events[0]).toEqual({ type: 'text', mediaType: 'text/plain', text: body });
      expect(events.at(-1)).toMatchObject({
        type: 'done',
        status: expect.stringMatching(/^200 OK\. This isn't the search/) as string,
      });
      const { status = '' } = events.at(-1) as { status?: string };
      expect(status).toContain(`A web server answered ${text} with 200, not a search server.`);
      expect(status).toContain('It has the content type text/html and begins “<!doctype html>”.');
      expect(status).toMatch(/Check the host and port/);
    },
  );

  it('differs from plain text of the server', async () => {
    const { events } = await run('GET /x', { type: LINES, body: 'fine' });
    expect(events.at(-1)).toMatchObject({ status: '200 OK' });
  });
});

describe('a request that breaks off', () => {
  const advice = async (text: string): Promise<string> => {
    const http = {
      request: () => Promise.reject(new DriverError('CONNECTION_LOST', 'a:1 closed the connection.')),
    };
    const events = createConsole(new SearchClient(http, 1_000)).run(text, { maxRows: 1, signal: new AbortController().signal });
    try {
      for await (const event of events) void event;
    } catch (error) {
      if (isDriverError(error)) return error.advice;
    }
    throw new Error('It did not break off.');
  };

  it('advises to look for a change only where it may have changed something', async () => {
    expect(await advice('GET /collections')).toBe('Run the request again. It only reads, so nothing was changed.');
    expect(await advice('POST /multi_search\n{"searches":[]}')).toContain('It only reads');
    expect(await advice('POST /collections\n{}')).toMatch(/^Check whether a change in progress was made/);
    expect(await advice('DELETE /collections/x')).toMatch(/^Check whether a change in progress was made/);
  });
});

describe('indented JSON', () => {
  it.each([
    ['{}', '{}'],
    ['[ ]', '[]'],
    [' "a:{,}" ', '"a:{,}"'],
    ['{ "a" : [ 1 , { } ] }', '{\n  "a": [\n    1,\n    {}\n  ]\n}'],
    ['"\\\\"', '"\\\\"'],
    ['[[],[[1]]]', '[\n  [],\n  [\n    [\n      1\n    ]\n  ]\n]'],
  ])('%s', (text, pretty) => {
    expect(prettyJson(text)).toBe(pretty);
  });

  it('is what JSON.stringify makes, for values that it does not change', () => {
    const value = { a: [1, 'x"\\', { b: null, c: [] }], d: {}, e: [[true]], 'f:,{': '[ ]' };
    expect(prettyJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
    expect(prettyJson(JSON.stringify(value, null, 7))).toBe(JSON.stringify(value, null, 2));
  });
});
