import type { Sort, TableDescription } from '@tabularium/sdk';
import { z } from 'zod';
import { columnNameArgument, requireColumn } from './tableArgument.ts';

/** The argument that orders rows. */
export const sortArguments = {
  sorts: z
    .array(
      z.strictObject({
        column: columnNameArgument,
        direction: z.enum(['ascending', 'descending']).default('ascending'),
      }),
    )
    .max(20)
    .default([])
    .describe('Most important first.'),
};

/** @throws ToolFailure `INVALID_INPUT` for an unknown column */
export function toSorts({ sorts }: z.output<z.ZodObject<typeof sortArguments>>, description: TableDescription): readonly Sort[] {
  for (const { column } of sorts) requireColumn(column, description);
  return sorts;
}
