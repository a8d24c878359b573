import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SaveDocuments } from '../../common/workspaceState.ts';
import { LARGEST_DOCUMENT } from '../../common/workspaceState.ts';
import { createDocumentStore } from './documentStore.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function freshStore(documents: Readonly<Record<string, unknown>> = {}) {
  const written: SaveDocuments['documents'][number][][] = [];
  const announced: unknown[] = [];
  const load = vi.fn(() => Promise.resolve(documents));
  const save = vi.fn((input: SaveDocuments): Promise<unknown> => Promise.resolve(written.push(input.documents)));
  const store = createDocumentStore({ load, save, announce: (written) => void announced.push(written) });
  return { store, written, announced, load, save, ...store.getState() };
}

describe('remembered documents', () => {
  it('are fetched once, and what was written before the answer stays', async () => {
    const { loadScope, remember, recall, load } = freshStore({ sort: 'name', width: 1 });
    const loading = loadScope('home');
    remember('home', 'width', 2);
    await Promise.all([loading, loadScope('home')]);
    expect(load).toHaveBeenCalledTimes(1);
    expect([recall('home', 'sort'), recall('home', 'width'), recall('other', 'sort')]).toEqual(['name', 2, undefined]);
  });

  it('are empty when the host does not answer, and asked for again', async () => {
    const { loadScope, load, recall } = freshStore({ sort: 'name' });
    load.mockRejectedValueOnce(new Error('gone'));
    await loadScope('home');
    expect(recall('home', 'sort')).toBeUndefined();
    await loadScope('home');
    expect(recall('home', 'sort')).toBe('name');
  });

  it('are sent together after a while, each as it is then; one that is too large is forgotten by the host', async () => {
    const { remember, recall, written, announced } = freshStore();
    remember('home', 'a', 1);
    remember('home', 'a', 2);
    remember('home', 'b', undefined);
    const large = 'x'.repeat(LARGEST_DOCUMENT);
    remember('home', 'c', large);
    expect(written).toEqual([]);
    await vi.advanceTimersByTimeAsync(400);
    expect(written).toEqual([
      [
        { scope: 'home', name: 'a', value: 2 },
        { scope: 'home', name: 'b' },
        { scope: 'home', name: 'c' },
      ],
    ]);
    expect(recall('home', 'c')).toBe(large);
    expect(announced).toHaveLength(4);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(written).toHaveLength(1);
  });

  it('are said once more when the page goes before the host has answered', async () => {
    const { remember, lastWords, save } = freshStore();
    save.mockReturnValueOnce(new Promise(() => undefined));
    remember('home', 'a', 1);
    remember('home', 'b', 1);
    await vi.advanceTimersByTimeAsync(400);
    remember('home', 'a', 2);
    expect(lastWords()).toEqual({
      documents: [
        { scope: 'home', name: 'a', value: 2 },
        { scope: 'home', name: 'b', value: 1 },
      ],
    });
  });

  it('are taken over from another window, for a scope that is known here', async () => {
    const { store, loadScope, recall, takeOver, written } = freshStore();
    takeOver({ scope: 'home', name: 'a', value: 1 });
    expect(recall('home', 'a')).toBeUndefined();
    await loadScope('home');
    const follower = vi.fn();
    store.subscribe(follower);
    takeOver({ scope: 'home', name: 'a', value: 1 });
    expect(recall('home', 'a')).toBe(1);
    expect(follower).toHaveBeenCalledTimes(1);
    takeOver({ scope: 'home', name: 'a' });
    expect(recall('home', 'a')).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(written).toEqual([]);
  });

  it('are taken over while the host is still being asked, whose answer may be older', async () => {
    const { loadScope, recall, takeOver } = freshStore({ a: 1 });
    const loading = loadScope('home');
    takeOver({ scope: 'home', name: 'a', value: 2 });
    await loading;
    expect(recall('home', 'a')).toBe(2);
  });

  it('stay forgotten that another window forgets while the host is still being asked', async () => {
    const { loadScope, recall, takeOver } = freshStore({ a: 1 });
    const loading = loadScope('home');
    takeOver({ scope: 'home', name: 'a' });
    await loading;
    expect(recall('home', 'a')).toBeUndefined();
  });

  it('that another window writes later are not replaced at the host by what this one has not sent yet', async () => {
    const { loadScope, remember, takeOver, recallNames, written } = freshStore();
    await loadScope('home');
    remember('home', 'a', undefined);
    remember('home', 'b', 1);
    takeOver({ scope: 'home', name: 'a', value: 'kept' });
    takeOver({ scope: 'home', name: 'b' });
    expect(recallNames('home')).toEqual(['a']);
    await vi.advanceTimersByTimeAsync(400);
    expect(written).toEqual([
      [
        { scope: 'home', name: 'a', value: 'kept' },
        { scope: 'home', name: 'b' },
      ],
    ]);
  });

  it('of a connection that is gone are forgotten, sent or not', async () => {
    const { loadScope, remember, dropScope, recall, written } = freshStore({ a: 1 });
    await loadScope('gone');
    remember('gone', 'b', 1);
    remember('home', 'b', 1);
    dropScope('gone');
    expect(recall('gone', 'a')).toBeUndefined();
    await vi.advanceTimersByTimeAsync(400);
    expect(written).toEqual([[{ scope: 'home', name: 'b', value: 1 }]]);
  });
});
