import { NO_FILTER, decodeBatch, encodeBatch } from '@tabularium/sdk';
import type { FilterOperator } from '@tabularium/sdk';
import { compareCells, conditionTest } from '../orchard/filtering.ts';
import { acts, decides } from '../seeded.ts';
import type { Seeded } from '../seeded.ts';

const EQUAL = ['core', 'equality finds what is equal and nothing else'] as const;
const OPERATORS = ['core', 'every operator that the manifest offers finds the rows that its name says'] as const;
const RAW = ['core', "a raw filter is honoured or refused, and so is a value that is none of its column's"] as const;

const ANY = ['core', 'all and any of two conditions are distinguished'] as const;

const everything = (): boolean => true;

/** One operator that is taken for another. */
function mistaken(name: string, says: RegExp, from: FilterOperator, to: FilterOperator): Seeded {
  return decides(name, OPERATORS, says, {
    condition: (condition, table, parts) =>
      conditionTest(condition.operator === from ? { ...condition, operator: to } : condition, table, parts),
  });
}

export const filteringFaults: readonly Seeded[] = [
  acts('a filter that is ignored', EQUAL, /came and should not/, (session) => ({
    readPage: (asked, options) => session.readPage({ ...asked, filter: NO_FILTER }, options),
    countRows: ({ table }, options) => session.countRows({ table, filter: NO_FILTER }, options),
  })),
  decides('one operator that is ignored', OPERATORS, /endsWith.*came and should not/, {
    condition: (condition, table, parts) =>
      condition.operator === 'endsWith' ? everything : conditionTest(condition, table, parts),
  }),
  decides('equality that does not mind letter case', OPERATORS, /equals.*came and should not/, {
    equalText: (a, b) => a.toLowerCase() === b.toLowerCase(),
  }),
  decides('equality that is satisfied with a part', EQUAL, /came and should not/, { equalText: (a, b) => a.includes(b) }),
  decides('equality of long numbers as doubles', EQUAL, /came and should not/, {
    order: (a, b, column) => (column.kind === 'integer' ? Number(a) - Number(b) : compareCells(a, b, column)),
  }),
  decides('numbers compared as text', ['core', 'comparisons of numbers are exact'], /missing|should not/, {
    order: (a, b) => (String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0),
  }),
  mistaken('a range without its upper end', /between.*is missing/, 'between', 'equals'),
  mistaken('more than for as much or more', /greaterOrEqual.*is missing/, 'greaterOrEqual', 'greaterThan'),
  mistaken('a beginning that is looked for anywhere', /startsWith.*came and should not/, 'startsWith', 'contains'),
  decides('empty for null', OPERATORS, /isNull.*(?:missing|should not)/, {
    condition: (condition, table, parts) =>
      conditionTest(
        condition.operator === 'isNull' && condition.column === 'name' ? { ...condition, operator: 'isEmpty' } : condition,
        table,
        parts,
      ),
  }),
  mistaken('one of a list for none of it', /notIn/, 'notIn', 'in'),
  decides('a list of which only the first value counts', OPERATORS, /in \[.*,.*is missing/, {
    condition: (condition, table, parts) =>
      conditionTest(
        condition.operator === 'in' ? { ...condition, values: condition.values.slice(0, 1) } : condition,
        table,
        parts,
      ),
  }),
  decides('an operator that the manifest offers and the driver lacks', OPERATORS, /refused for every value/, {
    condition: (condition, table, parts) =>
      conditionTest(condition.operator === 'notContains' ? { ...condition, operator: 'matchesRegex' } : condition, table, parts),
  }),
  decides('any taken for all', ['core', 'all and any of two conditions are distinguished'], / or .*is missing/, {
    together: (_filter, tests) => (row) => tests.every((test) => test(row)),
  }),
  acts('a row that passes two of any conditions, and comes for each', ANY, / or .*rows came twice/, (session) => ({
    readPage: async (asked, options) => {
      const page = await session.readPage(asked, options);
      if (asked.filter.match !== 'any' || asked.filter.conditions.length < 2) return page;
      const { columns, rows } = decodeBatch(page.batch);
      const all = await session.readPage({ ...asked, filter: { ...asked.filter, match: 'all' } }, options);
      const twice = [...rows, ...decodeBatch(all.batch).rows];
      return {
        ...page,
        rowCount: twice.length,
        total: { rows: twice.length, exact: true },
        batch: encodeBatch({ columns, rows: twice }),
      };
    },
    countRows: async (asked, options) => ({ ...(await session.countRows(asked, options)), exact: false }),
  })),
  decides('of two conditions only the first', ['core', 'a range, and a truth value'], /came and should not/, {
    together: (_filter, tests) => (row) => tests[0]?.(row) ?? true,
  }),
  decides('an end of a name that is looked for at its beginning', ['core', 'an end of a name'], /missing|should not/, {
    condition: (condition, table, parts) =>
      conditionTest(condition.operator === 'endsWith' ? { ...condition, operator: 'startsWith' } : condition, table, parts),
  }),
  decides(
    'an operator that the manifest refuses, and lets everything pass',
    ['core', 'an operator that the manifest refuses is refused'],
    /succeeded/,
    {
      condition: (condition, table, parts) =>
        condition.operator === 'matchesRegex' ? everything : conditionTest(condition, table, parts),
    },
  ),
  decides(
    'a value that is pasted into a pattern',
    ['core', 'no value changes what a filter means'],
    /finds \d+ rows that do not hold it/,
    {
      condition: (condition, table, parts) => {
        const [first = ''] = condition.values;
        return first === '%' || first === '*' ? everything : conditionTest(condition, table, parts);
      },
    },
  ),
  decides('a quotation mark that ends the value', ['core', 'no value changes what a filter means'], /threw/, {
    condition: (condition, table, parts) => {
      if (condition.values.some((value) => value.includes("'"))) throw new SyntaxError('unterminated string');
      return conditionTest(condition, table, parts);
    },
  }),
  decides(
    'a column that is not there, and lets everything pass',
    ['core', 'a filter on a column that does not exist is refused'],
    /succeeded/,
    {
      condition: (condition, table, parts) =>
        table.columns.some(({ name }) => name === condition.column) ? conditionTest(condition, table, parts) : everything,
    },
  ),
  decides(
    'a column name that is pasted into the filter',
    ['core', "a hostile column name isn't a column, in filters and in sorts"],
    /succeeds, but the column doesn't exist/,
    {
      condition: (condition, table, parts) =>
        condition.column.includes('OR') ? everything : conditionTest(condition, table, parts),
    },
  ),
  decides('a raw filter that is ignored', RAW, /raw filter.*succeeded/, { raw: () => undefined }),
  decides("a value that isn't a number, and passes for zero", RAW, /"twelve" finds/, {
    condition: (condition, table, parts) =>
      conditionTest({ ...condition, values: condition.values.map((value) => (value === 'twelve' ? '0' : value)) }, table, parts),
  }),
];
