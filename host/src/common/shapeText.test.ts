import { expect, it } from 'vitest';
import { z } from 'zod';
import { ShapeWriter } from './shapeText.test-helper.ts';

const text = (schema: z.ZodType): string => new ShapeWriter([]).text(schema, 'output');

it('separates the types of a nullable value with a bar', () => {
  expect(text(z.string().nullable())).toBe('string | null');
  expect(text(z.array(z.union([z.string(), z.number(), z.boolean()])))).toBe('[string | number | boolean]');
});

it('writes any JSON value as any, also as the value of a record', () => {
  expect(text(z.object({ rows: z.array(z.record(z.string(), z.json())), json: z.json().optional() }))).toBe(
    '{ rows: [{ [key]: any }], json?: any }',
  );
});

it('shows that a record has keys, whatever its values are', () => {
  expect(text(z.record(z.string(), z.unknown()))).toBe('{ [key]: any }');
  expect(text(z.object({}))).toBe('{}');
});
