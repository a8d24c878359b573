import { describe, expect, it } from 'vitest';
import { columnEdges, visibleColumns, visibleRows, widen } from './gridWindow.ts';

describe('visibleRows', () => {
  it('counts rows that show in part', () => {
    expect(visibleRows(0, 280, 28, 100)).toEqual({ first: 0, last: 9 });
    expect(visibleRows(14, 280, 28, 100)).toEqual({ first: 0, last: 10 });
  });

  it('ends at the last row', () => {
    expect(visibleRows(100 * 28 - 280, 280, 28, 100)).toEqual({ first: 90, last: 99 });
    expect(visibleRows(1_000_000, 280, 28, 100)).toEqual({ first: 99, last: 99 });
  });

  it('shows nothing of nothing', () => {
    expect(visibleRows(0, 280, 28, 0)).toEqual({ first: 0, last: -1 });
    expect(visibleRows(0, 0, 28, 10)).toEqual({ first: 0, last: -1 });
    expect(widen({ first: 0, last: -1 }, 5, 10)).toEqual({ first: 0, last: -1 });
  });

  it('is widened within the table', () => {
    expect(widen({ first: 3, last: 10 }, 6, 12)).toEqual({ first: 0, last: 11 });
  });
});

describe('visibleColumns', () => {
  const edges = columnEdges([100, 50, 200, 80, 120]);

  it('adds up the widths', () => {
    expect(edges).toEqual([0, 100, 150, 350, 430, 550]);
  });

  it('leaves out columns that are scrolled away or under the frozen columns', () => {
    expect(visibleColumns(edges, 1, 0, 300)).toEqual({ first: 1, last: 2 });
    expect(visibleColumns(edges, 1, 60, 300)).toEqual({ first: 2, last: 3 });
    expect(visibleColumns(edges, 1, 250, 300)).toEqual({ first: 3, last: 4 });
  });

  it('is empty where every column is frozen', () => {
    const { first, last } = visibleColumns(edges, 5, 0, 300);
    expect(last).toBeLessThan(first);
  });
});
