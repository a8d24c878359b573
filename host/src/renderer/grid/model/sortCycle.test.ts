import type { Sort } from '@tabularium/sdk';
import { describe, expect, it } from 'vitest';
import { cycleSort } from './sortCycle.ts';

const up = (column: string): Sort => ({ column, direction: 'ascending' });
const down = (column: string): Sort => ({ column, direction: 'descending' });

describe('cycleSort', () => {
  it('goes from ascending over descending to none', () => {
    expect(cycleSort([], 'a', false, 3).sorts).toEqual([up('a')]);
    expect(cycleSort([up('a')], 'a', false, 3).sorts).toEqual([down('a')]);
    expect(cycleSort([down('a')], 'a', false, 3).sorts).toEqual([]);
  });

  it('sorts by one column alone without Shift', () => {
    expect(cycleSort([up('a'), down('b')], 'c', false, 3).sorts).toEqual([up('c')]);
    expect(cycleSort([up('a'), up('b')], 'b', false, 3).sorts).toEqual([down('b')]);
  });

  it('adds, turns and takes away with Shift, and keeps the order', () => {
    expect(cycleSort([up('a')], 'b', true, 3).sorts).toEqual([up('a'), up('b')]);
    expect(cycleSort([up('a'), up('b')], 'a', true, 3).sorts).toEqual([down('a'), up('b')]);
    expect(cycleSort([down('a'), up('b')], 'a', true, 3).sorts).toEqual([up('b')]);
  });

  it('says so at the limit, and changes nothing', () => {
    const three = [up('a'), up('b'), up('c')];
    expect(cycleSort(three, 'd', true, 3)).toEqual({ sorts: three, limitReached: true });
    expect(cycleSort(three, 'c', true, 3).limitReached).toBe(false);
    expect(cycleSort([], 'a', false, 0)).toEqual({ sorts: [], limitReached: true });
  });
});
