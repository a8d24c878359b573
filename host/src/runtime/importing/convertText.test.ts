import type { Column } from '@tabularium/sdk';
import { describe, expect, it } from 'vitest';
import { requirePlainNumber, UnfitValue } from './convertText.ts';
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

describe('a number that the first rows let expect', () => {
  it.each([
    ['a column that the table does not have', 'code', 1],
    ['a column of numbers', 'count', 0],
  ])('is refused of a later code such as 001500 in %s', async (_, name, unfit) => {
    const rows = Array.from({ length: 1_500 }, (_row, index) => String(index));
    const part = await partOfText([name, ...rows, '001500'].join('\n'), { format: 'csv' }, [column('count')], never);
    expect(part.unfit).toHaveLength(unfit);
    expect(part.rows).toBe(1_501 - unfit);
  });

  it.each(['007', '001500', '-01', '+7', ' 0012 ', '00.5'])('is not made of %s', (text) => {
    expect(() => requirePlainNumber(text, 'integer')).toThrow(UnfitValue);
    expect(() => requirePlainNumber(text, 'decimal')).toThrow(UnfitValue);
    expect(() => requirePlainNumber(text, 'text')).not.toThrow();
  });

  it.each(['0', '7', '-7', '0.5', '-0.5', '1e5', '1500', '0e3'])('is made of %s', (text) => {
    expect(() => requirePlainNumber(text, 'decimal')).not.toThrow();
  });
});
