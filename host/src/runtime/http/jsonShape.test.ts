import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exceededShape } from './jsonShape.ts';
import type { JsonShapeLimits } from './jsonShape.ts';

const bytesOf = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const roomy: JsonShapeLimits = { depth: 1_000, members: 100_000, nodes: 100_000, elements: 100_000 };

/** Counted on the value instead of on its text. */
function shapeOf(value: unknown): JsonShapeLimits {
  if (typeof value !== 'object' || value === null) return { depth: 0, members: 0, nodes: 0, elements: 0 };
  const parts = Object.values(value).map(shapeOf);
  const own = Array.isArray(value) ? 0 : parts.length;
  return {
    depth: 1 + Math.max(0, ...parts.map(({ depth }) => depth)),
    members: Math.max(own, ...parts.map(({ members }) => members)),
    nodes: 1 + own + parts.reduce((sum, { nodes }) => sum + nodes, 0),
    elements: parts.reduce((sum, { elements }) => sum + elements, Array.isArray(value) ? Math.max(0, parts.length - 1) : 0),
  };
}

describe('exceededShape', () => {
  it.each(['depth', 'members', 'nodes', 'elements'] as const)('finds the same %s in a text as in its value', (limit) => {
    const text = fc.string({ unit: fc.constantFrom('"', '\\', '{', '}', '[', ']', ':', ',', 'a', 'é', '\u2028', '\n') });
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        text,
        fc.integer(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 5 }),
        fc.dictionary(text, tie('value'), { maxKeys: 5 }),
      ),
    }));
    fc.assert(
      fc.property(value, (json) => {
        const count = shapeOf(json)[limit];
        expect(exceededShape(bytesOf(json), { ...roomy, [limit]: count })).toBeUndefined();
        if (count > 0) expect(exceededShape(bytesOf(json), { ...roomy, [limit]: count - 1 })).toBe(limit);
      }),
      { numRuns: 500 },
    );
  });

  it("ends also for a text that is cut, or that isn't valid JSON", () => {
    for (const text of ['"', '"\\', '"\\"', ']}]}', ':', '{"a":', '"a\\\\"{', ''])
      expect(exceededShape(new TextEncoder().encode(text))).toBeUndefined();
  });
});
