import { z } from 'zod';

const fieldsSchema = z.record(z.string(), z.unknown());

/**
 * Settings as the home's database has them. A field that can't be read takes its closed value, where it has one, else its default, and the others
 * stay: one damaged choice never changes the rest, and never opens something that its owner may have closed.
 *
 * @param schema - each of its fields has a default or is optional
 * @param text - JSON; undefined where nothing was stored yet, which is the only way to the defaults of all fields
 * @param closed - the values of fields whose default is open, for when their stored value can't be read
 */
export function storedSettings<Schema extends z.ZodObject>(
  schema: Schema,
  text: string | undefined,
  closed: Partial<z.output<Schema>>,
): z.output<Schema> {
  if (text === undefined) return schema.parse({});
  const stored = fieldsSchema.safeParse(jsonOf(text)).data;
  if (stored === undefined) return schema.parse(closed);
  const closedOf = new Map(Object.entries(closed));
  const readable = Object.entries(schema.shape).flatMap(([name, field]) => {
    // Absent: an older version stored it, which did not have the field.
    if (!Object.hasOwn(stored, name)) return [];
    const read = z.safeParse(field, stored[name]);
    if (read.success) return [[name, read.data]];
    return closedOf.has(name) ? [[name, closedOf.get(name)]] : [];
  });
  return schema.parse(Object.fromEntries(readable));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
