import fc from 'fast-check';

// Inputs for the fuzz targets: something valid, made wrong in the ways in which files, packets and documents go wrong or are made to.

/** Values that parsers trip over, whatever was expected in their place. */
export const awkwardValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(
    null,
    true,
    0,
    -1,
    1e308,
    Number.MAX_SAFE_INTEGER + 2,
    '',
    ' ',
    '\0',
    '\u202e',
    '__proto__',
    'constructor',
    [],
    {},
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(100, 10_000, 200_000).map((length) => 'a'.repeat(length)),
  fc.constantFrom(100, 5_000).map((length) => Array.from({ length }, () => ({}))),
  fc.constantFrom(100, 5_000).map((depth) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown),
  fc.constant(JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}') as unknown),
  fc.anything({ maxDepth: 2, withNullPrototype: true }),
);

interface Edit {
  readonly place: number;
  readonly how: 'replace' | 'remove' | 'add' | 'repeat';
  readonly value: unknown;
  readonly name: string;
}

const edit: fc.Arbitrary<Edit> = fc.record({
  place: fc.nat(),
  how: fc.constantFrom('replace', 'remove', 'add', 'repeat'),
  value: awkwardValue,
  name: fc.constantFrom('__proto__', 'constructor', 'extra', 'id', 'toString', ''),
});

/** JSON documents near a valid one: one to four values of it are replaced, removed, repeated, or given a member more. */
export function nearJson(valid: unknown): fc.Arbitrary<unknown> {
  return fc.array(edit, { minLength: 1, maxLength: 4 }).map((edits) => {
    const document = structuredClone(valid);
    for (const change of edits) apply(document, change);
    return document;
  });
}

function apply(document: unknown, { place, how, value, name }: Edit): void {
  const holders = holdersIn(document);
  const chosen = holders[place % Math.max(1, holders.length)];
  if (chosen === undefined) return;
  const { holder, key } = chosen;
  if (how === 'add') define(holder, Array.isArray(holder) ? String(holder.length) : name, value);
  else if (how === 'replace') define(holder, key, value);
  else if (how === 'remove') Reflect.deleteProperty(holder, key);
  else if (Array.isArray(holder)) holder.push(...(holder as unknown[]).slice(0, 1_000));
}

/** As JSON.parse does: a member called `__proto__` is a member. */
function define(holder: object, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true });
}

function holdersIn(value: unknown): { readonly holder: object; readonly key: string }[] {
  const found: { readonly holder: object; readonly key: string }[] = [];
  const waiting = [value];
  for (let at = 0; at < waiting.length; at += 1) {
    const holder = waiting[at];
    if (typeof holder !== 'object' || holder === null) continue;
    for (const key of Object.keys(holder)) {
      found.push({ holder, key });
      if (found.length < 2_000) waiting.push((holder as Record<string, unknown>)[key]);
    }
  }
  return found;
}

/** Bytes near valid ones: bits turned, runs cut out, repeated, overwritten or put in, the end cut off. */
export function nearBytes(valid: Uint8Array): fc.Arbitrary<Uint8Array> {
  const change = fc.record({
    how: fc.constantFrom('bit', 'cut', 'repeat', 'overwrite', 'insert', 'end'),
    at: fc.nat({ max: Math.max(0, valid.length - 1) }),
    length: fc.oneof(fc.nat({ max: 16 }), fc.nat({ max: 2_048 })),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 16 }),
  });
  return fc.array(change, { minLength: 1, maxLength: 6 }).map((changes) => {
    let bytes = Buffer.from(valid);
    for (const { how, at: place, length, bytes: other } of changes) {
      const at = Math.min(place, bytes.length);
      const run = bytes.subarray(at, at + length);
      if (how === 'bit' && at < bytes.length) bytes[at] = (bytes[at] ?? 0) ^ (1 << (length % 8));
      else if (how === 'overwrite') bytes.set(other.subarray(0, Math.max(0, bytes.length - at)), at);
      else if (how === 'cut') bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
      else if (how === 'repeat') bytes = Buffer.concat([bytes.subarray(0, at), run, bytes.subarray(at)]);
      else if (how === 'insert') bytes = Buffer.concat([bytes.subarray(0, at), other, bytes.subarray(at)]);
      else if (how === 'end') bytes = bytes.subarray(0, at);
    }
    return new Uint8Array(bytes);
  });
}
