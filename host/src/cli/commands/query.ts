import type { ConsoleFacet, Statement, StatementEffect } from '@tabularium/sdk';
import { DriverError } from '@tabularium/sdk';
import { z } from 'zod';
import { HostError } from '../../common/errors.ts';
import { defineCommand } from './command.ts';
import { findConnection, tellOpening } from './find.ts';

const effectSchema = z.enum(['read', 'write', 'destructive']);
const SEVERITY: Readonly<Record<StatementEffect, number>> = { read: 0, write: 1, destructive: 2 };

/** Runs statements when none does more than was agreed to; else runs nothing and says what they would do. */
export const runQuery = defineCommand({
  input: z.object({
    connection: z.string(),
    text: z.string(),
    maxRows: z.number().int().min(1).max(500_000),
    /** The most that a person has agreed to. */
    agreedTo: effectSchema,
  }),
  output: z.union([
    z.object({ done: z.literal(true) }),
    z.object({ done: z.literal(false), effect: effectSchema, summaries: z.array(z.string()) }),
  ]),
  run: async (services, input, context) => {
    if (input.text.trim() === '') throw noStatement();
    const connection = findConnection(services, input.connection);
    const { signal, emit } = context;
    return services.sessions.use(
      connection.id,
      async ({ session, manifest }) => {
        const facet = session.console;
        if (facet === undefined) throw new DriverError('UNSUPPORTED', `${manifest.title} takes no statements.`);
        const statements = await facet.split(input.text);
        if (statements.length === 0) throw noStatement();
        const { effect, summaries } = await classifyAll(facet, statements, signal);
        // Classified anew when it comes back agreed to: what a name stands for may have changed meanwhile.
        if (SEVERITY[effect] > SEVERITY[input.agreedTo]) return { done: false as const, effect, summaries };
        for (const statement of statements) {
          for await (const event of facet.run(statement.text, { maxRows: input.maxRows, signal }))
            await emit({ type: 'result', event });
        }
        return { done: true as const };
      },
      { signal, onProgress: tellOpening(context) },
    );
  },
});

function noStatement(): HostError {
  return new HostError('INVALID_REQUEST', 'There is no statement in this text.');
}

/** @throws DriverError `INVALID_INPUT` from a driver for text that is no statement: nobody need agree to what would be refused */
async function classifyAll(
  facet: ConsoleFacet,
  statements: readonly Statement[],
  signal: AbortSignal,
): Promise<{ effect: StatementEffect; summaries: string[] }> {
  let worst: StatementEffect = 'read';
  const summaries: string[] = [];
  for (const statement of statements) {
    const { effect, summary } = await facet.classify(statement.text, { signal });
    if (SEVERITY[effect] > SEVERITY[worst]) worst = effect;
    if (effect !== 'read') summaries.push(summary);
  }
  return { effect: worst, summaries };
}
