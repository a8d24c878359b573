import { createCollection, importDocuments, runStatement } from '../scenario.ts';
import type { Scenario } from '../scenario.ts';

/** Answers become grids or text, and the server's refusals become sentences. */
export const consoleRequests: Scenario = {
  id: 'console',
  title: 'Request console: grids, text, imports and refusals',
  async run(server, problems) {
    const table = await createCollection(server, 'console', [
      { name: 'n', type: 'int32' },
      { name: 't', type: 'string' },
    ]);
    await importDocuments(
      server,
      table,
      [1, 2, 3].map((n) => JSON.stringify({ id: String(n), n, t: `t${n}` })),
    );
    const search = `/collections/${table}/documents/search`;
    const grid = async (statement: string): Promise<number> => (await runStatement(server, statement)).rows.length;
    problems.same('a search is a grid', await grid(`GET ${search}?q=*`), 3);
    problems.same(
      'a multi_search of one is a grid',
      await grid(`POST /multi_search\n{"searches":[{"collection":"${table}","q":"*"}]}`),
      3,
    );
    problems.same('an export is a grid', await grid(`GET /collections/${table}/documents/export`), 3);
    problems.same(
      'an import is a grid',
      await grid(`POST /collections/${table}/documents/import?action=upsert\n{"id":"1","n":1,"t":"x"}\n{"id":"2","n":2,"t":"y"}`),
      2,
    );
    const two = `{"collection":"${table}","q":"*"}`;
    const several = await runStatement(server, `POST /multi_search\n{"searches":[${two},${two}]}`);
    problems.holds('a multi_search of two is text', several.rows.length === 0 && several.text.includes('"results"'));
    const one = await runStatement(server, `GET /collections/${table}`);
    problems.holds('an object is text', one.rows.length === 0 && one.text.includes(`"${table}"`));
    for (const [statement, code] of [
      [`GET ${search}?q=*&sort_by=t:asc`, 'STRUCTURE_CHANGED'],
      [`GET ${search}?q=*&per_page=251`, 'INVALID_INPUT'],
      [`GET ${search}?q=*&filter_by=nothing:=1`, 'STRUCTURE_CHANGED'],
      [`GET ${search}?q=*&facet_by=t`, 'STRUCTURE_CHANGED'],
      [`GET ${search}?q=*&filter_by=n:=x`, 'INVALID_INPUT'],
      [`POST /collections/${table}/documents\n{"n":"x","t":"x"}`, 'INVALID_INPUT'],
      [`POST /collections/${table}/documents\n{"id":"1","n":1,"t":"x"}`, 'CONFLICT'],
      [`POST /collections/${table}/documents\n{"n":`, 'INVALID_INPUT'],
      [`GET /collections/${server.prefix}nothing`, 'NOT_FOUND'],
      ['GET /nothing/here', 'NOT_FOUND'],
      ['SELECT * FROM x', 'INVALID_INPUT'],
    ] as const)
      await problems.rejected(statement, code, () => runStatement(server, statement));
  },
};
