import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NoticeBuffer } from './noticeBuffer.ts';

it('gives the first and the last messages in order, however they come and are taken, and counts the others', () => {
  const steps = fc.array(fc.oneof(fc.record({ add: fc.integer({ min: 0, max: 700 }) }), fc.constant('take' as const)), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(steps, (all) => {
      const buffer = new NoticeBuffer<number>();
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
    }),
  );
});

it('has nothing of the statement before', () => {
  const buffer = new NoticeBuffer<number>();
  for (let number = 0; number < 3_000; number += 1) buffer.add(number);
  buffer.begin();
  buffer.add(1);
  expect(buffer.take()).toEqual([1]);
  expect(buffer.takeLast()).toEqual({ leftOut: 0, last: [] });
});
