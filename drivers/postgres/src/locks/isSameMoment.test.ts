import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSameMoment } from './isSameMoment.ts';

describe('isSameMoment', () => {
  it.each([
    ['nothing has ended', '10:10:', '10:10:', [], true],
    ['another transaction has ended', '10:10:', '11:11:', [], false],
    ['the own one has ended', '10:10:', '11:11:', [10], true],
    ['the own one and its part have ended', '10:10:', '12:12:', [10, 11], true],
    ['the own one and another have ended', '10:10:', '12:12:', [10], false],
    ['one that has begun since still runs', '10:10:', '10:12:10', [11], true],
    ['one that ran before has ended', '8:10:8,9', '9:11:9', [10], false],
    ['one that ran before still runs', '8:10:8,9', '8:11:8,9', [10], true],
    ['numbers beyond 32 bits', '4294967297:4294967297:', '4294967298:4294967298:', [1], true],
    ['the numbers go back', '10:10:', '9:9:', [], false],
    ['more numbers than an import has', '10:10:', '5000:5000:', Array.from({ length: 5_000 }, (_, number) => number), false],
    ['no snapshot', '', '10:10:', [], false],
    ['no snapshot now', '10:10:', '', [], false],
  ])('%s', (_what, before, now, own, expected) => {
    expect(isSameMoment(before, now, new Set(own))).toBe(expected);
  });

  it('is true only where every transaction that has ended is harmless, whatever the order in which they began and ended', () => {
    // Of a server: each step begins a transaction, or ends one of those that run.
    const steps = fc.array(fc.record({ begins: fc.boolean(), which: fc.nat(), isOwn: fc.boolean() }), { maxLength: 40 });
    fc.assert(
      fc.property(steps, fc.nat(40), (history, cut) => {
        const running = new Map<number, boolean>();
        let next = 100;
        let last = 99;
        const snapshot = (): string => {
          const end = last + 1;
          const open = [...running.keys()].filter((number) => number < end);
          return `${Math.min(end, ...open)}:${end}:${open.join(',')}`;
        };
        let before = snapshot();
        const harmless = new Set<number>();
        let isSame = true;
        for (const [index, { begins, which, isOwn }] of history.entries()) {
          if (index === cut) [before, isSame] = [snapshot(), true];
          if (begins || running.size === 0) {
            running.set(next, isOwn);
            next += 1;
          } else {
            const number = [...running.keys()][which % running.size] ?? 0;
            if (running.get(number) === true) harmless.add(number);
            else isSame = false;
            running.delete(number);
            last = Math.max(last, number);
          }
        }
        expect(isSameMoment(before, snapshot(), harmless)).toBe(isSame);
      }),
      { numRuns: 500 },
    );
  });
});
