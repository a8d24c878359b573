import { expect, it } from 'vitest';
import { storedFirstWidths, withFirstWidths } from './firstWidths.ts';
import type { GridColumn } from './gridColumns.ts';

const column = (name: string, type: string, width: number): GridColumn => ({
  name,
  type,
  width,
  source: 0,
  kind: 'text',
  sortable: { allowed: true },
  isKey: false,
  alignEnd: false,
});
const fitted = [column('id', 'int32', 72), column('__proto__', 'string', 210)];
const described = fitted.map((one) => ({ ...one, width: 200 }));
const stored: unknown = JSON.parse(JSON.stringify(storedFirstWidths(fitted)));

it('gives a table the widths that it had before', () => {
  expect(withFirstWidths(described, stored)).toEqual(fitted);
});

it('measures again where a column is new or has another type', () => {
  expect(withFirstWidths([...described, column('note', 'string', 200)], stored)).toBeUndefined();
  expect(withFirstWidths([column('id', 'string', 200)], stored)).toBeUndefined();
});

it('measures again where what is stored has another shape', () => {
  for (const other of [undefined, null, 'widths', [['id', 'int32', -1]], [['id', 72]]])
    expect(withFirstWidths(described, other)).toBeUndefined();
});
