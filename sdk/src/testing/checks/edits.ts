import type { ChangeOutcome, EditsFacet, PreparedChange, RowChange } from '../../facets/edits.ts';
import { numeralCell } from '../../model/cell.ts';
import type { Cell } from '../../model/cell.ts';
import type { RowKey } from '../../model/rowKey.ts';
import { rowKeyText } from '../../model/rowKey.ts';
import type { TableDescription } from '../../model/table.ts';
import { cancelled, fail, inTime, must, onBench, expectedRefusal } from '../bench.ts';
import type { Bench } from '../bench.ts';
import { shownCell, isMissing, tableText } from '../cells.ts';
import type { ConformanceCheck, ConformancePlan, KnownEdit, KnownRow, KnownTable } from '../plan.ts';
import { knownCell, knownText, readAll, rowText } from '../reading.ts';
import type { ReadRow } from '../reading.ts';

const MAX_LIMIT = 10_000;

interface EditBench extends Bench {
  readonly edits: EditsFacet;
  readonly table: TableDescription;
}

/** With the facet, or not at all: a driver without it has nothing to keep. */
async function withEdits(
  plan: ConformancePlan,
  known: Pick<KnownTable, 'ref'>,
  use: (bench: EditBench) => Promise<void>,
): Promise<void> {
  await onBench(plan, async (bench) => {
    const { edits } = bench.session;
    if (edits === undefined) return;
    const table = await inTime('describeTable', bench.session.describeTable(known.ref, bench.options));
    await use({ ...bench, edits, table });
  });
}

async function apply({ edits, table, options }: EditBench, changes: readonly RowChange[]): Promise<ChangeOutcome[]> {
  const outcomes: ChangeOutcome[] = [];
  const stream = edits.apply(table.ref, changes, options)[Symbol.asyncIterator]();
  for (;;) {
    const next = await inTime('apply', stream.next());
    if (next.done === true) break;
    const outcome = next.value;
    const last = outcomes.at(-1)?.index ?? -1;
    must(outcome.index > last && outcome.index < changes.length, `apply reported change ${outcome.index} after change ${last}.`);
    must(
      outcome.outcome === 'saved' || outcome.message.trim() !== '',
      `Change ${outcome.index} is ${outcome.outcome}, and nothing says why.`,
    );
    outcomes.push(outcome);
  }
  return outcomes;
}

function keyOf(row: KnownRow, { key }: TableDescription): RowKey {
  return key.map((name) => knownCell(row, name));
}

function insertOf(row: KnownRow): RowChange {
  return { kind: 'insert', values: Object.entries(row).map(([column, value]) => ({ column, value })) };
}

function updateOf(row: KnownRow, changed: KnownRow, table: TableDescription): RowChange {
  return {
    kind: 'update',
    key: keyOf(row, table),
    assignments: Object.entries(changed).map(([column, value]) => ({ column, value })),
  };
}

async function rowsOf(bench: EditBench): Promise<ReadRow[]> {
  return readAll(bench, bench.table, {}, MAX_LIMIT);
}

async function rowLike(bench: EditBench, row: KnownRow): Promise<ReadRow | undefined> {
  const wanted = knownText(row, bench.table);
  return (await rowsOf(bench)).find((one) => rowText(one, bench.table) === wanted);
}

/** Every cell as it should be; not every database distinguishes null from absent when it is read. */
function mustBe(what: string, got: ReadRow | undefined, wanted: KnownRow, { columns }: TableDescription): void {
  must(got !== undefined, `${what}: the row is not there.`);
  for (const { name, kind } of columns) {
    const [cell, known] = [got.cells.get(name) ?? null, knownCell(wanted, name)];
    if (isMissing(cell) && isMissing(known)) continue;
    const [text, want] = [shownCell(cell, got.kinds.get(name) ?? kind), shownCell(known, kind)];
    must(text === want, `${what}: ${name} is (${text}) and should be (${want}).`);
  }
}

async function removed(bench: EditBench, row: KnownRow): Promise<void> {
  if ((await rowLike(bench, row)) === undefined) return;
  await apply(bench, [{ kind: 'delete', key: keyOf(row, bench.table) }]);
}

/** Changes are exact, reported one by one, and never half made. */
export function editChecks(plan: ConformancePlan): ConformanceCheck[] {
  return [
    {
      name: 'edits: a session that can edit is tried at it',
      run: () =>
        onBench(plan, async ({ session }) => {
          must(
            session.edits === undefined || (plan.edits ?? []).length > 0,
            'The session has edits, and the plan names no row to try them with.',
          );
        }),
    },
    ...plan.tables.map((known) => untouchable(plan, known)),
    ...(plan.edits ?? []).flatMap((edit) => changing(plan, edit)),
  ];
}

/** Changes of columns that the description calls read-only are rejected. */
function untouchable(plan: ConformancePlan, known: KnownTable): ConformanceCheck {
  return {
    name: `edits: ${tableText(known.ref)}: what cannot be edited is refused, with a reason and the column`,
    run: () =>
      withEdits(plan, known, async (bench) => {
        const { table, edits, options } = bench;
        const row = known.rows[0] ?? fail('The plan has no row of the table.');
        const before = await rowsOf(bench);
        for (const { name, editable } of table.columns) {
          if (editable.allowed) continue;
          const value = known.rows.map((one) => knownCell(one, name)).find((cell) => !isMissing(cell)) ?? 'x';
          const key = table.key.length > 0 ? keyOf(row, table) : ['x'];
          const change: RowChange = { kind: 'update', key, assignments: [{ column: name, value }] };
          const [prepared] = await inTime('prepare', edits.prepare(table.ref, [change], options));
          must(prepared?.ready === false, `${tableText(known.ref)}.${name} cannot be edited, and prepare lets it pass.`);
          must(prepared.message.trim() !== '', `${tableText(known.ref)}.${name} is refused without a message.`);
          const outcomes = await apply(bench, [change]);
          must(outcomes[0]?.outcome === 'failed', `${tableText(known.ref)}.${name} cannot be edited, and apply did not fail.`);
        }
        must((await rowsOf(bench)).length === before.length, 'A refused change added or removed a row.');
      }),
  };
}

function changing(plan: ConformancePlan, edit: KnownEdit): ConformanceCheck[] {
  const where = `edits: ${tableText(edit.table)}`;
  const { row, changed, refused } = edit;
  const after: KnownRow = { ...row, ...changed };
  const on = (use: (bench: EditBench) => Promise<void>): Promise<void> =>
    withEdits(plan, { ref: edit.table }, async (bench) => {
      await removed(bench, row);
      try {
        await use(bench);
      } finally {
        await removed(bench, row);
      }
    });
  return [
    {
      name: `${where}: the preview shows changes before they are sent, and sends none`,
      run: () =>
        on(async (bench) => {
          const { edits, table, options } = bench;
          const before = (await rowsOf(bench)).length;
          const insert = await inTime('prepare', edits.prepare(table.ref, [insertOf(row)], options));
          must(insert.length === 1, `prepare of one change gave ${insert.length} answers.`);
          must(insert[0]?.ready === true, () => `The row cannot be inserted: ${JSON.stringify(insert[0])}`);
          must(insert[0].text.trim() !== '' && insert[0].language !== '', 'A prepared change has no text, or no language.');
          must((await rowsOf(bench)).length === before, 'prepare changed the table.');
        }),
    },
    {
      name: `${where}: a row is inserted, changed in its columns alone, and deleted; every value exact`,
      run: () =>
        on(async (bench) => {
          const { table } = bench;
          const before = new Set((await rowsOf(bench)).map((one) => rowText(one, table)));
          const [inserted] = await apply(bench, [insertOf(row)]);
          must(inserted?.outcome === 'saved', () => `The insert ended as ${JSON.stringify(inserted)}.`);
          if (table.key.length === 0) fail('The plan edits a table without a key.');
          must(
            inserted.key !== undefined && rowKeyText(inserted.key.map(plain)) === rowKeyText(keyOf(row, table).map(plain)),
            `The key of the inserted row is reported as ${JSON.stringify(inserted.key)}.`,
          );
          mustBe('After the insert', await rowLike(bench, row), row, table);
          const [updated] = await apply(bench, [updateOf(row, changed, table)]);
          must(updated?.outcome === 'saved', () => `The update ended as ${JSON.stringify(updated)}.`);
          mustBe('After the update', await rowLike(bench, row), after, table);
          const others = (await rowsOf(bench)).map((one) => rowText(one, table)).filter((text) => text !== knownText(row, table));
          must(others.length === before.size && others.every((text) => before.has(text)), 'A change of one row changed others.');
          const [deleted] = await apply(bench, [{ kind: 'delete', key: keyOf(row, table) }]);
          must(deleted?.outcome === 'saved', () => `The deletion ended as ${JSON.stringify(deleted)}.`);
          must((await rowLike(bench, row)) === undefined, 'The deleted row is still there.');
        }),
    },
    {
      name: `${where}: a change of a row that is gone fails`,
      run: () =>
        on(async (bench) => {
          for (const change of [updateOf(row, changed, bench.table), { kind: 'delete', key: keyOf(row, bench.table) } as const]) {
            const [outcome] = await apply(bench, [change]);
            must(
              outcome?.outcome === 'failed',
              () => `The ${change.kind} of a row that is not there ended as ${JSON.stringify(outcome)}.`,
            );
          }
          must((await rowLike(bench, row)) === undefined, 'An update of a row that is gone made one.');
        }),
    },
    {
      name: `${where}: a value that does not fit is refused, with its column, and nothing is changed`,
      run: () =>
        on(async (bench) => {
          const { edits, table, options } = bench;
          await apply(bench, [insertOf(row)]);
          for (const { column, value } of refused) {
            const change = updateOf(row, { [column]: value }, table);
            const [prepared] = await inTime('prepare', edits.prepare(table.ref, [change], options));
            must(prepared?.ready === false, `${column} = ${JSON.stringify(value)} is let pass by prepare.`);
            must(
              prepared.column === column && prepared.message.trim() !== '',
              `${column} = ${JSON.stringify(value)} is refused without its column, or without a message.`,
            );
            const [outcome] = await apply(bench, [change]);
            must(outcome?.outcome === 'failed', `${column} = ${JSON.stringify(value)} isn't reported as failed.`);
            mustBe(`After ${column} = ${JSON.stringify(value)} was refused`, await rowLike(bench, row), row, table);
          }
        }),
    },
    {
      name: `${where}: a number beyond the range that a column declares is refused, and the ends are let pass`,
      run: () =>
        on(async (bench) => {
          const { edits, table, options } = bench;
          await apply(bench, [insertOf(row)]);
          const prepared = async (column: string, value: bigint): Promise<PreparedChange> => {
            const change = updateOf(row, { [column]: numeralCell(String(value)) }, table);
            const [one] = await inTime('prepare', edits.prepare(table.ref, [change], options));
            return one ?? fail('prepare of one change gave no answer.');
          };
          for (const { name, kind, range, editable } of table.columns) {
            if (range === undefined || kind !== 'integer' || !editable.allowed) continue;
            const [least, greatest] = [BigInt(range.least), BigInt(range.greatest)];
            for (const end of [least, greatest])
              must((await prepared(name, end)).ready, `${name} declares a range that ends at ${end}, and refuses ${end}.`);
            for (const beyond of [least - 1n, greatest + 1n])
              must(!(await prepared(name, beyond)).ready, `${name} declares a range without ${beyond}, and lets it pass.`);
          }
        }),
    },
    {
      name: `${where}: a value that is none of a column's labels is refused, and the labels are let pass`,
      run: () =>
        on(async (bench) => {
          const { edits, table, options } = bench;
          await apply(bench, [insertOf(row)]);
          for (const { name, values, editable } of table.columns) {
            if (values === undefined || !editable.allowed) continue;
            const other = `no label of ${name}`;
            const changes = [...values, other].map((value) => updateOf(row, { [name]: value }, table));
            const prepared = await inTime('prepare', edits.prepare(table.ref, changes, options));
            for (const [index, label] of values.entries())
              must(prepared[index]?.ready === true, `${name} declares the label "${label}", and refuses it.`);
            must(prepared[values.length]?.ready === false, `${name} lets "${other}" pass, which is none of its labels.`);
          }
        }),
    },
    {
      name: `${where}: a change that fails leaves the others as the atomicity says`,
      run: () =>
        on(async (bench) => {
          const { edits, table } = bench;
          const bad = refused[0] ?? fail('The plan names no value that is refused.');
          const outcomes = await apply(bench, [
            insertOf(row),
            updateOf(row, { [bad.column]: bad.value }, table),
            updateOf(row, changed, table),
          ]);
          const found = await rowLike(bench, row);
          const ends = outcomes.map(({ index, outcome }) => `${index} ${outcome}`).join(', ');
          if (edits.atomicity === 'all') {
            must(!outcomes.some(({ outcome }) => outcome === 'saved'), `All or none, and ${ends}.`);
            must(
              outcomes.some(({ index, outcome }) => index === 1 && outcome === 'failed'),
              `The change at fault isn't reported: ${ends}.`,
            );
            must(found === undefined, 'All or none, and one of the changes was made.');
          } else {
            must(ends === '0 saved, 1 failed, 2 saved', `Each for itself, and ${ends}.`);
            mustBe('After the last change', found, after, table);
          }
        }),
    },
    {
      name: `${where}: cancelled before it begins, nothing is changed; an unknown table is NOT_FOUND`,
      run: () =>
        on(async (bench) => {
          const { edits, table, options } = bench;
          await cancelled('apply with an aborted signal', async () => {
            for await (const { outcome } of edits.apply(table.ref, [insertOf(row)], { signal: AbortSignal.abort() })) {
              must(outcome !== 'saved', 'A cancelled change was saved.');
            }
          });
          await cancelled('prepare with an aborted signal', () =>
            edits.prepare(table.ref, [insertOf(row)], { signal: AbortSignal.abort() }),
          );
          must((await rowLike(bench, row)) === undefined, 'A cancelled insert was made.');
          const nowhere = { namespace: table.ref.namespace, name: 'no_such_table' };
          await expectedRefusal('prepare for an unknown table', () => edits.prepare(nowhere, [insertOf(row)], options), [
            'NOT_FOUND',
          ]);
        }),
    },
  ];
}

/** A key's cell, however it may be written. */
function plain(cell: Cell): string {
  return Array.isArray(cell) ? String((cell as readonly string[])[1]) : String(cell);
}
