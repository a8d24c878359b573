import { DriverError } from '@tabularium/sdk';
import type { ConsoleFacet, Statement } from '@tabularium/sdk';
import { TRPCClientError, createTRPCClient, httpBatchStreamLink } from '@trpc/client';
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ROUTER_PATH } from '../../common/api.ts';
import { RUN_PATH } from '../../common/console.ts';
import type { RunLine } from '../../common/console.ts';
import { errorReportSchema } from '../../common/errorReport.ts';
import type { ErrorReport } from '../../common/errorReport.ts';
import { errorReport } from '../errors/errorReport.ts';
import { silentLogger } from '../storage/logger.ts';
import { createApiHandler } from './handler.ts';
import { createOwnerHandler } from './owner/ownerHandler.ts';
import type { ownerRouter } from './owner/ownerRouter.ts';
import type { OwnerContext } from './owner/ownerContext.ts';

const failed = (offset: number): DriverError =>
  new DriverError('INVALID_INPUT', 'It is wrong here.', { details: { status: '42703', offset } });
const connectionId = randomUUID();

describe("a report of a driver's error", () => {
  const statement = "SELECT '💥',\r\n  naem";
  const reported = (offset: unknown, of?: string): ErrorReport => errorReport(failed(offset as number), of);

  it('has the place of the fault, in lines and characters too', () => {
    const report = reported(statement.indexOf('naem'), statement);
    expect(report).toMatchObject({
      details: { status: '42703', offset: statement.indexOf('naem') },
      place: { line: 2, column: 3 },
    });
    expect(errorReportSchema.parse(report)).toEqual(report);
    expect(reported(statement.length, statement).place).toEqual({ line: 2, column: 7 });
  });

  it('has no place outside of its statement, or of a call without one', () => {
    for (const offset of [statement.length + 1, -1, 0.5, Number.NaN, '3', null])
      expect(reported(offset, statement)).toEqual({ ...reported(0, statement), details: { status: '42703' }, place: undefined });
    expect(reported(3).details).toEqual({ status: '42703' });
    expect(reported(3).place).toBeUndefined();
  });
});

/** A console whose statements fail at their last word, when they are classified or run. */
const places: Pick<ConsoleFacet, 'split' | 'classify' | 'run'> = {
  split: (text): Statement[] =>
    [...text.matchAll(/[^;\n][^;]*/g)].map(({ 0: own, index }) => ({
      text: `in other\n${own}`,
      start: index,
      end: index + own.length,
    })),
  classify: async (statement) => {
    if (statement.includes('badly')) throw failed(statement.search(/\S+$/));
    return { effect: 'read', tables: [], summary: 'read' };
  },
  run: async function* (statement) {
    yield { type: 'text', mediaType: 'text/plain', text: 'one' };
    if (!statement.includes('well')) throw failed(statement.search(/\S+$/));
  },
};

const services = {
  statements: {
    classify: ({ statement }: { statement: string }) => places.classify(statement, { signal: AbortSignal.timeout(1_000) }),
    run: async ({ statement }: { statement: string }) => {
      await places.classify(statement, { signal: AbortSignal.timeout(1_000) });
      return places.run(statement, { maxRows: 1, signal: AbortSignal.timeout(1_000) });
    },
  },
  sessions: {
    use: (_id: string, work: (open: unknown) => unknown) => work({ session: { console: places }, manifest: {}, connection: {} }),
  },
  connectionStore: { list: () => [] },
} as unknown as OwnerContext;

async function reportIn(call: Promise<unknown>): Promise<ErrorReport | undefined> {
  const error: unknown = await call.then(
    () => expect.fail('It succeeded.'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof TRPCClientError)) throw error;
  return (error.data as { readonly report?: ErrorReport } | undefined)?.report;
}

describe('the place of a fault', () => {
  const api = createApiHandler(services, silentLogger);
  const owner = createOwnerHandler(services, silentLogger);
  const client = createTRPCClient<typeof ownerRouter>({
    links: [
      httpBatchStreamLink({
        url: `http://host${ROUTER_PATH}`,
        fetch: (to: RequestInfo | URL | string, init?: unknown) => owner(new Request(to, init as RequestInit)),
        methodOverride: 'POST',
      }),
    ],
  });
  const run = (statement: string): Promise<Response> =>
    api(new Request(`http://host${RUN_PATH}`, { method: 'POST', body: JSON.stringify({ connectionId, statement }) }));

  it('reaches the window, before and after the first line', async () => {
    const rejected = (await (await run('read\nbadly')).json()) as ErrorReport;
    expect([rejected.details.offset, rejected.place]).toEqual([5, { line: 2, column: 1 }]);
    const lines = (await (await run('read naem')).text()).trimEnd().split('\n');
    const last = JSON.parse(lines.at(-1) ?? '') as RunLine;
    expect(last).toMatchObject({ type: 'failed', report: { details: { offset: 5 }, place: { line: 1, column: 6 } } });
  });

  it('reaches the caller of a procedure that takes a statement', async () => {
    const report = await reportIn(client.console.classify.mutate({ connectionId, statement: 'read badly' }));
    expect([report?.details.offset, report?.place]).toEqual([5, { line: 1, column: 6 }]);
  });

  it('is that in the whole text of a command', async () => {
    const query = async (text: string): Promise<void> => {
      const events = await client.owner.query.mutate({ connectionId, text, maxRows: 10, agreedTo: 'read' });
      for await (const event of events) expect(event).toBeDefined();
    };
    for (const text of ['read well;\n\nread naem', 'read well;\n\nread badly']) {
      const report = await reportIn(query(text));
      expect([report?.details.offset, report?.place]).toEqual([17, { line: 3, column: 6 }]);
    }
  });
});
