import type { z } from 'zod';

/** Values, keys included, up to which all faults are named. */
const MOST_VALUES = 1_000;

type Schema = z.core.$ZodType;
type Run = Schema['_zod']['run'];

const bounded = new WeakSet<Schema>();
const boundedParts = new WeakSet<Schema>();

/**
 * Makes a schema stop at its first fault where the input is large. Zod makes an error of each fault, so that one megabyte of wrong elements
 * would take seconds. What fits is read as before, and of a small input all faults are named.
 *
 * @returns the same schema
 */
export function boundedSchema<T extends Schema>(schema: T): T {
  if (bounded.has(schema)) return schema;
  bounded.add(schema);
  const internals = schema._zod;
  // Without checks, the one is the other, and its parse is replaced below.
  const hasChecks = internals.run !== internals.parse;
  const run: Run = internals.run.bind(internals);
  internals.run = (payload, context) => {
    if (!isLarge(payload.value)) return run(payload, context);
    // Now and not before: every start of a driver would pay for it, and hardly one sees a large input.
    boundParts(schema);
    const early = { ...context, abortEarly: true };
    return hasChecks ? run(payload, early) : internals.parse(payload, early);
  };
  return schema;
}

/** By a list of what is left to visit: an input may be nested as deeply as it is long. */
function isLarge(input: unknown): boolean {
  const left: unknown[] = [input];
  let count = 0;
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue;
    if (Array.isArray(value)) {
      count += value.length;
      if (count > MOST_VALUES) return true;
      left.push(...(value as unknown[]));
      continue;
    }
    for (const key in value) {
      count += 1;
      if (count > MOST_VALUES) return true;
      left.push((value as Record<string, unknown>)[key]);
    }
  }
  return false;
}

/** Zod itself stops early in objects, in records never, and in lists only where a fault keeps it from checking an element further. */
function boundParts(root: Schema): void {
  const left: Schema[] = [root];
  for (let schema = left.pop(); schema !== undefined; schema = left.pop()) {
    if (boundedParts.has(schema)) continue;
    boundedParts.add(schema);
    if (schema._zod.def.type === 'record') boundRecord(schema as z.core.$ZodRecord);
    if (schema._zod.def.type === 'array') boundArray(schema as z.core.$ZodArray);
    left.push(...childrenOf(schema));
  }
}

function boundRecord(schema: z.core.$ZodRecord): void {
  const parse: Run = schema._zod.parse.bind(schema._zod);
  const { def } = schema._zod;
  replaceParse(schema, (payload, context) => {
    const input: unknown = payload.value;
    if (context.abortEarly === true && typeof input === 'object' && input !== null && !Array.isArray(input)) {
      for (const [key, value] of Object.entries(input)) {
        if (fits(def.keyType, key, context) && fits(def.valueType, value, context)) continue;
        return parse({ ...payload, value: Object.fromEntries([[key, value]]) }, context);
      }
    }
    return parse(payload, context);
  });
}

function boundArray(schema: z.core.$ZodArray): void {
  const parse: Run = schema._zod.parse.bind(schema._zod);
  const { def } = schema._zod;
  replaceParse(schema, (payload, context) => {
    const input: unknown = payload.value;
    // A list that is too long is refused at once.
    if (context.abortEarly !== true || !Array.isArray(input) || input.length > longest(schema)) return parse(payload, context);
    const values: unknown[] = [];
    for (const [index, value] of (input as unknown[]).entries()) {
      const result = def.element._zod.run({ value, issues: [] }, context);
      // No schema here checks asynchronously.
      if (result instanceof Promise) return parse(payload, context);
      values.push(result.value);
      if (result.issues.length === 0) continue;
      for (const issue of result.issues) payload.issues.push({ ...issue, path: [index, ...(issue.path ?? [])] });
      break;
    }
    payload.value = values;
    return payload;
  });
}

function longest(schema: z.core.$ZodArray): number {
  const limits = (schema._zod.def.checks ?? []).map(({ _zod: { def } }) =>
    def.check === 'max_length' && 'maximum' in def && typeof def.maximum === 'number' ? def.maximum : Infinity,
  );
  return Math.min(Infinity, ...limits);
}

/** Without checks, `run` is `parse` itself; with checks, it calls it. */
function replaceParse(schema: Schema, parse: Run): void {
  const internals = schema._zod;
  if (internals.run === internals.parse) internals.run = parse;
  internals.parse = parse;
}

function fits(schema: Schema, value: unknown, context: z.core.ParseContextInternal): boolean {
  if (schema._zod.def.type === 'unknown') return true;
  const result = schema._zod.run({ value, issues: [] }, context);
  return result instanceof Promise || result.issues.length === 0;
}

function childrenOf(schema: Schema): Schema[] {
  const { def } = schema._zod;
  const parts: unknown[] = Object.values(def).flatMap((part: unknown) => (Array.isArray(part) ? (part as unknown[]) : [part]));
  if ('shape' in def && typeof def.shape === 'object' && def.shape !== null)
    parts.push(...(Object.values(def.shape) as unknown[]));
  if ('getter' in def && typeof def.getter === 'function') parts.push((def.getter as () => unknown)());
  return parts.filter((part): part is Schema => typeof part === 'object' && part !== null && '_zod' in part);
}
