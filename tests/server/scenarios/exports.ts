import { NO_FILTER } from '@tabularium/sdk';
import type { ExportRequest } from '@tabularium/sdk';
import { createCollection, importDocuments, rowOf, tableOf } from '../scenario.ts';
import type { Row, Scenario } from '../scenario.ts';

/** An export has every row that was counted, as lines of the server and as rows. */
export const exports: Scenario = {
  id: 'export',
  title: 'Export: all, filtered, chosen columns; lines and rows',
  async run(server, problems) {
    const { session, options, ask } = server;
    const count = server.short ? 600 : 6_000;
    const table = await createCollection(server, 'export', [
      { name: 'n', type: 'int32' },
      { name: 'o', type: 'object', optional: true },
      { name: 'big', type: 'int64' },
    ]);
    const documents = Array.from({ length: count }, (_, n) => `{"id":"d${n}","n":${n},"big":9007199254740993,"o":{"a":"x${n}"}}`);
    await importDocuments(server, table, documents);
    const facet = session.export;
    if (facet === undefined) throw new Error('The session exports nothing.');
    const half: ExportRequest['filter'] = {
      match: 'all',
      conditions: [{ column: 'n', operator: 'lessThan', values: [String(count / 2)] }],
    };
    for (const [name, request, expected] of [
      ['all', { filter: NO_FILTER }, count],
      ['filtered', { filter: half }, count / 2],
      ['chosen columns', { filter: half, columns: ['id', 'big'] }, count / 2],
    ] as const) {
      const rows: Row[] = [];
      let columns: readonly { readonly name: string }[] = [];
      for await (const event of facet.rows({ table: tableOf(table), ...request }, options)) {
        if (event.type === 'begin') ({ columns } = event);
        else rows.push(...event.rows.map((cells) => rowOf(columns, cells)));
      }
      problems.same(`${name}: rows`, new Set(rows.map(({ id }) => id)).size, expected);
      problems.holds(
        `${name}: an integer lost digits`,
        rows.every(({ big }) => big === '9007199254740993'),
      );
      if ('columns' in request)
        problems.same(
          `${name}: columns`,
          columns.map((column) => column.name),
          request.columns,
        );
      const splice = await facet.splice({ table: tableOf(table), ...request }, options);
      if (splice === undefined) continue;
      const { status, text } = await ask(splice.request.method, splice.request.path);
      const lines = text.split('\n').filter((line) => line !== '');
      problems.same(`${name}: lines`, lines.length, expected);
      await facet.judge(splice, { status, lines: lines.length, lastLine: lines.at(-1) ?? '' });
    }
  },
};
