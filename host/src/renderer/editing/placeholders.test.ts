import type { Cell, PageCell } from '@tabularium/sdk';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { StagedRow } from '../../common/editing.ts';
import { copyCommands } from '../grid/commands/copyCommands.ts';
import { pasteCommands } from '../grid/commands/pasteCommands.ts';
import type { GridRow } from '../grid/model/gridRow.ts';
import type { TabModel } from '../grid/tab/tabModel.ts';
import { cellAt, draftedCell, fakeTabModel } from '../grid/tab/tabModel.test-helper.ts';
import { strings } from '../i18n/index.ts';
import { notify } from '../state/notify.ts';

// The page has placeholders; whatever is done with its rows is done with the values that the database holds.

vi.mock(import('../state/notify.ts'), { spy: true });
const warning = () => vi.mocked(notify).mock.lastCall?.[0]?.text;
const written = vi.fn<(text: string) => Promise<void>>(async () => undefined);
beforeEach(() => {
  vi.clearAllMocks();
  vi.stubGlobal('navigator', { clipboard: { writeText: written } });
});

const LONG: PageCell = ['unread', { bytes: 90_000, start: 'A long' }];
const rows: readonly GridRow[] = [
  ['p0', LONG, 1],
  ['p1', LONG, 2],
  ['p2', 'Short', 3],
];
const textOf = (id: string): string => `A long text of ${id}`;
const stored: ReadonlyMap<string, readonly Cell[]> = new Map([
  ['p0', ['p0', textOf('p0'), 1]],
  ['p1', ['p1', textOf('p1'), 2]],
  ['p2', ['p2', 'Short', 3]],
]);
const tab = (more: Parameters<typeof fakeTabModel>[0] = {}) => fakeTabModel({ rows, stored, ...more });
const update = (id: string, column: string, value: Cell, original: Cell) => ({
  kind: 'update',
  row: { key: [id] },
  cells: [{ column, value, original }],
});

/** Stages a value for a cell of the first row. */
const stageCell = (model: TabModel, column: number, value: Cell): void => {
  const at = draftedCell(model, { row: 0, column });
  void model.cells.stageCell(at.row, at.column, value);
};

describe('a placeholder', () => {
  it('is read when the cell beside it is changed, so that the row is whole if it must be inserted again', async () => {
    const { model, stage } = await tab();
    stageCell(model, 2, 7);
    await vi.waitFor(() => expect(stage.stage).toHaveBeenCalledExactlyOnceWith([update('p0', 'price', 7, 1)]));
    expect(model.rows.cache.row(0)).toEqual(['p0', textOf('p0'), 1]);
  });

  it('that cannot be read now does not keep the cell beside it from being changed', async () => {
    const { model, stage } = await tab({ stored: new Map() });
    stageCell(model, 2, 7);
    await vi.waitFor(() => expect(stage.stage).toHaveBeenCalledExactlyOnceWith([update('p0', 'price', 7, 1)]));
    expect(notify).not.toHaveBeenCalled();
  });

  it('is read before its cell is changed, so that the change names what the cell held', async () => {
    const { model, stage } = await tab();
    stageCell(model, 1, 'Typed');
    await vi.waitFor(() => expect(stage.stage).toHaveBeenCalledExactlyOnceWith([update('p0', 'name', 'Typed', textOf('p0'))]));
  });

  it('is read before its editor opens; a letter that is typed opens an empty one', async () => {
    const { model, setDraft } = await tab();
    const position = { row: 1, column: 1 };
    model.cells.begin(position, 'x');
    expect(setDraft.mock.lastCall).toMatchObject([{}, { cell: { position }, initial: '', text: 'x', replaces: true }]);
    model.cells.begin(position);
    const text = textOf('p1');
    await vi.waitFor(() =>
      expect(setDraft.mock.lastCall).toMatchObject([{}, { cell: { position }, initial: text, text, replaces: false }]),
    );
  });

  it('is read before several cells are set to null', async () => {
    const { model, stage } = await tab();
    model.cells.setAll([0, 1, 2].map(model.edited.rowAt), [1], null);
    await vi.waitFor(() =>
      expect(stage.stage).toHaveBeenCalledExactlyOnceWith([
        update('p0', 'name', null, textOf('p0')),
        update('p1', 'name', null, textOf('p1')),
        update('p2', 'name', null, 'Short'),
      ]),
    );
  });

  it('is never part of a duplicate', async () => {
    const { model, stage } = await tab();
    model.cells.duplicate([model.edited.rowAt(1)]);
    const values = [
      { column: 'name', value: textOf('p1') },
      { column: 'price', value: 2 },
    ];
    await vi.waitFor(() => expect(stage.stage).toHaveBeenCalledExactlyOnceWith([{ kind: 'insert', values }]));
  });

  it('of a cell that is staged is put back as the value that it was', async () => {
    const cells = [{ column: 'name', value: 'Changed', original: textOf('p0') }];
    const staged: StagedRow = { id: '["p0"]', kind: 'update', key: ['p0'], cells, sending: false };
    const { model, stage } = await tab({ staged: [staged] });
    expect(model.edited.rowAt(0).row?.[1]).toBe('Changed');
    model.cells.revertCell({ row: 0, column: 1 });
    const reverted = {
      kind: 'update',
      row: { key: ['p0'] },
      cells: [{ column: 'name', value: textOf('p0'), original: textOf('p0') }],
    };
    expect(stage.stage).toHaveBeenCalledExactlyOnceWith([reverted]);
  });

  it('is compared by its value with what is pasted over it', async () => {
    const { model, stage } = await tab({ selected: [cellAt(0, 1)] });
    pasteCommands(model).take(textOf('p0'));
    await vi.waitFor(() => expect(model.rows.cache.row(0)).toEqual(rows[0]));
    pasteCommands(model).take('Pasted');
    await vi.waitFor(() => expect(stage.stage).toHaveBeenCalledExactlyOnceWith([update('p0', 'name', 'Pasted', textOf('p0'))]));
  });

  it('is copied as its value, alone and among others', async () => {
    const one = await tab({ selected: [cellAt(0, 1)] });
    copyCommands(one.model).copy();
    await vi.waitFor(() => expect(written).toHaveBeenLastCalledWith(textOf('p0')));
    const several = await tab({ selected: [cellAt(0, 1), cellAt(2, 2, 'extend')] });
    copyCommands(several.model).copy();
    const lines = [`${textOf('p0')}\t1`, `${textOf('p1')}\t2`, 'Short\t3'];
    await vi.waitFor(() => expect(written).toHaveBeenLastCalledWith(lines.join('\n')));
  });

  it('of a row that is gone stages and copies nothing, and says why', async () => {
    const { model, stage } = await fakeTabModel({ rows, stored: new Map(), selected: [cellAt(0, 1)] });
    model.cells.duplicate([model.edited.rowAt(0)]);
    await vi.waitFor(() => expect(warning()).toBe(strings.grid.valueMissing));
    stageCell(model, 1, 'Typed');
    copyCommands(model).copy();
    await vi.waitFor(() => expect(vi.mocked(notify)).toHaveBeenCalledTimes(3));
    expect(stage.stage).not.toHaveBeenCalled();
    expect(written).not.toHaveBeenCalled();
  });

  it('that was read stays so, and is not read again', async () => {
    const { model, stage } = await tab();
    stageCell(model, 1, 'Typed');
    await vi.waitFor(() => expect(stage.stage).toHaveBeenCalledOnce());
    expect(model.rows.cache.row(0)).toEqual(['p0', textOf('p0'), 1]);
    expect(model.rows.cache.row(1)).toEqual(rows[1]);
  });
});
