import { createCollection, deletion, insertion, readRows, save, updating } from '../scenario.ts';
import type { Row, Scenario } from '../scenario.ts';

/** One refusal for each kind of value, with the field that it is about. */
const REFUSED: readonly Row[] = [
  { n: 'many' },
  { n: 3_000_000_000 },
  { n: 1.5 },
  { b: 'maybe' },
  { tags: '["a",1]' },
  { place: '[1]' },
  { f: 'NaN' },
  { t: null },
];

/** Documents are added, changed and removed, and what can't be written is refused with its field. */
export const edits: Scenario = {
  id: 'edits',
  title: 'Edits: insert, change one leaf, remove a value, refused values, delete',
  async run(server, problems) {
    const table = await createCollection(server, 'edits', [
      { name: 't', type: 'string' },
      { name: 'n', type: 'int32', optional: true },
      { name: 'f', type: 'float', optional: true },
      { name: 'b', type: 'bool', optional: true },
      { name: 'tags', type: 'string[]', optional: true },
      { name: 'place', type: 'geopoint', optional: true },
      { name: 'o', type: 'object', optional: true },
    ]);
    const path = `/collections/${table}/documents`;
    // No number: the server numbers what has no id, and would take one that is there.
    await server.must('POST', path, { id: 'one', t: 'one', n: 1, o: { a: 'x', deep: { c: 'kept' } } });
    const saved = await save(server, table, updating('one', { 'o.a': 'changed', n: null }), insertion({ t: 'without an id' }));
    problems.same(
      'saved',
      saved.map(({ outcome }) => outcome),
      ['saved', 'saved'],
    );
    problems.same('the leaf', await server.must('GET', `${path}/one`), {
      id: 'one',
      t: 'one',
      o: { a: 'changed', deep: { c: 'kept' } },
    });
    const key = saved[1]?.outcome === 'saved' ? saved[1].key?.[0] : undefined;
    problems.holds('an insert without an id returns the one that the server made', typeof key === 'string' && key !== '');
    const refused = await save(server, table, ...REFUSED.map((values) => updating('one', values)));
    for (const [index, outcome] of refused.entries()) {
      const [column] = Object.keys(REFUSED[index] ?? {});
      problems.same(
        `refusing ${JSON.stringify(REFUSED[index])}`,
        outcome.outcome === 'failed' ? [outcome.code, outcome.column] : outcome,
        ['INVALID_INPUT', column],
      );
    }
    const [missing] = await save(server, table, updating('nobody', { t: 'x' }));
    problems.same('changing what is not there', missing?.outcome === 'failed' ? missing.code : missing, 'NOT_FOUND');
    const [twice] = await save(server, table, insertion({ id: 'one', t: 'again' }));
    problems.same('inserting what is there', twice?.outcome === 'failed' ? twice.code : twice, 'CONFLICT');
    const removed = await save(server, table, deletion('one'), deletion(String(key)));
    problems.same(
      'deleted',
      removed.map(({ outcome }) => outcome),
      ['saved', 'saved'],
    );
    problems.same('left', await readRows(server, table), []);
  },
};
