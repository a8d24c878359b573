import type { PagePosition } from '@tabularium/sdk';
import { createCollection, importDocuments, readRows } from '../scenario.ts';
import type { Row, Scenario } from '../scenario.ts';

/** Pages from the first to the last one, and the last one again by its offset: nothing is missing, nothing comes twice. */
export const sorts: Scenario = {
  id: 'sorts',
  title: 'Sorts and pages up to the last one',
  async run(server, problems) {
    const [count, limit] = server.short ? [330, 100] : [5_300, 1_000];
    const table = await createCollection(server, 'sorts', [
      { name: 'n', type: 'int32' },
      { name: 'tie', type: 'int32' },
      { name: 's', type: 'string', sort: true },
      { name: 'f', type: 'float', optional: true },
    ]);
    const documents = Array.from({ length: count }, (_, index) => {
      const n = (index * 7919) % count;
      return { id: `d${index}`, n, tie: n % 5, s: String(n).padStart(6, '0'), ...(n % 3 === 0 ? {} : { f: n / 8 }) };
    });
    await importDocuments(
      server,
      table,
      documents.map((document) => JSON.stringify(document)),
    );
    const numbers = documents.map(({ n }) => n).toSorted((a, b) => a - b);
    const readAll = async (columns: readonly (readonly [string, 'ascending' | 'descending'])[]): Promise<Row[]> => {
      const all: Row[] = [];
      const order = columns.map(([column, direction]) => ({ column, direction }));
      const page = (position: PagePosition): Promise<Row[]> => readRows(server, table, { sorts: order, position, limit });
      for (let offset = 0; offset < count; offset += limit) all.push(...(await page({ from: 'offset', offset })));
      const last = await page({ from: 'offset', offset: count - limit });
      problems.same(`last page by ${JSON.stringify(columns)}`, last, all.slice(-limit));
      problems.same(`beyond the last page by ${JSON.stringify(columns)}`, await page({ from: 'offset', offset: count }), []);
      return all;
    };
    for (const column of ['n', 's']) {
      const up = (await readAll([[column, 'ascending']])).map(({ n }) => n);
      problems.same(`${column} ascending`, up, numbers);
      const down = (await readAll([[column, 'descending']])).map(({ n }) => n);
      problems.same(`${column} descending`, down, numbers.toReversed());
    }
    const tied = (
      await readAll([
        ['tie', 'descending'],
        ['n', 'ascending'],
      ])
    ).map(({ n }) => n);
    const byTie = numbers.toSorted((a, b) => (b % 5) - (a % 5) || a - b);
    problems.same('two columns', tied, byTie);
    for (const direction of ['ascending', 'descending'] as const) {
      const ids = (await readAll([['f', direction]])).map(({ id }) => id);
      problems.same(`f ${direction}, which some documents lack`, new Set(ids).size, count);
    }
    const unsorted = (await readAll([])).map(({ id }) => id);
    problems.same('without a sort', new Set(unsorted).size, count);
  },
};
