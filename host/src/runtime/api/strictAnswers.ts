/**
 * In tests an answer with a field that its schema doesn't name fails. An application leaves such a field out without an error: so a field that was
 * renamed in the schema and not in the service would be missing in the window, and no other test would fail.
 */
export const isStrict = typeof process !== 'undefined' && process.env['TABULARIUM_STRICT_ANSWERS'] === '1';

/**
 * @param value - as a service answered
 * @param parsed - the same by the schema of the procedure
 * @throws TypeError that names every field that the schema left out
 */
export function requireNamedFields(value: unknown, parsed: unknown): void {
  const unnamed = unnamedFields(value, parsed, []);
  if (unnamed.length > 0) throw new TypeError(`The schema of the procedure has no field ${unnamed.join(', ')}.`);
}

function unnamedFields(value: unknown, parsed: unknown, path: readonly string[]): readonly string[] {
  if (Array.isArray(value) && Array.isArray(parsed))
    return value.flatMap((item, index) => unnamedFields(item, parsed[index], [...path, String(index)]));
  if (!isPlain(value) || !isPlain(parsed)) return [];
  return Object.entries(value).flatMap(([name, field]) => {
    if (field === undefined) return [];
    const place = [...path, name];
    return Object.hasOwn(parsed, name) ? unnamedFields(field, parsed[name], place) : [place.join('.')];
  });
}

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
