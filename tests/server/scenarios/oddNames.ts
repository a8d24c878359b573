import { createCollection, deletion, insertion, readRows, save, updating } from '../scenario.ts';
import type { Row, Scenario } from '../scenario.ts';

const FIELDS = ['constructor', '__proto__', 'a b', 'größe', 'with-dash', 'quo"te', 'x:y', 'toString', 'UPPER', '日本'];
const IDS = [
  ...['..', '.', '...', 'a/b c', 'x`y', 'p(q)', 'a&&b', "it's", '100%', '%2F', 'a+b', '日本', '[z]', 'q?x=1', 'h#1', '"dq"'],
  ...['back\\slash', '💥', ' blank ', 'a=b', 'x,y', 'null', '0', '-1', 'constructor', 'o\u0301', 'ó'],
];

/** Names and ids that are hard to write in a path, a filter or a program. */
export const oddNames: Scenario = {
  id: 'odd-names',
  title: 'Odd names of collections and fields, odd ids: insert, read, change, delete',
  async run(server, problems) {
    const fields = FIELDS.map((name) => ({ name, type: 'string', optional: true, sort: true }));
    const table = await createCollection(server, 'odd/näme %2F ..', [...fields, { name: 'n', type: 'int32' }]);
    const values: Record<string, string> = Object.create(null) as Record<string, string>;
    for (const name of FIELDS) values[name] = `of ${name}`;
    const rows: Row[] = IDS.map((id, index) => Object.assign(Object.create(null) as object, { id }, { n: index }) as Row);
    const whole = (row: Row): Row => {
      const all = Object.assign(Object.create(null) as Record<string, never>, row);
      for (const name of FIELDS) Object.defineProperty(all, name, { value: values[name], enumerable: true });
      return all;
    };
    const inserted = await save(server, table, ...rows.map((row) => insertion(whole(row))));
    for (const [index, outcome] of inserted.entries())
      problems.holds(`inserting the id ${JSON.stringify(IDS[index])}: ${JSON.stringify(outcome)}`, outcome.outcome === 'saved');
    const read = new Map((await readRows(server, table)).map((row) => [row['id'], row]));
    problems.same('ids', [...read.keys()].toSorted(), IDS.toSorted());
    for (const row of rows)
      for (const name of FIELDS)
        problems.same(`${name} of ${JSON.stringify(row['id'])}`, read.get(row['id'] ?? '')?.[name], values[name]);
    for (const name of FIELDS) {
      const sorts = [{ column: name, direction: 'ascending' as const }];
      problems.same(`sorted by ${name}`, (await readRows(server, table, { sorts })).length, IDS.length);
      const conditions = [{ column: name, operator: 'equals' as const, values: [`of ${name}`] }];
      const filtered = (): Promise<Row[]> => readRows(server, table, { filter: { match: 'all', conditions } });
      if (name.includes(':')) {
        await problems.rejected(`Filtering by ${name}, which the server's syntax can't name,`, 'UNSUPPORTED', filtered);
        continue;
      }
      problems.same(
        `filtered by ${name}`,
        (await readRows(server, table, { filter: { match: 'all', conditions } })).length,
        IDS.length,
      );
    }
    // Refused before they are sent: the server has no escape for a backtick and takes blanks off.
    for (const id of IDS.filter((one) => !one.includes('`') && one.trim() === one)) {
      const conditions = [{ column: 'id', operator: 'equals' as const, values: [id] }];
      const found = await readRows(server, table, { filter: { match: 'all', conditions } });
      problems.same(
        `filtered by the id ${JSON.stringify(id)}`,
        found.map((row) => row['id']),
        [id],
      );
    }
    const updated = await save(server, table, ...IDS.map((id) => updating(id, { n: 1_000 })));
    problems.same(
      'changed',
      updated.filter(({ outcome }) => outcome !== 'saved'),
      [],
    );
    problems.same(
      'after the change',
      (await readRows(server, table)).filter(({ n }) => n !== 1_000),
      [],
    );
    const deleted = await save(server, table, ...IDS.map((id) => deletion(id)));
    problems.same(
      'deleted',
      deleted.filter(({ outcome }) => outcome !== 'saved'),
      [],
    );
    problems.same('left', await readRows(server, table), []);
  },
};
