import { describe, expect, it } from 'vitest';
import {
  DESCRIBED_LAYOUT,
  arranged,
  columnLayoutSchema,
  isDescribed,
  moved,
  storedLayout,
  withDate,
  withHidden,
  withWidths,
} from './columnLayout.ts';
import type { GridColumn, GridColumns } from './gridColumns.ts';

const column = (name: string, source: number, more: Partial<GridColumn> = {}): GridColumn => ({
  name,
  source,
  kind: 'text',
  type: 'string',
  sortable: { allowed: true },
  isKey: false,
  alignEnd: false,
  width: 100,
  ...more,
});
const DESCRIBED: GridColumns = {
  columns: [column('id', 0, { isKey: true }), column('a', 1), column('b', 2, { kind: 'integer' }), column('c', 3)],
  frozen: 1,
};
const names = ({ columns }: GridColumns): string[] => columns.map(({ name }) => name);

describe('an arrangement', () => {
  it('is the description until something is changed', () => {
    expect(arranged(DESCRIBED, DESCRIBED_LAYOUT)).toEqual(DESCRIBED);
    expect(isDescribed(DESCRIBED_LAYOUT)).toBe(true);
  });

  it('moves columns to the left and to the right, past hidden ones', () => {
    const left = moved(DESCRIBED, DESCRIBED_LAYOUT, 'c', 1);
    expect(names(arranged(DESCRIBED, left))).toEqual(['id', 'c', 'a', 'b']);
    expect(names(arranged(DESCRIBED, moved(DESCRIBED, left, 'c', 3)))).toEqual(['id', 'a', 'b', 'c']);
    const hidden = withHidden(DESCRIBED_LAYOUT, 'b', true);
    expect(names(arranged(DESCRIBED, moved(DESCRIBED, hidden, 'a', 2)))).toEqual(['id', 'c', 'a']);
    expect(names(arranged(DESCRIBED, withHidden(moved(DESCRIBED, hidden, 'a', 2), 'b', false)))).toEqual(['id', 'b', 'c', 'a']);
    expect(moved(DESCRIBED, DESCRIBED_LAYOUT, 'c', 99)).toBe(DESCRIBED_LAYOUT);
  });

  it('keeps the place of a column in its row', () => {
    const { columns } = arranged(DESCRIBED, moved(DESCRIBED, DESCRIBED_LAYOUT, 'c', 0));
    expect(columns.map(({ source }) => source)).toEqual([3, 0, 1, 2]);
  });

  it('freezes the key while it is first, or the chosen number of columns', () => {
    expect(arranged(DESCRIBED, moved(DESCRIBED, DESCRIBED_LAYOUT, 'id', 2)).frozen).toBe(0);
    expect(arranged(DESCRIBED, { ...DESCRIBED_LAYOUT, frozen: 2 }).frozen).toBe(2);
    expect(arranged(DESCRIBED, { ...DESCRIBED_LAYOUT, frozen: 5 }).frozen).toBe(3);
    expect(arranged(DESCRIBED, { ...DESCRIBED_LAYOUT, frozen: 0 }).frozen).toBe(0);
  });

  it('shows all columns rather than none', () => {
    expect(arranged(DESCRIBED, { ...DESCRIBED_LAYOUT, hidden: ['id', 'a', 'b', 'c'] }).columns).toHaveLength(4);
  });

  it('shows integers as dates, and nothing else', () => {
    const layout = withDate(withDate(DESCRIBED_LAYOUT, 'b', 'seconds'), 'a', 'seconds');
    const units = arranged(DESCRIBED, layout).columns.map(({ dateUnit }) => dateUnit);
    expect(units).toEqual([undefined, undefined, 'seconds', undefined]);
    expect(withDate(withDate(DESCRIBED_LAYOUT, 'b', 'seconds'), 'b', undefined)).toEqual(DESCRIBED_LAYOUT);
  });

  it('takes nothing from Object.prototype for columns with the names of its members, and keeps their widths', () => {
    const members = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'];
    const described = { columns: members.map((name, source) => column(name, source, { kind: 'integer' })), frozen: 0 };
    const look = ({ columns }: GridColumns) => columns.map(({ name, width, dateUnit }) => [name, width, dateUnit]);
    expect(look(arranged(described, DESCRIBED_LAYOUT))).toEqual(members.map((name) => [name, 100, undefined]));
    let layout = withWidths(DESCRIBED_LAYOUT, Object.fromEntries(members.map((name) => [name, 200])));
    for (const name of members) layout = withDate(withWidths(layout, { [name]: 300 }), name, 'seconds');
    expect(look(arranged(described, layout))).toEqual(members.map((name) => [name, 300, 'seconds']));
    const stored: unknown = JSON.parse(JSON.stringify(storedLayout(layout)));
    expect(look(arranged(described, columnLayoutSchema.parse(stored)))).toEqual(members.map((name) => [name, 300, 'seconds']));
  });

  it('is read as it was stored before, with objects', () => {
    const layout = columnLayoutSchema.parse({ order: [], hidden: [], widths: { a: 100 }, dates: { b: 'seconds' } });
    expect([...layout.widths, ...layout.dates]).toEqual([
      ['a', 100],
      ['b', 'seconds'],
    ]);
  });

  it('holds widths within bounds, and is one that can be kept', () => {
    const layout = withWidths(DESCRIBED_LAYOUT, { a: 5, b: 99_999, c: 120.4 });
    expect(Object.fromEntries(layout.widths)).toEqual({ a: 56, b: 1_200, c: 120 });
    expect(columnLayoutSchema.parse(JSON.parse(JSON.stringify(storedLayout(layout))))).toEqual(layout);
    expect(isDescribed(layout)).toBe(false);
  });
});
