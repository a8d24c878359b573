import { NO_FILTER } from '../../model/filter.ts';
import type { TableRef } from '../../model/table.ts';
import { cancelled, inTime, must, mustBeCancelled, onBench, expectedRefusal } from '../bench.ts';
import type { Bench } from '../bench.ts';
import type { ConformanceCheck, ConformancePlan } from '../plan.ts';

/** How soon a call must end after it was cancelled. */
const CANCEL_MILLISECONDS = 5_000;

const HOSTILE_NAMES = [
  'no_such_table',
  '../../etc/passwd',
  '..',
  '.',
  'a/b/c',
  'x?y=1#z',
  '%2e%2e',
  "x'; DROP TABLE y; --",
  'x"y',
  '`x`',
  'tab\tline\nfeed',
  '\u0000',
  '\ud800',
  '__proto__',
  'constructor',
  'ö日本💥',
  'x'.repeat(1_000),
];

function calls({ session }: Bench, table: TableRef): readonly (readonly [string, (signal: AbortSignal) => Promise<unknown>])[] {
  return [
    ['describeTable', (signal) => session.describeTable(table, { signal })],
    [
      'readPage',
      (signal) => session.readPage({ table, filter: NO_FILTER, sorts: [], position: { from: 'start' }, limit: 10 }, { signal }),
    ],
    ['countRows', (signal) => session.countRows({ table, filter: NO_FILTER }, { signal })],
  ];
}

/** Faults have the codes of the contract, and a session works after each of them. */
export function errorChecks(plan: ConformancePlan): ConformanceCheck[] {
  return [
    {
      name: 'a table that does not exist is NOT_FOUND, whatever its name',
      run: () =>
        onBench(plan, async (bench) => {
          // On a server of other people one of them may be there.
          const taken = new Set((await bench.session.listTables(bench.options)).map(({ ref }) => ref.name));
          for (const name of HOSTILE_NAMES.filter((one) => !taken.has(one))) {
            for (const namespace of [[], [name]]) {
              for (const [what, call] of calls(bench, { namespace, name })) {
                await expectedRefusal(
                  `${what} of a table called ${JSON.stringify(name.slice(0, 40))}`,
                  () => call(bench.options.signal),
                  ['NOT_FOUND'],
                );
              }
            }
          }
          const listed = await inTime('listTables', bench.session.listTables(bench.options));
          must(listed.length >= plan.tables.length, 'Asking for tables that do not exist made others disappear.');
        }),
    },
    {
      name: 'a call that was cancelled before it began is given up',
      run: () =>
        onBench(plan, async (bench) => {
          const table = plan.tables[0]?.ref ?? { namespace: [], name: 'x' };
          const all = [
            ...calls(bench, table),
            ['listTables', (signal: AbortSignal) => bench.session.listTables({ signal })] as const,
            ['ping', (signal: AbortSignal) => bench.session.ping({ signal })] as const,
          ];
          for (const [what, call] of all) await cancelled(`${what} with an aborted signal`, () => call(AbortSignal.abort()));
        }),
    },
    {
      name: 'a call that is cancelled while it runs ends soon, and the session continues',
      run: () =>
        onBench(plan, async (bench) => {
          for (const { ref } of plan.tables) {
            for (const [what, call] of calls(bench, ref)) {
              const controller = new AbortController();
              const running = call(controller.signal);
              const ended = running.then(
                () => undefined,
                (error: unknown) => error,
              );
              controller.abort();
              const error = await inTime(`${what} after it was cancelled`, ended, CANCEL_MILLISECONDS);
              if (error !== undefined) mustBeCancelled(what, error);
            }
          }
          await inTime('ping after cancelled calls', bench.session.ping(bench.options));
        }),
    },
    {
      name: 'connecting can be cancelled',
      async run() {
        const { settings, context, close } = await plan.open();
        const connect = (): Promise<unknown> =>
          plan.driver.definition.connect(settings, { ...context, log: () => undefined }, { signal: AbortSignal.abort() });
        try {
          await cancelled('connect with an aborted signal', connect);
        } finally {
          await close?.();
        }
      },
    },
  ];
}
