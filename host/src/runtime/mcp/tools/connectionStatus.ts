import { z } from 'zod';
import { connectionArgument } from './connectionArgument.ts';
import { timeoutArgument } from './resultRows.ts';
import { defineTool } from './tool.ts';

export const connectionStatus = defineTool({
  name: 'get_connection_status',
  title: 'Connection status',
  description: 'State and features of a connection.',
  input: z.strictObject({
    connection: connectionArgument,
    connect: z.boolean().default(false).describe('Open it if needed, and ask the server.'),
    timeoutSeconds: timeoutArgument,
  }),
  output: z.object({
    connection: z.object({ id: z.string(), name: z.string() }),
    state: z.enum(['closed', 'opening', 'open', 'failed']),
    readOnly: z.boolean(),
    server: z.object({ product: z.string(), version: z.string().optional() }).optional(),
    answersAfterMilliseconds: z.number().optional().describe('How long the server took to answer.'),
    findings: z.array(z.object({ label: z.string(), outcome: z.string(), message: z.string() })),
    abilities: z
      .array(z.enum(['statements', 'rowChanges', 'export', 'principals', 'dashboard']))
      .optional()
      .describe('Features of this database besides reading; absent while the connection is closed.'),
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async run({ connection: named, connect, timeoutSeconds }, context) {
    const connection = context.connection(named, { kind: 'describe' });
    const known = {
      connection: { id: connection.id, name: connection.name },
      readOnly: !context.mayDo(connection, { kind: 'run', effect: 'write' }),
    };
    if (!connect && context.state(connection) !== 'open') {
      return { ...known, state: context.state(connection), findings: [] };
    }
    context.timeLimit(timeoutSeconds);
    return context.withConnection(named, { kind: 'describe' }, async ({ session }) => {
      const begin = performance.now();
      if (connect) await session.ping({ signal: context.signal });
      const { product, version } = session.server;
      return {
        ...known,
        state: 'open' as const,
        server: { product, ...(version === undefined ? {} : { version }) },
        ...(connect ? { answersAfterMilliseconds: Math.round(performance.now() - begin) } : {}),
        findings: session.findings.map(({ label, outcome, message }) => ({
          label,
          outcome,
          message: context.errorText(message),
        })),
        abilities: [
          ...(session.console === undefined ? [] : (['statements'] as const)),
          ...(session.edits === undefined ? [] : (['rowChanges'] as const)),
          ...(session.export === undefined ? [] : (['export'] as const)),
          ...(session.principals === undefined ? [] : (['principals'] as const)),
          ...(session.metrics === undefined ? [] : (['dashboard'] as const)),
        ],
      };
    });
  },
});
