import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { StagedRow } from '../../common/editing.ts';
import type { GridRow } from '../grid/model/gridRow.ts';
import { cellAt, draftedCell, fakeTabModel } from '../grid/tab/tabModel.test-helper.ts';
import { strings } from '../i18n/index.ts';
import { notify } from '../state/notify.ts';
import { openDraft, typedInto } from './cellDraft.ts';
import type { CellDraft } from './cellDraft.ts';

vi.mock(import('../state/notify.ts'), { spy: true });
const noticeNow = () => vi.mocked(notify).mock.lastCall?.[0];
beforeEach(() => void vi.clearAllMocks());

const inserted: StagedRow = { id: 'new:1', kind: 'insert', cells: [], sending: false };
const NAME_AT = { row: 1, column: 1 };
const PRICE_AT = { row: 1, column: 2 };
const { model: untouched } = await fakeTabModel();
const NAME = draftedCell(untouched, NAME_AT);
const PRICE = draftedCell(untouched, PRICE_AT);

async function editorOf(draft: CellDraft) {
  const fake = await fakeTabModel({ draft, selected: [cellAt(draft.cell.position.row, draft.cell.position.column)] });
  const [editing] = fake.model.cells.editors;
  if (editing === undefined) throw new Error('No editor is open.');
  return { ...fake, editing };
}
const updateOf = (column: string, value: unknown, original: unknown) => [
  [{ kind: 'update', row: { key: ['p1'] }, cells: [{ column, value, original }] }],
];

describe('the editor of a cell', () => {
  it('opens with the text of the cell, or with the letter that was typed', async () => {
    const { model, setDraft } = await fakeTabModel();
    model.cells.begin(NAME_AT);
    expect(setDraft).toHaveBeenLastCalledWith(NAME, {
      cell: NAME,
      initial: 'Lamp 1',
      text: 'Lamp 1',
      hasValue: true,
      replaces: false,
    });
    model.cells.begin(NAME_AT, 'x');
    expect(setDraft).toHaveBeenLastCalledWith(NAME, { cell: NAME, initial: 'Lamp 1', text: 'x', hasValue: true, replaces: true });
  });

  it('stays closed where the cell cannot be edited, and says why', async () => {
    const { model, setDraft } = await fakeTabModel();
    model.cells.begin({ row: 1, column: 0 });
    expect(setDraft).not.toHaveBeenCalled();
    expect(noticeNow()?.text).toContain('The id names the row.');
    model.cells.begin({ row: 40, column: 1 });
    expect(setDraft).not.toHaveBeenCalled();
  });

  it('takes what is typed, and drops the fault of the text before', async () => {
    const { editing, setDraft } = await editorOf({ ...openDraft(PRICE, 1, 'x'), fault: 'Not an integer.' });
    expect(editing.fault).toBe('Not an integer.');
    editing.change('12');
    expect(setDraft).toHaveBeenCalledWith(PRICE, { cell: PRICE, initial: '1', text: '12', hasValue: true, replaces: true });
  });

  it.each(['down', 'left', 'right'] as const)('stages the value and goes %s', async (direction) => {
    const { editing, stage, setDraft, onClosed } = await editorOf(openDraft(PRICE, 1, '12'));
    editing.commit(direction);
    expect(stage.stage.mock.calls).toEqual([updateOf('price', 12, 1)]);
    expect(setDraft).toHaveBeenCalledWith(PRICE, undefined);
    expect(onClosed).toHaveBeenCalledWith(PRICE_AT, direction);
  });

  it('stages nothing when the text is the same again', async () => {
    const draft = typedInto(typedInto(openDraft(NAME, 'Lamp 1'), 'Lamp'), 'Lamp 1');
    const { editing, stage, onClosed } = await editorOf(draft);
    editing.commit('down');
    expect(stage.stage).not.toHaveBeenCalled();
    expect(onClosed).toHaveBeenCalledWith(NAME_AT, 'down');
  });

  it('stays open with the reason where the text is not of the type of the column', async () => {
    const { editing, stage, setDraft, onClosed } = await editorOf(openDraft(PRICE, 1, 'twelve'));
    editing.commit('down');
    expect(stage.stage).not.toHaveBeenCalled();
    expect(onClosed).not.toHaveBeenCalled();
    expect(setDraft.mock.calls[0]?.[1]).toMatchObject({ text: 'twelve', fault: strings.editing.faults.integer });
  });

  it('discards the text when it is cancelled', async () => {
    const { editing, stage, setDraft, onClosed } = await editorOf(openDraft(NAME, 'Lamp 1', 'x'));
    editing.cancel();
    expect(stage.stage).not.toHaveBeenCalled();
    expect(setDraft).toHaveBeenCalledWith(NAME, undefined);
    expect(onClosed).toHaveBeenCalledWith(NAME_AT, undefined);
  });

  it('stages nothing when its field loses the focus after it was cancelled', async () => {
    const { editing, stage } = await editorOf(openDraft(NAME, 'Lamp 1', 'x'));
    editing.cancel();
    editing.leave();
    expect(stage.stage).not.toHaveBeenCalled();
  });

  it('stages what is valid when the focus leaves, and lets the active cell stay', async () => {
    const valid = await editorOf(openDraft(NAME, 'Lamp 1', 'Lantern'));
    valid.editing.leave();
    expect(valid.stage.stage.mock.calls).toEqual([updateOf('name', 'Lantern', 'Lamp 1')]);
    expect(valid.onClosed).not.toHaveBeenCalled();
    const wrong = await editorOf(openDraft(PRICE, 1, 'x'));
    wrong.editing.leave();
    expect(wrong.stage.stage).not.toHaveBeenCalled();
    expect(noticeNow()?.tone).toBe('warning');
    // The text stays where it is, with the reason.
    expect(wrong.setDraft.mock.calls).toEqual([[PRICE, { ...openDraft(PRICE, 1, 'x'), fault: strings.editing.faults.integer }]]);
  });

  it('with a text that cannot be staged stays where it is while another one opens, and is returned to in its own cell', async () => {
    const draft = { ...openDraft(PRICE, 1, 'x'), fault: 'Not an integer.' };
    const { model, setDraft } = await fakeTabModel({ draft });
    model.cells.begin(NAME_AT, 'y');
    expect(setDraft.mock.calls).toEqual([[NAME, openDraft(NAME, 'Lamp 1', 'y')]]);
    model.cells.begin(PRICE_AT);
    expect(setDraft).toHaveBeenLastCalledWith(PRICE, { ...draft, returns: 1 });
    model.cells.begin(PRICE_AT, '7');
    expect(setDraft).toHaveBeenLastCalledWith(PRICE, { ...openDraft(PRICE, 1, '7'), returns: 1 });
    expect(model.cells.abandon(NAME_AT)).toBe(false);
    expect(model.cells.abandon(PRICE_AT)).toBe(true);
    expect(setDraft).toHaveBeenLastCalledWith(PRICE, undefined);
  });

  it('comes back with its text and the reason when the host stages nothing, or the row could not be read', async () => {
    const draft = openDraft(NAME, 'Lamp 1', 'Lantern');
    const rejected = await fakeTabModel({ draft, rejects: 'The structure is unknown.' });
    rejected.model.cells.editors[0]?.commit('down');
    await expect.poll(() => rejected.onRejected.mock.calls).toEqual([[{ ...draft, fault: 'The structure is unknown.' }]]);
    expect(noticeNow()?.text).toBe('The structure is unknown.');
  });

  it('stays with its row when new rows come above it', async () => {
    const draft = openDraft(NAME, 'Lamp 1', 'Lantern');
    const { model, stage, onClosed } = await fakeTabModel({ draft, staged: [inserted] });
    expect(model.cells.editors[0]?.position).toEqual({ row: 2, column: 1 });
    model.cells.editors[0]?.commit('down');
    expect(stage.stage.mock.calls).toEqual([updateOf('name', 'Lantern', 'Lamp 1')]);
    expect(onClosed).toHaveBeenCalledWith({ row: 2, column: 1 }, 'down');
  });

  it('stages the text for its own row where that is on the screen no more, and does not open for one that is gone', async () => {
    const others: readonly GridRow[] = [
      ['q0', 'Chair', 7],
      ['q1', 'Table', 8],
    ];
    const typed = await fakeTabModel({ draft: openDraft(NAME, 'Lamp 1', 'Lantern'), rows: others });
    typed.model.cells.editors[0]?.leave();
    expect(typed.stage.stage.mock.calls).toEqual([updateOf('name', 'Lantern', 'Lamp 1')]);
    const late = await fakeTabModel({ draft: openDraft(NAME, 'Lamp 1'), rows: others });
    expect(late.model.cells.editors).toEqual([]);
  });
});
