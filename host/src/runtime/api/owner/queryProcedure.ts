import { streamsOn } from '../procedureAnswer.ts';
import type { ConsoleFacet, Statement, StatementEffect } from '@tabularium/sdk';
import { DriverError, exceeds, isDriverError } from '@tabularium/sdk';
import { z } from 'zod';
import { statementEffectSchema, queryEventSchema } from '../../../common/console.ts';
import type { QueryEvent } from '../../../common/console.ts';
import { placeInSource } from '../../../common/textPlace.ts';
import { HostError } from '../../../common/errors.ts';
import { requireWritable } from '../../connections/readOnlyMode.ts';
import { NEVER } from '../trpc.ts';
import { openSession } from './opening.ts';
import { ownerProcedure } from './ownerTrpc.ts';

/** Runs statements when none does more than was agreed to; else runs nothing and says what they would do. */
export const queryProcedure = ownerProcedure
  .input(
    z.object({
      connectionId: z.uuid(),
      text: z.string(),
      maxRows: z.number().int().min(1).max(500_000),
      /** The most that a person has agreed to. */
      agreedTo: statementEffectSchema,
    }),
  )
  .output(streamsOn(queryEventSchema))
  .mutation(async function* ({ ctx, input, signal = NEVER }): AsyncGenerator<QueryEvent, void, undefined> {
    const { session, manifest, connection } = yield* openSession(ctx, input.connectionId, signal);
    const facet = session.console;
    if (facet === undefined) throw new DriverError('UNSUPPORTED', `${manifest.title} takes no statements.`);
    const statements = await facet.split(input.text);
    if (statements.length === 0) throw new HostError('INVALID_REQUEST', 'There is no statement in this text.');
    const { effect, summaries } = await classifyAll(facet, input.text, statements, signal);
    requireWritable(connection, effect);
    // Classified again when it comes back approved: the target of a name may have changed meanwhile.
    if (exceeds({ effect }, { effect: input.agreedTo })) {
      yield { type: 'refused', effect, summaries };
      return;
    }
    // The owner may run what the driver doesn't understand.
    const permitted = { effect: input.agreedTo, unknown: true };
    for (const statement of statements) {
      try {
        for await (const event of facet.run(statement.text, { maxRows: input.maxRows, permitted, signal }))
          yield { type: 'result', event };
      } catch (error) {
        throw inWholeText(error, input.text, statement);
      }
    }
  });

/** @throws DriverError `INVALID_INPUT` from a driver for text that isn't a statement: a statement that would be rejected needs no approval */
async function classifyAll(
  facet: ConsoleFacet,
  text: string,
  statements: readonly Statement[],
  signal: AbortSignal,
): Promise<{ effect: StatementEffect; summaries: string[] }> {
  let worst: StatementEffect = 'read';
  const summaries: string[] = [];
  for (const statement of statements) {
    const { effect, summary } = await facet.classify(statement.text, { signal }).catch((error: unknown) => {
      throw inWholeText(error, text, statement);
    });
    if (exceeds({ effect }, { effect: worst })) worst = effect;
    if (effect !== 'read') summaries.push(summary);
  }
  return { effect: worst, summaries };
}

/** An error of one statement, with the place of the fault in the text that the statement is from. */
function inWholeText(error: unknown, text: string, statement: Statement): unknown {
  if (!isDriverError(error) || error.details.offset === undefined) return error;
  const { offset, ...details } = error.details;
  const place = placeInSource(statement.text, text.slice(statement.start, statement.end), offset);
  return new DriverError(error.code, error.message, {
    cause: error.cause,
    details: place === undefined ? details : { ...details, offset: statement.start + place },
  });
}
