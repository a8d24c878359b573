import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sandboxVersions } from '@tabularium/sandbox';
import type { Sandbox } from '@tabularium/sandbox';
import type { Cell, ConsoleFacet, ResultEvent, StatementClassification } from '@tabularium/sdk';
import { admin, call, collect, open, startFixture } from '../fixture.test-helper.ts';

let sandbox: Sandbox;
let session: Awaited<ReturnType<typeof open>>;

function requests(): ConsoleFacet {
  if (session.console === undefined) throw new Error('The session has no console.');
  return session.console;
}

const run = (statement: string, maxRows = 1_000): Promise<ResultEvent[]> =>
  collect(requests().run(statement, { maxRows, signal: call.signal }));

/** The grid of an answer, or its text. */
async function shown(
  statement: string,
): Promise<{ columns?: string[]; rows?: (readonly Cell[])[]; text?: string; status?: string | undefined }> {
  const events = await run(statement);
  const [first] = events;
  const last = events.at(-1);
  const status = last?.type === 'done' ? { status: last.status } : {};
  if (first?.type === 'text') return { text: first.text, ...status };
  if (first?.type !== 'rowsBegin') return status;
  return {
    columns: first.columns.map(({ name }) => name),
    rows: events.flatMap((event) => (event.type === 'rows' ? event.rows : [])),
    ...status,
  };
}

const classify = (statement: string): Promise<StatementClassification> => requests().classify(statement, call);

for (const version of sandboxVersions) {
  describe(`the request console, on version ${version}`, () => {
    beforeAll(async () => {
      sandbox = await startFixture(version);
      session = await open(sandbox);
    });
    afterAll(async () => {
      await session.close();
      await sandbox.close();
    });

    it('runs the requests of a document one after the other: schema, import, alias, search, and away with it', async () => {
      const text = `# A collection of its own
POST /collections
{
  "name": "made here",
  "fields": [ { "name": "n", "type": "int64" } ]
}

POST /collections/made here/documents/import?action=create
{"id":"1","n":9007199254740993}
{oops
{"id":"3","n":3}

// and its schema
PATCH /collections/made%20here
{"fields":[{"name":"late","type":"string","optional":true}]}
PUT /aliases/mine
{"collection_name":"made here"}
GET /collections/mine/documents/search?q=*&filter_by=n:>5 && n:<9007199254740995
POST /operations/db/compact
DELETE /aliases/mine
DELETE /collections/made here`;
      const statements = await requests().split(text);
      expect(statements).toHaveLength(8);
      const answers = [];
      for (const statement of statements) answers.push(await shown(statement.text));
      expect(answers[0]).toMatchObject({ status: '201 Created', text: expect.stringContaining('"name": "made here"') as string });
      // Sent unchanged: the server answers for each line, also for the one that isn't JSON.
      const success = answers[1]?.columns?.indexOf('success') ?? -1;
      expect(answers[1]?.rows?.map((row) => row[success])).toEqual([true, false, true]);
      expect(answers[2]?.text).toContain('"late"');
      expect(answers[3]?.text).toContain('"collection_name": "made here"');
      expect(answers[4]).toMatchObject({ columns: ['id', 'n'], rows: [['1', '9007199254740993']], status: '200 OK' });
      expect(answers[5]?.text).toBe('{\n  "success": true\n}');
      expect(answers[7]?.status).toBe('200 OK');
      await expect(session.describeTable({ namespace: [], name: 'made here' }, call)).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
    });

    it('shows hits, one search of several, arrays and lines as grids, and the rest as JSON', async () => {
      expect((await shown('GET /collections/shelf/documents/search?q=*&per_page=3')).rows).toHaveLength(3);
      const one = '{"collection":"shelf","q":"*","per_page":2}';
      expect((await shown(`POST /multi_search\n{"searches":[${one}]}`)).rows).toHaveLength(2);
      expect((await shown(`POST /multi_search\n{"searches":[${one},${one}]}`)).text).toContain('"results": [');
      expect((await shown('GET /collections')).columns).toContain('num_documents');
      expect((await shown('GET /collections/shelf/documents/export')).rows).toHaveLength(24);
      expect((await shown('GET /collections/shelf')).text).toContain('"name": "shelf"');
      expect((await shown('GET /collections/bookcase/documents/0')).text).toMatch(/^\{\n {2}"/);
    });

    it('says what the server says: too many hits, an unsortable field, an unknown one', async () => {
      await expect(run('GET /collections/shelf/documents/search?q=*&per_page=251')).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        details: { advice: expect.stringContaining('multi_search') as string },
      });
      await expect(run('GET /collections/shelf/documents/search?q=*&sort_by=title:asc')).rejects.toMatchObject({
        code: 'STRUCTURE_CHANGED',
        details: { advice: expect.stringContaining('sort') as string },
      });
      await expect(run('GET /collections/shelf/documents/search?q=*&filter_by=zzz:1')).rejects.toMatchObject({
        code: 'STRUCTURE_CHANGED',
        details: { advice: expect.stringContaining('Reload the structure') as string },
      });
      await expect(run('POST /collections/shelf/documents\n{"title":"x","sku":"s","pages":"many"}')).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        details: { advice: expect.stringContaining('whole number') as string },
      });
    });

    it('streams: rows come before a large answer is complete, and leaving ends it', async () => {
      await admin(sandbox, 'POST', '/collections', '{"name":"large","fields":[{"name":"t","type":"string"}]}');
      const lines = Array.from({ length: 20_000 }, (_, index) => `{"id":"${index}","t":"${'x'.repeat(200)}"}`);
      await admin(sandbox, 'POST', '/collections/large/documents/import', lines.join('\n'));
      let rows = 0;
      for await (const event of requests().run('GET /collections/large/documents/export?batch_size=250', {
        maxRows: 500_000,
        signal: call.signal,
      })) {
        if (event.type === 'rows') rows += event.rows.length;
        if (rows >= 2_000) break;
      }
      expect(rows).toBeLessThan(3_000);
      expect((await run('GET /collections/large/documents/export?batch_size=250', 500_000)).at(-1)).toMatchObject({
        type: 'done',
        truncated: false,
      });
      await admin(sandbox, 'DELETE', '/collections/large');
    });
  });
}

describe('a classification', () => {
  beforeAll(async () => {
    sandbox = await startFixture();
    session = await open(sandbox);
  });
  afterAll(async () => {
    await session.close();
    await sandbox.close();
  });

  it('says that a text may hold a secret, so that no history keeps it', async () => {
    expect(await classify('POST /keys\n{"description":"x","actions":["*"],"collections":["*"],"value":"secret"}')).toMatchObject({
      effect: 'destructive',
      holdsSecret: true,
    });
    expect(await classify('GET /collections?x-typesense-api-key=secret')).toMatchObject({ holdsSecret: true });
    expect(
      await classify('POST /multi_search\n{"searches":[{"collection":"shelf","x-typesense-api-key":"secret"}]}'),
    ).toMatchObject({
      holdsSecret: true,
    });
    expect(await classify('GET /collections')).not.toHaveProperty('holdsSecret');
    expect((await classify('POST /keys\n{"value":"secret"}')).summary).not.toContain('secret');
  });
});
