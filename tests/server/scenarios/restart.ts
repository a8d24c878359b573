import { createCollection, importDocuments, insertion, readRows, save } from '../scenario.ts';
import type { Scenario } from '../scenario.ts';

/** A session survives its server's restart, and what it saved is there afterwards. */
export const restart: Scenario = {
  id: 'restart',
  title: 'The server restarts: saved rows stay, the session continues',
  async run(server, problems) {
    if (server.restart === undefined)
      return { notRun: 'The server belongs to somebody else. Name a command with --restart if it may be restarted.' };
    const table = await createCollection(server, 'restarted', [{ name: 'n', type: 'int32' }]);
    await importDocuments(server, table, ['{"id":"1","n":1}']);
    await save(server, table, insertion({ id: '2', n: 2 }));
    await server.restart();
    const sorts = [{ column: 'n', direction: 'ascending' as const }];
    problems.same(
      'rows',
      (await readRows(server, table, { sorts })).map(({ id }) => id),
      ['1', '2'],
    );
    const [outcome] = await save(server, table, insertion({ id: '3', n: 3 }));
    problems.same('saved after the restart', outcome?.outcome, 'saved');
  },
};
