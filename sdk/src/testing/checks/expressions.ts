import { isDriverError } from '../../errors.ts';
import { NO_FILTER } from '../../model/filter.ts';
import type { Filter } from '../../model/filter.ts';
import { cancelled, inTime, must, onBench } from '../bench.ts';
import type { ConformanceCheck, ConformancePlan } from '../plan.ts';

const codeOf = (error: unknown): string => (isDriverError(error) ? error.code : 'no code of the contract');

/** The text shown for a filter and its sorts is the text that a read sends. */
export function expressionChecks(plan: ConformancePlan): ConformanceCheck[] {
  return [
    {
      name: 'expressions: a filter is shown where a read sends it, refused where a read refuses it, and sorts are dropped alike',
      run: () =>
        onBench(plan, async ({ session, options }) => {
          const { expressions } = session;
          if (expressions === undefined) return;
          for (const known of plan.tables) {
            const table = known.ref;
            const ofRead = (filter: Filter, sorts: Parameters<typeof expressions.ofRead>[0]['sorts']) =>
              inTime('expressions.ofRead', expressions.ofRead({ table, filter, sorts }, options));
            must((await ofRead(NO_FILTER, [])).parts.length === 0, 'Something is sent where nothing is filtered or sorted by.');
            for (const { name, filter } of known.filters ?? []) {
              const read = { table, filter, sorts: [], position: { from: 'start' as const }, limit: 1 };
              const refused = await inTime('readPage', session.readPage(read, options)).then(
                () => undefined,
                (error: unknown) => error,
              );
              if (refused === undefined) {
                const { parts } = await ofRead(filter, []);
                must(
                  parts.length > 0 && parts.every(({ label, text }) => label.trim() !== '' && text.trim() !== ''),
                  `The filter “${name}” is read by, and nothing is shown of it.`,
                );
                continue;
              }
              const shown = await ofRead(filter, []).then(
                () => undefined,
                (error: unknown) => error,
              );
              must(
                isDriverError(shown) && isDriverError(refused) && shown.code === refused.code,
                `The filter “${name}” is refused by a read with ${codeOf(refused)}, and its text with ${codeOf(shown)}.`,
              );
            }
            const { columns } = await inTime('describeTable', session.describeTable(table, options));
            for (const { name: column, sortable } of columns) {
              const { parts, droppedSorts } = await ofRead(NO_FILTER, [{ column, direction: 'descending' }]);
              must(
                sortable.allowed ? parts.length > 0 : droppedSorts.length === 1,
                `The sort by “${column}” is ${parts.length > 0 ? 'shown' : 'not shown'}, and it is ${sortable.allowed ? 'sent' : 'dropped'}.`,
              );
            }
            await cancelled('expressions.ofRead with an aborted signal', () =>
              expressions.ofRead({ table, filter: NO_FILTER, sorts: [] }, { signal: AbortSignal.abort() }),
            );
          }
        }),
    },
    {
      name: 'console: the request that a statement stands for is described without sending it',
      run: () =>
        onBench(plan, async ({ session }) => {
          const describe = session.console?.describeRequest?.bind(session.console);
          if (describe === undefined) return;
          for (const { statement } of plan.console?.classified ?? []) {
            const request = await inTime('console.describeRequest', Promise.resolve(describe(statement)));
            must(/^[A-Z]+$/.test(request.method), `${statement}: the method is ${request.method}.`);
            must(request.path.startsWith('/'), `${statement}: the path is ${request.path}.`);
            for (const secret of plan.secrets ?? [])
              must(!JSON.stringify(request).includes(secret), `${statement}: the request holds a credential.`);
          }
        }),
    },
  ];
}
