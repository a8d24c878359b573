import { describe, expect, it } from 'vitest';
import { UsedSecrets } from './usedSecrets.ts';

const DAY = 24 * 60 * 60_000;

function bench() {
  let time = 1_000;
  const used = new UsedSecrets(() => time);
  return { used, wait: (milliseconds: number) => (time += milliseconds) };
}
const access = { connectionId: 'shop', field: 'key', kind: 'access' } as const;
const refresh = { ...access, kind: 'refresh' } as const;
const password = { connectionId: 'shop', field: 'password', kind: 'value' } as const;

describe('UsedSecrets', () => {
  it('searches a bounded number of tokens, however many there were', () => {
    const { used, wait } = bench();
    for (let number = 0; number < 10_000; number += 1) {
      used.remember(access, `access-${number}`);
      used.remember(refresh, `refresh-${number}`);
      wait(5 * 60_000);
    }
    expect(used.of('shop').length).toBeLessThanOrEqual(66);
    expect(used.of('shop')).toEqual(expect.arrayContaining(['access-9999', 'refresh-9999', 'access-9998']));
    expect(used.redact('sent access-9999, then access-9998')).toBe('sent [hidden], then [hidden]');
  });

  it('hides what a program makes of a value to send it', () => {
    const { used } = bench();
    used.remember(password, 'S3cret/Böss Pw?');
    const bytes = Buffer.from('S3cret/Böss Pw?');
    for (const encoded of [
      bytes.toString('hex'),
      bytes.toString('hex').toUpperCase(),
      Buffer.from('S3cret/Böss Pw?').toString('base64url'),
      encodeURIComponent('S3cret/Böss Pw?'),
    ])
      expect(used.redact(`sent ${encoded}.`)).toMatch(/^sent \[hidden\].{0,2}\.$/);
    for (const user of ['a', 'ab', 'abc']) {
      const text = Buffer.from(`${user}:S3cret/Böss Pw?`).toString('base64');
      expect(used.redact(text)).toContain('[hidden]');
    }
    used.remember(password, 'short');
    expect(used.redact(Buffer.from('short').toString('hex'))).toBe(Buffer.from('short').toString('hex'));
  });

  it('hides a value in use, however old it is and however many others came since', () => {
    const { used, wait } = bench();
    used.remember(password, 'correct horse');
    used.remember(access, 'a token of a year');
    for (let number = 0; number < 500; number += 1) {
      used.remember({ ...refresh, connectionId: `other ${number}` }, `refresh-${number}`);
      used.remember(refresh, `refresh-${number}`);
      wait(DAY);
    }
    expect(used.of('shop')).toEqual(expect.arrayContaining(['correct horse', 'a token of a year', 'refresh-499']));
    expect(used.redact('correct horse: a token of a year')).toBe('[hidden]: [hidden]');
  });

  it('hides a token that was replaced for a day, and a password that was replaced as long as its connection is there', () => {
    const { used, wait } = bench();
    used.remember(access, 'first token');
    used.remember(access, 'second token');
    used.remember(password, 'first password');
    used.remember(password, 'second password');
    wait(DAY - 1);
    expect(used.of('shop')).toContain('first token');
    wait(1);
    expect(new Set(used.of('shop'))).toEqual(new Set(['second token', 'first password', 'second password']));
  });

  it('forgets the values of a removed connection after a day', () => {
    const { used, wait } = bench();
    used.remember(password, 'the password');
    used.remember(access, 'the token');
    used.remember({ ...password, connectionId: 'other' }, 'another password');
    used.release('shop');
    expect(used.redact('the password, the token')).toBe('[hidden], [hidden]');
    wait(DAY);
    expect(used.of('shop')).toEqual([]);
    expect(used.redact('the password, another password')).toBe('the password, [hidden]');
  });

  it('forgets one field alone where its form is closed', () => {
    const { used, wait } = bench();
    used.remember({ ...access, connectionId: '', field: 'sign-in 1' }, 'of the closed form');
    used.remember({ ...access, connectionId: '', field: 'sign-in 2' }, 'of the open form');
    used.release('', 'sign-in 1');
    wait(DAY);
    expect(used.of('')).toEqual(['of the open form']);
  });

  it('uses a value that comes back', () => {
    const { used, wait } = bench();
    for (const token of ['one token', 'other token', 'one token']) used.remember(access, token);
    wait(DAY);
    expect(used.of('shop')).toEqual(['one token']);
  });
});
