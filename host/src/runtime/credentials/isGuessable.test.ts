import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isGuessable } from './isGuessable.ts';

const guessable = (text: string): boolean => isGuessable(Buffer.from(text));

describe('isGuessable', () => {
  it.each([
    ['one character', 'x'.repeat(64)],
    ['one zero byte', '\0'.repeat(4_096)],
    ['two characters in turn', 'ab'.repeat(40)],
    ['a word again and again', 'secret'.repeat(10)],
    ['a word again and again, the last time in part', 'secretsecretsecretse'],
    ['digits again and again', '1234567890123456'],
    ['one character and another at its end', `${'a'.repeat(15)}b`],
    ['few characters in groups', 'aaaabbbbccccdddd'],
    ['nothing', ''],
  ])('is true for %s', (_title, text) => expect(guessable(text)).toBe(true));

  it.each(['the passphrase of this test', 'correct horse battery', '8305 2217 9946 1', 'deadbeef01234567'])(
    'is false for “%s”',
    (text) => expect(guessable(text)).toBe(false),
  );

  it('is false for random keys in any writing', () => {
    for (let round = 0; round < 200; round += 1) {
      const bytes = randomBytes(16);
      expect(isGuessable(bytes)).toBe(false);
      expect(guessable(bytes.toString('hex'))).toBe(false);
      expect(guessable(bytes.toString('base64'))).toBe(false);
      // Only two different characters, but many of them.
      expect(guessable([...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join(''))).toBe(false);
    }
  });
});
