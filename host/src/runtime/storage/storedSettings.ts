import { z } from 'zod';

const fieldsSchema = z.record(z.string(), z.unknown());

/**
 * Settings as the home's database has them. A field that can't be read falls back to its default, and the others stay: one damaged choice, or one
 * of another version, never changes the rest.
 *
 * @param schema - each of its fields has a default or is optional
 * @param text - JSON; undefined where nothing was stored yet
 */
export function storedSettings<Schema extends z.ZodObject>(schema: Schema, text: string | undefined): z.output<Schema> {
  const stored = fieldsSchema.safeParse(jsonOf(text)).data ?? {};
  const readable = Object.entries(schema.shape).flatMap(([name, field]) => {
    const read = z.safeParse(field, stored[name]);
    return Object.hasOwn(stored, name) && read.success ? [[name, read.data]] : [];
  });
  return schema.parse(Object.fromEntries(readable));
}

function jsonOf(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
