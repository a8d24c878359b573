import { describe, expect, it } from 'vitest';
import { progressStream } from './progressStream.ts';

describe('progressStream', () => {
  it('yields every step in order, including steps that come before a reader, and then ends', async () => {
    const steps: number[] = [];
    for await (const step of progressStream<number>(async (notify) => {
      notify(1);
      notify(2);
      await Promise.resolve();
      notify(3);
    })) {
      steps.push(step);
    }
    expect(steps).toEqual([1, 2, 3]);
  });

  it('throws what the work throws, after the steps before it', async () => {
    const steps: string[] = [];
    const reading = (async () => {
      for await (const step of progressStream<string>((notify) => {
        notify('first');
        return Promise.reject(new Error('broke'));
      })) {
        steps.push(step);
      }
    })();
    await expect(reading).rejects.toThrow('broke');
    expect(steps).toEqual(['first']);
  });
});
