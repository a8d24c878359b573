import type { HttpCapability, HttpRequest } from '../../capabilities/http.ts';
import type { Session } from '../../driver.ts';
import { NO_FILTER } from '../../model/filter.ts';
import { fail, inTime, mustBeCancelled, onBench } from '../bench.ts';
import { absent } from '../plan.ts';
import type { ConformanceCheck, ConformancePlan } from '../plan.ts';

/** How long a cancelled call may continue. A call that keeps the contract ends at once: only a call that does not end takes this long. */
const CANCEL_MILLISECONDS = 5_000;

/** A server that can be made to stop answering. */
function stallable(http: HttpCapability): { readonly http: HttpCapability; stall(): void; whenAsked(): Promise<void> } {
  let stalled = false;
  let asked: () => void = () => undefined;
  let next = new Promise<void>((resolve) => (asked = resolve));
  return {
    stall() {
      stalled = true;
    },
    whenAsked() {
      next = new Promise<void>((resolve) => (asked = resolve));
      return next;
    },
    http: {
      request(request: HttpRequest) {
        if (!stalled) return http.request(request);
        asked();
        return new Promise((_resolve, reject) => {
          const { signal } = request;
          const give = (): void => reject(new DOMException('The request was given up.', 'AbortError'));
          if (signal?.aborted === true) give();
          else signal?.addEventListener('abort', give, { once: true });
        });
      },
    },
  };
}

type Call = readonly [name: string, run: (session: Session, signal: AbortSignal) => Promise<unknown>];

function callsOf(plan: ConformancePlan): Call[] {
  const table = plan.tables[0]?.ref ?? fail('The plan has no table.');
  return [
    ['ping', (session, signal) => session.ping({ signal })],
    ['listTables', (session, signal) => session.listTables({ signal })],
    ['describeTable', (session, signal) => session.describeTable(table, { signal })],
    [
      'readPage',
      (session, signal) =>
        session.readPage({ table, filter: NO_FILTER, sorts: [], position: { from: 'start' }, limit: 10 }, { signal }),
    ],
    ['countRows', (session, signal) => session.countRows({ table, filter: NO_FILTER }, { signal })],
    ['principals.list', async (session, signal) => session.principals?.list({ signal })],
    ['metrics.read', async (session, signal) => session.metrics?.read({ signal })],
    ['tableOperations.list', async (session, signal) => session.tableOperations?.list(table, { signal })],
    ['export.splice', async (session, signal) => session.export?.splice({ table, filter: NO_FILTER }, { signal })],
    [
      'export.rows',
      async (session, signal) => {
        for await (const { type } of session.export?.rows({ table, filter: NO_FILTER }, { signal }) ?? [])
          if (type === 'rows') return;
      },
    ],
  ];
}

/** A call whose server has fallen silent ends when it is cancelled. */
export function cancellingChecks(plan: ConformancePlan): ConformanceCheck[] {
  return [
    {
      name: 'a call whose server does not answer ends when it is cancelled',
      async run() {
        const calls = callsOf(plan);
        let any = false;
        for (const [name, call] of calls) {
          let server: ReturnType<typeof stallable> | undefined;
          await onBench(
            plan,
            async ({ session }) => {
              if (server === undefined) return;
              any = true;
              server.stall();
              const controller = new AbortController();
              const asked = server.whenAsked();
              const ended = call(session, controller.signal).then(
                () => undefined,
                (error: unknown) => error ?? new Error('nothing'),
              );
              await inTime(`${name}, or its request,`, Promise.race([asked, ended]), CANCEL_MILLISECONDS);
              controller.abort();
              const error = await inTime(`${name} after it was cancelled`, ended, CANCEL_MILLISECONDS);
              // A call that needs no answer may have succeeded.
              if (error !== undefined) mustBeCancelled(name, error);
            },
            {
              context: (context) => {
                if (context.http === undefined) return context;
                server = stallable(context.http);
                return { ...context, http: server.http };
              },
            },
          );
        }
        return any ? undefined : absent('The target grants no HTTP that the kit could keep from answering.');
      },
    },
  ];
}
