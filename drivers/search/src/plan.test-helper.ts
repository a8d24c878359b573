import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Sandbox } from '@tabularium/sandbox';
import type { ConformancePlan, KnownOperationRun, TestHttp } from '@tabularium/sdk/testing';
import packageJson from '../package.json' with { type: 'json' };
import { driver } from './index.ts';
import { ADMIN_KEY, admin, httpOf, knownEdits, knownPrincipals, knownTables, startFixture } from './fixture.test-helper.ts';

const script = `# everything there is
GET /collections

POST /multi_search
// two searches
{
  "searches": [ {"collection": "shelf", "q": "*"} ]
}

### next
delete /collections/shelf/documents/1
SELECT 1`;

const scratch = { namespace: [], name: 'scratch' };
const large = { namespace: [], name: 'large' };
const LARGE_ROWS = 9_000;
const LARGE_BYTES = 1_000;
/** Documents of one import. */
const IMPORT = 1_000;

/** The kit's plan for the search driver and a server that `startFixture` filled. `end` ends the server of the large table. */
export function searchPlan(
  fixture: () => { readonly sandbox: Sandbox; readonly http: TestHttp },
): ConformancePlan & { end(): Promise<void> } {
  let largeFixture: ReturnType<typeof startLargeFixture> | undefined;
  const prepare = async (): Promise<void> => {
    const { sandbox } = fixture();
    const path = `/collections/${scratch.name}`;
    const headers = { 'x-typesense-api-key': ADMIN_KEY };
    await fetch(`${sandbox.url}${path}`, { method: 'DELETE', headers });
    await admin(sandbox, 'POST', '/collections', JSON.stringify({ name: scratch.name, fields: [{ name: 'n', type: 'int32' }] }));
    await admin(sandbox, 'POST', `${path}/documents/import`, '{"id":"a","n":1}\n{"id":"b","n":2}\n{"id":"c","n":3}');
  };
  return {
    end: async () => (await largeFixture)?.end(),
    driver,
    manifest: packageJson.tabularium,
    tables: knownTables,
    edits: knownEdits,
    principals: knownPrincipals,
    objects: [
      {
        object: { kind: 'preset', name: 'kit/ö' },
        document: '{"value":{"query_by":"title"}}',
        changed: '{"value":{"query_by":"sku"}}',
        refused: ['{}'],
      },
      {
        object: { kind: 'alias', name: 'kit' },
        document: '{"collection_name":"many"}',
        changed: '{"collection_name":"shelf"}',
        refused: ['{}'],
      },
    ],
    imports: [
      {
        table: { namespace: [], name: 'many' },
        row: '{"id":"kit-import","n":1}',
        changed: '{"id":"kit-import","n":2}',
        rejected: ['[1]', '{"id":7}', '{"id":"kit-import","n":"many"}'],
        key: ['kit-import'],
      },
    ],
    newTable: {
      table: { namespace: [], name: 'kit new' },
      rows: [
        '{"id":"a","n":9007199254740993,"words":["x"],"seller":{"name":"Ann","stars":4.5}}',
        '{"id":"b","n":1,"price":2,"ok":true,"parts":[{"x":1}]}',
        '{"id":"c","n":2,"price":2.5,"none":null,"words":[]}',
      ],
      remove: async () => {
        const { sandbox } = fixture();
        const headers = { 'x-typesense-api-key': ADMIN_KEY };
        await fetch(`${sandbox.url}/collections/kit%20new`, { method: 'DELETE', headers });
      },
    },
    placedHits: { table: { namespace: [], name: 'shelf' }, text: 'fig' },
    // The last one removes the table again.
    operations: [
      { table: scratch, operation: 'empty', after: 0, prepare },
      { table: scratch, operation: 'delete', after: 'gone', prepare },
    ],
    operationRuns: operationRuns(fixture),
    large: {
      table: large,
      rows: LARGE_ROWS,
      statement: `GET /collections/${large.name}/documents/export`,
      async open() {
        const { url } = await (largeFixture ??= startLargeFixture(fixture().sandbox));
        const grant = httpOf({ url });
        return { settings: { host: '127.0.0.1' }, context: { http: grant }, close: () => grant.close() };
      },
    },
    secrets: [ADMIN_KEY],
    open: () => ({ settings: { host: '127.0.0.1' }, context: { http: fixture().http } }),
    console: {
      script: { text: script, statements: 3 },
      classified: [
        { statement: 'GET /collections', effect: 'read' },
        { statement: 'POST /multi_search\n{"searches":[]}', effect: 'read' },
        { statement: 'POST /collections/shelf/documents\n{"id":"1"}', effect: 'write' },
        { statement: 'POST /collections/shelf/documents?action=upsert\n{"id":"1"}', effect: 'destructive' },
        { statement: 'POST /operations/db/compact', effect: 'destructive' },
        { statement: 'POST /keys\n{"actions":["*"]}', effect: 'destructive' },
        { statement: 'DELETE /collections/shelf', effect: 'destructive' },
        { statement: 'PATCH /collections/shelf\n{"fields":[{"name":"x","drop":true}]}', effect: 'destructive' },
      ],
      reads: [
        { statement: 'GET /collections/shelf/documents/export', rows: [24] },
        { statement: 'GET /collections/many/documents/search?q=*&per_page=7', rows: [7] },
        { statement: 'POST /multi_search\n{"searches":[{"collection":"many","q":"*","per_page":250}]}', rows: [250] },
        { statement: 'GET /collections', rows: [3] },
      ],
      refused: [
        'SELECT * FROM shelf',
        'DELETE FROM shelf',
        'GET http://evil.example/x',
        'GET //evil.example/x',
        'GET /\\evil',
        'nonsense',
      ],
    },
  };
}

/** Operations that the kit runs, each check on a server of its own. */
function operationRuns(fixture: () => { readonly sandbox: Sandbox }): readonly KnownOperationRun[] {
  const ref = (name: string) => ({ namespace: [], name });
  const on = (name: string) => ({ on: 'table', table: ref(name) }) as const;
  const run = (call: KnownOperationRun['call'], refused: readonly string[], after: KnownOperationRun['after']) => ({
    call,
    refused,
    after,
    async open() {
      const sandbox = await startFixture(fixture().sandbox.version);
      const http = httpOf(sandbox);
      return {
        settings: { host: '127.0.0.1' },
        context: { http },
        close: async () => {
          http.close();
          await sandbox.close();
        },
      };
    },
  });
  return [
    run(
      { place: { on: 'server' }, operation: 'new-collection', input: '{"name":"kit","fields":[{"name":"a","type":"string"}]}' },
      ['{}', '{"name":"kit"}', '{"name":"kit","fields":[{"name":"a","type":"string"},{"name":"a","type":"string"}]}'],
      [{ table: ref('kit'), rows: 0 }],
    ),
    run(
      { place: on('many'), operation: 'delete-by-query', input: '{"filter_by":"n:>=0"}' },
      ['{}', '{"filter_by":"nowhere:>1"}', '{"filter_by":"n:>1","batch_size":0}'],
      [{ table: ref('many'), rows: 0 }],
    ),
    run(
      { place: on('a/b ö'), operation: 'clone', input: '{"name":"kit","documents":true}' },
      ['{}', '{"name":"kit","documents":"yes"}'],
      [{ table: ref('kit'), rows: 16 }],
    ),
    run(
      {
        place: on('many'),
        operation: 'reindex',
        input: '{"target":"kit","schema":{"fields":[{"name":"n","type":"int64"}]}}',
      },
      ['{}', '{"target":"kit"}', '{"target":"kit","schema":{"fields":[]}}'],
      [{ table: ref('kit'), rows: 640 }],
    ),
  ];
}

/**
 * A server of the same version with one large collection, in a process of its own: what it holds in memory is not the driver's.
 */
async function startLargeFixture({ version }: Sandbox): Promise<{ readonly url: string; end(): Promise<void> }> {
  const program = fileURLToPath(new URL('../../../tests/sandbox/src/main.ts', import.meta.url));
  const options = ['--conditions=tabularium:source', program, '--version', version, '--until-stdin-closes'];
  const child = spawn(process.execPath, options, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, SANDBOX_API_KEY: ADMIN_KEY },
  });
  const gone = once(child, 'exit');
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { url } = JSON.parse(line) as { url: string };
  const fields = [{ name: 'body', type: 'string', index: false, optional: true }];
  await admin({ url }, 'POST', '/collections', JSON.stringify({ name: large.name, fields }));
  for (let from = 0; from < LARGE_ROWS; from += IMPORT) {
    const documents = Array.from({ length: IMPORT }, (_, index) => {
      const id = String(from + index);
      return JSON.stringify({ id, body: Buffer.alloc(LARGE_BYTES, `${id} `).toString('latin1') });
    });
    await admin({ url }, 'POST', `/collections/${large.name}/documents/import`, documents.join('\n'));
  }
  return {
    url,
    async end() {
      child.stdin.end();
      await gone;
    },
  };
}
