import { isDriverError } from '../../errors.ts';
import type { CallOptions } from '../../callOptions.ts';
import type { ImportFacet, ImportForm, WriteOutcome, RowOutcome, ImportTarget } from '../../facets/import.ts';
import { NO_FILTER } from '../../model/filter.ts';
import type { TableRef } from '../../model/table.ts';
import { cancelled, expectedRefusal, fail, inTime, must, mustBeRefusal, onBench } from '../bench.ts';
import type { Bench } from '../bench.ts';
import { tableText } from '../cells.ts';
import { rowOutcomes } from '../rowOutcomes.ts';
import { absent, untried } from '../plan.ts';
import type { ConformanceCheck, ConformancePlan, KnownImport, KnownNewTable, NotChecked } from '../plan.ts';

const NOT_THERE = 'kit_nothing_has_this_name';

interface Parts {
  readonly bench: Bench;
  readonly imports: ImportFacet;
}

async function withImport(plan: ConformancePlan, check: (parts: Parts) => Promise<void>): Promise<void> {
  await onBench(plan, async (bench) => {
    const { import: imports } = bench.session;
    if (imports !== undefined) await check({ bench, imports });
  });
}

async function count({ bench: { session, options } }: Parts, table: TableRef): Promise<number> {
  return (await inTime('countRows', session.countRows({ table, filter: NO_FILTER }, options))).rows;
}

async function write({ imports, bench }: Parts, target: ImportTarget, rows: readonly string[]): Promise<RowOutcome[]> {
  const outcomes = await rowOutcomes(inTimeEach(imports.write(target, rows, bench.options)));
  must(outcomes.length === rows.length, `${rows.length} rows were imported, and ${outcomes.length} outcomes came.`);
  for (const outcome of outcomes)
    must(outcome.outcome === 'written' || outcome.message.trim() !== '', 'A row was rejected, and nothing says why.');
  return outcomes;
}

/** Each of them within its time. */
async function* inTimeEach(outcomes: AsyncIterable<WriteOutcome>): AsyncGenerator<WriteOutcome, void, undefined> {
  const stream = outcomes[Symbol.asyncIterator]();
  for (;;) {
    const next = await inTime('import.write', stream.next());
    if (next.done === true) return;
    if (next.value.outcome === 'written' && 'rows' in next.value)
      must(Number.isSafeInteger(next.value.rows) && next.value.rows > 0, `An outcome is of ${next.value.rows} written rows.`);
    yield next.value;
  }
}

async function drained(outcomes: AsyncIterable<WriteOutcome>): Promise<void> {
  const iterator = outcomes[Symbol.asyncIterator]();
  while ((await iterator.next()).done !== true);
}

/** undefined for a table that takes no rows, such as a view. */
async function formUnlessRefused(imports: ImportFacet, ref: TableRef, options: CallOptions): Promise<ImportForm | undefined> {
  try {
    return await inTime('import.form', imports.form(ref, options));
  } catch (error) {
    if (!isDriverError(error)) throw error;
    mustBeRefusal(`The form of ${tableText(ref)}`, error, ['UNSUPPORTED']);
    return undefined;
  }
}

async function checkForms(plan: ConformancePlan, { imports, bench: { options } }: Parts): Promise<void> {
  for (const { ref } of plan.tables) {
    const where = `The form of ${tableText(ref)}`;
    const form = await formUnlessRefused(imports, ref, options);
    if (form === undefined) continue;
    const { modes } = form;
    must(modes.length > 0, `${where} has no mode.`);
    must(new Set(modes.map(({ id }) => id)).size === modes.length, `${where} has two modes of one id.`);
    for (const { id, label, help, text } of modes) {
      must(label.trim() !== '' && help.trim() !== '', `${where} has the mode “${id}” without a label or a help.`);
      must(text.trim() !== '', `${where} has the mode “${id}” without its request.`);
      for (const secret of plan.secrets ?? []) must(!text.includes(secret), `${where} holds a credential.`);
    }
  }
  const [first] = plan.tables;
  if (first === undefined) return;
  const table = { ...first.ref, name: NOT_THERE };
  await expectedRefusal('The form of a table that is not there', () => imports.form(table, options), ['NOT_FOUND']);
  const wrong = { table: first.ref, mode: 'kit-no-mode' };
  await expectedRefusal('Importing by a mode that is not there', () => drained(imports.write(wrong, ['{}'], options)), [
    'INVALID_INPUT',
  ]);
  await expectedRefusal('Splicing by a mode that is not there', () => imports.splice(wrong, options), ['INVALID_INPUT']);
  const signal = AbortSignal.abort();
  await cancelled('import.form with an aborted signal', () => imports.form(first.ref, { signal }));
  const { modes } = await inTime('import.form', imports.form(first.ref, options));
  const target = { table: first.ref, mode: modes[0]?.id ?? '' };
  await cancelled('import.write with an aborted signal', () => drained(imports.write(target, ['{}'], { signal })));
}

async function checkRows(parts: Parts, { table, row, changed, rejected, key }: KnownImport): Promise<void> {
  const { imports, bench } = parts;
  const { edits } = bench.session;
  const where = tableText(table);
  const { modes } = await inTime('import.form', imports.form(table, bench.options));
  const [first] = modes;
  if (first === undefined) fail(`${where} has no mode.`);
  const target = { table, mode: first.id };
  const before = await count(parts, table);
  const problems = await inTime('import.check', imports.check(target, [row, ...rejected], bench.options));
  must(!problems.some(({ index }) => index === 0), `The row for ${where} is said to be rejected before it is written.`);
  must(
    problems.every(({ index, message }) => index <= rejected.length && message.trim() !== ''),
    `A problem of ${where} is of no row, or says nothing.`,
  );
  must((await count(parts, table)) === before, `Checking rows of ${where} changed it.`);
  const outcomes = await write(parts, target, [...rejected, row]);
  outcomes.forEach(({ outcome }, index) => {
    const wanted = index === rejected.length ? 'written' : 'rejected';
    must(outcome === wanted, `Row ${index + 1} for ${where} was ${outcome}; it must be ${wanted}.`);
  });
  must((await count(parts, table)) === before + 1, `One row was written into ${where}, which has not one more.`);
  for (const { id, repeated } of modes) {
    const [again] = await write(parts, { table, mode: id }, [repeated === 'reported' ? changed : row]);
    if (repeated === 'same') must(again?.outcome === 'written', `A row of ${where} was rejected the second time by “${id}”.`);
    else
      must(
        again?.outcome === 'rejected' && again.present === true,
        `A row of ${where} is there already, and “${id}” doesn't say so.`,
      );
    must((await count(parts, table)) === before + 1, `A row that is in ${where} already became another one by “${id}”.`);
  }
  if (edits !== undefined) {
    for await (const { outcome } of edits.apply(table, [{ kind: 'delete', key }], bench.options))
      must(outcome === 'saved', `The imported row of ${where} can't be removed again.`);
    must((await count(parts, table)) === before, `The imported row of ${where} has another key than the plan says.`);
  }
}

async function checkSplice({ imports, bench: { options } }: Parts, { table }: KnownImport): Promise<void> {
  const { modes } = await inTime('import.form', imports.form(table, options));
  const splice = await inTime('import.splice', imports.splice({ table, mode: modes[0]?.id ?? '' }, options));
  if (splice === undefined) return;
  const judge = async (status: number, lines: readonly string[]): Promise<readonly RowOutcome[]> =>
    imports.judge(splice, { status, lines });
  const outcomes = await inTime('import.judge', judge(200, [splice.written, splice.written]));
  must(outcomes.length === 2, `Two lines of an import were judged, and ${outcomes.length} outcomes came.`);
  must(
    outcomes.every(({ outcome }) => outcome === 'written'),
    'The line that says that a row was written is judged as something else.',
  );
  for (const [what, status, line] of [
    ['an answer of status 500', 500, 'Internal error'],
    ['an answer of status 403', 403, '{"message":"Forbidden"}'],
    ["a line that isn't an outcome", 200, 'upstream connect error'],
    ['half a line', 200, splice.written.slice(0, -1)],
  ] as const) {
    try {
      await inTime('import.judge', judge(status, [line]));
    } catch (error) {
      if (!isDriverError(error)) throw error;
      mustBeRefusal(`Judging ${what}`, error, [error.code]);
      continue;
    }
    fail(`Judging ${what} succeeded.`);
  }
}

async function checkNewTable(plan: ConformancePlan, parts: Parts, { table, rows, remove }: KnownNewTable): Promise<void> {
  const { imports, bench } = parts;
  const { options, session } = bench;
  const { tables } = imports;
  if (tables === undefined) return;
  const where = tableText(table);
  const isThere = async (): Promise<boolean> =>
    (await inTime('listTables', session.listTables(options))).some(({ ref }) => tableText(ref) === where);
  must(!(await isThere()), `${where} is there already: the plan has to name a table that isn't.`);
  if (tables.namespaces !== undefined) {
    const namespaces = await inTime('import.namespaces', tables.namespaces(options));
    const texts = namespaces.map((one) => JSON.stringify(one));
    must(new Set(texts).size === texts.length, 'A namespace for new tables is listed twice.');
    must(texts.includes(JSON.stringify(table.namespace)), `The namespace of ${where} isn't among those for new tables.`);
    const aborted = { signal: AbortSignal.abort() };
    await cancelled('import.namespaces with an aborted signal', async () => tables.namespaces?.(aborted));
  }
  const definition = await inTime('import.propose', tables.propose(table, rows, options));
  const { effect, consequence, requests } = await inTime('import.planTable', tables.plan(table, definition, options));
  must(effect === 'write', `The plan for ${where} has the effect ${effect}.`);
  must(consequence.trim() !== '' && requests.length > 0, `The plan for ${where} says nothing, or sends nothing.`);
  for (const secret of plan.secrets ?? [])
    must(!JSON.stringify(requests).includes(secret), `The plan for ${where} holds a credential.`);
  await expectedRefusal('Creating a table by a definition that is none', () => tables.create(table, '{', options), [
    'INVALID_INPUT',
  ]);
  if (tables.like !== undefined) {
    const like = (text: string): Promise<string> =>
      inTime('import.like', Promise.resolve(tables.like?.(table, text, options) ?? ''));
    await expectedRefusal('Making a definition like one that is none', () => like('{'), ['INVALID_INPUT']);
    must(!(await isThere()), `A definition for ${where} was made like another one, and ${where} is there.`);
    await inTime('import.planTable', tables.plan(table, await like(definition), options));
    for (const { ref } of plan.tables) {
      const described = await inTime('describeTable', session.describeTable(ref, options));
      if (described.definition === undefined || described.kind !== 'table') continue;
      const copied = await like(described.definition.text);
      await inTime('import.planTable', tables.plan(table, copied, options));
    }
  }
  const other = { ...table, name: NOT_THERE };
  await expectedRefusal('Creating a table by the definition of another', () => tables.create(other, definition, options), [
    'INVALID_INPUT',
  ]);
  must(!(await isThere()), `${where} was planned or refused, and is there.`);
  try {
    await inTime('import.createTable', tables.create(table, definition, options));
    must(await isThere(), `${where} was created and is not listed.`);
    if (tables.discard !== undefined) {
      await inTime('import.discardTable', tables.discard(table, options));
      must(!(await isThere()), `${where} was empty, and is there after it was discarded.`);
      await expectedRefusal('Discarding a table that is gone', async () => tables.discard?.(table, options), ['NOT_FOUND']);
      await inTime('import.createTable', tables.create(table, definition, options));
    }
    const { modes } = await inTime('import.form', imports.form(table, options));
    const outcomes = await write(parts, { table, mode: modes[0]?.id ?? '' }, rows);
    must(
      outcomes.every(({ outcome }) => outcome === 'written'),
      `${where} was made for rows that it rejects.`,
    );
    must((await count(parts, table)) === rows.length, `${where} has not the ${rows.length} rows that were imported.`);
    if (tables.discard !== undefined) {
      await expectedRefusal('Discarding a table with rows', async () => tables.discard?.(table, options), ['CONFLICT']);
      must((await count(parts, table)) === rows.length, `${where} lost rows to a discard that was refused.`);
    }
    await expectedRefusal('Creating a table twice', () => tables.create(table, definition, options), ['CONFLICT']);
  } finally {
    await remove?.();
  }
}

async function checkNewTables(plan: ConformancePlan): Promise<NotChecked | undefined> {
  let outcome: NotChecked | undefined;
  await withImport(plan, async (parts) => {
    const known = plan.newTable;
    if (parts.imports.tables === undefined) outcome = absent('The session creates no tables for an import.');
    else if (known === undefined) outcome = untried('The plan names no table that may be created.');
    else await checkNewTable(plan, parts, known);
  });
  return outcome;
}

/** Rows are imported, each with its outcome. */
export function importChecks(plan: ConformancePlan): ConformanceCheck[] {
  const known = plan.imports;
  const each = (check: (parts: Parts, one: KnownImport) => Promise<void>): ConformanceCheck['run'] =>
    known === undefined
      ? async () => untried('The plan names no rows that may be imported.')
      : () =>
          withImport(plan, async (parts) => {
            for (const one of known) await check(parts, one);
          });
  return [
    {
      name: 'import: its modes have names and requests; a table or mode that is not there is refused, and calls are cancelled',
      run: () => withImport(plan, (parts) => checkForms(plan, parts)),
    },
    {
      name: 'import: each row has its outcome, a rejected one leaves nothing, and one that is there stays one',
      run: each(checkRows),
    },
    {
      name: 'import: the answer to a splice is judged by its status and its lines',
      run: each(checkSplice),
    },
    {
      name: 'import: a table is proposed, planned and created for rows, and takes them',
      run: () => checkNewTables(plan),
    },
  ];
}
