import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { WireRequest } from '@tabularium/sdk/protocol';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  // The module takes the clock of the moment in which it is loaded.
  vi.resetModules();
});
afterEach(() => vi.useRealTimers());

/** Logs of two sessions of one process. @param answers - whether the host answers */
async function logs(answers: boolean) {
  const { DriverLog } = await import('./driverLog.ts');
  const { LogRate } = await import('./logRate.ts');
  const sent: string[] = [];
  const ask = (request: WireRequest): Promise<never> => {
    sent.push((request.params as { message: string }).message);
    return answers ? Promise.reject(new Error('answered')) : new Promise(() => undefined);
  };
  const rate = new LogRate();
  return { sent, one: new DriverLog(1, ask, rate), two: new DriverLog(2, ask, rate) };
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

  it('has at most 16 lines of a session in flight', async () => {
    const { sent, one } = await logs(false);
    for (let line = 0; line < 100; line += 1) one.write('info', 'x');
    expect(sent).toHaveLength(16);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sent.at(-1)).toMatch(/^84 lines before this one were dropped/);
  });
});
