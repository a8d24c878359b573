import { ABSENT } from '@tabularium/sdk';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { StagedRow } from '../../../common/editing.ts';
import type { MenuListEntry } from '../../ui/MenuList.tsx';
import { strings } from '../../i18n/index.ts';
import { notify } from '../../state/notify.ts';
import { HEADER_ROW } from '../model/navigation.ts';
import { cellAt, fakeTabModel } from '../tab/tabModel.test-helper.ts';
import { tabCommands } from './tabCommands.ts';

// Its address comes from the document.
vi.mock('../../api/client.ts', () => ({ api: {} }));
vi.mock(import('../../state/notify.ts'), { spy: true });
const notice = () => vi.mocked(notify).mock.lastCall?.[0]?.text;
const writeText = vi.fn<(text: string) => Promise<void>>(async () => undefined);
vi.stubGlobal('navigator', { clipboard: { writeText } });
beforeEach(() => void vi.clearAllMocks());

async function commandsOf(options: Parameters<typeof fakeTabModel>[0]) {
  const fake = await fakeTabModel(options);
  const commands = tabCommands(fake.model);
  const entry = (label: string) =>
    commands.cellMenu().find((one): one is Exclude<MenuListEntry, string> => typeof one === 'object' && one.label === label);
  const command = (id: string) => commands.palette.find((one) => one.id === id);
  return { ...fake, commands, entry, command };
}
const RANGE = [cellAt(1, 1), cellAt(3, 2, 'extend')];
const deleted: StagedRow = { id: '["p1"]', kind: 'delete', key: ['p1'], cells: [], sending: false };

describe('the commands of a tab', () => {
  it('act on all rows of a range', async () => {
    const { command, stage } = await commandsOf({ selected: RANGE });
    command('editing.delete')?.run();
    await vi.waitFor(() => expect(stage.stage).toHaveBeenCalledOnce());
    const keys = ['p1', 'p2', 'p3'].map((key) => ({ kind: 'delete', row: { key: [key] } }));
    expect(stage.stage.mock.lastCall?.[0]).toEqual(keys);
  });

  it('offer nothing that needs a cell while the header is active', async () => {
    const { command } = await commandsOf({ selected: [cellAt(HEADER_ROW, 1)] });
    for (const id of ['editing.edit', 'editing.delete', 'editing.setNull', 'grid.selectRow']) {
      expect(command(id)?.disabled).toBe(strings.selection.noCell);
    }
  });

  it('say in menu and palette alike why a cell cannot be emptied', async () => {
    const { command, entry } = await commandsOf({ selected: [cellAt(1, 2)] });
    expect(entry(strings.editing.setNull)).toMatchObject({ reason: strings.editing.notNullable });
    expect(command('editing.setNull')?.disabled).toBe(strings.editing.notNullable);
    expect((await commandsOf({ selected: [cellAt(1, 1)] })).command('editing.setNull')?.disabled).toBeUndefined();
  });

  it('empty the cells of a range as one step', async () => {
    const { command, stage } = await commandsOf({ selected: [cellAt(1, 1), cellAt(2, 1, 'extend')] });
    command('editing.setAbsent')?.run();
    await vi.waitFor(() => expect(stage.stage).toHaveBeenCalledOnce());
    expect(stage.stage.mock.lastCall?.[0]).toMatchObject([
      { cells: [{ column: 'name', value: ABSENT }] },
      { cells: [{ column: 'name', value: ABSENT }] },
    ]);
  });

  it('offer to keep a row that is staged to be deleted, and not to revert it', async () => {
    const { entry } = await commandsOf({ selected: [cellAt(1, 1)], staged: [deleted] });
    expect(entry(strings.editing.keepRow)).toBeDefined();
    expect(entry(strings.editing.deleteRow)).toBeUndefined();
    expect(entry(strings.editing.revertRow)).toBeUndefined();
  });

  it('undo and redo only what can be', async () => {
    const { command, stage } = await commandsOf({});
    expect(command('editing.undo')?.disabled).toBe(strings.editing.nothingToUndo);
    command('editing.undo')?.run();
    expect(stage.undo).toHaveBeenCalledOnce();
    expect(command('editing.review')?.disabled).toBe(strings.editing.nothingStaged);
  });

  it('open a cell for editing, or the whole row where nothing can be edited', async () => {
    const editable = await commandsOf({});
    editable.commands.grid.open({ row: 1, column: 1 });
    expect(editable.setDraft).toHaveBeenCalledOnce();
    const readOnly = await commandsOf({ ability: { allowed: false, reason: 'A view.' } });
    readOnly.commands.grid.open({ row: 1, column: 1 });
    expect(readOnly.layers.setInspecting).toHaveBeenCalledWith(true);
    readOnly.commands.grid.open({ row: HEADER_ROW, column: 1 });
    expect(readOnly.layers.setInspecting).toHaveBeenCalledOnce();
  });

  it('copy a cell as its whole value, a range between tabs, a header as its name', async () => {
    (await commandsOf({ selected: [cellAt(1, 1)] })).commands.grid.copy();
    (await commandsOf({ selected: [cellAt(HEADER_ROW, 2)] })).commands.grid.copy();
    (await commandsOf({ selected: RANGE })).commands.grid.copy();
    await vi.waitFor(() => expect(writeText).toHaveBeenCalledTimes(3));
    expect(writeText.mock.calls.map(([text]) => text)).toEqual(['Lamp 1', 'price', 'Lamp 1\t1\nLamp 2\t2\nLamp 3\t3']);
    await vi.waitFor(() => expect(notice()).toBe(strings.selection.copied(3, 2)));
  });

  it('copy nothing from ranges that make no table', async () => {
    (await commandsOf({ selected: [cellAt(1, 1), cellAt(2, 2, 'add')] })).commands.grid.copy();
    expect(notice()).toBe(strings.selection.copyShape);
    expect(writeText).not.toHaveBeenCalled();
  });

  it('go to the last row by its number, and give the focus back when the inspector closes', async () => {
    const { commands, grid, layers } = await commandsOf({ selected: [cellAt(1, 2)] });
    commands.goToLast();
    expect(grid.goTo).toHaveBeenCalledWith({ row: 5, column: 2 });
    commands.closeInspector();
    expect(layers.setInspecting).toHaveBeenCalledWith(false);
    expect(grid.focus).toHaveBeenCalledOnce();
  });

  it('offer the export only where the connection has it', async () => {
    const { command, layers } = await commandsOf({});
    command('grid.export')?.run();
    expect(layers.open).toHaveBeenCalledWith({ kind: 'export' });
    const without = await commandsOf({ facets: [] });
    expect(without.command('grid.export')?.disabled).toBe(strings.transfer.unavailable);
    expect(without.entry(strings.transfer.open)).toBeUndefined();
  });
});
