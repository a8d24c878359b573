import type { KeyboardEvent } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { StagedRow } from '../../../common/editing.ts';
import { HEADER_ROW } from '../model/navigation.ts';
import { cellAt, fakeTabModel } from '../tab/tabModel.test-helper.ts';
import { tabKeys } from './tabKeys.ts';

class FakeElement {
  readonly #role: string;
  constructor(role: string) {
    this.#role = role;
  }
  getAttribute(): string {
    return this.#role;
  }
}
vi.stubGlobal('Element', FakeElement);

const spies = { deleteRows: vi.fn(), closeInspector: vi.fn(), follow: vi.fn(), referring: vi.fn() };
beforeEach(() => void vi.clearAllMocks());

const staged: StagedRow = { id: 'new:1', kind: 'insert', cells: [], sending: false };

type Fake = Awaited<ReturnType<typeof fakeTabModel>>;

/** Presses keys such as `Ctrl+Shift+Z` in the grid, or in another part of the tab. @returns whether the tab took them */
function press({ model }: Fake, keys: string, role = 'grid'): boolean {
  const parts = keys.split('+');
  const preventDefault = vi.fn();
  const event = {
    key: parts.at(-1),
    ctrlKey: parts.includes('Ctrl'),
    shiftKey: parts.includes('Shift'),
    altKey: parts.includes('Alt'),
    metaKey: false,
    defaultPrevented: false,
    target: new FakeElement(role),
    preventDefault,
    stopPropagation: vi.fn(),
  };
  tabKeys(model, spies)(event as unknown as KeyboardEvent);
  return preventDefault.mock.calls.length > 0;
}

const onName = () => fakeTabModel({ selected: [cellAt(1, 1)], staged: [staged] });

describe('the keys of a tab', () => {
  it('open the editor with the letter that is typed, and with F2 as the cell is', async () => {
    const fake = await onName();
    expect(press(fake, 'x')).toBe(true);
    expect(fake.setDraft.mock.lastCall?.[1]).toMatchObject({ text: 'x', replaces: true });
    press(fake, 'F2');
    expect(fake.setDraft.mock.lastCall?.[1]).toMatchObject({ text: 'Lamp 0', replaces: false });
  });

  it('type nothing in the header, with Alt, or in another part of the tab', async () => {
    const fake = await onName();
    expect([press(fake, 'Alt+x'), press(fake, 'x', 'textbox'), press(fake, 'ArrowDown')]).toEqual([false, false, false]);
    const header = await fakeTabModel({ selected: [cellAt(HEADER_ROW, 1)] });
    expect(press(header, 'x')).toBe(false);
    expect(fake.setDraft).not.toHaveBeenCalled();
    expect(header.setDraft).not.toHaveBeenCalled();
  });

  it('follow the reference of a cell with Alt+Enter, those to its row with Alt+Shift+Enter, and nothing in the header or in a field', async () => {
    expect(press(await onName(), 'Alt+Enter')).toBe(true);
    expect(spies.follow).toHaveBeenCalledOnce();
    press(await onName(), 'Alt+Enter', 'textbox');
    press(await fakeTabModel({ selected: [cellAt(HEADER_ROW, 1)] }), 'Alt+Enter');
    expect(press(await onName(), 'Alt+Shift+Enter')).toBe(true);
    expect(spies.referring).toHaveBeenCalledOnce();
    press(await onName(), 'Alt+Shift+Enter', 'textbox');
    expect([spies.follow, spies.referring].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  });

  it('delete the selected rows', async () => {
    press(await onName(), 'Delete');
    expect(spies.deleteRows).toHaveBeenCalledOnce();
  });

  it('undo and redo in the grid, and leave both to the field elsewhere', async () => {
    const fake = await onName();
    press(fake, 'Ctrl+z');
    press(fake, 'Ctrl+Shift+Z');
    press(fake, 'Ctrl+y');
    expect(fake.stage.undo).toHaveBeenCalledOnce();
    expect(fake.stage.redo).toHaveBeenCalledTimes(2);
    expect(press(fake, 'Ctrl+z', 'textbox')).toBe(false);
    expect(fake.stage.undo).toHaveBeenCalledOnce();
  });

  it('review what is staged; the browser never saves the page', async () => {
    const fake = await onName();
    expect(press(fake, 'Ctrl+s')).toBe(true);
    expect(fake.layers.open).toHaveBeenCalledWith({ kind: 'review' });
    const clean = await fakeTabModel();
    expect(press(clean, 'Ctrl+s')).toBe(true);
    expect(clean.layers.open).not.toHaveBeenCalled();
  });

  it('close the menu before the inspector by Escape', async () => {
    const dialog = { kind: 'cellMenu', place: { x: 0, y: 0 } } as const;
    const both = await fakeTabModel({ dialog, isInspecting: true });
    press(both, 'Escape');
    expect(both.layers.close).toHaveBeenCalledOnce();
    expect(spies.closeInspector).not.toHaveBeenCalled();
    press(await fakeTabModel({ isInspecting: true }), 'Escape', 'textbox');
    expect(spies.closeInspector).toHaveBeenCalledOnce();
  });

  it('open and close the inspector from anywhere in the tab', async () => {
    const fake = await onName();
    press(fake, 'Ctrl+i', 'textbox');
    expect(fake.layers.toggleInspector).toHaveBeenCalledOnce();
    expect(press(fake, 'Ctrl+Shift+i', 'textbox')).toBe(false);
  });
});
