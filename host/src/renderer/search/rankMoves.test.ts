import type { SearchHit } from '@tabularium/sdk';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rankMoves } from './rankMoves.ts';

const hit = (id: string): SearchHit => ({ key: [id], document: '{}', highlights: [], explanation: [], marks: [] });
const hits = (ids: string): SearchHit[] => [...ids].map(hit);

describe('the moves of ranks between two searches', () => {
  it('say who went up, who went down, who came and who left', () => {
    const moves = rankMoves(hits('abcd'), hits('baex'));
    expect(moves.second).toEqual([
      { kind: 'moved', places: 1 },
      { kind: 'moved', places: -1 },
      { kind: 'gained', places: 0 },
      { kind: 'gained', places: 0 },
    ]);
    expect(moves.first.map(({ kind }) => kind)).toEqual(['moved', 'moved', 'lost', 'lost']);
    expect(moves).toMatchObject({ shared: 2, moved: 2, gained: 2, lost: 2 });
  });

  it('are of the keys with their types', () => {
    expect(rankMoves([{ ...hit('1'), key: [1] }], [hit('1')])).toMatchObject({ shared: 0, gained: 1, lost: 1 });
  });

  const lists = fc.uniqueArray(fc.constantFrom(...'abcdefgh'), { maxLength: 8 });
  it('count every hit once, and say the same of a shared hit in both lists', () => {
    fc.assert(
      fc.property(lists, lists, (one, other) => {
        const moves = rankMoves(one.map(hit), other.map(hit));
        expect(moves.shared + moves.gained).toBe(other.length);
        expect(moves.shared + moves.lost).toBe(one.length);
        for (const [place, id] of one.entries()) {
          const there = other.indexOf(id);
          if (there !== -1) expect(moves.second[there]).toEqual(moves.first[place]);
        }
      }),
    );
  });
});
