import type { OperationCall, OperationEvent, OperationPlace, OperationPlan, OperationsFacet } from '../../facets/operations.ts';
import { NO_FILTER } from '../../model/filter.ts';
import { cancelled, expectedRefusal, fail, inTime, must, onBench } from '../bench.ts';
import type { Bench } from '../bench.ts';
import { tableText } from '../cells.ts';
import { absent, untried } from '../plan.ts';
import type { ConformanceCheck, ConformancePlan, KnownOperationRun, NotChecked } from '../plan.ts';

const ID = /^[\w-]{1,40}$/;
const SENTENCE = /[.!?]$/;
const OFFERED = 'operations: each place has operations with forms that can be filled in, and asking changes nothing';
const RUN = 'operations: one does what its plan said and nothing else, and nothing that was not confirmed';
const RESUMED = 'operations: one that is interrupted continues from its checkpoint, without a lost or doubled row';

interface Parts {
  readonly bench: Bench;
  readonly facet: OperationsFacet;
}

async function withOperations(plan: ConformancePlan, check: (parts: Parts) => Promise<void>): Promise<void> {
  await onBench(plan, async (bench) => {
    const { operations: facet } = bench.session;
    if (facet !== undefined) await check({ bench, facet });
  });
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** Every table with its count, as a text that can be compared. */
async function tablesNow({ bench: { session, options } }: Parts, without: ReadonlySet<string> = new Set()): Promise<string> {
  const listed = await inTime('listTables', session.listTables(options));
  return JSON.stringify(
    listed.filter(({ ref }) => !without.has(tableText(ref))).map(({ ref, count }) => [tableText(ref), count]),
  );
}

async function checkOffered(plan: ConformancePlan, parts: Parts): Promise<void> {
  const { bench, facet } = parts;
  const { options } = bench;
  const before = await tablesNow(parts);
  const places: readonly OperationPlace[] = [
    { on: 'server' },
    ...plan.tables.map(({ ref }): OperationPlace => ({ on: 'table', table: ref })),
  ];
  for (const place of places) {
    const where = place.on === 'table' ? tableText(place.table) : place.on;
    const operations = await inTime('operations.list', facet.list(place, options));
    must(new Set(operations.map(({ id }) => id)).size === operations.length, `${where} has two operations of one id.`);
    for (const { id, label, help, ability } of operations) {
      must(
        ID.test(id) && label.trim() !== '' && help.trim() !== '',
        `${where}: the operation "${id}" lacks a proper id, label or help.`,
      );
      if (!ability.allowed) {
        must(ability.reason.trim() !== '', `${where}: "${id}" cannot be done, and nothing says why.`);
        continue;
      }
      await checkForm(parts, place, id, where);
      for (const input of ['{', '[]', '"text"']) {
        await expectedRefusal(
          `${where}: a plan of "${id}" for ${input}`,
          () => facet.plan({ place, operation: id, input }, options),
          ['INVALID_INPUT'],
        );
      }
    }
    const unknown = 'no-such-operation';
    await expectedRefusal(`${where}: the form of an unknown operation`, () => facet.form(place, unknown, options), [
      'UNSUPPORTED',
    ]);
    await expectedRefusal(
      `${where}: the plan of an unknown operation`,
      () => facet.plan({ place, operation: unknown, input: '{}' }, options),
      ['UNSUPPORTED'],
    );
  }
  const signal = AbortSignal.abort();
  await cancelled('operations.list with an aborted signal', () => facet.list({ on: 'server' }, { signal }));
  must((await tablesNow(parts)) === before, 'Asking for operations, forms and plans changed the tables.');
}

async function checkForm({ facet, bench }: Parts, place: OperationPlace, id: string, where: string): Promise<void> {
  const { document, fields, presets } = await inTime('operations.form', facet.form(place, id, bench.options));
  must(isJsonObject(document), `${where}: the form of "${id}" begins with an input that isn't a JSON object.`);
  const paths = fields.map(({ path }) => JSON.stringify(path));
  must(new Set(paths).size === paths.length, `${where}: the form of "${id}" has two fields of one path.`);
  must(
    new Set(presets.map((preset) => preset.id)).size === presets.length,
    `${where}: the form of "${id}" has two presets of one id.`,
  );
  for (const preset of presets) {
    must(
      preset.label.trim() !== '' && isJsonObject(preset.document),
      `${where}: the preset "${preset.id}" of "${id}" has no label, or isn't a JSON object.`,
    );
  }
}

async function eventsOf(
  { facet, bench }: Parts,
  call: OperationCall,
  plan: OperationPlan,
  more: { readonly checkpoint?: string; readonly onEvent?: (event: OperationEvent) => void; readonly signal?: AbortSignal } = {},
): Promise<OperationEvent[]> {
  const { onEvent = () => undefined, signal = bench.options.signal, checkpoint } = more;
  const events: OperationEvent[] = [];
  const running = facet.run(call, { basis: plan.basis, signal, ...(checkpoint === undefined ? {} : { checkpoint }) });
  for await (const event of running) {
    must(events.at(-1)?.type !== 'result', `"${call.operation}" emits an event behind its result.`);
    events.push(event);
    onEvent(event);
  }
  return events;
}

function checkPlan(plan: ConformancePlan, { operation }: OperationCall, planned: OperationPlan): void {
  const { consequence, steps, effect, confirm, basis } = planned;
  must(SENTENCE.test(consequence.trim()), `The consequence of "${operation}" isn't a sentence: ${consequence}`);
  must(
    steps.length > 0 && steps.every(({ title, statements }) => title.trim() !== '' && statements.length > 0),
    `A step of "${operation}" has no title, or sends nothing.`,
  );
  must(
    (effect === 'destructive') === (confirm !== undefined),
    `"${operation}" is ${effect}, and asks for the name ${confirm ?? 'of nothing'}.`,
  );
  for (const secret of plan.secrets ?? []) {
    must(!JSON.stringify([steps, consequence, basis]).includes(secret), `The plan of "${operation}" holds a credential.`);
  }
}

async function checkAfter({ bench }: Parts, { call, after }: KnownOperationRun): Promise<void> {
  const { session, options } = bench;
  for (const { table, rows } of after) {
    const where = `${tableText(table)} after "${call.operation}"`;
    if (rows === 'gone') {
      await expectedRefusal(where, () => session.describeTable(table, options), ['NOT_FOUND']);
      continue;
    }
    const count = await inTime('countRows', session.countRows({ table, filter: NO_FILTER }, options));
    must(!count.exact || count.rows === rows, `${where} has ${count.rows} rows; it should have ${rows}.`);
  }
}

async function checkRun(plan: ConformancePlan, parts: Parts, known: KnownOperationRun): Promise<void> {
  const { bench, facet } = parts;
  const { options } = bench;
  const { call, refused = [], after } = known;
  const touched = new Set(after.map(({ table }) => tableText(table)));
  const before = await tablesNow(parts);
  const others = await tablesNow(parts, touched);
  for (const input of refused) {
    await expectedRefusal(`A plan of "${call.operation}" for ${input}`, () => facet.plan({ ...call, input }, options), [
      'INVALID_INPUT',
    ]);
  }
  const planned = await inTime('operations.plan', facet.plan(call, options));
  checkPlan(plan, call, planned);
  must((await tablesNow(parts)) === before, `The plan of "${call.operation}" changed the tables.`);
  await expectedRefusal(
    `"${call.operation}" of what was not confirmed`,
    () => eventsOf(parts, call, { ...planned, basis: '{"confirmed":"something else"}' }),
    ['CONFLICT'],
  );
  must((await tablesNow(parts)) === before, `"${call.operation}" was refused, and changed the tables.`);
  const events = await inTime('operations.run', eventsOf(parts, call, planned));
  let reached = 0;
  for (const event of events) {
    if (event.type !== 'progress') continue;
    must(
      event.step >= reached && event.step < planned.steps.length,
      `"${call.operation}" reports the step ${event.step} behind ${reached}.`,
    );
    reached = event.step;
  }
  const result = events.at(-1);
  if (result?.type !== 'result') fail(`"${call.operation}" ends without a result.`);
  must(SENTENCE.test(result.message.trim()), `The result of "${call.operation}" isn't a sentence: ${result.message}`);
  await checkAfter(parts, known);
  must((await tablesNow(parts, touched)) === others, `"${call.operation}" changed tables that it did not name.`);
  if (result.undo !== undefined) {
    checkPlan(plan, result.undo.call, await inTime('the plan of the undo', facet.plan(result.undo.call, options)));
  }
}

/** Interrupts a run behind each of its checkpoints, one after the other, and continues it to its end. */
async function checkResumed(parts: Parts, known: KnownOperationRun): Promise<void> {
  const { call } = known;
  const planned = await inTime('operations.plan', parts.facet.plan(call, parts.bench.options));
  let checkpoint: string | undefined;
  for (let round = 0; ; round += 1) {
    must(round < MOST_ROUNDS, `"${call.operation}" does not get on from its checkpoints.`);
    const interrupting = new AbortController();
    const from = checkpoint;
    let seen = 0;
    const onEvent = (event: OperationEvent): void => {
      if (event.type !== 'checkpoint') return;
      must(isJsonObject(event.checkpoint), `A checkpoint of "${call.operation}" isn't a JSON object.`);
      checkpoint = event.checkpoint;
      seen += 1;
      // The second one: a run that continues may begin by saying where it is.
      if (seen === 2) interrupting.abort();
    };
    const signal = AbortSignal.any([interrupting.signal, parts.bench.options.signal]);
    const running = eventsOf(parts, call, planned, { onEvent, signal, ...(from === undefined ? {} : { checkpoint: from }) });
    const events = await inTime('operations.run', running).catch((error: unknown) => {
      if (interrupting.signal.aborted) return undefined;
      throw error;
    });
    if (round === 0) must(seen > 0, `"${call.operation}" says that it can be resumed, and gives no checkpoint.`);
    if (events !== undefined) break;
  }
  await checkAfter(parts, known);
}

const MOST_ROUNDS = 100;

/** Operations say what they would do, do it, and continue where they were interrupted. */
export function operationChecks(plan: ConformancePlan): ConformanceCheck[] {
  const known = plan.operationRuns ?? [];
  const each = async (check: (parts: Parts, known: KnownOperationRun) => Promise<void>): Promise<NotChecked | undefined> => {
    if (known.length === 0) return untried('The plan names no operation that may be run.');
    for (const one of known) {
      await withOperations({ ...plan, open: one.open ?? plan.open }, (parts) => check(parts, one));
    }
    return undefined;
  };
  return [
    { name: OFFERED, run: () => withOperations(plan, (parts) => checkOffered(plan, parts)) },
    { name: RUN, run: () => each((parts, one) => checkRun(plan, parts, one)) },
    {
      name: RESUMED,
      run: async () => {
        let resumed = 0;
        const outcome = await each(async (parts, one) => {
          const { place, operation } = one.call;
          const offered = await inTime('operations.list', parts.facet.list(place, parts.bench.options));
          if (offered.find(({ id }) => id === operation)?.resumable !== true) return;
          resumed += 1;
          await checkResumed(parts, one);
        });
        return outcome ?? (resumed === 0 ? absent('The plan runs no operation that can be resumed.') : undefined);
      },
    },
  ];
}
