import { expect, it } from 'vitest';
import { z } from 'zod';
import { argumentFaults } from './argumentFaults.ts';

const schema = z.strictObject({
  path: z.array(z.string().max(3)).min(2).max(4).optional(),
  name: z.string().min(1).max(3).optional(),
});

function faultsOf(args: unknown): string {
  const { error } = schema.safeParse(args);
  return error === undefined ? '' : argumentFaults(schema, error, args);
}

it('names the limit of a list as one of entries, and of a text as one of characters', () => {
  expect(faultsOf({ path: ['a', 'b', 'c', 'd', 'e'] })).toBe('path: it takes at most 4 entries.');
  expect(faultsOf({ name: 'abcd' })).toBe('name: it takes at most 3 characters.');
});

it.each([
  [{ path: 'big.public' }, 'path: it takes a list, not a text. Send JSON, not a text of it.'],
  [{ path: 'a' }, 'path: it takes a list, not a text. Send JSON, not a text of it.'],
  [{ name: ['a', 'b', 'c', 'd'] }, 'name: it takes a text, not a list.'],
  [{ name: [] }, 'name: it takes a text, not a list.'],
])('names the type of %j, and no limit of another one', (args, expected) => {
  expect(faultsOf(args)).toBe(expected);
});
