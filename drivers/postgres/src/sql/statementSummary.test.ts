import { expect, it } from 'vitest';
import { statementSummary } from './statementSummary.ts';
import { tokens } from './tokens.ts';

it.each([
  ["update t set v = 'x'", 'update t set v = …'],
  ['update a.t set v = 1', 'update a.t set v = 1'],
  ['delete from t', 'delete from t'],
  ["insert into t values ('x')", 'insert into t values'],
])('%s', (text, summary) => {
  expect(statementSummary(tokens(text), text)).toBe(summary);
});

it('is short for a name of any length', () => {
  const text = `select "${'a'.repeat(100_000)}"`;
  expect(statementSummary(tokens(text), text)).toHaveLength(200);
});
