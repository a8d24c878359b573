import { createCollection, readRows, tableOf } from '../scenario.ts';
import type { Scenario, ServerUnderTest } from '../scenario.ts';
import type { ImportFacet, RowOutcome } from '@tabularium/sdk';
import { rowOutcomes } from '@tabularium/sdk/testing';

/** Imports in every mode, row by row and as one spliced request, and a new collection for rows. */
export const rowImports: Scenario = {
  id: 'imports',
  title: 'Imports: modes, rejected rows with reasons, spliced lines, exact integers, a proposed collection',
  async run(server, problems) {
    const facet = server.session.import;
    if (facet?.tables === undefined) throw new Error('The driver imports nothing.');
    const name = `${server.prefix}imported`;
    const rows = ['{"id":"1","n":9007199254740993,"s":"x"}', '{"id":"2","n":-9007199254740993,"s":"y","more":[1,2]}'];
    const definition = await facet.tables.propose(tableOf(name), rows, server.options);
    const planned = await facet.tables.plan(tableOf(name), definition, server.options);
    problems.same('requests of a new collection', planned.requests.length, 1);
    await facet.tables.create(tableOf(name), definition, server.options);
    problems.same('written rows', await outcomes(server, facet, name, 'create', rows), ['written', 'written']);
    problems.same(
      'exact integers',
      (await readRows(server, name, { sorts: [{ column: 'n', direction: 'ascending' }] })).map(({ n }) => n),
      ['-9007199254740993', '9007199254740993'],
    );
    problems.same('rows that are there', await outcomes(server, facet, name, 'create', rows), ['present', 'present']);
    problems.same(
      'rows of another type',
      await outcomes(server, facet, name, 'upsert', ['{"id":"3","n":"many","s":"z"}', '{"id":"4","n":4,"s":"z"}']),
      ['rejected', 'written'],
    );
    problems.same('an update of nothing', await outcomes(server, facet, name, 'update', ['{"id":"9","n":1}']), ['rejected']);
    problems.same('an emplaced row', await outcomes(server, facet, name, 'emplace', ['{"id":"4","n":5}']), ['written']);
    problems.same(
      'the emplaced row has its other values',
      (
        await readRows(server, name, {
          filter: { match: 'all', conditions: [{ column: 'n', operator: 'equals', values: ['5'] }] },
        })
      )[0]?.['s'],
      'z',
    );
    problems.same(
      'spliced rows',
      await spliced(server, facet, name, ['{"id":"5","n":1,"s":"a"}', '{"id":"1","n":1,"s":"a"}', '{"id":"6"}']),
      ['written', 'present', 'rejected'],
    );
    await problems.rejected('discarding a collection with rows', 'CONFLICT', async () =>
      facet.tables?.discard?.(tableOf(name), server.options),
    );
    const bare = await createCollection(server, 'bare', [{ name: 'n', type: 'int32' }]);
    await facet.tables.discard?.(tableOf(bare), server.options);
    await problems.rejected('a discarded collection', 'NOT_FOUND', () =>
      server.session.describeTable(tableOf(bare), server.options),
    );
  },
};

const shortly = (outcome: RowOutcome): string =>
  outcome.outcome === 'rejected' && outcome.present === true ? 'present' : outcome.outcome;

async function outcomes(
  { options }: ServerUnderTest,
  facet: ImportFacet,
  name: string,
  mode: string,
  rows: readonly string[],
): Promise<string[]> {
  return (await rowOutcomes(facet.write({ table: tableOf(name), mode }, rows, options))).map(shortly);
}

/** As the host does it: lines that aren't the one of a written row are judged by the driver. */
async function spliced(
  { ask, options }: ServerUnderTest,
  facet: ImportFacet,
  name: string,
  rows: readonly string[],
): Promise<string[]> {
  const splice = await facet.splice({ table: tableOf(name), mode: 'create' }, options);
  if (splice === undefined) throw new Error('The driver splices nothing.');
  const { status, text } = await ask(splice.request.method, splice.request.path, rows.join('\n'));
  const lines = text.split('\n').filter((line) => line !== '');
  const others = lines.filter((line) => line !== splice.written);
  const judged = (await facet.judge(splice, { status, lines: others })).map(shortly);
  return lines.map((line) => (line === splice.written ? 'written' : (judged.shift() ?? 'missing')));
}
