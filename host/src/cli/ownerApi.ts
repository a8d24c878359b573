import { TRPCClientError, createTRPCClient, httpBatchStreamLink } from '@trpc/client';
import type { TRPCClient, TRPCLink } from '@trpc/client';
import { map } from '@trpc/server/observable';
import type { z } from 'zod';
import { abortableRequest } from '../common/abortableRequest.ts';
import { ROUTER_PATH } from '../common/api.ts';
import { HostError } from '../common/errors.ts';
import type { FetchHandler } from '../common/fetchHandler.ts';
import type { OwnerRouter } from '../runtime/api/owner/ownerRouter.ts';
import { OWNER_ORIGIN, ReportedError, reportSchema } from '../runtime/ownerSocket/ownerProtocol.ts';
import { AnswerPace } from './answerPace.ts';

/** The typed router as the home's owner has it, wherever it runs. */
export type OwnerApi = TRPCClient<OwnerRouter>;

/** The options of every call: aborting the signal cancels it at the host. */
export interface ApiCallOptions {
  readonly signal: AbortSignal;
}

/**
 * Streamed answers arrive no faster than their events are taken.
 *
 * @param handler - the host's API, in this process or behind its socket
 */
export function ownerApi(handler: FetchHandler): OwnerApi {
  const paces = new WeakMap<object, AnswerPace>();
  const takeAtPace: TRPCLink<OwnerRouter> = () => (call) =>
    call.next(call.op).pipe(
      map((answer) => {
        const { context, result } = answer;
        const pace = typeof context?.['response'] === 'object' ? paces.get(context['response'] ?? {}) : undefined;
        if (pace === undefined || !('data' in result) || !isAsyncIterable(result.data)) return answer;
        return { ...answer, result: { ...result, data: pace.events(result.data) } };
      }),
    );
  return createTRPCClient<OwnerRouter>({
    links: [
      takeAtPace,
      httpBatchStreamLink({
        url: `${OWNER_ORIGIN}${ROUTER_PATH}`,
        maxItems: 1,
        methodOverride: 'POST',
        fetch: async (url: string | URL | Request, init) => {
          const pace = new AnswerPace();
          const request = abortableRequest(url, init);
          const { signal } = request;
          const response = pace.response(await handler(request), signal);
          paces.set(response, pace);
          return response;
        },
      }),
    ],
  });
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/**
 * Does one piece of work with the API, and checks its result: a host may be of another version.
 *
 * @throws ReportedError what the host answered; what the way to the host fails with; HostError `INTERNAL` for a result that is not understood
 */
export async function ask<Schema extends z.ZodType>(
  api: OwnerApi,
  schema: Schema,
  work: (api: OwnerApi, options: ApiCallOptions) => Promise<unknown>,
  options: ApiCallOptions,
): Promise<z.output<Schema>> {
  let value: unknown;
  try {
    value = await work(api, options);
  } catch (error) {
    options.signal.throwIfAborted();
    throw causeOf(error);
  }
  return understood(schema, value);
}

/** @throws HostError `INTERNAL` for what this version does not understand */
export function understood<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new HostError('INTERNAL', 'The host answered in a way that this version does not understand.', { cause: result.error });
}

/** The error of the host behind the client's error. */
export function causeOf(error: unknown): unknown {
  if (!(error instanceof TRPCClientError)) return error;
  const shape: unknown = error.data;
  const report = reportSchema.safeParse(
    typeof shape === 'object' && shape !== null && 'report' in shape ? shape.report : undefined,
  );
  if (report.success) return new ReportedError(report.data);
  return error.cause ?? error;
}
