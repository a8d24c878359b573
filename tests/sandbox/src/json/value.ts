/**
 * JSON as the server keeps it: `3` and `3.0` are different values, and integers up to 64 bits are exact. An integer is a
 * JS number while it is safe and a bigint beyond; a float is a JS number unless it happens to be integral, then a Double.
 */
export type JsonValue = null | boolean | string | number | bigint | Double | JsonValue[] | JsonObject;

export interface JsonObject {
  [key: string]: JsonValue;
}

/** A float whose value is integral, such as 3.0: as a plain number it would print as an integer. */
export class Double {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Double);

export const isInteger = (value: JsonValue | undefined): value is number | bigint =>
  typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value));

export const isFloat = (value: JsonValue | undefined): value is number | Double =>
  value instanceof Double || (typeof value === 'number' && !Number.isInteger(value));

export const isNumber = (value: JsonValue | undefined): value is number | bigint | Double =>
  typeof value === 'number' || typeof value === 'bigint' || value instanceof Double;

export const toNumber = (value: number | bigint | Double): number =>
  typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : value.value;

export const float = (value: number): number | Double => (Number.isInteger(value) ? new Double(value) : value);

export const integer = (value: bigint): number | bigint =>
  value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;

/** No prototype, so that a document may have a key called `__proto__`. */
export const emptyObject = (): JsonObject => Object.create(null) as JsonObject;

export const objectOf = (entries: Iterable<readonly [string, JsonValue]>): JsonObject => {
  const result = emptyObject();
  for (const [key, value] of entries) result[key] = value;
  return result;
};

export const clone = (value: JsonValue): JsonValue => {
  if (Array.isArray(value)) return value.map(clone);
  if (!isObject(value)) return value;
  const result = emptyObject();
  for (const key of Object.keys(value)) result[key] = clone(value[key] ?? null);
  return result;
};
