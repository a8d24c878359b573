import { describe, expect, it } from 'vitest';
import { inSlices } from './inSlices.ts';

/** Keeps the thread busy for some milliseconds at each step. */
function* busy(steps: number, milliseconds: number, onStep?: (step: number) => void): Generator<number, string> {
  for (let step = 1; step <= steps; step += 1) {
    const end = performance.now() + milliseconds;
    while (performance.now() < end);
    onStep?.(step);
    yield step;
  }
  return 'all';
}

describe('work in slices', () => {
  it('lets timers run in between, says how far it is, and returns the result', async () => {
    const done: number[] = [];
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 1);
    expect(await inSlices(busy(20, 20), { onProgress: (step) => done.push(step) })).toBe('all');
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(2);
    expect(done.length).toBeGreaterThan(2);
    expect(done).toEqual(done.toSorted((one, other) => one - other));
  });

  it('ends with the slice in which it was cancelled', async () => {
    const controller = new AbortController();
    let last = 0;
    const work = busy(1_000, 20, (step) => (last = step));
    const running = inSlices(work, { signal: controller.signal, onProgress: () => controller.abort() });
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
    expect(last).toBeLessThan(20);
  });

  it('does not begin where it was cancelled before', async () => {
    let last = 0;
    const work = busy(3, 1, (step) => (last = step));
    await expect(inSlices(work, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
    expect(last).toBe(0);
  });
});
