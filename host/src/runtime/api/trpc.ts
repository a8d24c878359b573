import { initTRPC } from '@trpc/server';
import type { TRPCDefaultErrorShape } from '@trpc/server';
import type { ErrorReport } from '../../common/errorReport.ts';
import { errorReport } from '../errors/errorReport.ts';
import { statementIn } from '../errors/statementIn.ts';
import type { ApiContext } from './context.ts';

/** An error as a caller gets it. Named, as the context is: a router's type repeats both for each part, and a declaration has a limit. */
export interface ApiErrorShape extends TRPCDefaultErrorShape {
  readonly data: Omit<TRPCDefaultErrorShape['data'], 'stack'> & { readonly stack: undefined; readonly report: ErrorReport };
}

const trpc = initTRPC.context<ApiContext>().create({
  // The window shows this report; the stack stays in the log.
  errorFormatter: ({ shape, error, input }): ApiErrorShape => {
    const report = errorReport(error.cause ?? error, statementIn(input));
    return { ...shape, message: report.message, data: { ...shape.data, stack: undefined, report } };
  },
});

/** The builders of every part of the router. */
export const { procedure, router } = trpc;

/** For calls that come without a signal. */
export const NEVER: AbortSignal = new AbortController().signal;
