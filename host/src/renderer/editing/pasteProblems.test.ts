import { expect, it } from 'vitest';
import type { PastePlan, PlannedCell } from './pastePlan.ts';
import { nextProblem, pasteProblems } from './pasteProblems.ts';

const good = (column: string): PlannedCell => ({ column, shown: '1', value: 1 });
const bad = (column: string): PlannedCell => ({ column, shown: 'x', fault: { fault: 'kind', kind: 'integer' } });
const rows = [
  { cells: [good('id'), bad('price')] },
  { cells: [bad('id'), bad('price')] },
  { cells: [good('id'), good('price')] },
] as unknown as PastePlan['rows'];

it('groups problems by column and reason, the most frequent first', () => {
  expect(pasteProblems({ rows }, () => 'not a number')).toEqual([
    { column: 'price', reason: 'not a number', count: 2, first: { line: 0, place: 1 } },
    { column: 'id', reason: 'not a number', count: 1, first: { line: 1, place: 0 } },
  ]);
});

it('goes from problem to problem, and from the last to the first', () => {
  const first = nextProblem({ rows }, undefined);
  const second = nextProblem({ rows }, first);
  const third = nextProblem({ rows }, second);
  expect([first, second, third]).toEqual([
    { line: 0, place: 1 },
    { line: 1, place: 0 },
    { line: 1, place: 1 },
  ]);
  expect(nextProblem({ rows }, third)).toEqual(first);
  expect(nextProblem({ rows: rows.slice(2) }, undefined)).toBeUndefined();
  expect(nextProblem({ rows: [] }, undefined)).toBeUndefined();
});
