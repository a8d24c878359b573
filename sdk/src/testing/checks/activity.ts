import type { ActivityFacet, EndRequest, EndWay, RunningEntries, RunningEntry, SlowStatements } from '../../facets/activity.ts';
import { isDriverError } from '../../errors.ts';
import type { Bench } from '../bench.ts';
import { cancelled, fail, inTime, must, mustBeRefusal, onBench } from '../bench.ts';
import type { BegunStatement, ConformanceCheck, ConformancePlan, KnownActivity } from '../plan.ts';
import { untried } from '../plan.ts';

/** Ids of nothing, each a trap for a driver that reads a number out of them or pastes them into a statement. */
const HOSTILE_IDS = ['0', '1', '-1', '*', '%', '1 OR 1=1', "1'; --", '1-0', '99999999999999999999', '\u0000', '💥'];
const POLL_MILLISECONDS = 50;
/** How long an end may take. */
const END_MILLISECONDS = 10_000;

function activityOf({ session }: Bench): ActivityFacet {
  return session.activity ?? fail('The session shows no activity.');
}

function mustBeMeasure(what: string, value: number | undefined): void {
  must(value === undefined || (Number.isFinite(value) && value >= 0), () => `${what} is ${value ?? ''}.`);
}

function mustBeEntry(entry: RunningEntry, ids: ReadonlySet<string>): void {
  const { id, statement, lockWait, ways, reason } = entry;
  must(id !== '' && id.length <= 200, 'The id of an entry is empty or longer than 200 characters.');
  must(statement === undefined || statement.id !== '', `The statement of "${id}" has no id.`);
  must((statement?.text.length ?? 0) <= 8_000, `The statement of "${id}" is longer than 8,000 characters.`);
  mustBeMeasure(`The duration of "${id}"`, entry.milliseconds);
  mustBeMeasure(`The duration of the transaction of "${id}"`, entry.transactionMilliseconds);
  mustBeMeasure(`The duration of the session of "${id}"`, entry.sessionMilliseconds);
  must(new Set(ways).size === ways.length, `A way to end "${id}" is offered twice.`);
  must(ways.length > 0 || (reason ?? '').trim() !== '', `"${id}" can't be ended, and nothing says why.`);
  if (lockWait === undefined) return;
  must(entry.state === 'waiting', `"${id}" waits for a lock, and its state is ${entry.state}.`);
  must(lockWait.lock.trim() !== '', `"${id}" waits, and nothing says for which lock.`);
  for (const other of lockWait.blockedBy) {
    must(other !== id, `"${id}" waits for itself.`);
    must(ids.has(other), `"${id}" waits for "${other}", which the list doesn't have.`);
  }
}

function mustBeList({ entries, notes }: RunningEntries): void {
  const ids = new Set(entries.map(({ id }) => id));
  must(ids.size === entries.length, 'Two entries have one id.');
  for (const entry of entries) mustBeEntry(entry, ids);
  must(
    notes.every((note) => note.trim() !== ''),
    'A note on the list is empty.',
  );
}

function mustBeStatistics(found: SlowStatements): void {
  if (!found.available) {
    must(found.reason.trim() !== '', 'There are no statistics, and nothing says why.');
    return;
  }
  for (const { text, ...measures } of found.statements)
    for (const [name, value] of Object.entries(measures))
      if (typeof value === 'number') mustBeMeasure(`${name} of ${JSON.stringify(text.slice(0, 40))}`, value);
  const totals = found.statements.map(({ totalMilliseconds }) => totalMilliseconds);
  must(
    totals.every((total, place) => total <= (totals[place - 1] ?? total)),
    'The statements with the most time are not first.',
  );
}

/** Entries are listed, each once, and exactly the one that was seen is ended. */
export function activityChecks(plan: ConformancePlan): ConformanceCheck[] {
  const known = plan.activity;
  const needed = untried('The session shows activity, and the plan begins no statement.');
  return [
    {
      name: 'activity: every entry can be shown, and waits for entries of the same list',
      run: () =>
        onBench(plan, async (bench) => {
          const facet = activityOf(bench);
          const begun = await known?.begin(bench.session);
          try {
            mustBeList(await inTime('activity.list', facet.list(bench.options)));
          } finally {
            await begun?.close();
          }
          if (facet.slow !== undefined) mustBeStatistics(await inTime('activity.slow', facet.slow(bench.options)));
          await cancelled('activity.list with an aborted signal', () => facet.list({ signal: AbortSignal.abort() }));
        }),
    },
    {
      name: 'activity: an id of nothing ends nothing',
      run: () =>
        onBench(plan, async (bench) => {
          const { entries } = await inTime('activity.list', activityOf(bench).list(bench.options));
          const near = entries.slice(0, 5).flatMap(({ id }) => [`${id}0`, id.slice(0, -1), id.toUpperCase() + '\u0000']);
          const real = new Set(entries.map(({ id }) => id));
          for (const id of [...HOSTILE_IDS, ...near])
            if (id !== '' && !real.has(id))
              for (const way of ['cancel', 'terminate'] as const) await mustEndNothing(bench, { id, way });
        }),
    },
    ...(['cancel', 'terminate'] as const).map((way) => ({
      name: `activity: ${way} ends the entry that was seen, and no other`,
      run: () => onBench(plan, async (bench) => (known === undefined ? needed : ended(bench, known, way))),
    })),
  ];
}

/** Fails unless a request for what isn't there is `gone`, or refused. */
async function mustEndNothing(bench: Bench, request: EndRequest): Promise<void> {
  const what = `Ending ${JSON.stringify(request)}, which is not there,`;
  try {
    const { outcome } = await inTime('activity.end', activityOf(bench).end(request, bench.options));
    must(outcome === 'gone', `${what} is said to have ${outcome === 'asked' ? 'been asked for' : 'ended it'}.`);
  } catch (error) {
    mustBeRefusal(what, error, ['INVALID_INPUT']);
  }
}

async function entryOf(bench: Bench, { text }: BegunStatement): Promise<RunningEntry | undefined> {
  const list = await inTime('activity.list', activityOf(bench).list(bench.options));
  mustBeList(list);
  return list.entries.find(({ statement, state }) => runs(state) && statement?.text.includes(text) === true);
}

function runs(state: RunningEntry['state']): boolean {
  return state === 'running' || state === 'waiting';
}

async function ended(bench: Bench, known: KnownActivity, way: EndWay): Promise<void> {
  const facet = activityOf(bench);
  const begun = await known.begin(bench.session);
  try {
    const entry = await entryOf(bench, begun);
    if (entry === undefined) return fail('The statement that the plan began is not in the list.');
    const { id, statement, ways } = entry;
    if (!ways.includes(way)) {
      await facet.end({ id, way }, bench.options).then(
        () => fail(`${way} is not offered for "${id}", and succeeds.`),
        (error: unknown) => mustBeRefusal(`${way} of an entry that doesn't offer it`, error, ['UNSUPPORTED', 'ACCESS_REFUSED']),
      );
      return;
    }
    must((await entryOf(bench, begun))?.id === id, 'The id of an entry is another one in the next list.');
    await cancelled('activity.end with an aborted signal', () => facet.end({ id, way }, { signal: AbortSignal.abort() }));
    if (way === 'cancel') await mustEndNothing(bench, { id, way, statement: `${statement?.id ?? ''}0` });
    await mustEndNothing(bench, { id: `${id}0`, way });
    must((await entryOf(bench, begun))?.statement?.id === statement?.id, 'A request for another entry ended the statement.');
    const request = { id, way, ...(way === 'cancel' && statement !== undefined ? { statement: statement.id } : {}) };
    const { outcome } = await inTime('activity.end', facet.end(request, bench.options));
    must(outcome !== 'gone', 'The entry was there, and its end is said to have come before.');
    await mustBeOver(bench, begun, entry, way);
    await mustEndNothing(bench, request);
  } catch (error) {
    if (isDriverError(error)) fail(`${way} ended in ${error.code} (${error.message}).`);
    throw error;
  } finally {
    await begun.close();
  }
}

/** Fails unless the statement runs no more after a while, and with `terminate` its session is gone as well. */
async function mustBeOver(bench: Bench, begun: BegunStatement, { id }: RunningEntry, way: EndWay): Promise<void> {
  const until = performance.now() + END_MILLISECONDS;
  while (performance.now() < until) {
    const { entries } = await inTime('activity.list', activityOf(bench).list(bench.options));
    const still = entries.find((entry) => entry.id === id);
    if (still === undefined) return;
    if (way === 'cancel' && (!runs(still.state) || still.statement?.text.includes(begun.text) !== true)) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS));
  }
  fail(`${way} of the statement did not end it within ${END_MILLISECONDS} ms.`);
}
