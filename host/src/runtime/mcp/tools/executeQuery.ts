import { z } from 'zod';
import { runAction } from '../access/runAction.ts';
import { boundArguments, toRowBounds } from './boundArguments.ts';
import { connectionArgument } from './connectionArgument.ts';
import { mustStayHidden } from './newSecretAnswer.ts';
import { MOST_ANSWER_CHARACTERS, timeoutArgument } from './resultRows.ts';
import { classify, describeStatement, runStatementTool, statementArgument, statementOutput } from './statement.ts';
import { defineTool, ToolFailure } from './tool.ts';

const input = z.strictObject({
  connection: connectionArgument,
  statement: statementArgument,
  ...boundArguments,
  timeoutSeconds: timeoutArgument,
});

export const executeQuery = defineTool({
  name: 'execute_query',
  title: 'Execute query',
  description:
    "Runs one statement in the database's own language. Writing may need a person's approval; what loses data, creates keys or changes the server is rejected: use confirm_destructive_operation. Prefer browse_table and count_rows.",
  input,
  output: statementOutput,
  mostCharacters: MOST_ANSWER_CHARACTERS,
  isFor: () => true,
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  async run({ connection, statement, timeoutSeconds, ...bounds }, context) {
    context.timeLimit(timeoutSeconds);
    return context.change(connection, {
      prepare: async (open) => {
        const plan = await classify(open, statement, context.signal);
        return { action: runAction(plan.classification), ...describeStatement(plan), plan };
      },
      run: (open, plan) => runStatementTool(open, plan, toRowBounds(bounds), context),
    });
  },
});

export const confirmDestructiveOperation = defineTool({
  name: 'confirm_destructive_operation',
  title: 'Confirm destructive operation',
  description:
    "Runs one statement that loses data, creates a key or changes the server, such as a drop. Needs a token of full access and, unless the owner said otherwise, a person's approval. Only when the person has asked for exactly this.",
  input,
  output: statementOutput,
  mostCharacters: MOST_ANSWER_CHARACTERS,
  isFor: () => true,
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  async run({ connection, statement, timeoutSeconds, ...bounds }, context) {
    context.timeLimit(timeoutSeconds);
    return context.change(connection, {
      known: { kind: 'confirmDestructive' },
      prepare: async (open) => {
        const plan = await classify(open, statement, context.signal);
        if (runAction(plan.classification).effect !== 'destructive') {
          throw new ToolFailure('INVALID_INPUT', 'This statement destroys nothing.', 'Run it with execute_query.');
        }
        // Before a person is asked about it in vain.
        mustStayHidden(plan.classification, context);
        return { action: { kind: 'confirmDestructive' }, ...describeStatement(plan), plan };
      },
      run: (open, plan) => runStatementTool(open, plan, toRowBounds(bounds), context),
    });
  },
});
