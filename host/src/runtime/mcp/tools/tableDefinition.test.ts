import { expect, it } from 'vitest';
import { definitionPart } from './tableDefinition.ts';

it.each([
  ['statements', 'CREATE TRIGGER t BEFORE INSERT ON many EXECUTE FUNCTION f();\n'.repeat(400)],
  ['one word', 'x'.repeat(9_000)],
  ['characters of two code units', '😀'.repeat(3_000)],
])('a definition of %s is read to its end in parts', (_, text) => {
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += parts.at(-1)?.length ?? 0) parts.push(definitionPart(text, at, 501));
  expect(parts.length).toBeGreaterThan(3);
  expect(parts.join('')).toBe(text);
});
