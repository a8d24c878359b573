import { createCollection, importDocuments, readRows, tableOf } from '../scenario.ts';
import type { Scenario } from '../scenario.ts';

/** A collection without a schema learns its fields; the grid has them when the structure is reloaded. */
export const learnedFields: Scenario = {
  id: 'learned-fields',
  title: 'Fields learned from documents',
  async run(server, problems) {
    const table = await createCollection(server, 'learned', [{ name: '.*', type: 'auto' }]);
    const columns = async (): Promise<string[]> =>
      (await server.session.describeTable(tableOf(table), server.options)).columns.map(({ name }) => name).toSorted();
    problems.same('before', await columns(), ['id']);
    await importDocuments(server, table, [
      '{"id":"1","s":"x","n":1,"f":0.5,"b":true,"list":["a"],"o":{"p":{"q":1}},"many":[{"k":1},{"l":"x"}],"none":null}',
      '{"id":"2","s":"y","late":9007199254740993}',
    ]);
    problems.same('after', await columns(), ['b', 'f', 'id', 'late', 'list', 'many.k', 'many.l', 'n', 'o.p.q', 's']);
    const rows = new Map((await readRows(server, table)).map((row) => [row['id'], row]));
    problems.same('first', rows.get('1'), {
      id: '1',
      s: 'x',
      n: 1,
      f: 0.5,
      b: true,
      list: '["a"]',
      'o.p.q': 1,
      'many.k': '[1,null]',
      'many.l': '[null,"x"]',
    });
    problems.same('second', rows.get('2'), { id: '2', s: 'y', late: '9007199254740993' });
  },
};
