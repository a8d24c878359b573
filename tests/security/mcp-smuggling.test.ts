import { startSandbox } from '@tabularium/sandbox';
import type { Sandbox } from '@tabularium/sandbox';
import type { Session } from '@tabularium/sdk';
import { createTestHttp } from '@tabularium/sdk/testing';
import type { TestHttp } from '@tabularium/sdk/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { driver as searchDriver } from '../../drivers/search/src/index.ts';
import { McpFixture, READING_ROOM } from '../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';
import { modernRequest, rawRequest } from '../../host/src/runtime/mcp/server/rawRequest.test-helper.ts';
import { classify } from '../fixtures/ledger-driver/src/sql/classify.ts';
import { splitStatements } from '../fixtures/ledger-driver/src/sql/split.ts';

// Texts that are meant to be taken for a read and to be run as something else, against real drivers, through the real tools, on a connection that is
// read only. The test looks at what reaches the database, because the answer alone proves nothing.

const KEY = 'smuggling-admin-key';
const signal = new AbortController().signal;

let sandbox: Sandbox;
let http: TestHttp;
let session: Session;
let fixture: McpFixture;
let port: number;
let token: string;

const admin = async (method: string, path: string, body?: string): Promise<string> => {
  const response = await fetch(`${sandbox.url}${path}`, {
    method,
    headers: { 'x-typesense-api-key': KEY, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  });
  return response.text();
};

beforeAll(async () => {
  sandbox = await startSandbox({ apiKey: KEY });
  const fields = [{ name: 'title', type: 'string' }];
  await admin('POST', '/collections', JSON.stringify({ name: 'shelf', fields }));
  await admin('POST', '/collections/shelf/documents', '{"id":"1","title":"One"}');
  http = createTestHttp(sandbox.url, { credentials: { 'X-SEARCH-API-KEY': KEY, 'X-TYPESENSE-API-KEY': KEY } });
  session = await searchDriver.definition.connect({ host: '127.0.0.1' }, { http, log: () => undefined }, { signal });
  fixture = new McpFixture({ limits: { requestsPerMinute: 1_000_000 } });
  fixture.otherSession = session;
  ({ port } = await fixture.start());
  token = fixture.mint({ scope: 'fullAccess' }).text;
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
  await session.close();
  http.close();
  await sandbox.close();
});

const run = (name: string, args: object) =>
  rawRequest(port, { token, ...modernRequest('tools/call', { name, arguments: { connection: READING_ROOM, ...args } }) });

/** Whether a request that the server has seen may have changed something. */
function mayChange({ method, path }: { readonly method: string; readonly path: string }): boolean {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return false;
  return !(method === 'POST' && (path === '/multi_search' || /^\/collections\/[^/]+\/documents\/search$/.test(path)));
}

async function changesDuring(work: () => Promise<unknown>): Promise<readonly string[]> {
  const seen: string[] = [];
  const stop = sandbox.requests.onRequest((request) => {
    if (mayChange(request)) seen.push(`${request.method} ${request.path}`);
  });
  await work();
  stop();
  return seen;
}

const methods = fc.constantFrom(
  'GET',
  'get',
  'HEAD',
  'POST',
  'post',
  'PUT',
  'PATCH',
  'DELETE',
  'dElEtE',
  'OPTIONS',
  'TRACE',
  'GET\tDELETE',
  'ＤＥＬＥＴＥ',
  '',
);
const gaps = fc.constantFrom(' ', '  ', '\t', '\u00a0', '\u2003', '', '\r', '\u0000', '\u200b');
const paths = fc.constantFrom(
  '/collections',
  '/collections/shelf',
  '/collections/shelf/documents',
  '/collections/shelf/documents/1',
  '/collections/shelf/documents/search?q=*',
  '/collections/shelf/documents/search/../1',
  '/collections/shelf/documents/import?action=upsert',
  '/collections/shelf/documents?filter_by=id:1',
  '/multi_search',
  '/multi_search/../collections/shelf',
  '/multi_search/%2e%2e/collections/shelf',
  '/%6dulti_search',
  '//multi_search',
  '/operations/db/compact',
  '/keys',
  '/collections/shelf/documents/search%2f..%2f1',
  'collections/shelf',
  'http://127.0.0.1:1/collections/shelf',
);
const ends = fc.constantFrom(
  '\n',
  '\r\n',
  '\r',
  '\u2028',
  '\u0085',
  '\n\n',
  '\n// comment\n',
  ' HTTP/1.1\n',
  ' # ',
  '\u0000\n',
  '',
);
const bodies = fc.constantFrom(
  '',
  '{}',
  '{"id":"2","title":"Two"}',
  '{"searches":[{"collection":"shelf","q":"*"}]}',
  '{"searches":[]}\nDELETE /collections/shelf',
  'DELETE /collections/shelf',
  '{"fields":[{"name":"title","drop":true}]}',
  'Content-Length: 0\n\nDELETE /collections/shelf HTTP/1.1',
  '/* */ DELETE /collections/shelf',
);
const statement = fc
  .tuple(fc.constantFrom('', ' ', '\n', '\ufeff', '// x\n', '/* x */ ', '# x\n'), methods, gaps, paths, ends, bodies)
  .map((parts) => parts.join(''));

describe('a write that is meant to pass for a read', () => {
  it('never reaches a search server, however it is written', async () => {
    await fc.assert(
      fc.asyncProperty(statement, async (text) => {
        expect(await changesDuring(() => run('execute_query', { statement: text })), JSON.stringify(text)).toEqual([]);
      }),
      { numRuns: 600 },
    );
    expect(await admin('GET', '/collections/shelf/documents/1')).toContain('One');
  });

  it('never goes by confirm_destructive_operation or the tools for rows either', async () => {
    const key = { id: '1' };
    for (const [name, args] of [
      ['confirm_destructive_operation', { statement: 'DELETE /collections/shelf' }],
      ['insert_rows', { table: 'shelf', rows: [{ title: 'x' }] }],
      ['update_rows', { table: 'shelf', rows: [{ key, values: { title: 'x' } }] }],
      ['delete_rows', { table: 'shelf', keys: [key] }],
    ] as const) {
      expect(await changesDuring(() => run(name, args)), name).toEqual([]);
    }
  });

  it('never hides in a filter, a sort, a name or a cursor', async () => {
    const nasty = fc.constantFrom(
      '1`||id:!=`1',
      '../1',
      '1 && delete',
      '"}],"drop":true',
      '\n DELETE /collections/shelf',
      '%2e%2e',
      '?',
      '#',
      '\u0000',
    );
    await fc.assert(
      fc.asyncProperty(nasty, nasty, async (one, other) => {
        const filters = [{ column: 'title', operator: 'equals', values: [one] }];
        expect(
          await changesDuring(async () => {
            await run('browse_table', { table: 'shelf', filters, sorts: [{ column: other }] });
            await run('browse_table', { table: one, cursor: other });
            await run('count_rows', { table: other, filters });
            await run('search_schema', { term: one });
            await run('describe_table', { table: one, namespace: [other] });
          }),
        ).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it('is never taken for a read by a driver of another kind', () => {
    const words = [
      'SELECT',
      'select',
      '*',
      'FROM',
      'main.entry',
      'DELETE',
      'DROP',
      'TABLE',
      'INSERT',
      'INTO',
      ';',
      '--',
      "'",
      '"',
      '\n',
      '(',
      ')',
      'WHERE',
      'x = 1',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 10 }), (parts) => {
        for (const { text } of splitStatements(parts.join(' '))) {
          if (classify(text).effect !== 'read') continue;
          expect(text.trimStart()).toMatch(/^(?:(?:--[^\n]*\n|\s)*)(?:select|report)\b/i);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
