import type { NodeReading } from '@tabularium/sdk';
import { z } from 'zod';
import { connectionArgument } from './connectionArgument.ts';
import { timeoutArgument } from './resultRows.ts';
import { defineTool, ToolFailure } from './tool.ts';

const metricOutput = z.object({
  id: z.string(),
  label: z.string(),
  unit: z.string(),
  value: z.number(),
  total: z.number().optional().describe('The whole of which value is a part.'),
  help: z.string().optional(),
});

const nodeOutput = z.object({
  name: z.string(),
  state: z.enum(['ready', 'limited', 'unreachable']),
  message: z.string().optional(),
  facts: z.record(z.string(), z.string()),
  metrics: z.record(z.string(), z.number()),
});

export const getDashboard = defineTool({
  name: 'get_dashboard',
  title: 'Server dashboard',
  description: 'Metrics of a server, such as memory and requests.',
  input: z.strictObject({ connection: connectionArgument, timeoutSeconds: timeoutArgument }),
  output: z.object({
    metrics: z.array(metricOutput),
    problems: z.array(z.object({ source: z.string(), message: z.string() })).describe("What couldn't be read."),
    node: z.string().optional().describe('The node that metrics are of.'),
    nodes: z.array(nodeOutput).optional().describe('Each node of the cluster, metrics by id.'),
    notes: z.array(z.string()).optional(),
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async run({ connection, timeoutSeconds }, context) {
    context.timeLimit(timeoutSeconds);
    return context.withConnection(connection, { kind: 'read' }, async ({ session }) => {
      if (session.metrics === undefined) {
        throw new ToolFailure('UNSUPPORTED', "This database doesn't report metrics.", 'Use count_rows for the size of tables.');
      }
      const { metrics, problems, node, nodes, notes } = await session.metrics.read({ signal: context.signal });
      return {
        metrics: metrics.map(({ id, label, unit, value, total, help }) => ({
          id,
          label,
          unit,
          value,
          ...(total === undefined ? {} : { total }),
          ...(help === undefined ? {} : { help }),
        })),
        problems: problems.map(({ source, message }) => ({ source, message: context.errorText(message) })),
        ...(node === undefined ? {} : { node }),
        ...(nodes === undefined ? {} : { nodes: nodes.map((one) => nodeOf(one, (text) => context.errorText(text))) }),
        ...(notes === undefined || notes.length === 0 ? {} : { notes: notes.map((note) => context.errorText(note)) }),
      };
    });
  },
});

/** Labels, units and wholes are the same as in the metrics of the server; here the numbers are enough. */
function nodeOf(
  { name, state, message, facts, metrics }: NodeReading,
  shown: (text: string) => string,
): z.output<typeof nodeOutput> {
  return {
    name,
    state,
    ...(message === undefined ? {} : { message: shown(message) }),
    facts: Object.fromEntries(facts.map(({ id, value }) => [id, value])),
    metrics: Object.fromEntries(metrics.map(({ id, value }) => [id, value])),
  };
}
