import { ABSENT } from '@tabularium/sdk';
import { describe, expect, it } from 'vitest';
import type { StagedRow } from '../../common/editing.ts';
import { StagedOverlay, changedRows } from './stagedRows.ts';

const COLUMNS = ['id', 'name', 'price'];
const update: StagedRow = {
  id: '["7"]',
  kind: 'update',
  key: ['7'],
  cells: [{ column: 'price', value: 3, original: 2 }],
  sending: false,
};
const insert: StagedRow = { id: 'new:1', kind: 'insert', cells: [{ column: 'name', value: null }], sending: false };
const overlay = (...rows: StagedRow[]) => new StagedOverlay(COLUMNS, ['id'], new Map(rows.map((row) => [row.id, row])));

describe('the overlay', () => {
  it('finds the staged row by the key of a row, and lays its values over it', () => {
    const shown = overlay(update, insert);
    const base = ['7', 'Lamp', 2];
    const staged = shown.stagedFor(base);
    expect(staged).toBe(update);
    expect(shown.merged(base, update)).toEqual(['7', 'Lamp', 3]);
    expect(shown.merged(base, update)).toBe(shown.merged(base, update));
    expect(shown.stagedFor(['8', 'Lamp', 2])).toBeUndefined();
  });

  it('shows an inserted row with what it lacks absent', () => {
    const shown = overlay(insert);
    expect(shown.inserted).toEqual([insert]);
    expect(shown.merged(undefined, insert)).toEqual([ABSENT, null, ABSENT]);
  });

  it('lays a member of a document over the columns inside it, and marks them', () => {
    const described = ['id', 'parts.size', 'seller.name'].map((name) => ({
      name,
      kind: name === 'parts.size' ? ('json' as const) : ('text' as const),
    }));
    const staged: StagedRow = {
      id: '["7"]',
      kind: 'update',
      key: ['7'],
      cells: [
        { column: 'parts', value: ['json', '[{"size":1},{}]'] },
        { column: 'seller', value: ABSENT },
      ],
      sending: false,
    };
    const shown = new StagedOverlay(['id', 'parts.size', 'seller.name'], ['id'], new Map([[staged.id, staged]]), described);
    expect(shown.merged(['7', '[5]', 'Ann'], staged)).toEqual(['7', '[1,null]', ABSENT]);
    expect([...shown.marks(staged).changed]).toEqual([1, 2]);
  });

  it('marks the changed cells, and the cell at fault', () => {
    const failed: StagedRow = { ...update, problem: { outcome: 'failed', message: 'Not an int32.', column: 'price' } };
    expect(overlay(failed).marks(failed)).toEqual({
      kind: 'update',
      lacking: new Set(),
      changed: new Set([2]),
      problem: { place: 2, text: '“price”: Not an int32.' },
      isSending: false,
    });
  });

  it('finds nothing in a table whose rows have no key', () => {
    const shown = new StagedOverlay(COLUMNS, [], new Map([[update.id, update]]));
    expect(shown.stagedFor(['7', 'Lamp', 2])).toBeUndefined();
  });
});

describe('a change of what is staged', () => {
  it('replaces in place, adds at the end, and takes away', () => {
    const before = new Map([update, insert].map((row) => [row.id, row]));
    const other: StagedRow = { ...insert, id: 'new:2' };
    const again: StagedRow = { ...update, sending: true };
    const after = changedRows(before, { rows: [again, other], gone: ['new:1'] });
    expect([...after.values()]).toEqual([again, other]);
  });
});
