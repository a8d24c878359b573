import { expect, it } from 'vitest';
import { z } from 'zod';
import { inputsOf } from '../../host/src/runtime/api/boundInputs.ts';
import { ownerRouter } from '../../host/src/runtime/api/owner/ownerRouter.ts';

// The work for a list grows with its length, in ways that a fuzz does not always reach: every list that a client sends has a maximum.

type Schema = Readonly<Record<string, unknown>>;

/** Schemas inside each other; a schema that contains itself ends here. */
const DEPTH = 12;

/** The paths of the lists in a JSON schema that may have any number of elements. */
function unboundedLists(schema: Schema, path: string, depth = DEPTH): readonly string[] {
  if (depth === 0) return [];
  const inside = (part: unknown, where: string): readonly string[] =>
    typeof part === 'object' && part !== null ? unboundedLists(part as Schema, where, depth - 1) : [];
  const { items, additionalProperties, properties, anyOf, oneOf, allOf } = schema;
  return [
    ...(schema['type'] === 'array' && items !== undefined && schema['maxItems'] === undefined ? [path] : []),
    ...inside(items, `${path}[]`),
    ...inside(additionalProperties, `${path}{}`),
    ...Object.entries((properties ?? {}) as Schema).flatMap(([name, part]) => inside(part, `${path}.${name}`)),
    ...[anyOf, oneOf, allOf].flatMap((parts) => ((parts ?? []) as Schema[]).flatMap((part) => inside(part, path))),
  ];
}

const toJson = (schema: z.ZodType): Schema => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });

it('finds a list without a maximum', () => {
  const schema = z.object({ a: z.array(z.string()).max(2), b: z.record(z.string(), z.union([z.null(), z.array(z.number())])) });
  expect(unboundedLists(toJson(schema), 'x')).toEqual(['x.b{}']);
});

it('every list in the input of a procedure has a maximum', () => {
  const found = [...inputsOf(ownerRouter)].flatMap(([name, inputs]) =>
    inputs.flatMap((input) => unboundedLists(toJson(input), name)),
  );
  expect(found).toEqual([]);
});
