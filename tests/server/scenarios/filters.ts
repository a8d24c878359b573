import { isDriverError } from '@tabularium/sdk';
import type { FilterCondition, FilterOperator } from '@tabularium/sdk';
import { createCollection, importDocuments, readRows } from '../scenario.ts';
import type { Scenario, ServerUnderTest } from '../scenario.ts';

const TEXTS = [
  ...['plain', 'two words', 'a && b', 'a || b', 'x:>1', '[a..b]', '(y)', 'it,s', '"quoted"', "o'clock", 'C++', 'back\\slash'],
  ...['Größe', 'naïve café', '100%', '-5', '!not', '*', 'a*', '$x', '_z_', '日本', '---', 'tab\there', 'e=mc²', '…', 'id:=1'],
];
const NUMBERS = [-2_147_483_648, -7, 0, 1, 2, 3, 99, 2_147_483_647];
const COMPARISONS: Partial<Record<FilterOperator, (value: number, other: number) => boolean>> = {
  equals: (value, other) => value === other,
  notEquals: (value, other) => value !== other,
  greaterThan: (value, other) => value > other,
  greaterOrEqual: (value, other) => value >= other,
  lessThan: (value, other) => value < other,
  lessOrEqual: (value, other) => value <= other,
};

async function idsOf(server: ServerUnderTest, table: string, ...conditions: FilterCondition[]): Promise<string[]> {
  const rows = await readRows(server, table, { filter: { match: 'all', conditions } });
  return rows.map(({ id }) => String(id)).toSorted();
}

/**
 * Values that look like syntax, and every comparison of numbers. The server compares text by its words, so a text must at least find itself
 * and its refusal must be a sentence about the value.
 */
export const filters: Scenario = {
  id: 'filters',
  title: 'Filters: values that look like syntax, every comparison, truth values',
  async run(server, problems) {
    const table = await createCollection(server, 'filters', [
      { name: 't', type: 'string' },
      { name: 'ja', type: 'string', locale: 'ja' },
      { name: 'n', type: 'int32' },
      { name: 'f', type: 'float' },
      { name: 'b', type: 'bool' },
    ]);
    const documents = TEXTS.map((t, index) => {
      const n = NUMBERS[index % NUMBERS.length] ?? 0;
      return { id: `d${index}`, t, ja: t, n, f: n / 4, b: index % 2 === 0 };
    });
    await importDocuments(
      server,
      table,
      documents.map((document) => JSON.stringify(document)),
    );
    const all = documents.map(({ id }) => id).toSorted();
    for (const column of ['t', 'ja'])
      for (const { id, t } of documents) {
        const said = `${column} ${JSON.stringify(t)}`;
        try {
          const same = await idsOf(server, table, { column, operator: 'equals', values: [t] });
          problems.holds(`${said} does not equal itself`, same.includes(id));
          const listed = await idsOf(server, table, { column, operator: 'in', values: [t, 'plain'] });
          problems.holds(`${said} is not in a list with itself`, listed.includes(id) && listed.includes('d0'));
          const others = await idsOf(server, table, { column, operator: 'notEquals', values: [t] });
          problems.same(`${said}: equal and not equal together`, [...same, ...others].toSorted(), all);
          const unlisted = await idsOf(server, table, { column, operator: 'notIn', values: [t, 'plain'] });
          problems.same(`${said}: in a list and not in it together`, [...listed, ...unlisted].toSorted(), all);
          problems.holds(
            `${said} does not contain itself`,
            (await idsOf(server, table, { column, operator: 'contains', values: [t] })).includes(id),
          );
        } catch (error) {
          // Punctuation alone has no word, nor have signs of a language that the field does not have.
          const wordless = !/[a-z0-9]/i.test(t);
          const refused = isDriverError(error) && error.code === 'INVALID_INPUT' && /word|value/i.test(error.message);
          const inList = t.endsWith('*') && /in a list/.test(String(error));
          problems.holds(`${said}: ${String(error)}`, refused && (wordless || inList));
        }
      }
    for (const [column, factor] of [
      ['n', 1],
      ['f', 4],
    ] as const)
      for (const [operator, passes] of Object.entries(COMPARISONS))
        for (const other of NUMBERS) {
          const values = [String(other / factor)];
          const got = await idsOf(server, table, { column, operator: operator as FilterOperator, values });
          const expected = documents.filter(({ n }) => passes(n, other)).map(({ id }) => id);
          problems.same(`${column} ${operator} ${values.join('')}`, got, expected.toSorted());
        }
    for (const value of [true, false])
      problems.same(
        `b equals ${value}`,
        await idsOf(server, table, { column: 'b', operator: 'equals', values: [String(value)] }),
        documents
          .filter(({ b }) => b === value)
          .map(({ id }) => id)
          .toSorted(),
      );
  },
};
