import { z } from 'zod';
import { runAction } from '../access/runAction.ts';
import { connectionArgument } from './connectionArgument.ts';
import { mustStayHidden } from './newSecretAnswer.ts';
import { maxRowsArgument, timeoutArgument } from './resultRows.ts';
import { classify, describeStatement, runStatementTool, statementArgument, statementOutput } from './statement.ts';
import { defineTool, ToolFailure } from './tool.ts';

const input = z.strictObject({
  connection: connectionArgument,
  statement: statementArgument,
  maxRows: maxRowsArgument,
  timeoutSeconds: timeoutArgument,
});

export const executeQuery = defineTool({
  name: 'execute_query',
  title: 'Execute query',
  description:
    "Runs one statement in the database's own language. Statements that only read run at once; those that write may need a person's approval; those that lose data, create keys or change the server are rejected here; use confirm_destructive_operation for them. Prefer browse_table and count_rows where they suffice.",
  input,
  output: statementOutput,
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  async run({ connection, statement, maxRows, timeoutSeconds }, context) {
    context.timeLimit(timeoutSeconds);
    return context.change(connection, {
      prepare: async (open) => {
        const plan = await classify(open, statement, context.signal);
        return { action: runAction(plan.classification), ...describeStatement(plan), plan };
      },
      run: (open, plan) => runStatementTool(open, plan, maxRows, context),
    });
  },
});

export const confirmDestructiveOperation = defineTool({
  name: 'confirm_destructive_operation',
  title: 'Confirm destructive operation',
  description:
    "Runs one statement that loses data, creates a key or changes the server, such as a drop or a delete. Needs a token of full access, a connection that is open for writing and, unless its owner said otherwise, a person's approval. Call it only when the person has asked for exactly this. Use execute_query for statements that aren't destructive.",
  input,
  output: statementOutput,
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  async run({ connection, statement, maxRows, timeoutSeconds }, context) {
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
      run: (open, plan) => runStatementTool(open, plan, maxRows, context),
    });
  },
});
