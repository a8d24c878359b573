import { describe, expect, it, vi } from 'vitest';
import { strings } from '../../i18n/index.ts';
import type { EditableRow } from '../model/editableRow.ts';
import { HEADER_ROW } from '../model/navigation.ts';
import { referringKeys, referringTables } from '../model/referringKeys.ts';
import type { FollowedKey } from '../model/referringKeys.ts';
import { cellAt, fakeTabModel } from '../tab/tabModel.test-helper.ts';
import { referringCommands } from './referringCommands.ts';
import { selectedCells } from './selectedCells.ts';

const [NOTES, OFFERS] = referringKeys({
  referredBy: [
    { name: 'b', table: { namespace: ['s'], name: 'offers' }, columns: ['name', 'shop'], referencedColumns: ['name', 'price'] },
    { name: 'a', table: { namespace: [], name: 'notes' }, columns: ['lamp'], referencedColumns: ['id'] },
  ],
});
if (NOTES === undefined || OFFERS === undefined) throw new Error('There are no keys.');

/** The commands of a tab to whose rows these keys refer; to a row with an odd price no offer does. */
async function commandsAt(at: Parameters<typeof cellAt>, ...referring: FollowedKey[]) {
  const { model } = await fakeTabModel({ selected: [cellAt(...at)] });
  const openMenu = vi.spyOn(model.layers, 'open').mockReturnValue();
  const open = vi.fn<(opened: FollowedKey, row: EditableRow | undefined) => void>();
  const references = {
    of: () => [],
    referring,
    refusal: (asked: FollowedKey, row: EditableRow | undefined) =>
      asked === OFFERS && Number(row?.row?.[2]) % 2 === 1 ? 'No offer refers to it.' : undefined,
    open,
  };
  const grid = { current: { placeOfActive: () => ({ x: 3, y: 4 }) } } as typeof model.grid;
  return { commands: referringCommands({ ...model, references, grid }, selectedCells(model)), open, openMenu, model };
}

describe('the rows that refer to a row', () => {
  it('are led to by the columns of the other table, from those of this one, in the order of the tables', () => {
    expect(NOTES).toEqual({
      columns: ['id'],
      references: { namespace: [], name: 'notes' },
      referencedColumns: ['lamp'],
      isReferring: true,
    });
    expect(OFFERS.references.name).toBe('offers');
    expect(referringKeys({})).toEqual([]);
    const key = { columns: ['a'], referencedColumns: ['id'] };
    const keys = referringKeys({
      referredBy: ['x', 'y', 'y'].map((schema, index) => ({
        ...key,
        name: `k${index}`,
        table: { namespace: [schema], name: 't' },
      })),
    });
    expect(referringTables([...keys, NOTES])).toEqual(['x.t', 'y.t', 'notes']);
  });

  it('open at once where one key refers to the table', async () => {
    const { commands, open, openMenu, model } = await commandsAt([2, 1], NOTES);
    commands.open();
    expect(open.mock.calls).toEqual([[NOTES, model.edited.rowAt(2)]]);
    expect(openMenu).not.toHaveBeenCalled();
  });

  it('are offered by table where there are several, in a menu at the cell, each with the reason against it', async () => {
    const { commands, open, openMenu, model } = await commandsAt([1, 1], NOTES, OFFERS);
    expect(commands.refusal).toBeUndefined();
    commands.open();
    const tables = [
      { label: 'notes (lamp)', reason: undefined },
      { label: 'offers (name, shop)', reason: 'No offer refers to it.' },
    ];
    expect(openMenu.mock.lastCall?.[0]).toMatchObject({
      kind: 'menu',
      label: strings.grid.referring,
      place: { x: 3, y: 4 },
      entries: tables,
    });
    const [entry] = commands.entries();
    expect(entry).toMatchObject({ label: strings.grid.referring, entries: tables });
    const [, offers] = entry !== undefined && entry !== 'line' && 'entries' in entry ? entry.entries : [];
    if (offers !== undefined && offers !== 'line' && 'run' in offers) offers.run();
    expect(open.mock.calls).toEqual([[OFFERS, model.edited.rowAt(1)]]);
  });

  it('are refused with the reason where none can refer, and not in the menu where no table does', async () => {
    const odd = await commandsAt([1, 1], OFFERS);
    const none = await commandsAt([1, 1]);
    const header = await commandsAt([HEADER_ROW, 1], NOTES);
    expect([odd, none, header].map(({ commands }) => commands.refusal)).toEqual([
      'No offer refers to it.',
      strings.grid.neverReferredTo,
      strings.selection.noCell,
    ]);
    for (const { commands, open, openMenu } of [odd, none, header]) {
      commands.open();
      expect(open).not.toHaveBeenCalled();
      expect(openMenu).not.toHaveBeenCalled();
    }
    expect([none, header].map(({ commands }) => commands.entries())).toEqual([[], []]);
  });
});
