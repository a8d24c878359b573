import { createCollection, importDocuments, readRows, rowOf, tableOf } from '../scenario.ts';
import type { Row, Scenario } from '../scenario.ts';

/** A raw filter on another collection chooses rows, and nothing of the other collection gets into them. */
export const joins: Scenario = {
  id: 'joins',
  title: 'A raw filter on a joined collection: rows, export of all and of chosen columns',
  async run(server, problems) {
    const authors = await createCollection(server, 'authors', [{ name: 'name', type: 'string' }]);
    const books = await createCollection(server, 'books', [
      { name: 't', type: 'string' },
      { name: 'author_id', type: 'string', reference: `${authors}.id` },
    ]);
    await importDocuments(server, authors, ['{"id":"a1","name":"Ann"}', '{"id":"a2","name":"Bob"}']);
    await importDocuments(server, books, ['{"id":"b1","t":"x","author_id":"a1"}', '{"id":"b2","t":"y","author_id":"a2"}']);
    const filter = { match: 'all' as const, conditions: [], raw: `$${authors}(name:=Ann)` };
    const expected = { id: 'b1', t: 'x', author_id: 'a1' };
    problems.same('rows', await readRows(server, books, { filter }), [expected]);
    const facet = server.session.export;
    if (facet === undefined) throw new Error('The session exports nothing.');
    for (const [columns, wanted] of [
      [undefined, expected],
      [['t'], { t: 'x' }],
    ] as const) {
      const request = { table: tableOf(books), filter, ...(columns === undefined ? {} : { columns }) };
      const what = columns === undefined ? 'all columns' : `the columns ${columns.join()}`;
      const splice = await facet.splice(request, server.options);
      if (splice !== undefined) {
        const { text } = await server.ask(splice.request.method, splice.request.path);
        problems.same(`${what}, as lines`, text.trim() === '' ? undefined : (JSON.parse(text) as unknown), wanted);
      }
      const rows: Row[] = [];
      let names: readonly { readonly name: string }[] = [];
      for await (const event of facet.rows(request, server.options)) {
        if (event.type === 'begin') names = event.columns;
        else rows.push(...event.rows.map((cells) => rowOf(names, cells)));
      }
      problems.same(`${what}, as rows`, rows, [wanted]);
    }
  },
};
