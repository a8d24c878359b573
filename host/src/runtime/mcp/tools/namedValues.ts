import { z } from 'zod';

const LONGEST_NAME = 500;

/** Values by column name, any name: z.record drops `__proto__` without an error, and a row would be saved without that column. */
export const namedValues = z
  .unknown()
  .refine(isObject, { message: 'Expected an object.', abort: true })
  .refine((value) => Object.keys(value as object).every((name) => name.length <= LONGEST_NAME), {
    message: `A name has more than ${LONGEST_NAME} characters.`,
  })
  .meta({ type: 'object', additionalProperties: {} })
  .transform((value) => value as Readonly<Record<string, unknown>>);

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
