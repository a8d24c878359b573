import type { ConsoleFacet, StatementClassification } from '@tabularium/sdk';
import { expect, it } from 'vitest';
import type { OpenSession } from '../../data/sessions.ts';
import { classify, describeStatement, runStatementTool } from './statement.ts';
import type { ToolContext } from './tool.ts';

const { signal } = new AbortController();
const context: Pick<ToolContext, 'signal' | 'progress' | 'timeLeft'> = {
  signal,
  progress: () => undefined,
  timeLeft: () => 9_000,
};
const bounds = { maxRows: 10, maxTokens: 1_000, cellCharacters: 100 };

const table = { namespace: ['public'], name: 'orders' };

it.each<Omit<StatementClassification, 'summary'>>([
  { effect: 'read', tables: [] },
  { effect: 'write', tables: [table] },
  { effect: 'write', tables: [], unknown: true },
  { effect: 'destructive', tables: [table], everyRowOf: table },
])('gives the driver the most that the policy has let through: %j', async (classification) => {
  const given: unknown[] = [];
  const console: ConsoleFacet = {
    split: (text) => [{ text, start: 0, end: text.length }],
    classify: () => Promise.resolve({ ...classification, summary: 'A statement' }),
    async *run(_statement, { permitted, timeLimit }) {
      given.push(permitted);
      expect(timeLimit).toBe(9_000);
      yield { type: 'done', truncated: false, milliseconds: 1 };
    },
  };
  const open = { session: { console }, connection: { name: 'One' } } as unknown as OpenSession;
  await runStatementTool(open, await classify(open, 'x', signal), bounds, context as ToolContext);
  expect(given).toEqual([classification]);
});

it.each([
  ['write', 'Changes every row of "shop.all orders": update'],
  ['destructive', 'Changes or deletes every row of "shop.all orders": update'],
] as const)('says first that a statement of the effect %s is about every row', (effect, summary) => {
  const everyRowOf = { namespace: ['shop'], name: 'all orders' };
  const classification = { effect, tables: [], summary: 'update', everyRowOf };
  const described = describeStatement({
    text: 'update',
    statement: { text: 'update', given: 'update', start: 0, end: 6 },
    classification,
  });
  expect(described.summary).toBe(summary);
});
