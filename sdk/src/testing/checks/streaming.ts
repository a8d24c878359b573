import { setImmediate as turn } from 'node:timers/promises';
import { NO_FILTER } from '../../model/filter.ts';
import { fail, inTime, must, mustBeCancelled, onBench } from '../bench.ts';
import type { Bench } from '../bench.ts';
import { liveBytes } from '../liveMemory.ts';
import { untried } from '../plan.ts';
import type { ConformanceCheck, ConformancePlan, KnownLarge, NotChecked } from '../plan.ts';

/** After a stream was cancelled it may emit this many more events: those that were made already. */
const CANCEL_EVENTS = 2;
/** A smaller stream doesn't show whether it is held in memory. */
const SMALLEST_STREAM = 8 * 1024 * 1024;
/** The memory that a stream may hold: a quarter of what it gives, at least this, and never more than the other. */
const LEAST_LIVE = 6 * 1024 * 1024;
const MOST_LIVE = 16 * 1024 * 1024;
/** One event, as JSON. A host refuses what is larger. */
const LARGEST_EVENT = 16 * 1024 * 1024;
/** How often memory is looked at: a collection each. */
const SAMPLES = 8;
/** Turns of the event loop in which the stream isn't read. */
const IDLE_TURNS = 50;
const MILLISECONDS = 120_000;

/** An event of an export or of a statement's result. */
type StreamEvent = { readonly type: string; readonly rows?: readonly (readonly unknown[])[] };
type Open = (bench: Bench, signal: AbortSignal) => AsyncIterable<StreamEvent>;

/** Takes a stream from begin to end and looks at what is held meanwhile. */
async function bounded(what: string, events: AsyncIterable<StreamEvent>, rows: number): Promise<void> {
  const before = liveBytes();
  let bytes = 0;
  let count = 0;
  let peak = 0;
  let next = 0;
  const look = (): void => {
    peak = Math.max(peak, liveBytes() - before);
    next = count + Math.ceil(rows / SAMPLES);
  };
  const iterator = events[Symbol.asyncIterator]();
  for (;;) {
    const step: IteratorResult<StreamEvent, unknown> = await inTime(`An event of ${what}`, iterator.next());
    if (step.done === true) break;
    const { value } = step;
    const size = JSON.stringify(value).length;
    must(size <= LARGEST_EVENT, `${what} has an event of ${size} characters; a host refuses more than ${LARGEST_EVENT}.`);
    bytes += size;
    if (count === 0) for (let index = 0; index < IDLE_TURNS; index += 1) await turn();
    count += value.rows?.length ?? 0;
    if (count >= next) look();
  }
  must(count === rows, `${what} gave ${count} rows; there are ${rows}.`);
  must(bytes >= SMALLEST_STREAM, `${what} is ${bytes} characters; to show what is held in memory it takes ${SMALLEST_STREAM}.`);
  const limit = Math.min(MOST_LIVE, Math.max(LEAST_LIVE, Math.floor(bytes / 4)));
  const mega = (value: number): string => `${(value / 1_048_576).toFixed(1)} MiB`;
  must(
    peak <= limit,
    `${what}, ${mega(bytes)}, holds ${mega(peak)} in memory while it runs; at most ${mega(limit)} would be bounded.`,
  );
}

/** Cancels a stream in its course and counts what still comes. */
async function endsSoon(what: string, open: (signal: AbortSignal) => AsyncIterable<StreamEvent>, rows: number): Promise<void> {
  const controller = new AbortController();
  const iterator = open(controller.signal)[Symbol.asyncIterator]();
  let taken = 0;
  while (taken < 1) {
    const step: IteratorResult<StreamEvent, unknown> = await inTime(`An event of ${what}`, iterator.next());
    if (step.done === true) fail(`${what} ends without a row.`);
    taken += step.value.rows?.length ?? 0;
  }
  must(taken < rows, `${what} gives all ${taken} rows in one event, so that it can't be stopped.`);
  controller.abort();
  for (let more = 0; ; more += 1) {
    try {
      const { done } = await inTime(`${what} after it was cancelled`, iterator.next());
      if (done === true) fail(`${what} was cancelled and ends as if it were whole.`);
    } catch (error) {
      mustBeCancelled(what, error);
      return;
    }
    must(more < CANCEL_EVENTS, `${what} continues after it was cancelled: ${more + 1} events more.`);
  }
}

/** Ends a stream by leaving it, and checks that the session still works. */
async function canBeLeft(bench: Bench, open: Open): Promise<void> {
  for await (const { rows } of open(bench, bench.options.signal)) if (rows !== undefined) break;
  await inTime('ping after a stream was left', bench.session.ping(bench.options));
}

function checksOf(
  plan: ConformancePlan,
  area: string,
  open: Open | undefined,
  large: KnownLarge | undefined,
  missing: string,
): ConformanceCheck[] {
  const on = (use: (bench: Bench, of: Open, rows: number) => Promise<void>): Promise<void | NotChecked> =>
    open === undefined || large === undefined
      ? Promise.resolve(untried(missing))
      : onBench({ ...plan, open: large.open ?? plan.open }, (bench) => use(bench, open, large.rows), {
          milliseconds: MILLISECONDS,
        });
  return [
    {
      name: `${area}: what is large comes in bounded memory and in small events`,
      run: () => on((bench, of, rows) => bounded('The stream', of(bench, bench.options.signal), rows)),
    },
    {
      name: `${area}: what is large ends soon when it is cancelled, and the session continues`,
      run: () =>
        on(async (bench, of, rows) => {
          await endsSoon('The stream', (signal) => of(bench, signal), rows);
          await canBeLeft(bench, of);
        }),
    },
  ];
}

/** An export is a stream: it holds only the part in flight, and stops when it is cancelled. */
export function exportStreamChecks(plan: ConformancePlan): ConformanceCheck[] {
  const { large } = plan;
  const open: Open | undefined =
    large === undefined
      ? undefined
      : ({ session }, signal) =>
          (session.export ?? fail('The session has no export.')).rows({ table: large.table, filter: NO_FILTER }, { signal });
  return checksOf(plan, 'export', open, large, 'The plan names no large table.');
}

/** So is the answer of a statement. */
export function consoleStreamChecks(plan: ConformancePlan): ConformanceCheck[] {
  const { large } = plan;
  const statement = large?.statement;
  const open: Open | undefined =
    large === undefined || statement === undefined
      ? undefined
      : ({ session }, signal) =>
          (session.console ?? fail('The session has no console.')).run(statement, { maxRows: large.rows, signal });
  return checksOf(plan, 'console', open, large, 'The plan names no statement that reads a large table.');
}
