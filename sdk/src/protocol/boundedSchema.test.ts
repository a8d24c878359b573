import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { boundedSchema } from './boundedSchema.ts';
import { deferredSchema } from './deferredSchema.ts';

const make = () =>
  z.strictObject({
    list: z.array(z.union([z.string(), z.number()])).default([]),
    map: z.record(z.string().max(9), z.array(z.boolean())).optional(),
    nested: z.array(z.array(z.object({ a: z.string().default('x') }))).optional(),
  });
const many = <T>(value: T, count = 2_000): T[] => Array.from({ length: count }, () => value);
const record = <T>(value: T): Record<string, T> => Object.fromEntries(many(value).map((one, index) => [`k${index}`, one]));

describe('a bounded schema', () => {
  it.each([
    [{ list: ['a', 1], map: { k: [true] }, nested: [[{}, { a: 'y' }], []] }],
    [{}],
    [{ list: many('a'), map: record([true]), nested: many([{}]) }],
    [{ list: [{}, []], map: { k: 1, l: [2] }, other: 1 }],
    [{ map: [] }],
    [null],
  ])('reads a value as before, and of a small one names all faults: %#', (value) => {
    const [before, after] = [make().safeParse(value), boundedSchema(make()).safeParse(value)];
    expect(after.data).toEqual(before.data);
    expect(after.error?.issues).toEqual(before.error?.issues);
  });

  it.each([
    ['list', { list: many({}) }],
    ['map', { map: record(1) }],
    ['map', { map: record([1]) }],
    ['nested', { nested: many([1]) }],
  ])('stops at the first fault of a large value, in %s', (name, value) => {
    const [issue, ...more] = boundedSchema(make()).safeParse(value).error?.issues ?? [];
    expect([issue?.path[0], more.length]).toEqual([name, 0]);
  });

  it.each([
    ['list', { list: many({}) }],
    ['map', { map: record(1) }],
    ['nested', { nested: many([1]) }],
  ])('reaches what is made at its first use, in %s', (name, value) => {
    const inner = deferredSchema(make);
    const [issue, ...more] =
      boundedSchema(deferredSchema(() => z.object({ inner }))).safeParse({ inner: value }).error?.issues ?? [];
    expect([issue?.path, more.length]).toEqual([expect.arrayContaining(['inner', name]), 0]);
  });

  it('looks at no more of a large value than up to the first fault', () => {
    let looked = 0;
    const element = z.custom<string>((value) => {
      looked += 1;
      return typeof value === 'string';
    });
    for (const schema of [z.array(element), z.record(z.string(), element)]) {
      looked = 0;
      expect(boundedSchema(schema).safeParse(schema.type === 'array' ? many(1) : record(1)).success).toBe(false);
      expect(looked).toBeLessThan(4);
    }
  });
});
