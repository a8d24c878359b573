import { FILTER_OPERATORS, FILTER_VALUES } from '@tabularium/sdk';
import type { Filter, FilterOperator, TableDescription } from '@tabularium/sdk';
import type { Manifest } from '@tabularium/sdk/manifest';
import { z } from 'zod';
import { describedOperators } from './describeTable.ts';
import { didYouMean } from './nearestName.ts';
import { columnNameArgument, requireColumn } from './tableArgument.ts';
import { ToolFailure } from './tool.ts';

/** The argument that selects rows. No text in the database's own language: that would be a statement that bypasses the policy. */
export const filterArguments = {
  filters: z
    .array(
      z.strictObject({
        column: columnNameArgument,
        operator: z.string().max(100).describe('Of the column, by describe_table.'),
        values: z
          .array(z.union([z.string().max(100_000), z.number(), z.boolean()]))
          .max(10_000)
          .default([])
          .describe('Two for between and withinRadius ("48.85, 2.35", "5 km"), several for in, none for isNull.'),
      }),
    )
    .max(100)
    .default([]),
  match: z.enum(['all', 'any']).default('all'),
};

/** @throws ToolFailure `INVALID_INPUT` with the words that help */
export function toFilter(
  args: z.output<z.ZodObject<typeof filterArguments>>,
  description: TableDescription,
  manifest: Manifest,
): Filter {
  for (const { column, operator, values } of args.filters) {
    const operators = describedOperators(manifest, requireColumn(column, description));
    if (!isFilterOperator(operator) || !operators.includes(operator)) {
      throw new ToolFailure(
        'INVALID_INPUT',
        `"${column}" cannot be filtered with ${JSON.stringify(operator)}.`,
        operators.length === 0
          ? 'It cannot be filtered at all. Filter by another column, or read its rows.'
          : `${didYouMean(OTHER_OPERATORS[operator.toLowerCase()] ?? operator, operators)} Use one of ${operators.join(', ')}.`.trim(),
      );
    }
    if (!hasRightCount(operator, values.length)) {
      throw new ToolFailure(
        'INVALID_INPUT',
        `${operator} on "${column}" takes ${COUNT_WORDS[FILTER_VALUES[operator]]}, not ${values.length}.`,
        FILTER_VALUES[operator] === 'none' ? 'Leave values out.' : 'Give values as a list, such as ["a"].',
      );
    }
  }
  return {
    match: args.match,
    conditions: args.filters.flatMap(({ column, operator, values }) =>
      isFilterOperator(operator) ? [{ column, operator, values: values.map(String) }] : [],
    ),
  };
}

const COUNT_WORDS = {
  none: 'no value',
  one: 'one value',
  two: 'two values, the lower or the point first',
  many: 'one value or more',
} as const;

/** Operators of other languages, as models write them. */
const OTHER_OPERATORS: Readonly<Record<string, string>> = Object.assign(Object.create(null) as Record<string, string>, {
  '=': 'equals',
  '==': 'equals',
  ':=': 'equals',
  eq: 'equals',
  is: 'equals',
  '!=': 'notEquals',
  '<>': 'notEquals',
  ne: 'notEquals',
  neq: 'notEquals',
  '>': 'greaterThan',
  gt: 'greaterThan',
  '<': 'lessThan',
  lt: 'lessThan',
  '>=': 'greaterOrEqual',
  gte: 'greaterOrEqual',
  '<=': 'lessOrEqual',
  lte: 'lessOrEqual',
  like: 'contains',
  ilike: 'contains',
  includes: 'contains',
  startswith: 'startsWith',
  prefix: 'startsWith',
  endswith: 'endsWith',
  null: 'isNull',
});

function isFilterOperator(operator: string): operator is FilterOperator {
  return (FILTER_OPERATORS as readonly string[]).includes(operator);
}

function hasRightCount(operator: FilterOperator, count: number): boolean {
  switch (FILTER_VALUES[operator]) {
    case 'none':
      return count === 0;
    case 'one':
      return count === 1;
    case 'two':
      return count === 2;
    case 'many':
      return count >= 1;
  }
}
