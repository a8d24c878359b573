import { describe, expect, it } from 'vitest';
import { liveBytes } from '../testing/liveMemory.ts';
import { ByteQueue } from './byteQueue.ts';
import { ReceivedBody } from './receivedBody.ts';

const MEGABYTE = 1024 * 1024;
const SIZES = [1, 7, 1_000, 16_383, 16_384, 16_385, 100_000, 1, 1, 9_000, 8_000, 2];

describe('a queue of bytes', () => {
  it('gives the bytes in the order in which they came, whatever their pieces and whenever they are taken', () => {
    const sent: Uint8Array[] = [];
    const received: Uint8Array[] = [];
    const bytes = (chunks: readonly Uint8Array[]): number => chunks.reduce((sum, { length }) => sum + length, 0);
    const queue = new ByteQueue();
    for (let round = 0; round < 60; round += 1) {
      const chunk = Uint8Array.from({ length: SIZES[(round * 7) % SIZES.length] ?? 1 }, (_, index) => (index * 31 + round) % 251);
      sent.push(chunk);
      queue.push(chunk);
      if (round % 3 === 0) received.push(queue.take() ?? new Uint8Array());
      expect(queue.length).toBe(bytes(sent) - bytes(received));
    }
    received.push(queue.takeAll());
    expect(Buffer.concat(received).equals(Buffer.concat(sent))).toBe(true);
    expect(queue.length).toBe(0);
    expect(queue.take()).toBeUndefined();
    expect(queue.takeAll()).toEqual(new Uint8Array());
  });

  it('keeps what it has given out as it was, when more comes', () => {
    const queue = new ByteQueue();
    queue.push(Uint8Array.of(1));
    const first = queue.take();
    queue.push(Uint8Array.of(2));
    expect([first, queue.take()]).toEqual([Uint8Array.of(1), Uint8Array.of(2)]);
  });

  it('holds no more than the bytes in it, when each comes alone and is taken at once', () => {
    const [from, to] = [new ByteQueue(), new ByteQueue()];
    const before = liveBytes();
    for (let byte = 0; byte < 50_000; byte += 1) {
      from.push(Uint8Array.of(byte % 256));
      to.push(from.take() ?? new Uint8Array());
    }
    expect(to.length).toBe(50_000);
    expect(liveBytes() - before).toBeLessThan(MEGABYTE);
  });
});

describe('a body that comes byte by byte', () => {
  it('costs its reader what it has bytes', async () => {
    const body = new ReceivedBody({ giveCredit: () => undefined, abandon: () => undefined });
    const whole = body.collect(MEGABYTE);
    const before = liveBytes();
    for (let byte = 0; byte < 20_000; byte += 1) {
      body.push(Uint8Array.of(byte % 256));
      // The reader takes it before the next one comes.
      if (byte % 4 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(liveBytes() - before).toBeLessThan(2 * MEGABYTE);
    body.end();
    expect((await whole).length).toBe(20_000);
  });
});
