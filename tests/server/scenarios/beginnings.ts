import { createCollection, importDocuments, readRows, tableOf } from '../scenario.ts';
import type { Scenario } from '../scenario.ts';

/** A filter for a beginning finds every document, however many words begin so. */
export const beginnings: Scenario = {
  id: 'beginnings',
  title: '“Starts with” over many words: page, count, export and suggestions',
  async run(server, problems) {
    const { major, session, options } = server;
    if (major === undefined || major < 28)
      return { notRun: 'Servers before 28.0 compare a beginning with four words only, and this one may be one of them.' };
    const words = Array.from({ length: 60 }, (_, at) => `aa${at + 10}`);
    const table = await createCollection(server, 'beginnings', [
      { name: 'word', type: 'string' },
      { name: 'kind', type: 'string', facet: true },
    ]);
    await importDocuments(
      server,
      table,
      words.map((word) => JSON.stringify({ id: word, word, kind: word })),
    );
    const filter = {
      match: 'all' as const,
      conditions: [{ column: 'word', operator: 'startsWith' as const, values: ['aa'] }],
    };
    const rows = await readRows(server, table, { filter });
    problems.same('the page', rows.map(({ id }) => id).toSorted(), words);
    const counted = await session.countRows({ table: tableOf(table), filter }, options);
    problems.same('the count', counted.rows, words.length);
    let exported = 0;
    for await (const event of session.export?.rows({ table: tableOf(table), filter }, options) ?? [])
      if (event.type === 'rows') exported += event.rows.length;
    problems.same('the export', exported, words.length);
    const request = { table: tableOf(table), column: 'kind', typed: 'aa', limit: 50 };
    const typed = await session.suggestions?.values(request, options);
    problems.same('the suggestions', [typed?.values.length, typed?.from], [50, 'some']);
    await server.must('DELETE', `/collections/${table}`);
  },
};
