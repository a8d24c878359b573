import { expect, it } from 'vitest';
import { environmentVariable } from './environmentVariable.ts';

it('members that every object has are not variables', () => {
  for (const env of [process.env, {}])
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty'])
      expect(environmentVariable(env, name), name).toBeUndefined();
  expect(environmentVariable({ SHOP_KEY: '' }, 'SHOP_KEY')).toBe('');
  expect(environmentVariable(process.env, 'PATH')).toBe(process.env['PATH']);
});
