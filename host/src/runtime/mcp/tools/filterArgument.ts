import { FILTER_OPERATORS, FILTER_VALUES } from '@tabularium/sdk';
import type { Filter, FilterOperator, TableDescription } from '@tabularium/sdk';
import type { Manifest } from '@tabularium/sdk/manifest';
import { z } from 'zod';
import { describedOperators } from './describeTable.ts';
import { ToolFailure } from './tool.ts';

/** The argument that selects rows. No text in the database's own language: that would be a statement that bypasses the policy. */
export const filterArguments = {
  filters: z
    .array(
      z.strictObject({
        column: z.string().min(1).max(500),
        operator: z.enum(FILTER_OPERATORS).describe('One of filterOperators that describe_table gives for the column.'),
        values: z
          .array(z.union([z.string().max(100_000), z.number(), z.boolean()]))
          .max(10_000)
          .default([])
          .describe('One value; two for between (low, high); several for in and notIn; none for isNull and the like.'),
      }),
    )
    .max(100)
    .default([]),
  match: z.enum(['all', 'any']).default('all').describe('Whether all filters must hold, or any of them.'),
};

/** @throws ToolFailure `INVALID_INPUT` with the words that help */
export function toFilter(
  args: z.output<z.ZodObject<typeof filterArguments>>,
  description: TableDescription,
  manifest: Manifest,
): Filter {
  for (const { column, operator, values } of args.filters) {
    const known = description.columns.find(({ name }) => name === column);
    if (known === undefined) {
      throw new ToolFailure('INVALID_INPUT', `There is no column "${column}".`, 'Call describe_table to list the columns.');
    }
    const operators = describedOperators(manifest, known);
    if (!operators.includes(operator)) {
      throw new ToolFailure(
        'INVALID_INPUT',
        `"${column}" cannot be filtered with ${operator}.`,
        operators.length === 0 ? 'It cannot be filtered at all.' : `Use one of ${operators.join(', ')}.`,
      );
    }
    if (!hasRightCount(operator, values.length)) {
      throw new ToolFailure(
        'INVALID_INPUT',
        `${operator} takes ${FILTER_VALUES[operator]} value(s), not ${values.length}.`,
        'Correct the filter.',
      );
    }
  }
  return {
    match: args.match,
    conditions: args.filters.map(({ column, operator, values }) => ({ column, operator, values: values.map(String) })),
  };
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
