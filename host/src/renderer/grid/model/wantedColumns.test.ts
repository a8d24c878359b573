import { expect, it } from 'vitest';
import { WantedColumns } from './wantedColumns.ts';

const columns = ['id', 'name', 'vector'];

it('hidden columns are left out of reads, those of the key are not', () => {
  expect(new WantedColumns([]).of(columns, ['id'])).toBeUndefined();
  expect(new WantedColumns(['vector', 'gone']).of(columns, ['id'])).toEqual(['id', 'name']);
  expect(new WantedColumns(['id']).of(columns, ['id'])).toBeUndefined();
});

it('rows are read again when a column is shown that a read left out, and only then', () => {
  const wanted = new WantedColumns(['vector']);
  expect(wanted.hide(['vector', 'name'])).toBe(false);
  expect(wanted.of(columns, ['id'])).toEqual(['id']);
  expect(wanted.hide(['vector', 'name'])).toBe(false);
  expect(wanted.hide(['vector'])).toBe(true);
  // Read again, with the column.
  expect(wanted.of(columns, ['id'])).toEqual(['id', 'name']);
  expect(wanted.hide(['vector', 'name'])).toBe(false);
  expect(wanted.hide(['vector'])).toBe(false);
  expect(wanted.hide([])).toBe(true);
});
