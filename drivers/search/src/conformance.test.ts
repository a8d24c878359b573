import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { sandboxVersions } from '@tabularium/sandbox';
import type { Sandbox } from '@tabularium/sandbox';
import { describeDriverConformance } from '@tabularium/sdk/testing';
import type { TestHttp } from '@tabularium/sdk/testing';
import { driver } from './index.ts';
import { ADMIN_KEY, httpOf, knownEdits, knownPrincipals, knownTables, startShelf } from './shelf.test-helper.ts';

const packageJson = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { tabularium: unknown };

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

for (const version of sandboxVersions) {
  describe(`on version ${version}`, () => {
    let sandbox: Sandbox;
    let http: TestHttp;
    beforeAll(async () => {
      sandbox = await startShelf(version);
      http = httpOf(sandbox);
    });
    afterAll(async () => {
      http.close();
      await sandbox.close();
    });
    describeDriverConformance(
      'the search driver keeps the contract',
      {
        driver,
        manifest: packageJson.tabularium,
        tables: knownTables,
        edits: knownEdits,
        principals: knownPrincipals,
        secrets: [ADMIN_KEY],
        open: () => ({ settings: { host: '127.0.0.1' }, context: { http } }),
        console: {
          script: { text: script, statements: 3 },
          classified: [
            { statement: 'GET /collections', effect: 'read' },
            { statement: 'POST /multi_search\n{"searches":[]}', effect: 'read' },
            { statement: 'POST /collections/shelf/documents\n{"id":"1"}', effect: 'write' },
            { statement: 'POST /operations/db/compact', effect: 'write' },
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
      },
      { describe, it },
    );
  });
}
