import type { Column, ColumnKind } from '@tabularium/sdk';
import { expect, it } from 'vitest';
import type { ImportFieldType } from '../../common/imports.ts';
import { prepareSource, resolvedFields } from './prepareSource.ts';

const allowed = { allowed: true } as const;
const column = (name: string, kind: ColumnKind): Column => ({
  ...{ name, kind, type: kind, nullable: true, editable: allowed, sortable: allowed },
});

/** The field of the column “Nr” of a file of whole numbers, as rows are mapped by it. */
async function fieldOf(
  columns: readonly Column[],
  { isNew = false, target = 'Nr', type }: { isNew?: boolean; target?: string; type?: ImportFieldType } = {},
) {
  const bytes = new TextEncoder().encode(`Nr\n${Array.from({ length: 20 }, (_, number) => number).join('\n')}\n`);
  const file = {
    head: async (most: number) => bytes.subarray(0, most),
    async *text(_gzip: boolean, offset: number) {
      yield bytes.slice(offset);
    },
  };
  const prepared = await prepareSource(file, undefined, columns, new AbortController().signal, isNew);
  const mapping =
    type === undefined && target === 'Nr' ? undefined : [{ source: 'Nr', target, ...(type === undefined ? {} : { type }) }];
  return resolvedFields(prepared, mapping)?.[0];
}

it.each([
  ['of a table that takes what it gets', [], {}, true],
  ['of a table that was made for these rows', [column('Nr', 'integer')], { isNew: true }, true],
  ['of a table that was there', [column('Nr', 'integer')], {}, undefined],
  ['under another name, of a table that was there', [column('count', 'integer')], { target: 'count' }, undefined],
  ['under another name, of a table that was made', [column('count', 'integer')], { isNew: true, target: 'count' }, true],
  ['whose type a person chose', [], { type: 'decimal' }, undefined],
] as const)('says that the sample alone makes numbers of a column %s: %#', async (_, columns, options, isGuessed) => {
  expect((await fieldOf(columns, options))?.isGuessed).toBe(isGuessed);
});
