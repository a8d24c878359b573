import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createStatusStore } from './notify.ts';

describe('the status', () => {
  beforeEach(() => vi.stubGlobal('document', { hidden: false }));

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

  it('takes a notice away when the state that it describes is another one, and no other notice', () => {
    const { getState } = createStatusStore();
    getState().notify({ about: 'stage of products', tone: 'plain', text: 'Staged 900 cells' });
    getState().withdraw('stage of articles');
    expect(getState().notice?.text).toBe('Staged 900 cells');
    getState().withdraw('stage of products');
    expect(getState()).toMatchObject({ notice: undefined, past: [{ text: 'Staged 900 cells' }] });
    getState().notify({ tone: 'plain', text: 'Copied' });
    getState().withdraw('stage of products');
    expect(getState().notice?.text).toBe('Copied');
  });

  it('marks a warning that came while work ran, and no other notice', () => {
    const { getState } = createStatusStore();
    getState().notify({ tone: 'warning', text: 'Before' });
    expect(getState().notice?.during).toBeUndefined();
    const work = getState().beginActivity('Saving');
    getState().notify({ tone: 'plain', text: 'Copied' });
    expect(getState().notice?.during).toBeUndefined();
    getState().notify({ tone: 'warning', text: 'Not undone' });
    expect(getState().notice).toMatchObject({ text: 'Not undone', during: true });
    work.end();
    expect(getState().notice).toMatchObject({ text: 'Not undone' });
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

  it('lets a plain notice leave after ten seconds and a warning after a minute, and keeps both to be read again', () => {
    vi.useFakeTimers();
    try {
      const { getState } = createStatusStore();
      getState().notify({ tone: 'plain', text: 'Saved' });
      vi.advanceTimersByTime(9_000);
      expect(getState().notice?.text).toBe('Saved');
      vi.advanceTimersByTime(1_000);
      expect(getState().notice).toBeUndefined();
      expect(getState().unread).toBe(false);
      getState().notify({ tone: 'warning', text: 'Not saved' });
      vi.advanceTimersByTime(59_000);
      expect(getState().notice?.text).toBe('Not saved');
      vi.advanceTimersByTime(1_000);
      expect(getState()).toMatchObject({ notice: undefined, unread: true, past: [{ text: 'Not saved' }, { text: 'Saved' }] });
    } finally {
      vi.useRealTimers();
    }
  });

  it('gives each notice its whole time, and keeps one with an action until another takes its place', () => {
    vi.useFakeTimers();
    try {
      const { getState } = createStatusStore();
      getState().notify({ tone: 'plain', text: 'First' });
      vi.advanceTimersByTime(8_000);
      getState().notify({ tone: 'plain', text: 'Second' });
      vi.advanceTimersByTime(8_000);
      expect(getState().notice?.text).toBe('Second');
      getState().notify({ tone: 'plain', text: 'Closed', action: { label: 'Open again', run: vi.fn() } });
      vi.advanceTimersByTime(600_000);
      expect(getState().notice?.text).toBe('Closed');
    } finally {
      vi.useRealTimers();
    }
  });

  it('waits for a hidden window', () => {
    vi.useFakeTimers();
    const page = { hidden: true };
    vi.stubGlobal('document', page);
    try {
      const { getState } = createStatusStore();
      getState().notify({ tone: 'plain', text: 'Saved' });
      vi.advanceTimersByTime(600_000);
      expect(getState().notice?.text).toBe('Saved');
      page.hidden = false;
      vi.advanceTimersByTime(10_000);
      expect(getState().notice).toBeUndefined();
    } finally {
      vi.useRealTimers();
    }
  });

  it('gives a notice the tab in front, unless it names another or belongs to none', () => {
    const { getState } = createStatusStore();
    getState().notify({ tone: 'warning', text: 'Before any tab' });
    const products = { key: '1 products', name: 'products' };
    const leave = getState().activateTab(products);
    getState().notify({ tone: 'warning', text: 'Read-only' });
    expect(getState().notice?.tab).toEqual(products);
    getState().notify({ tone: 'warning', text: 'Host is back', tab: 'none' });
    expect(getState().notice?.tab).toBeUndefined();
    getState().activateTab({ key: '1 articles', name: 'articles' });
    leave();
    getState().notify({ tone: 'warning', text: 'Read-only' });
    getState().notify({ tone: 'warning', text: 'Saved', tab: products });
    expect(getState().past.map(({ tab }) => tab)).toEqual(['products', 'articles', undefined, 'products', undefined]);
    getState().notify();
  });

  it('shows what a server hides in a text or a name, and a part of a very long one', () => {
    const { getState } = createStatusStore();
    getState().activateTab({ key: '1 a', name: 'pro\u202Educts\n' });
    getState().notify({ tone: 'warning', text: `Refused: \u200B\u202Etxt.exe ${'x'.repeat(5_000)}` });
    const { notice, past } = getState();
    for (const { text, tab } of [
      { text: notice?.text, tab: notice?.tab?.name },
      { text: past[0]?.text, tab: past[0]?.tab },
    ]) {
      expect(text).toMatch(/^Refused: ⟨U\+200B⟩⟨U\+202E⟩txt\.exe x+…⟨\+\d+⟩$/);
      expect(text?.length).toBeLessThan(2_100);
      expect(tab).toBe('pro⟨U+202E⟩ducts⏎');
    }
    getState().notify();
  });

  it('says how long the rest takes, once the speed says something about it', () => {
    vi.useFakeTimers();
    try {
      const { getState } = createStatusStore();
      const work = getState().beginActivity('Saving');
      const left = (): number | undefined => getState().activities[0]?.secondsLeft;
      vi.advanceTimersByTime(1_000);
      work.update('Saving 50 of 100', 0.5);
      expect(left()).toBeUndefined();
      vi.advanceTimersByTime(9_000);
      work.update('Saving 1 of 100', 0.01);
      expect(left()).toBeUndefined();
      work.update('Saving 80 of 100', 0.8);
      expect(left()).toBeCloseTo(2.5);
      work.end();
    } finally {
      vi.useRealTimers();
    }
  });

  it('keeps the newest fifty notices', () => {
    const { getState } = createStatusStore();
    for (let index = 1; index <= 60; index += 1) getState().notify({ tone: 'plain', text: `Notice ${index}` });
    expect(getState().past.map(({ text }) => text)).toEqual(Array.from({ length: 50 }, (_, index) => `Notice ${60 - index}`));
    getState().clearPast();
    expect(getState().past).toEqual([]);
    getState().notify();
  });
});
