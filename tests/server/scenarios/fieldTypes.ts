import type { Cell } from '@tabularium/sdk';
import { createCollection, insertion, readRows, save, updating } from '../scenario.ts';
import type { Row, Scenario } from '../scenario.ts';

interface TypeCase {
  readonly type: string;
  readonly more?: object;
  readonly first: Cell;
  readonly second: Cell;
}

/** A value to insert and one to change it to, as a grid has them. */
const CASES: readonly TypeCase[] = [
  { type: 'string', first: 'Größe "1" \\ `x`\n', second: '' },
  { type: 'string[]', first: '["a, b","c","日本"]', second: '[]' },
  { type: 'int32', first: -2_147_483_648, second: 2_147_483_647 },
  { type: 'int32[]', first: '[1,-1]', second: '[]' },
  { type: 'int64', first: '9007199254740993', second: 0 },
  { type: 'int64[]', first: '[9007199254740993,-9007199254740993]', second: '[1]' },
  { type: 'float', first: 0.5, second: -1.25 },
  { type: 'float[]', first: '[0.5,-2.25]', second: '[3.5]' },
  { type: 'float[]', more: { num_dim: 3 }, first: '[0.5,0.25,1.5]', second: '[1.5,2.5,3.5]' },
  { type: 'bool', first: true, second: false },
  { type: 'bool[]', first: '[true,false]', second: '[]' },
  { type: 'geopoint', first: '[48.5,2.25]', second: '[-89.5,179.25]' },
  { type: 'geopoint[]', first: '[[48.5,2.25],[1.5,1.5]]', second: '[[0.5,0.5]]' },
  { type: 'geopolygon', first: '[0.5,0.5,0.5,10.5,10.5,10.5,10.5,0.5]', second: '[1.5,1.5,1.5,9.5,9.5,9.5,9.5,1.5]' },
  { type: 'object', first: '{"a":1,"b":{"c":"x"}}', second: '{"a":2,"b":{"c":"y"}}' },
  { type: 'object[]', first: '[{"a":1},{"b":"x"}]', second: '[{"a":3}]' },
  { type: 'auto', first: 'learned', second: 'changed' },
  { type: 'string*', first: 'as it came', second: 'again' },
];

/** A leaf of an object, and what the object's own case means for it. */
const leaves = (type: string, text: Cell): Record<string, Cell> => {
  const value = JSON.parse(String(text)) as Record<string, unknown>;
  if (type === 'object') return { '.a': Number(value['a']), '.b.c': (value['b'] as { c: string }).c };
  return {};
};

/** Each type in a collection of its own: a server that lacks one type still shows the others. */
export const fieldTypes: Scenario = {
  id: 'field-types',
  title: 'Every field type: insert, read, change, remove',
  async run(server, problems) {
    for (const [index, { type, more, first, second }] of CASES.entries()) {
      const what = `${type}${more === undefined ? '' : ` ${JSON.stringify(more)}`}`;
      const table = await createCollection(server, `type-${index}`, [
        { name: 'n', type: 'int32' },
        { name: 'v', type, optional: true, ...more },
      ]);
      const written: Row = type === 'object' ? { 'v.a': 1, 'v.b.c': 'x' } : { v: first };
      const changed: Row = type === 'object' ? { 'v.a': 2, 'v.b.c': 'y' } : { v: second };
      const whole = type === 'object[]';
      if (type === 'object' || whole) {
        // Leaves are columns once a document has brought them.
        await server.must('POST', `/collections/${table}/documents`, {
          id: 'seed',
          n: 0,
          v: JSON.parse(String(first)) as unknown,
        });
        await server.session.describeTable({ namespace: [], name: table }, server.options);
      }
      if (whole) {
        const [seed] = await readRows(server, table);
        problems.same(`${what}, read`, seed, { id: 'seed', n: 0, 'v.a': '[1,null]', 'v.b': '[null,"x"]' });
        continue;
      }
      const inserted = await save(server, table, insertion({ id: 'x', n: 1, ...written }));
      problems.same(
        `${what}, inserted`,
        inserted.map(({ outcome }) => outcome),
        ['saved'],
      );
      const row = async (): Promise<unknown> => (await readRows(server, table)).find(({ id }) => id === 'x');
      const expected = (value: Cell): unknown => ({
        id: 'x',
        n: 1,
        ...(type === 'object'
          ? Object.fromEntries(Object.entries(leaves(type, value)).map(([leaf, cell]) => [`v${leaf}`, cell]))
          : { v: value }),
      });
      problems.same(`${what}, read after the insert`, await row(), expected(first));
      const updated = await save(server, table, updating('x', changed));
      problems.same(
        `${what}, changed`,
        updated.map(({ outcome }) => outcome),
        ['saved'],
      );
      problems.same(`${what}, read after the change`, await row(), expected(second));
      if (type === 'object') continue;
      const removed = await save(server, table, updating('x', { v: null }));
      problems.same(
        `${what}, removed`,
        removed.map(({ outcome }) => outcome),
        ['saved'],
      );
      problems.same(`${what}, read after the removal`, await row(), { id: 'x', n: 1 });
    }
  },
};
