import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { WireRequest } from '@tabularium/sdk/protocol';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  // The module takes the clock of the moment in which it is loaded.
  vi.resetModules();
});
afterEach(() => vi.useRealTimers());

/** Logs of two sessions of one process. @param answers - whether the host answers before `answer` is called */
async function logs(answers: boolean) {
  const { DriverLog } = await import('./driverLog.ts');
  const { LogRate } = await import('./logRate.ts');
  const sent: string[] = [];
  const answered = Promise.withResolvers<never>();
  const answer = (): void => answered.reject(new Error('answered'));
  if (answers) answer();
  const ask = (request: WireRequest): Promise<never> => {
    sent.push((request.params as { message: string }).message);
    return answered.promise;
  };
  const rate = new LogRate();
  return { sent, answer, one: new DriverLog(1, ask, rate), two: new DriverLog(2, ask, rate) };
}

describe('the log that a driver writes to', () => {
  it('sends 200 lines of a second for all sessions, and one line that counts the rest', async () => {
    const { sent, one, two } = await logs(true);
    for (let line = 0; line < 1_000; line += 1) {
      one.write('info', `line ${line}`);
      two.write('info', `line ${line}`);
      await Promise.resolve();
      await vi.advanceTimersByTimeAsync(0);
    }
    expect(sent).toHaveLength(200);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sent.slice(200)).toEqual(['1800 lines before this one were dropped: the driver writes faster than its log is read.']);
    one.write('info', 'after');
    expect(sent.at(-1)).toBe('after');
  });

  it('loses none of 100 lines that are written at once, and keeps their order', async () => {
    const { sent, one } = await logs(true);
    const lines = Array.from({ length: 100 }, (_, line) => `line ${line}`);
    for (const line of lines) one.write('info', line);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(sent).toEqual(lines);
  });

  it('has at most 16 lines of a session in flight and 200 that wait, and counts the rest', async () => {
    const { sent, one, answer } = await logs(false);
    for (let second = 0; second < 3; second += 1) {
      for (let line = 0; line < 150; line += 1) one.write('info', 'x');
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(sent).toHaveLength(16);
    answer();
    await vi.advanceTimersByTimeAsync(0);
    expect(sent.slice(0, 216)).toEqual(Array.from({ length: 216 }, () => 'x'));
    expect(sent.slice(216).map((line) => Number.parseInt(line, 10))).toEqual([84, 150]);
  });

  it('counts what it drops once a second at most, however long the host takes to answer', async () => {
    const { sent, one, answer } = await logs(false);
    for (let time = 0; time < 5_000; time += 5) {
      one.write('info', 'x');
      await vi.advanceTimersByTimeAsync(5);
    }
    answer();
    await vi.advanceTimersByTimeAsync(1_000);
    const counted = sent.filter((line) => line !== 'x');
    expect(counted.length).toBeLessThanOrEqual(5);
    expect(counted.reduce((sum, line) => sum + Number.parseInt(line, 10), 0)).toBe(1_000 - 216);
  });
});
