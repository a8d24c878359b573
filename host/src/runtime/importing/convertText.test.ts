import type { Column } from '@tabularium/sdk';
import { expect, it } from 'vitest';
import { partOfText } from './partOfText.ts';

const never = new AbortController().signal;
const allowed = { allowed: true } as const;
const column = (name: string, specialValues?: readonly string[]): Column => ({
  ...{ name, kind: 'decimal', type: 'float8', nullable: true, editable: allowed, sortable: allowed },
  ...(specialValues === undefined ? {} : { specialValues }),
});

async function rowsOf(csv: string, columns: readonly Column[]): Promise<readonly unknown[]> {
  const part = await partOfText(csv, { format: 'csv' }, columns, never);
  return [...part.unfit.map(({ message }) => message), ...Array.from({ length: part.rows }, (_, row) => part.document(row))];
}

it('takes what a column stores besides numbers from a CSV, as an export writes it', async () => {
  const columns = [column('a', ['NaN', 'Infinity', '-Infinity']), column('b', ['NaN'])];
  expect(await rowsOf('a,b\nNaN,1.5\n-infinity, nan \n', columns)).toEqual([
    '{"a":"NaN","b":1.5}',
    '{"a":"-Infinity","b":"NaN"}',
  ]);
});

it('refuses them for a column that stores numbers alone', async () => {
  expect(await rowsOf('a,b\n1,Infinity\n', [column('a'), column('b', ['NaN'])])).toEqual([
    "“b”: “Infinity” isn't a number. Use a dot, as in 12.5.",
  ]);
});

it('keeps every digit of a number of 147,455 digits', async () => {
  const digits = '7'.repeat(147_455);
  expect(await rowsOf(`a\n${digits}\n`, [column('a')])).toEqual([`{"a":${digits}}`]);
});
