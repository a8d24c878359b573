import { createCollection, importDocuments, readRows } from '../scenario.ts';
import type { Scenario } from '../scenario.ts';

/** An alias reads the collection behind it and says which one that is. */
export const aliases: Scenario = {
  id: 'aliases',
  title: 'Aliases read what stands behind them',
  async run(server, problems) {
    const table = await createCollection(server, 'behind', [{ name: 'n', type: 'int32' }]);
    await importDocuments(server, table, ['{"id":"1","n":1}']);
    const alias = `${server.prefix}alias`;
    await server.must('PUT', `/aliases/${alias}`, { collection_name: table });
    const listed = (await server.session.listTables(server.options)).find(({ ref }) => ref.name === alias);
    problems.same('the collection behind it', listed?.aliasOf?.name, table);
    problems.same('its rows', await readRows(server, alias), [{ id: '1', n: 1 }]);
    const planned = await server.session.tableOperations?.plan({ namespace: [], name: alias }, 'empty', server.options);
    problems.same('what emptying it empties', planned?.target.name, table);
  },
};
