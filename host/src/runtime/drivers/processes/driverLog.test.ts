import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ProcessLog } from './driverLog.ts';
import type { DriverLogLine } from './driverLog.ts';

const MEGABYTE = 1_000_000;

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

/** The output of a process: the same chunk again and again, as fast as it is read. */
function flood(chunk: string, count: number): { readonly stream: Readable; readonly read: () => number } {
  const bytes = Buffer.from(chunk);
  let left = count;
  const stream = new Readable({
    highWaterMark: bytes.length,
    read() {
      left -= 1;
      this.push(left < 0 ? null : bytes);
    },
  });
  return { stream, read: () => (count - Math.max(left, 0)) * bytes.length };
}

function newLog(bytes: number): {
  readonly log: ProcessLog;
  readonly lines: DriverLogLine[];
  readonly from: (source: string) => string[];
} {
  const lines: DriverLogLine[] = [];
  const log = new ProcessLog((line) => lines.push(line), 'fixture', '1.0.0', bytes);
  return { log, lines, from: (source) => lines.filter((line) => line.source === source).map(({ message }) => message) };
}

describe('the log of a driver that writes without end', () => {
  it.each([
    ['lines', `${'x'.repeat(99)}\n`.repeat(600)],
    ['line feeds', '\n'.repeat(60_000)],
    ['no line feed', 'x'.repeat(60_000)],
    ['short lines', 'x\n'.repeat(30_000)],
  ])('reads no more than 16 MB a second, and says so once: %s', async (_name, chunk) => {
    const { log, from } = newLog(256 * 1_024);
    const { stream, read } = flood(chunk, 2_000);
    log.read(stream);
    for (let second = 1; second <= 5; second += 1) {
      await vi.advanceTimersByTimeAsync(1_000);
      expect(read()).toBeLessThan((second * 17 + 2) * MEGABYTE);
      expect(read()).toBeGreaterThan((second - 1) * 15 * MEGABYTE);
    }
    expect(from('host').filter((message) => message.includes('16 MB a second'))).toHaveLength(1);
    expect(from('host').filter((message) => message.includes('the rest is dropped'))).toHaveLength(1);
    expect(from('stderr').join('\n').length).toBeLessThan(256 * 1_024);
    stream.destroy();
  });

  it('keeps 1,000 lines of a second, and those of the next again', async () => {
    const { log, from } = newLog(10 * MEGABYTE);
    for (let second = 1; second <= 3; second += 1) {
      const { stream } = flood('x\n'.repeat(1_000), 5);
      log.read(stream);
      await vi.advanceTimersByTimeAsync(1_001);
      expect(from('stderr')).toHaveLength(second * 1_000);
    }
    expect(from('host')).toEqual([
      'The driver writes more than 1000 lines a second to its log; the rest of each second is dropped.',
    ]);
  });

  it('keeps 1,000 lines of a second that come over the wire too', async () => {
    const { log, from } = newLog(10 * MEGABYTE);
    for (let second = 1; second <= 2; second += 1) {
      for (let line = 0; line < 1_010; line += 1) void log.line('info', 'x');
      expect(from('driver')).toHaveLength(second * 1_000);
      await vi.advanceTimersByTimeAsync(1_001);
    }
  });
});

describe('the log of a driver that floods the wire', () => {
  it('answers the line that filled a second only when the second is over, and counts what it dropped', async () => {
    const { log, from } = newLog(10 * MEGABYTE);
    for (let line = 1; line < 1_000; line += 1) expect(log.line('info', 'x')).toBeUndefined();
    let answered = 0;
    for (let line = 0; line < 8; line += 1) void log.line('info', 'x')?.then(() => (answered += 1));
    await vi.advanceTimersByTimeAsync(900);
    expect(answered).toBe(0);
    await vi.advanceTimersByTimeAsync(101);
    expect(answered).toBe(8);
    expect(log.line('info', 'next')).toBeUndefined();
    log.end();
    expect(from('host').at(-1)).toBe("7 lines of the driver's log were dropped.");
  });
});

describe('the log of any driver', () => {
  it('has its lines whole, also those that arrive in pieces, and the last without a line feed', async () => {
    const { log, lines } = newLog(MEGABYTE);
    const bytes = Buffer.from('one\ntwö\n\nthree');
    log.read(Readable.from([...bytes].map((byte) => Buffer.from([byte]))));
    await vi.advanceTimersByTimeAsync(10);
    log.end();
    expect(lines.map(({ level, source, message }) => [level, source, message])).toEqual([
      ['error', 'stderr', 'one'],
      ['error', 'stderr', 'twö'],
      ['error', 'stderr', 'three'],
    ]);
  });
});
