import { createCollection, importDocuments, readRows } from '../scenario.ts';
import type { Scenario } from '../scenario.ts';

/** Curation rules change what people find. The grid still shows what is stored, in the order that was asked for. */
export const curations: Scenario = {
  id: 'curations',
  title: 'Curation rules (overrides up to 29, curation sets from 30) leave the grid alone',
  async run(server, problems) {
    const { major, prefix } = server;
    if (major === undefined)
      return { notRun: 'The server does not report its version to this key, and rules differ by version.' };
    const rule = {
      rule: { query: '*', match: 'exact' },
      includes: [{ id: 'd3', position: 1 }],
      excludes: [{ id: 'd1' }],
      remove_matched_tokens: false,
    };
    const sets = major >= 30;
    if (sets) await server.must('PUT', `/curation_sets/${prefix}set`, { items: [{ id: 'rule', ...rule }] });
    const table = await createCollection(
      server,
      'curated',
      [{ name: 'n', type: 'int32' }],
      sets ? { curation_sets: [`${prefix}set`] } : {},
    );
    await importDocuments(
      server,
      table,
      [0, 1, 2, 3, 4].map((n) => JSON.stringify({ id: `d${n}`, n })),
    );
    if (!sets) await server.must('PUT', `/collections/${table}/overrides/rule`, rule);
    const { text } = await server.ask('GET', `/collections/${table}/documents/search?q=*`);
    const { hits } = JSON.parse(text) as { hits: { document: { id: string } }[] };
    const curated = hits.map(({ document }) => document.id);
    problems.holds('the rule has no effect on a search', curated[0] === 'd3' && !curated.includes('d1'));
    const sorts = [{ column: 'n', direction: 'ascending' as const }];
    problems.same(
      'the grid',
      (await readRows(server, table, { sorts })).map(({ id }) => id),
      ['d0', 'd1', 'd2', 'd3', 'd4'],
    );
    const { rows } = await server.session.countRows(
      {
        table: { namespace: [], name: table },
        filter: { match: 'all', conditions: [{ column: 'n', operator: 'greaterOrEqual', values: ['0'] }] },
      },
      server.options,
    );
    problems.same('the count', rows, 5);
    // Unlinked before the sets go: version 30 rejects every search of a collection whose set is gone.
    await server.must('DELETE', sets ? `/collections/${table}` : `/collections/${table}/overrides/rule`);
    if (sets) await server.must('DELETE', `/curation_sets/${prefix}set`);
  },
};
