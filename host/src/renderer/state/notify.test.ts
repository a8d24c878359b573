import { describe, expect, it, vi } from 'vitest';
import { createStatusStore } from './notify.ts';

describe('the status', () => {
  it('shows each piece of work separately from its beginning to its end', () => {
    const store = createStatusStore();
    const cancel = vi.fn();
    const first = store.getState().beginActivity('Saving', cancel);
    const second = store.getState().beginActivity('Reading');
    first.update('Saving 2 of 3', 0.5);
    expect(store.getState().activities).toEqual([
      { id: 1, label: 'Saving 2 of 3', progress: 0.5, cancel },
      { id: 2, label: 'Reading' },
    ]);
    first.end();
    first.end();
    first.update('Late');
    expect(store.getState().activities).toEqual([{ id: 2, label: 'Reading' }]);
    second.end();
    expect(store.getState().activities).toEqual([]);
  });

  it('shows one notice until another or none takes its place, beside running work', () => {
    const store = createStatusStore();
    store.getState().beginActivity('Reading');
    store.getState().notify({ tone: 'plain', text: 'Saved' });
    store.getState().notify({ tone: 'warning', text: 'Not saved' });
    expect(store.getState()).toMatchObject({ notice: { text: 'Not saved' }, activities: [{ label: 'Reading' }] });
    store.getState().notify();
    expect(store.getState().notice).toBeUndefined();
  });

  it('notifies its followers of each change', () => {
    const store = createStatusStore();
    const follower = vi.fn();
    const stop = store.subscribe(follower);
    store.getState().beginActivity('Reading').end();
    stop();
    store.getState().notify({ tone: 'plain', text: 'Saved' });
    expect(follower).toHaveBeenCalledTimes(2);
  });
});
