import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inexactNumber } from './inexactNumber.ts';

const found = (text: string): Promise<string | undefined> => inexactNumber(new TextEncoder().encode(text));

describe('a number that a double does not hold', () => {
  it.each([
    ['9007199254740993', '9007199254740993'],
    ['{"a":[1,{"b":-9007199254740993}]}', '-9007199254740993'],
    ['[1234567.12345678901234]', '1234567.12345678901234'],
    ['[1e400]', '1e400'],
    ['[1e-400]', '1e-400'],
    ['["9007199254740993\\"", 18446744073709551615]', '18446744073709551615'],
    ['[0.1000000000000000055511151231257827]', '0.1000000000000000055511151231257827'],
  ])('is found in %s', async (text, number) => {
    expect(await found(text)).toBe(number);
  });

  it.each([
    '"9007199254740993"',
    '{"9007199254740993":"\\"1e400"}',
    '[9007199254740992, 9007199254740994, 0.1, 1.50, 1e3, 1E+3, -0, -0.0, 0e400, 1.0000000000000000000000, 1000000000000000000000, 1e21, 0.30000000000000004, 5e-324]',
    'not JSON at all - 1',
    '',
  ])('is not found in %s', async (text) => {
    expect(await found(text)).toBeUndefined();
  });

  it('is none of the numbers that a program writes from doubles', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true })), async (numbers) => {
        expect(await found(JSON.stringify(numbers))).toBeUndefined();
      }),
    );
  });

  it('is each whole number that parses to another one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }), async (number) => {
        const isExact = BigInt(Number(number)) === number;
        // A double above 2^53 that is written in full is the number itself, though programs write it with fewer digits.
        if (!isExact) expect(await found(String(number))).toBe(String(number));
      }),
    );
  });
});
