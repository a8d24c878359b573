import { z } from 'zod';
import { connectionArgument } from './connectionArgument.ts';
import { fittingEntries } from './fittingEntries.ts';
import { timeoutArgument } from './resultRows.ts';
import { defineTool, ToolFailure } from './tool.ts';

export const listPrincipals = defineTool({
  name: 'list_principals',
  title: 'List principals',
  description: 'Who may use the database: users, roles or API keys.',
  input: z.strictObject({ connection: connectionArgument, timeoutSeconds: timeoutArgument }),
  output: z.object({
    term: z.string().describe('What they are called.'),
    principals: z.array(
      z.object({
        id: z.string(),
        label: z.string(),
        reach: z.string(),
        serverWide: z.boolean(),
        actions: z.array(z.string()),
        attributes: z.array(z.object({ label: z.string(), value: z.string() })),
        expiresAt: z.string().optional(),
      }),
    ),
    notes: z.array(z.string()).optional(),
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async run({ connection, timeoutSeconds }, context) {
    context.timeLimit(timeoutSeconds);
    return context.withConnection(connection, { kind: 'read' }, async ({ session }) => {
      if (session.principals === undefined) {
        throw new ToolFailure('UNSUPPORTED', "This database doesn't report its users.", 'There is nothing else to try.');
      }
      const principals = await session.principals.list({ signal: context.signal });
      const all = principals.map(({ id, label, reach, serverWide, actions, attributes, expiresAt }) => ({
        id,
        label,
        reach,
        serverWide,
        actions: [...actions],
        attributes: attributes.map((attribute) => ({ label: attribute.label, value: attribute.value })),
        ...(expiresAt === undefined ? {} : { expiresAt }),
      }));
      const fitting = fittingEntries(all);
      const left = all.length - fitting.length;
      return {
        term: session.principals.term.other,
        principals: [...fitting],
        ...(left === 0 ? {} : { notes: [`${left} more are left out.`] }),
      };
    });
  },
});
