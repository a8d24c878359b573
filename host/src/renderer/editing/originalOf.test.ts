import type { Column } from '@tabularium/sdk';
import { describe, expect, it, vi } from 'vitest';
import type { Edit, StagedRow } from '../../common/editing.ts';
import { parseDocument } from '../grid/model/rowDocument.ts';
import type { EditableRow } from '../grid/model/editableRow.ts';
import { fakeTabModel } from '../grid/tab/tabModel.test-helper.ts';
import { editOfRow } from '../inspector/rowEdits.ts';
import { readClipboard } from './clipboardTable.ts';
import { editOfDocument } from './documentEdits.ts';
import { originalOf } from './originalOf.ts';
import { planPaste } from './pastePlan.ts';

// Another window saves or discards a row while this one edits it: without the old value of each cell the host would save over anything.

const KEY = ['p0'];
const stagedCell = (column: string): StagedRow => ({
  id: '["p0"]',
  kind: 'update',
  key: KEY,
  cells: [{ column, value: 'Lantern', original: 'Lamp 0' }],
  sending: false,
});
const column = (name: string): Column => ({
  name,
  kind: 'text',
  type: 'text',
  nullable: true,
  editable: { allowed: true },
  sortable: { allowed: true },
});
const columns = ['id', 'name', 'seller.name'].map(column);
const names = columns.map(({ name }) => name);
const base = ['p0', 'Lamp 0', 'Lamp 0'];
const opened = (name: string): EditableRow => ({ base, staged: stagedCell(name), row: base });
const guarded = (edits: readonly (Edit | undefined)[]) =>
  edits.flatMap((edit) => (edit?.kind === 'update' ? edit.cells : [])).map(({ original }) => original);

describe('every edit of a cell that is staged names the value before the first change', () => {
  it('in the grid: a typed text, an undone change, and one value for several cells', async () => {
    const { model, stage } = await fakeTabModel({ staged: [stagedCell('name')] });
    const { cells, edited } = model;
    const [, name] = model.columns.columns;
    if (name === undefined) throw new Error('The table has no second column.');
    await cells.stageCell(edited.rowAt(0), name, 'Typed');
    cells.revertCell({ row: 0, column: 1 });
    cells.setAll([edited.rowAt(0)], [1], null);
    await vi.waitFor(() => expect(stage.stage).toHaveBeenCalledTimes(3));
    expect(guarded(stage.stage.mock.calls.flatMap(([edits]) => edits))).toEqual(['Lamp 0', 'Lamp 0', 'Lamp 0']);
  });

  it('in the inspector, field by field and as a document', () => {
    const field = editOfRow(opened('name'), ['id'], names, [{ place: 1, value: 'Typed' }]);
    const whole = (changed: string, staged: string) =>
      editOfDocument(
        {
          at: opened(staged),
          row: { key: KEY },
          document: parseDocument('{"id":"p0","name":"Lamp 0","seller":{"name":"Lamp 0"}}'),
          description: { columns },
          names,
          seen: [],
        },
        [{ column: changed, value: ['json', '{}'] }],
      );
    expect(guarded([field, whole('name', 'name')])).toEqual(['Lamp 0', 'Lamp 0']);
    // A member that is staged as a whole takes the change inside it back.
    expect(guarded([whole('seller', 'seller.name')])).toEqual(['Lamp 0', ['json', '{"name":"Lamp 0"}']]);
  });

  it('in the clipboard, also where the page left the value out', () => {
    const pasteColumns = columns.map((one, source) => ({ ...one, source }));
    const paste = (read: EditableRow['base']) =>
      planPaste(
        readClipboard('Pasted'),
        pasteColumns.slice(1, 2),
        [{ row: { key: KEY }, at: { ...opened('name'), base: read }, base: read, values: base, isDeleted: false }],
        pasteColumns,
      ).edits;
    expect(guarded(paste(base))).toEqual(['Lamp 0']);
    expect(guarded(paste(['p0', ['unread', { bytes: 9 }], '']))).toEqual(['Lamp 0']);
  });
});

describe('the value before a change', () => {
  it('is that of the row where the change staged no value of its own, none in a new row, and never a placeholder', () => {
    expect(originalOf({ base, staged: undefined }, 'name', 1)).toBe('Lamp 0');
    expect(
      originalOf({ base: undefined, staged: { ...stagedCell('name'), kind: 'insert', cells: [] } }, 'name', 1),
    ).toBeUndefined();
    const unread = ['p0', ['unread', { bytes: 9 }], ''] as const;
    const unknown = { ...stagedCell('name'), cells: [{ column: 'name', value: 'Lantern' }] };
    expect(originalOf({ base: unread, staged: unknown }, 'name', 1)).toBeUndefined();
    expect(() => originalOf({ base: unread, staged: undefined }, 'name', 1)).toThrow();
  });
});
