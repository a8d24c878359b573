import type { ForeignKey } from '@tabularium/sdk';
import { describe, expect, it, vi } from 'vitest';
import { strings } from '../../i18n/index.ts';
import type { EditableRow } from '../model/editableRow.ts';
import { HEADER_ROW } from '../model/navigation.ts';
import { cellAt, fakeTabModel } from '../tab/tabModel.test-helper.ts';
import { followCommands } from './followCommands.ts';
import { selectedCells } from './selectedCells.ts';

const key = (table: string, ...columns: string[]): ForeignKey => ({
  columns,
  references: { namespace: [], name: table },
  referencedColumns: columns,
});
const NAME = key('names', 'name');
const PAIR = key('offers', 'name', 'price');

/** The commands of a tab whose column `name` refers to two tables; rows without an even price refer to no offer. */
async function commandsAt(...selected: Parameters<typeof cellAt>[]) {
  const { model } = await fakeTabModel({ selected: selected.map((at) => cellAt(...at)) });
  const open = vi.fn<(opened: ForeignKey, row: EditableRow | undefined) => void>();
  const references = {
    of: (column: string) => [NAME, PAIR].filter(({ columns }) => columns.includes(column)),
    refusal: (asked: ForeignKey, row: EditableRow | undefined) =>
      asked === PAIR && Number(row?.row?.[2]) % 2 === 1 ? 'It refers to none.' : undefined,
    referring: [],
    open,
  };
  return { follow: followCommands({ ...model, references }, selectedCells(model)), open, model };
}

describe('following a reference', () => {
  it('opens the first key of the active cell, and offers each of them in the menu with the reason against it', async () => {
    const { follow, open, model } = await commandsAt([1, 1]);
    expect(follow.refusal).toBeUndefined();
    follow.first();
    expect(open.mock.calls).toEqual([[NAME, model.edited.rowAt(1)]]);
    expect(follow.entries).toMatchObject([
      { label: strings.grid.follow('names', ['name']), reason: undefined },
      { label: strings.grid.follow('offers', ['name', 'price']), reason: 'It refers to none.' },
    ]);
  });

  it('opens the cell whose arrow was pressed, not the active one', async () => {
    const { follow, open, model } = await commandsAt([1, 1]);
    follow.at({ row: 4, column: 2 });
    expect(open.mock.calls).toEqual([[PAIR, model.edited.rowAt(4)]]);
    follow.at({ row: 4, column: 0 });
    follow.at({ row: HEADER_ROW, column: 1 });
    expect(open).toHaveBeenCalledOnce();
  });

  it('says why there is nothing to open', async () => {
    const id = await commandsAt([1, 0]);
    expect(id.follow).toMatchObject({ refusal: strings.grid.refersNowhere, entries: [] });
    const odd = await commandsAt([1, 2]);
    expect(odd.follow.refusal).toBe('It refers to none.');
    for (const { follow, open } of [id, odd]) {
      follow.first();
      expect(open).not.toHaveBeenCalled();
    }
    expect((await commandsAt([HEADER_ROW, 1])).follow).toMatchObject({ refusal: strings.selection.noCell, entries: [] });
  });
});
