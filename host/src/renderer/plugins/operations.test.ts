import { describe, expect, it, vi } from 'vitest';
import type { Work } from './operations.ts';
import { createOperationsStore } from './operations.ts';

const work = (run: Work['run'], more: Partial<Work> = {}): Work => ({
  key: 'graph',
  kind: 'install',
  name: 'Graph',
  run,
  done: 'Installed',
  onDone: async () => undefined,
  ...more,
});
const pending = (signal: AbortSignal): Promise<void> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

describe('operations with drivers', () => {
  it('run once at a time for each driver, and are gone when they went well', async () => {
    const store = createOperationsStore();
    const { operate } = store.getState();
    let finish = (): void => undefined;
    const run = vi.fn<Work['run']>((_signal, notify) => {
      notify({ step: 'verifying', version: '1.0.0' });
      return new Promise((resolve) => (finish = resolve));
    });
    const first = operate(work(run));
    await operate(work(run));
    expect(run).toHaveBeenCalledTimes(1);
    expect(store.getState().operations.get('graph')).toMatchObject({
      running: true,
      progress: { step: 'verifying', version: '1.0.0' },
    });
    finish();
    await first;
    expect(store.getState().operations.size).toBe(0);
  });

  it('leave nothing when they are cancelled', async () => {
    const store = createOperationsStore();
    const running = store.getState().operate(work(pending));
    store.getState().operations.get('graph')?.cancel();
    await running;
    expect(store.getState().operations.size).toBe(0);
  });

  it('stay when they failed, until they are dismissed or done again', async () => {
    const store = createOperationsStore();
    const { operate, dismiss } = store.getState();
    const run = vi.fn<Work['run']>().mockRejectedValueOnce(new Error('broken')).mockResolvedValue();
    await operate(work(run));
    expect(store.getState().operations.get('graph')).toMatchObject({ running: false, problem: {} });
    store.getState().operations.get('graph')?.retry();
    await vi.waitFor(() => expect(store.getState().operations.size).toBe(0));
    await operate(work(() => Promise.reject(new Error('broken'))));
    dismiss('graph');
    expect(store.getState().operations.size).toBe(0);
  });

  it('are not dismissed while they run', () => {
    const store = createOperationsStore();
    void store.getState().operate(work(pending));
    store.getState().dismiss('graph');
    expect(store.getState().operations.get('graph')?.running).toBe(true);
    store.getState().operations.get('graph')?.cancel();
  });

  it('are done again with the older version that a person agreed to', async () => {
    const store = createOperationsStore();
    const run = vi.fn<Work['run']>().mockRejectedValueOnce(new Error('older')).mockResolvedValue();
    await store.getState().operate(work(run));
    store.getState().operations.get('graph')?.retryWithOlder('1.0.0');
    await vi.waitFor(() => expect(store.getState().operations.size).toBe(0));
    expect(run.mock.calls.map((call) => call[2])).toEqual([undefined, '1.0.0']);
  });
});
