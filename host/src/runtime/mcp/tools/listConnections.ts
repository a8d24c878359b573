import { z } from 'zod';
import { aiPolicySchema } from '../../../common/access.ts';
import { fittingEntries } from './fittingEntries.ts';
import { defineTool } from './tool.ts';

export const listConnections = defineTool({
  name: 'list_connections',
  title: 'List connections',
  description: 'Database connections that are open to you. Begin here: every other tool takes one, by id or name.',
  input: z.strictObject({}),
  output: z.object({
    connections: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        type: z.object({
          id: z.string().describe('The database type.'),
          title: z.string().optional().describe('Its name for people; absent while its driver is not known.'),
        }),
        state: z
          .enum(['closed', 'opening', 'open', 'failed'])
          .describe('A closed connection opens automatically when it is used.'),
        readOnly: z.boolean().describe('Whether you may only read.'),
        aiPolicy: aiPolicySchema.describe('askEachTime: a person approves each change.'),
      }),
    ),
    notes: z.array(z.string()).optional(),
  }),
  isFor: () => true,
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run(_, context) {
    const all = context.visibleConnections().map((connection) => {
      const title = context.manifestOf(connection)?.title;
      return {
        id: connection.id,
        name: connection.name,
        type: { id: connection.driver, ...(title === undefined ? {} : { title }) },
        state: context.state(connection),
        readOnly: !context.mayDo(connection, { kind: 'run', effect: 'write' }),
        aiPolicy: connection.access.aiPolicy,
      };
    });
    const connections = fittingEntries(all);
    const left = all.length - connections.length;
    return {
      connections: [...connections],
      ...(left === 0 ? {} : { notes: [`${left} more connections were left out. Name them by id or name, as the person says.`] }),
    };
  },
});
