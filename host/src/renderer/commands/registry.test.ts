import { afterEach, describe, expect, it, vi } from 'vitest';
import { commandOf, contribute, createCommandsStore, knownCommands, runCommand } from './registry.ts';
import type { KeyPress } from './keys.ts';

const takenBack: (() => void)[] = [];
const offer = (...args: Parameters<typeof contribute>): void => void takenBack.push(contribute(...args));
afterEach(() => takenBack.splice(0).forEach((back) => back()));

const ctrlB: KeyPress = { key: 'b', code: 'KeyB', ctrlKey: true, metaKey: false, altKey: false, shiftKey: false };

describe('the commands', () => {
  it('have names and keys from the keyboard map, or bring their own', () => {
    offer('a', [
      { id: 'sidebar.toggle', run: () => undefined },
      { id: 'grid.fit', group: 'grid', title: 'Fit all columns', run: () => undefined },
    ]);
    expect(knownCommands().map(({ id, title, keys }) => [id, title, keys])).toEqual([
      ['sidebar.toggle', 'Fold or unfold the sidebar', ['mod+B']],
      ['grid.fit', 'Fit all columns', []],
    ]);
  });

  it('run by their id and by their keys, unless they are disabled or taken back', () => {
    const run = vi.fn();
    const back = contribute('a', [{ id: 'sidebar.toggle', run }]);
    expect(runCommand('sidebar.toggle')).toBe(true);
    commandOf(ctrlB, false)?.run();
    expect(run).toHaveBeenCalledTimes(2);
    offer('a', [{ id: 'sidebar.toggle', run, disabled: 'No connection is open.' }]);
    expect(runCommand('sidebar.toggle')).toBe(false);
    back();
    expect(commandOf(ctrlB, false)).toBeUndefined();
    expect(run).toHaveBeenCalledTimes(2);
  });

  it('are those of the part that came last, and of the earlier one when that goes', () => {
    const [first, second] = [vi.fn(), vi.fn()];
    offer('first', [{ id: 'editing.undo', run: first }]);
    const back = contribute('second', [{ id: 'editing.undo', run: second }]);
    runCommand('editing.undo');
    back();
    runCommand('editing.undo');
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 1]);
  });

  it('are not dispatched where a part handles the keys itself', () => {
    offer('a', [{ id: 'editing.undo', run: () => undefined }]);
    expect(commandOf({ ...ctrlB, key: 'z', code: 'KeyZ' }, false)).toBeUndefined();
  });

  it('are made again only after a change, and their followers hear of changes alone', () => {
    const store = createCommandsStore();
    const { contribute: offerIn, takeBack, knownCommands: known } = store.getState();
    const follower = vi.fn();
    store.subscribe(follower);
    const back = offerIn('a', [{ id: 'sidebar.toggle', run: () => undefined }]);
    expect(known()).toBe(known());
    expect(known()).toHaveLength(1);
    back();
    back();
    takeBack('nobody');
    expect(known()).toEqual([]);
    expect(follower).toHaveBeenCalledTimes(2);
  });
});
