import { createCollection, importDocuments, insertion, readRows, save, updating } from '../scenario.ts';
import type { Scenario } from '../scenario.ts';

const ENDS = [
  '-9223372036854775808',
  '-9223372036854775807',
  '-9007199254740993',
  '-9007199254740991',
  '0',
  '9007199254740991',
  '9007199254740993',
  '9223372036854775806',
  '9223372036854775807',
];

const cellOf = (digits: string): number | string => (Number.isSafeInteger(Number(digits)) ? Number(digits) : digits);

/** Neighbours that are equal as floating-point numbers stay apart. */
export const longIntegers: Scenario = {
  id: 'long-integers',
  title: 'Both ends of int64: read, filter, sort, change, export',
  async run(server, problems) {
    const table = await createCollection(server, 'long', [{ name: 'big', type: 'int64' }]);
    const mixed = ENDS.map((digits, index) => [`d${index}`, digits] as const).toSorted(([a], [b]) => (a < b ? 1 : -1));
    await importDocuments(
      server,
      table,
      mixed.map(([id, digits]) => `{"id":"${id}","big":${digits}}`),
    );
    const sorts = [{ column: 'big', direction: 'ascending' as const }];
    const cells = (await readRows(server, table, { sorts })).map(({ big }) => big);
    // Real servers sort the smallest one as if it were missing, so it comes last in both directions.
    const [smallest, ...others] = ENDS.map(cellOf);
    problems.same('sorted', cells, [...others, smallest]);
    for (const digits of ENDS) {
      const conditions = [{ column: 'big', operator: 'equals' as const, values: [digits] }];
      const found = await readRows(server, table, { filter: { match: 'all', conditions } });
      problems.same(
        `equals ${digits}`,
        found.map(({ big }) => big),
        [cellOf(digits)],
      );
    }
    const between = { column: 'big', operator: 'between' as const, values: ['9007199254740992', '9223372036854775806'] };
    const inside = await readRows(server, table, { filter: { match: 'all', conditions: [between] }, sorts });
    problems.same(
      'between',
      inside.map(({ big }) => big),
      ['9007199254740993', '9223372036854775806'],
    );
    const [last] = ENDS.slice(-1);
    const outcomes = await save(
      server,
      table,
      updating('d4', { big: last ?? '' }),
      insertion({ id: 'new', big: '-9223372036854775808' }),
      insertion({ id: 'beyond', big: '9223372036854775808' }),
    );
    problems.same(
      'saved',
      outcomes.map(({ outcome }) => outcome),
      ['saved', 'saved', 'failed'],
    );
    const { text } = await server.ask('GET', `/collections/${table}/documents/export`);
    const lines = new Map(
      text.split('\n').map((line) => [/"id":\s*"([^"]*)"/.exec(line)?.[1], /"big":\s*(-?\d+)/.exec(line)?.[1]]),
    );
    problems.same('d4 in the export', lines.get('d4'), '9223372036854775807');
    problems.same('the new document in the export', lines.get('new'), '-9223372036854775808');
  },
};
