import { describe, expect, it } from 'vitest';
import { RepeatedSecret } from './repeatedSecret.ts';

const VALUES = ['abcdef', 'k3y-with/odd+chars=', 'xyz~!?{}"%41', 'Aa0_-Aa0_-Aa0_-Aa0_-'];
const percent = (text: string): string => [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const ENCODINGS: readonly [string, (text: string) => string][] = [
  ['as it is', (text) => text],
  ['lower-case hex', (text) => Buffer.from(text).toString('hex')],
  ['upper-case hex', (text) => Buffer.from(text).toString('hex').toUpperCase()],
  ['hex with colons', (text) => (Buffer.from(text).toString('hex').match(/../g) ?? []).join(':')],
  ['base64', (text) => Buffer.from(text).toString('base64')],
  ['base64url', (text) => Buffer.from(text).toString('base64url')],
  ['encodeURIComponent', (text) => encodeURIComponent(text)],
  ['percent', percent],
  ['upper-case percent', (text) => percent(text).toUpperCase()],
  ['percent twice', (text) => encodeURIComponent(percent(text))],
  ['base64 in percent', (text) => encodeURIComponent(Buffer.from(text).toString('base64'))],
];

describe('a credential that a server repeats', () => {
  for (const [name, encode] of ENCODINGS) {
    it(`is found: ${name}`, () => {
      for (const value of VALUES)
        for (const before of ['', 'a', 'ab', 'abc', 'Bearer '])
          for (const after of ['', 'z', 'zy', 'zyx', ' and so on'])
            for (const around of ['', 'v=', '"'])
              expect(new RepeatedSecret(value).isIn(`${around}${encode(`${before}${value}${after}`)}${around}`)).toBe(true);
    });
  }

  it('is not found in other values of the same form', () => {
    const secret = new RepeatedSecret('abcdef');
    for (const [, encode] of ENCODINGS)
      for (const text of ['abcdxx', 'bcdefg', 'Abcdef', '', 'W/"5f-xyz"', 'application/json; charset=utf-8'])
        expect(secret.isIn(encode(text))).toBe(false);
  });

  it('is sought inside a text from four characters on, in an encoding from six on', () => {
    expect(new RepeatedSecret('xy').isIn('boxy')).toBe(false);
    expect(new RepeatedSecret('xy').isIn('xy')).toBe(true);
    expect(new RepeatedSecret('wxyz').isIn('a wxyz')).toBe(true);
    expect(new RepeatedSecret('wxyz').isIn('7778797a')).toBe(false);
  });

  it('takes malformed sequences as they are', () => {
    expect(new RepeatedSecret('abcdef').isIn('%%%zz%1%ff%c3 abcdef')).toBe(true);
    expect(new RepeatedSecret('abcdef').isIn('%%%zz%1%ff%c3')).toBe(false);
  });
});

describe('a credential as a whole value', () => {
  const isWhole = (value: string, text: string): boolean => new RepeatedSecret(value).isIn(text, 'whole');
  const KEY = 'k3y-of.the~first';

  it.each([KEY, `/${KEY}`, `/a?k=${KEY}&b=1`, `Bearer ${KEY}`, `"${KEY}",`, encodeURIComponent(` ${KEY}`), `a ${KEY}x ${KEY}`])(
    'is found in: %s',
    (text) => expect(isWhole(KEY, text)).toBe(true),
  );

  it.each([`${KEY}1`, `_${KEY}`, `/x.${KEY}`, `${KEY}-2`])('is not found as a part of a longer one: %s', (text) =>
    expect(isWhole(KEY, text)).toBe(false),
  );

  it('is found in the encodings of servers', () => {
    for (const [, encode] of ENCODINGS) expect(isWhole(KEY, encode(` ${KEY} `))).toBe(true);
  });

  it.each([
    ['123456', '/?from=123456'],
    ['20261129', '/logs?day=20261129'],
    ['1764412345678', '/?since=1764412345678'],
    ['password', '/_security/user/me/password'],
    ['dashboards', '/dashboards'],
    ['a1b2c3', '/a1b2c3'],
  ])('is not sought where a path may have it by chance: %s', (value, text) => expect(isWhole(value, text)).toBe(false));

  it.each(['1234567890123456', 'correcthorsebattery'])('is sought where it is as long as a key: %s', (value) =>
    expect(isWhole(value, `/?a=${value}`)).toBe(true),
  );
});
