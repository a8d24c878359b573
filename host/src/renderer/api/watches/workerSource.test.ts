import { describe, expect, it, vi } from 'vitest';
import type { WatchTopic } from '../../../common/watches.ts';
import type { ToWindow, ToWorker } from './messages.ts';
import { workerSource } from './workerSource.ts';

const approvals: WatchTopic = { is: 'approvals' };

/** The browser's locks, as far as they are used here: granted when no other window holds the name. */
function fakeLocks() {
  const free = new Map<string, Promise<unknown>>();
  const request = async (name: string, ...rest: readonly unknown[]): Promise<unknown> => {
    const callback = rest.at(-1) as () => unknown;
    const before = free.get(name);
    const turn = Promise.withResolvers<unknown>();
    free.set(name, turn.promise);
    await before;
    const result = await callback();
    turn.resolve(undefined);
    return result;
  };
  return { request } as unknown as LockManager;
}

function windowAndWorker() {
  const channel = new MessageChannel();
  const locks = fakeLocks();
  let onError = (): void => undefined;
  const onGone = vi.fn();
  const heard: ToWorker[] = [];
  channel.port2.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => void heard.push(data));
  channel.port2.start();
  const worker = { port: channel.port1, addEventListener: (_type: 'error', listener: () => void) => void (onError = listener) };
  const source = workerSource(worker, 'http://127.0.0.1/w/api/trpc', locks, onGone);
  return { source, heard, locks, onGone, fail: () => onError(), say: (message: ToWindow) => channel.port2.postMessage(message) };
}

const follow = (source: ReturnType<typeof windowAndWorker>['source']) => {
  const seen: unknown[] = [];
  const leave = source.follow(approvals, {
    onValue: (value) => void seen.push(value),
    onBroken: () => void seen.push('broken'),
    onLost: () => void seen.push('lost'),
  });
  return { seen, leave };
};

describe('a window that follows by the shared worker', () => {
  it('greets first, holding its lock, then says what it follows and what no more', async () => {
    const { source, heard, locks } = windowAndWorker();
    const { leave } = follow(source);
    leave();
    await vi.waitFor(() => expect(heard.map(({ type }) => type)).toEqual(['hello', 'follow', 'leave']), { timeout: 120_000 });
    const [hello, followed, left] = heard;
    expect(hello).toMatchObject({ url: 'http://127.0.0.1/w/api/trpc' });
    expect(followed).toMatchObject({ topic: approvals });
    expect(left).toMatchObject({ id: followed?.type === 'follow' ? followed.id : undefined });
    // As long as the window is there, no other one gets the lock.
    const granted = vi.fn();
    void locks.request(hello?.type === 'hello' ? hello.lock : '', granted);
    await new Promise((resolve) => setImmediate(resolve));
    expect(granted).not.toHaveBeenCalled();
  });

  it('gives each who follows what is theirs, until they leave', async () => {
    const { source, say } = windowAndWorker();
    const first = follow(source);
    const second = follow(source);
    say({ type: 'value', id: 1, value: 'A' });
    say({ type: 'broken', id: 2 });
    say({ type: 'lost', id: 2 });
    await vi.waitFor(() => expect(second.seen).toEqual(['broken', 'lost']), { timeout: 120_000 });
    expect(first.seen).toEqual(['A']);
    first.leave();
    say({ type: 'value', id: 1, value: 'B' });
    say({ type: 'value', id: 2, value: 'C' });
    await vi.waitFor(() => expect(second.seen).toEqual(['broken', 'lost', 'C']), { timeout: 120_000 });
    expect(first.seen).toEqual(['A']);
  });

  it('learns that the worker is gone by its lock, and that it never was by its error', async () => {
    const { source, locks, onGone, say, fail } = windowAndWorker();
    const worker = Promise.withResolvers<void>();
    void locks.request('worker', () => worker.promise);
    say({ type: 'ready', lock: 'worker' });
    const { seen } = follow(source);
    say({ type: 'value', id: 1, value: 'after it was ready' });
    await vi.waitFor(() => expect(seen).toHaveLength(1), { timeout: 120_000 });
    expect(onGone).not.toHaveBeenCalled();
    worker.resolve();
    await vi.waitFor(() => expect(onGone).toHaveBeenCalledWith(true), { timeout: 120_000 });
    fail();
    expect(onGone).toHaveBeenLastCalledWith(false);
  });
});
