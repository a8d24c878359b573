import { readdirSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { isDriverError } from '../../errors.ts';
import type { Session } from '../../driver.ts';
import { NO_FILTER } from '../../model/filter.ts';
import { heldError, inTime, must, mustBeCancelled, onBench } from '../bench.ts';
import { fail } from '../bench.ts';
import type { ConformanceCheck, ConformancePlan } from '../plan.ts';

/** Sessions that are opened and closed while the process is watched: what each of them leaves behind adds up. */
const SESSIONS = 8;
/** So many more of one kind can't be chance: a test runner's own timers come and go by one or two. */
const LEFT_BEHIND = 5;
/** How long what was closed may take to be gone. Only what stays takes this long. */
const SETTLE_TURNS = 120;
const SETTLE_MILLISECONDS = 25;
/** How soon running calls must end when their session is closed. */
const CLOSE_MILLISECONDS = 5_000;

/** The resources that keep this process alive, by kind, and its open files where the system lists them. */
function held(): Map<string, number> {
  const kinds = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  try {
    kinds.set('open file', readdirSync('/proc/self/fd').length);
  } catch {
    // Linux alone lists them.
  }
  return kinds;
}

function grown(before: ReadonlyMap<string, number>): string | undefined {
  for (const [kind, count] of held()) if (count - (before.get(kind) ?? 0) >= LEFT_BEHIND) return kind;
  return undefined;
}

/** Opens a session and looks at every part of it, so that what is made on demand is made. */
async function visit(session: Session, plan: ConformancePlan, signal: AbortSignal): Promise<void> {
  await session.ping({ signal });
  for (const { ref } of plan.tables) {
    await session.describeTable(ref, { signal });
    await session.readPage({ table: ref, filter: NO_FILTER, sorts: [], position: { from: 'start' }, limit: 10 }, { signal });
    for await (const { type } of session.export?.rows({ table: ref, filter: NO_FILTER }, { signal }) ?? [])
      if (type === 'rows') break;
  }
  await session.metrics?.read({ signal });
}

function callsOf(session: Session, plan: ConformancePlan): (readonly [string, () => Promise<unknown>])[] {
  const table = plan.tables[0]?.ref ?? fail('The plan has no table.');
  const options = { signal: new AbortController().signal };
  return [
    ['ping', () => session.ping(options)],
    ['listTables', () => session.listTables(options)],
    ['describeTable', () => session.describeTable(table, options)],
    ['readPage', () => session.readPage({ table, filter: NO_FILTER, sorts: [], position: { from: 'start' }, limit: 5 }, options)],
    ['countRows', () => session.countRows({ table, filter: NO_FILTER }, options)],
  ];
}

/** A session that is closed is gone: it answers nothing and holds nothing. */
export function closingChecks(plan: ConformancePlan): ConformanceCheck[] {
  return [
    {
      name: 'a session that was closed refuses every call',
      async run() {
        let closed: (readonly [string, () => Promise<unknown>])[] = [];
        await onBench(plan, async ({ session, options }) => {
          await session.ping(options);
          closed = callsOf(session, plan);
        });
        for (const [what, call] of closed) {
          const error = await inTime(`${what} of a closed session`, call()).then(
            () => undefined,
            (reason: unknown) => reason,
          );
          must(error !== undefined, `${what} of a session that was closed succeeds.`);
          const found = heldError(plan, `${what} of a closed session`, error);
          must(isDriverError(found), () => String(found));
        }
      },
    },
    {
      name: 'closing a session ends the calls that are in progress',
      run: async () => {
        let running: Promise<[string, unknown]>[] = [];
        await onBench(plan, async ({ session }) => {
          running = callsOf(session, plan).map(async ([what, call]): Promise<[string, unknown]> => [
            what,
            await call().then(
              () => undefined,
              (error: unknown) => error,
            ),
          ]);
        });
        for (const [what, error] of await inTime(
          'A call that was in progress when its session was closed',
          Promise.all(running),
          CLOSE_MILLISECONDS,
        )) {
          if (error === undefined || isDriverError(error)) continue;
          mustBeCancelled(what, error);
        }
      },
    },
    {
      name: 'a session that was closed leaves nothing behind: no timer, no socket, no open file',
      async run() {
        const { settings, context, close } = await plan.open();
        const target = { settings, context };
        const once = (): Promise<void> =>
          onBench({ ...plan, open: () => target }, ({ session, options }) => visit(session, plan, options.signal));
        try {
          // Before the first, what all sessions share is not there yet, such as connections that are kept for reuse.
          await once();
          await wait(SETTLE_MILLISECONDS);
          const before = held();
          for (let index = 0; index < SESSIONS; index += 1) await once();
          let left = grown(before);
          for (let turn = 0; left !== undefined && turn < SETTLE_TURNS; turn += 1) {
            await wait(SETTLE_MILLISECONDS);
            left = grown(before);
          }
          must(left === undefined, `Every session that is closed leaves something behind: ${left ?? ''}.`);
        } finally {
          await close?.();
        }
      },
    },
  ];
}
