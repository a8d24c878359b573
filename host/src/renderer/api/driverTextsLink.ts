import { TRPCClientError } from '@trpc/client';
import type { TRPCLink } from '@trpc/client';
import type { AnyTRPCRouter } from '@trpc/server';
import { observable } from '@trpc/server/observable';
import { reportInDriverWords } from './driverTexts.ts';
import { isReport } from './problem.ts';

function connectionIn(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null || !('connectionId' in input)) return undefined;
  return typeof input.connectionId === 'string' ? input.connectionId : undefined;
}

/** Puts what the driver of a call's connection said in an error into the language of the window. */
export function driverTextsLink<Router extends AnyTRPCRouter>(): TRPCLink<Router> {
  return () =>
    ({ op, next }) =>
      observable((observer) =>
        next(op).subscribe({
          next: (value) => observer.next(value),
          error(error) {
            const connectionId = connectionIn(op.input);
            const data: unknown = error instanceof TRPCClientError ? error.data : undefined;
            if (
              connectionId !== undefined &&
              typeof data === 'object' &&
              data !== null &&
              'report' in data &&
              isReport(data.report)
            ) {
              data.report = reportInDriverWords(connectionId, data.report);
            }
            observer.error(error);
          },
          complete: () => observer.complete(),
        }),
      );
}
