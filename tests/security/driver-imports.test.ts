import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { driverSource, ProcessBench } from '../../host/src/runtime/drivers/processes/processes.test-helper.ts';

const { signal } = new AbortController();
let bench: ProcessBench;
beforeAll(async () => {
  bench = await ProcessBench.open();
});
afterAll(() => bench.close());

describe('what a driver imports by address', () => {
  it('gives the same answer for a file outside that exists and one that does not, by every route', async () => {
    const source = driverSource(
      `async describeTable(table) {
        const { createRequire } = await import('node:module');
        const require = createRequire(import.meta.url);
        const routes = {
          import: (path) => import(path),
          'a file address': (path) => import('file://' + path),
          'an encoded address': (path) => import('file://' + path.replace('e', '%65')),
          json: (path) => import(path, { with: { type: 'json' } }),
          'up from the folder': (path) => import('./' + '../'.repeat(20) + path.slice(1)),
          'import.meta.resolve': async (path) => import.meta.resolve(path),
          require: async (path) => require(path),
          'require.resolve': async (path) => require.resolve(path),
          'a data address': (path) => import('data:text/javascript,import ' + JSON.stringify(path)),
          'evaluated text': (path) => (0, eval)('import(' + JSON.stringify(path) + ')'),
        };
        const outcomes = {};
        for (const [name, route] of Object.entries(routes)) {
          outcomes[name] = [];
          for (const path of JSON.parse(settings.host)) {
            try { await route(path); outcomes[name].push('reached'); }
            catch (error) { outcomes[name].push(String(error.message).replaceAll(/(exists|missing)\\w*/g, '')); }
          }
        }
        const definition = { language: 'json', text: JSON.stringify(outcomes) };
        return { ref: table, kind: 'table', columns: [], key: [], paging: 'offset', readsFromEnd: false, notes: [], definition };
      },`,
    );
    const paths = ['exists.json', 'missing.json'].map((name) => join(bench.folder, name));
    await writeFile(paths[0] ?? '', '{}');
    const processes = await bench.processes();
    const settings = { host: JSON.stringify(paths) };
    const session = await processes.connect({ driver: await bench.driver(source), settings, files: {}, signal });
    const { definition } = await session.describeTable({ namespace: [], name: 't' }, { signal });
    await session.close();
    const outcomes = JSON.parse(definition?.text ?? '') as Record<string, readonly [string, string]>;
    expect(Object.keys(outcomes)).toHaveLength(10);
    for (const [route, [there, notThere]] of Object.entries(outcomes)) {
      expect([route, there]).toEqual([route, notThere]);
      expect(there).not.toBe('reached');
    }
  });
});
