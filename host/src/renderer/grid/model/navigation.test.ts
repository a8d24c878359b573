import { describe, expect, it } from 'vitest';
import { HEADER_ROW, moveBy } from './navigation.ts';

const size = { rows: 200_000, columns: 12, screenRows: 20 };
const from = { row: 50, column: 5 };
const press = (key: string, command = false) => moveBy(from, { key, command }, size);

describe('moveBy', () => {
  it.each([
    ['ArrowUp', false, { row: 49, column: 5 }],
    ['ArrowDown', false, { row: 51, column: 5 }],
    ['ArrowLeft', false, { row: 50, column: 4 }],
    ['ArrowRight', false, { row: 50, column: 6 }],
    ['Home', false, { row: 50, column: 0 }],
    ['End', false, { row: 50, column: 11 }],
    ['PageDown', false, { row: 69, column: 5 }],
    ['PageUp', false, { row: 31, column: 5 }],
    ['ArrowUp', true, { row: 0, column: 5 }],
    ['ArrowDown', true, { row: 199_999, column: 5 }],
    ['ArrowLeft', true, { row: 50, column: 0 }],
    ['ArrowRight', true, { row: 50, column: 11 }],
    ['Home', true, { row: 0, column: 0 }],
    ['End', true, { row: 199_999, column: 11 }],
  ])('%s (with Ctrl: %s)', (key, command, to) => {
    expect(press(key, command)).toEqual(to);
  });

  it('stops at the edges, but for the header above the first row', () => {
    expect(moveBy({ row: 0, column: 0 }, { key: 'ArrowLeft', command: false }, size)).toEqual({ row: 0, column: 0 });
    expect(moveBy({ row: 199_999, column: 11 }, { key: 'PageDown', command: false }, size)).toEqual({ row: 199_999, column: 11 });
    expect(moveBy({ row: 0, column: 3 }, { key: 'ArrowUp', command: false }, size)).toEqual({ row: HEADER_ROW, column: 3 });
    expect(moveBy({ row: HEADER_ROW, column: 3 }, { key: 'ArrowRight', command: false }, size)).toEqual({
      row: HEADER_ROW,
      column: 4,
    });
    expect(moveBy({ row: HEADER_ROW, column: 3 }, { key: 'ArrowDown', command: false }, size)).toEqual({ row: 0, column: 3 });
  });

  it('leaves other keys to others', () => {
    expect(press('a')).toBeUndefined();
    expect(press('Tab')).toBeUndefined();
  });
});
