import { initTRPC } from '@trpc/server';
import { errorReport } from '../errors/errorReport.ts';
import type { ApiContext } from './context.ts';

const trpc = initTRPC.context<ApiContext>().create({
  // The window shows this report; the stack stays in the log.
  errorFormatter: ({ shape, error }) => ({
    ...shape,
    message: errorReport(error.cause ?? error).message,
    data: { ...shape.data, stack: undefined, report: errorReport(error.cause ?? error) },
  }),
});

/** The builders of every part of the router. */
export const { procedure, router } = trpc;

/** For calls that come without a signal. */
export const NEVER: AbortSignal = new AbortController().signal;
