import type { PlanNode, StatementClassification } from '@tabularium/sdk';
import { z } from 'zod';
import { connectionArgument } from './connectionArgument.ts';
import { withFaultPlace } from './faultPlace.ts';
import { timeoutArgument } from './resultRows.ts';
import { singleStatement, statementArgument } from './statement.ts';
import { estimateTokens } from './tokenEstimate.ts';
import { defineTool, ToolFailure } from './tool.ts';

/** Tokens of a plan's steps; the first ones say most. */
const MOST_TOKENS = 8_000;

const nodeOutput = z.object({
  depth: z.number().int().describe('A step is a part of the nearest one before it with a smaller depth.'),
  operation: z.string(),
  target: z.string().optional(),
  estimatedRows: z.number().optional(),
  cost: z.number().optional(),
  actualRows: z.number().optional().describe('Of one loop, as are milliseconds.'),
  actualMilliseconds: z.number().optional(),
  loops: z.number().optional(),
  facts: z.record(z.string(), z.string()).optional(),
});

export const explainQuery = defineTool({
  name: 'explain_query',
  title: 'Explain query',
  description: 'The plan of one statement, which is not run. With analyze it is run and measured, if it only reads.',
  input: z.strictObject({
    connection: connectionArgument,
    statement: statementArgument,
    analyze: z.boolean().default(false),
    timeoutSeconds: timeoutArgument,
  }),
  output: z.object({
    steps: z.array(nodeOutput),
    planningMilliseconds: z.number().optional(),
    executionMilliseconds: z.number().optional(),
    notes: z.array(z.string()).optional(),
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async run({ connection, statement, analyze, timeoutSeconds }, context) {
    context.timeLimit(timeoutSeconds);
    return context.withConnection(connection, { kind: 'read' }, async (open) => {
      const { explain } = open.session;
      const { signal } = context;
      if (explain === undefined)
        throw new ToolFailure('UNSUPPORTED', "This database doesn't explain statements.", 'There is nothing else to try.');
      const given = await singleStatement(open, statement);
      const placed = (error: unknown): never => {
        throw withFaultPlace(error, given);
      };
      const { text } = given;
      mustRead(await explain.classify(text, { analyze, signal }).catch(placed), analyze);
      const plan = await explain.explain(text, { analyze, signal }).catch(placed);
      const steps = fittingSteps(plan.nodes);
      const leftOut = (plan.leftOut ?? 0) + plan.nodes.length - steps.length;
      const notes = [
        ...plan.notes.map((note) => context.errorText(note)),
        ...(leftOut === 0 ? [] : [`${leftOut} more steps are left out.`]),
      ];
      return {
        steps,
        ...(plan.planningMilliseconds === undefined ? {} : { planningMilliseconds: plan.planningMilliseconds }),
        ...(plan.executionMilliseconds === undefined ? {} : { executionMilliseconds: plan.executionMilliseconds }),
        ...(notes.length === 0 ? {} : { notes }),
      };
    });
  },
});

/** @throws ToolFailure for what may change data, whatever the client may do otherwise: explaining is reading */
function mustRead({ effect, unknown, summary }: StatementClassification, analyze: boolean): void {
  if (effect === 'read' && unknown !== true) return;
  if (analyze)
    throw new ToolFailure(
      'ACCESS_FORBIDDEN',
      `It isn't certain that this statement only reads, so it is not run for its plan: ${summary}.`,
      'Call again without analyze.',
    );
  throw new ToolFailure(
    'ACCESS_FORBIDDEN',
    `The server may run functions while it plans this statement, and it isn't certain that they only read: ${summary}.`,
    'Explain it in the window.',
  );
}

function fittingSteps(nodes: readonly PlanNode[]): z.input<typeof nodeOutput>[] {
  const steps: z.input<typeof nodeOutput>[] = [];
  let tokens = 0;
  for (const { facts, ...node } of nodes) {
    const named = Object.fromEntries(facts.map(({ label, value }) => [label, value]));
    const step = { ...node, ...(facts.length === 0 ? {} : { facts: named }) };
    tokens += estimateTokens(JSON.stringify(step));
    if (tokens > MOST_TOKENS && steps.length > 0) break;
    steps.push(step);
  }
  return steps;
}
