import { expect, it } from 'vitest';
import { RateLimit } from './rateLimit.ts';

it('lets a minute’s worth through at once, then as many as the minute allows, for each principal separately', () => {
  let now = 0;
  let perMinute = 60;
  const limit = new RateLimit(
    () => ({ requestsPerMinute: perMinute, requestsAtOnce: 1 }),
    () => now,
  );
  const let_ = (count: number, principal = 'a'): number =>
    Array.from({ length: count }, () => limit.take(principal)).filter((seconds) => seconds === 0).length;
  expect(let_(100)).toBe(60);
  expect(limit.take('a')).toBe(1);
  expect(let_(1, 'b')).toBe(1);
  now += 5_000;
  expect(let_(100)).toBe(5);
  // A clock that was set back neither helps nor harms.
  now -= 60_000;
  expect(let_(10)).toBe(0);
  now += 120_000;
  expect(let_(100)).toBe(60);
  perMinute = 10;
  now += 60_000;
  expect(let_(100)).toBe(10);
  expect(limit.take('a')).toBe(6);
});
