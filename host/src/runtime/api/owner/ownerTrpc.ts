import { initTRPC } from '@trpc/server';
import type { TRPCError } from '@trpc/server';
import { ZodError } from 'zod';
import type { ErrorReport } from '../../../common/errorReport.ts';
import { HostError } from '../../../common/errors.ts';
import { errorReport } from '../../errors/errorReport.ts';
import { invalidValues } from '../../errors/invalidValues.ts';
import { statementIn } from '../../errors/statementIn.ts';
import type { OwnerContext } from './ownerContext.ts';

/** The procedure whose input is a text of several statements. */
const QUERY = 'owner.query';

const trpc = initTRPC.context<OwnerContext>().create({
  errorFormatter: ({ shape, error, path, input }) => {
    const report = reportOf(error, path, input);
    return { ...shape, message: report.message, data: { ...shape.data, stack: undefined, report } };
  },
});

/** The builders of the owner's part of the router. A transport of the window has none of it. */
export const { procedure: ownerProcedure, router: ownerTrpcRouter } = trpc;

function reportOf(error: TRPCError, path: string | undefined, input: unknown): ErrorReport {
  const cause = error.cause ?? error;
  if (cause instanceof ZodError) return errorReport(invalidValues(cause));
  if (error.code !== 'NOT_FOUND' || error.cause !== undefined)
    return errorReport(cause, statementIn(input, path === QUERY ? 'text' : 'statement'));
  return errorReport(
    new HostError('INVALID_REQUEST', `This host does not know the command "${path ?? ''}".`, {
      details: { advice: 'The host that runs is an older version: stop it, and start this one.' },
    }),
  );
}
