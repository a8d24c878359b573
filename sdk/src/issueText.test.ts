import { expect, it } from 'vitest';
import { z } from 'zod';
import { issueSentence, issueText } from './issueText.ts';

const textOf = (schema: z.ZodType, value: unknown): string => {
  const issue = schema.safeParse(value).error?.issues[0];
  if (issue === undefined) throw new Error('The value has no fault.');
  return issueText(issue);
};

it.each<[z.ZodType, unknown, string]>([
  [z.string().max(4_000), 'x'.repeat(4_001), 'it is longer than 4,000 characters'],
  [z.string().max(1), 'xx', 'it is longer than 1 character'],
  [z.string().min(1), '', 'it is empty'],
  [z.string().min(3), 'x', 'it is shorter than 3 characters'],
  [z.array(z.string()).max(2), ['a', 'b', 'c'], 'it has more than 2 entries'],
  [z.array(z.string()).min(1), [], 'it is empty'],
  [z.number().max(250), 251, 'it has to be at most 250'],
  [z.number().lt(250), 250, 'it has to be less than 250'],
  [z.number().min(1), 0, 'it has to be at least 1'],
  [z.number().gt(1), 1, 'it has to be more than 1'],
  [z.number().int(), 1.5, 'it has to be a whole number'],
  [z.number().multipleOf(5), 3, 'it has to be a multiple of 5'],
  [z.string(), 5, 'it has to be a text'],
  [z.string(), undefined, 'it is missing'],
  [z.object({}), [], 'it has to be an object'],
  [z.enum(['a', 'b']), 'c', 'it has to be one of a, b'],
  [z.literal('a'), 'c', 'it has to be a'],
  [z.uuid(), 'c', 'it has to be an id'],
  [z.url(), 'c', 'it has to be an address, such as https://example.com'],
  [z.iso.datetime(), 'c', 'it has to be a time, such as 2026-01-31T12:00:00Z'],
  [z.string().regex(/^a$/), 'c', 'it has another form than is needed here'],
  [z.strictObject({}), { x: 1, y: 2 }, 'it has names that can’t be there: x, y'],
  [z.union([z.string(), z.number()]), true, 'it has none of the forms that are possible here'],
  [z.record(z.string().max(1), z.string()), { long: 'x' }, 'a name in it can’t be used'],
  [z.string().refine((text) => text === 'a'), 'c', 'it can’t be used'],
  [z.string().refine((text) => text === 'a', { error: 'There are too many options.' }), 'c', 'there are too many options'],
  [z.string().max(1, 'The name is too long.'), 'cc', 'the name is too long'],
])('%# says a fault in plain words and without the value', (schema, value, expected) => {
  const text = textOf(schema, value);
  expect(text).toBe(expected);
  expect(text).not.toMatch(/<=|>=|received|expected|pattern/);
});

it.each<[unknown, string]>([
  [{ host: { field: 'host' }, port: {} }, 'origin.port.field: It is missing.'],
  [{ fixed: 5 }, 'origin.fixed: It has to be a text.'],
  [{ fixed: 5, host: {} }, 'origin: It has none of the forms that are possible here.'],
  ['x', 'origin: It has none of the forms that are possible here.'],
])('%# names the fault of the form that a value comes closest to', (origin, expected) => {
  const field = z.strictObject({ field: z.string() });
  const schema = z.object({
    origin: z.union([z.strictObject({ fixed: z.string() }), z.strictObject({ host: field, port: field })]),
  });
  const [issue] = schema.safeParse({ origin }).error?.issues ?? [];
  if (issue === undefined) throw new Error('The value has no fault.');
  expect(issueSentence(issue, 'the value')).toBe(expected);
});
