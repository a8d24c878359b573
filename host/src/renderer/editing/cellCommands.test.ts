import { ABSENT } from '@tabularium/sdk';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { StagedRow } from '../../common/editing.ts';
import { fakeTabModel } from '../grid/tab/tabModel.test-helper.ts';
import { strings } from '../i18n/index.ts';
import { notify } from '../state/notify.ts';

vi.mock(import('../state/notify.ts'), { spy: true });
const warning = () => vi.mocked(notify).mock.lastCall?.[0]?.text;
beforeEach(() => void vi.clearAllMocks());

const inserted: StagedRow = { id: 'new:1', kind: 'insert', cells: [{ column: 'name', value: 'New' }], sending: false };
const deleted: StagedRow = { id: '["p1"]', kind: 'delete', key: ['p1'], cells: [], sending: false };
const changed: StagedRow = {
  id: '["p0"]',
  kind: 'update',
  key: ['p0'],
  cells: [{ column: 'name', value: 'Lantern', original: 'Lamp 0' }],
  sending: false,
};

describe('the commands of cells', () => {
  it('refuse a column that cannot be edited, except in a new row', async () => {
    const { model } = await fakeTabModel({ staged: [inserted] });
    expect(model.cells.refusal({ row: 1, column: 0 })).toContain('The id names the row.');
    expect(model.cells.refusal({ row: 0, column: 0 })).toBeUndefined();
    expect(model.cells.refusal({ row: 1, column: 1 })).toBeUndefined();
  });

  it('refuse a row that is staged to be deleted, one that is not read, and everything in a table that is read-only', async () => {
    const { model } = await fakeTabModel({ staged: [deleted] });
    expect(model.cells.refusal({ row: 1, column: 1 })).toBe(strings.editing.rowIsDeleted);
    expect(model.cells.refusal({ row: 99, column: 1 })).toBe(strings.editing.notLoaded);
    const readOnly = await fakeTabModel({ ability: { allowed: false, reason: 'A view.' } });
    expect(readOnly.model.cells.refusal({ row: 1, column: 1 })).toContain('A view.');
    readOnly.model.cells.insert();
    expect(readOnly.stage.stage).not.toHaveBeenCalled();
    expect(warning()).toContain('A view.');
  });

  it('insert a row, then say where it is', async () => {
    const { model, stage, onInserted } = await fakeTabModel();
    model.cells.insert();
    expect(stage.stage).toHaveBeenCalledWith([{ kind: 'insert', values: [] }]);
    await vi.waitFor(() => expect(onInserted).toHaveBeenCalledWith(0));
  });

  it('duplicate rows without their keys, as one step', async () => {
    const { model, stage } = await fakeTabModel();
    model.cells.duplicate([model.edited.rowAt(0), model.edited.rowAt(2)]);
    const values = (row: number) => [
      { column: 'name', value: `Lamp ${row}` },
      { column: 'price', value: row },
    ];
    expect(stage.stage.mock.calls).toEqual([
      [
        [
          { kind: 'insert', values: values(0) },
          { kind: 'insert', values: values(2) },
        ],
      ],
    ]);
  });

  it('delete rows by their keys, and new rows by their ids', async () => {
    const { model, stage } = await fakeTabModel({ staged: [inserted] });
    model.cells.toggleDelete([model.edited.rowAt(0), model.edited.rowAt(1)]);
    expect(stage.stage.mock.calls).toEqual([
      [
        [
          { kind: 'delete', row: { inserted: 'new:1' } },
          { kind: 'delete', row: { key: ['p0'] } },
        ],
      ],
    ]);
  });

  it('take a deletion back when all rows are staged to be deleted', async () => {
    const { model, stage } = await fakeTabModel({ staged: [deleted] });
    model.cells.toggleDelete([model.edited.rowAt(1)]);
    expect(stage.discard).toHaveBeenCalledWith([deleted.id]);
    model.cells.toggleDelete([model.edited.rowAt(0), model.edited.rowAt(1)]);
    expect(stage.stage.mock.calls).toEqual([[[{ kind: 'delete', row: { key: ['p0'] } }]]]);
  });

  it('never discard everything when there is nothing to revert', async () => {
    const { model, stage } = await fakeTabModel({ staged: [changed] });
    model.cells.revertRows([model.edited.rowAt(3)]);
    expect(stage.discard).not.toHaveBeenCalled();
    model.cells.revertRows([model.edited.rowAt(0), model.edited.rowAt(3)]);
    expect(stage.discard).toHaveBeenCalledWith([changed.id]);
  });

  it('revert a cell to the value of the server, in a new row to none', async () => {
    const { model, stage } = await fakeTabModel({ staged: [inserted, changed] });
    model.cells.revertCell({ row: 1, column: 1 });
    model.cells.revertCell({ row: 0, column: 1 });
    expect(stage.stage.mock.calls.map(([edits]) => edits[0])).toMatchObject([
      { row: { key: ['p0'] }, cells: [{ column: 'name', value: 'Lamp 0' }] },
      { row: { inserted: 'new:1' }, cells: [{ column: 'name', value: ABSENT }] },
    ]);
  });

  it('set what can be set in one step, and say how much was left out and why', async () => {
    const { model, stage } = await fakeTabModel();
    model.cells.setAll([model.edited.rowAt(0), model.edited.rowAt(1)], [0, 1], null);
    expect(stage.stage).toHaveBeenCalledOnce();
    expect(stage.stage.mock.lastCall?.[0]).toMatchObject([
      { row: { key: ['p0'] }, cells: [{ column: 'name', value: null, original: 'Lamp 0' }] },
      { row: { key: ['p1'] }, cells: [{ column: 'name', value: null, original: 'Lamp 1' }] },
    ]);
    const reason = model.cells.refusal({ row: 0, column: 0 }) ?? '';
    expect(warning()).toBe(strings.editing.leftOut(2, reason));
  });
});
