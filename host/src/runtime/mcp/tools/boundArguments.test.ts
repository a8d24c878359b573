import { expect, it } from 'vitest';
import { z } from 'zod';
import { boundArguments, toRowBounds } from './boundArguments.ts';
import { TOOLS } from './registry.ts';

const schema = z.strictObject(boundArguments);
const names = Object.keys(boundArguments) as (keyof typeof boundArguments)[];
const propertiesOf = (tool: (typeof TOOLS)[number]): Record<string, unknown> =>
  tool.listed.inputSchema['properties'] as Record<string, unknown>;

it('every tool that answers with rows has the same bounds', () => {
  const bounded = TOOLS.filter((tool) => names.some((name) => name in propertiesOf(tool)));
  expect(bounded.map(({ listed }) => listed.name).toSorted()).toEqual([
    'browse_table',
    'confirm_destructive_operation',
    'execute_query',
    'ranked_search',
    'run_saved_request',
  ]);
  const expected = propertiesOf(bounded[0] as (typeof TOOLS)[number]);
  for (const tool of bounded) {
    // Of ranked hits the first ones matter: they have a bound of their own.
    const own = tool.listed.name === 'ranked_search' ? names.filter((name) => name !== 'maxRows') : names;
    for (const name of own) expect(propertiesOf(tool)[name], `${name} of ${tool.listed.name}`).toEqual(expected[name]);
  }
});

it('has a default for each bound', () => {
  expect(toRowBounds(schema.parse({}))).toEqual({ maxRows: 500, maxTokens: 12_000, cellCharacters: 1_000 });
  const given = { maxRows: 1, maxTokens: 500, cellCharacters: 20 };
  expect(toRowBounds(schema.parse(given))).toEqual(given);
});

it.each([
  { maxRows: 0 },
  { maxRows: 10_001 },
  { maxTokens: 499 },
  { maxTokens: 100_001 },
  { cellCharacters: 19 },
  { cellCharacters: 200_001 },
])('rejects %j', (bounds) => {
  expect(schema.safeParse(bounds).success).toBe(false);
});
