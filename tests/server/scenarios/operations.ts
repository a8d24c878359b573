import type { OperationCall, OperationEvent, OperationPlan, OperationsFacet } from '@tabularium/sdk';
import { createCollection, importDocuments, readRows, tableOf } from '../scenario.ts';
import type { Scenario, ServerUnderTest } from '../scenario.ts';

type Result = Extract<OperationEvent, { type: 'result' }>;

/** Operations on collections, each planned, run, and taken back where it can be. */
export const operations: Scenario = {
  id: 'operations',
  title: 'New collection, fields, clone, reindex and swap with its undo, delete by query',
  async run(server, problems) {
    const { prefix } = server;
    const facet = server.session.operations;
    if (facet === undefined) throw new Error('The driver has no operations.');
    const run = (place: OperationCall['place'], operation: string, input: object) =>
      done(server, facet, { place, operation, input: JSON.stringify(input) });
    const fieldsOf = async (name: string): Promise<string[]> =>
      (await server.session.describeTable(tableOf(name), server.options)).columns.map((column) => column.name);

    const made = `${prefix}made`;
    await run({ on: 'server' }, 'new-collection', { name: made, fields: [{ name: 'a', type: 'string' }] });
    problems.holds('the new collection lacks its field', (await fieldsOf(made)).includes('a'));

    const table = await createCollection(server, 'old', [{ name: 'n', type: 'int32' }]);
    const count = server.short ? 40 : 3_500;
    await importDocuments(
      server,
      table,
      Array.from({ length: count }, (_, n) => JSON.stringify({ id: `d${n}`, n })),
    );
    const added = await run(on(table), 'add-fields', { fields: [{ name: 'weight', type: 'int32', optional: true }] });
    problems.holds('the added field is missing', (await fieldsOf(table)).includes('weight'));
    await takeBack(server, facet, added.result);
    problems.holds('the field is still there', !(await fieldsOf(table)).includes('weight'));

    await run(on(table), 'clone', { name: `${prefix}cloned`, documents: true });
    problems.same('documents of the clone', await rowsOf(server, `${prefix}cloned`), count);

    const alias = `${prefix}live`;
    await server.must('PUT', `/aliases/${alias}`, { collection_name: table });
    const form = JSON.parse((await facet.form(on(alias), 'reindex', server.options)).document) as Record<string, unknown>;
    const moved = await run(on(alias), 'reindex', {
      ...form,
      target: `${prefix}new`,
      schema: { fields: [{ name: 'n', type: 'int64', facet: true }] },
    });
    problems.same('rows that the plan counts', moved.plan.count, { rows: count, exact: true });
    problems.holds(
      'there was no checkpoint',
      moved.events.some(({ type }) => type === 'checkpoint'),
    );
    const target = async (): Promise<unknown> =>
      ((await server.must('GET', `/aliases/${alias}`)) as Record<string, unknown>)['collection_name'];
    problems.same('the collection behind the alias', await target(), `${prefix}new`);
    problems.same('documents of the new collection', await rowsOf(server, `${prefix}new`), count);
    const sorts = [{ column: 'n', direction: 'descending' as const }];
    problems.same('the last document', (await readRows(server, alias, { sorts, limit: 1 }))[0]?.['id'], `d${count - 1}`);
    await takeBack(server, facet, moved.result);
    problems.same('the collection behind the alias once taken back', await target(), table);

    const deleted = await run(on(table), 'delete-by-query', { filter_by: 'n:<10' });
    problems.same('documents that the plan counts', deleted.plan.count, { rows: 10, exact: true });
    problems.same('deleted documents', deleted.result.affectedRows, 10);
    problems.same('documents that are left', await rowsOf(server, table), count - 10);
    await problems.rejected('a filter on a field that is not there', 'INVALID_INPUT', () =>
      facet.plan({ place: on(table), operation: 'delete-by-query', input: '{"filter_by":"nope:>1"}' }, server.options),
    );
  },
};

const on = (name: string) => ({ on: 'table', table: tableOf(name) }) as const;

interface Done {
  readonly plan: OperationPlan;
  readonly events: readonly OperationEvent[];
  readonly result: Result;
}

async function done({ options }: ServerUnderTest, facet: OperationsFacet, call: OperationCall): Promise<Done> {
  const plan = await facet.plan(call, options);
  const events = await Array.fromAsync(facet.run(call, { basis: plan.basis, ...options }));
  const result = events.at(-1);
  if (result?.type !== 'result') throw new Error(`${call.operation} ended without a result.`);
  return { plan, events, result };
}

async function takeBack(server: ServerUnderTest, facet: OperationsFacet, { undo }: Result): Promise<void> {
  if (undo === undefined) throw new Error('It can’t be taken back.');
  await done(server, facet, undo.call);
}

async function rowsOf({ session, options }: ServerUnderTest, name: string): Promise<number> {
  return (await session.countRows({ table: tableOf(name), filter: { match: 'all', conditions: [] } }, options)).rows;
}
