import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NoticeBuffer } from './noticeBuffer.ts';

it('gives the first and the last messages in order, however they come and are taken, and counts the others', () => {
  const steps = fc.array(fc.oneof(fc.record({ add: fc.integer({ min: 0, max: 700 }) }), fc.constant('take' as const)), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(steps, (all) => {
      let bytes = 0;
      const buffer = new NoticeBuffer<number>(
        () => 10,
        (by) => (bytes += by),
      );
      buffer.begin();
      const taken: number[] = [];
      let count = 0;
      for (const step of all) {
        if (step === 'take') taken.push(...buffer.take());
        else for (let left = step.add; left > 0; left -= 1) buffer.add((count += 1));
      }
      taken.push(...buffer.take());
      const { leftOut, last } = buffer.takeLast();
      const numbers = Array.from({ length: count }, (_, index) => index + 1);
      const firstCount = Math.min(count, 500);
      const lastCount = Math.min(count - firstCount, 499);
      expect(taken).toEqual(numbers.slice(0, firstCount));
      expect(last).toEqual(lastCount === 0 ? [] : numbers.slice(-lastCount));
      expect(leftOut).toBe(count - firstCount - lastCount);
      expect(buffer.takeLast()).toEqual({ leftOut: 0, last: [] });
      expect(bytes).toBe(0);
    }),
  );
});

it('has nothing of the statement before', () => {
  const buffer = new NoticeBuffer<number>(() => 10);
  for (let number = 0; number < 3_000; number += 1) buffer.add(number);
  buffer.begin();
  buffer.add(1);
  expect(buffer.take()).toEqual([1]);
  expect(buffer.takeLast()).toEqual({ leftOut: 0, last: [] });
});

it('keeps no more bytes than it may, the first and the last messages, however long each is', () => {
  let bytes = 0;
  let most = 0;
  const buffer = new NoticeBuffer<{ readonly number: number; readonly size: number }>(
    ({ size }) => size,
    (by) => (most = Math.max(most, (bytes += by))),
  );
  const all = Array.from({ length: 400 }, (_, number) => ({ number, size: 12_000 + (number % 7) * 3_000 }));
  for (const notice of all) buffer.add(notice);
  expect(most).toBeLessThan(4.1 * 1024 * 1024);
  const first = buffer.take();
  // There is room again, and what comes now is behind the last ones all the same.
  const final = { number: 400, size: 1 };
  buffer.add(final);
  expect(buffer.take()).toEqual([]);
  const { leftOut, last } = buffer.takeLast();
  expect(first.length).toBeGreaterThan(50);
  expect(last.length).toBeGreaterThan(50);
  expect([...first, ...last]).toEqual([...all.slice(0, first.length), ...[...all, final].slice(-last.length)]);
  expect(first.length + leftOut + last.length).toBe(401);
  expect(bytes).toBe(0);
});
