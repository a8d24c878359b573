import { expect, it } from 'vitest';
import { portRefusal } from './portRefusal.ts';

it.each([
  ['EACCES', /no permission for it/, /above 1023/],
  ['EADDRINUSE', /another program uses it/, /another port/],
  ['EIO', /on port 80\.$/, /another port/],
])('says why a port cannot be used: %s', (code, message, advice) => {
  const error = portRefusal('The window', 80, Object.assign(new Error(code), { code }));
  expect([error.message, error.details.advice]).toEqual([expect.stringMatching(message), expect.stringMatching(advice)]);
});
