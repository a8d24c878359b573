import { describe, expect, it } from 'vitest';
import { SharedTask } from './sharedTask.ts';

const never = new AbortController().signal;

describe('SharedTask', () => {
  it('gives every caller the one result and repeats the last step to those who join late', async () => {
    let runs = 0;
    const gate = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const task = new SharedTask<string, string>(async (_signal, notify) => {
      runs += 1;
      notify('began');
      started.resolve();
      await gate.promise;
      return 'done';
    });
    const early: string[] = [];
    const late: string[] = [];
    const first = task.join(never, (step) => early.push(step));
    await started.promise;
    const second = task.join(never, (step) => late.push(step));
    gate.resolve();
    expect(await Promise.all([first, second])).toEqual(['done', 'done']);
    expect({ runs, early, late }).toEqual({ runs: 1, early: ['began'], late: ['began'] });
  });

  it('continues while one caller waits, and is cancelled when the last one gives up', async () => {
    const aborted = Promise.withResolvers<string>();
    const task = new SharedTask<never, never>(
      (signal) =>
        new Promise<never>((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            aborted.resolve('aborted');
            reject(new Error('stopped'));
          });
        }),
    );
    const one = new AbortController();
    const two = new AbortController();
    const first = task.join(one.signal);
    const second = task.join(two.signal);
    one.abort();
    await expect(first).rejects.toMatchObject({ code: 'CANCELLED' });
    const stillRunning = await Promise.race([aborted.promise, Promise.resolve('running')]);
    expect(stillRunning).toBe('running');
    two.abort();
    await expect(second).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(await aborted.promise).toBe('aborted');
  });

  it('rejects every caller that waits for it when it fails', async () => {
    const failed = Promise.withResolvers<void>();
    const task = new SharedTask<never, never>(() => Promise.reject(new Error('no')));
    task.onFailure(() => failed.resolve());
    await expect(task.join(never)).rejects.toThrow('no');
    await expect(failed.promise).resolves.toBeUndefined();
  });
});
