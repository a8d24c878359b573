import type { ChangeOutcome, RowChange } from '../../facets/edits.ts';
import { DRIVER_ERRORS } from '../../errors.ts';
import type { Cell } from '../../model/cell.ts';
import type { TableDescription } from '../../model/table.ts';
import { fail, inTime, must, mustNotNotify, onBench } from '../bench.ts';
import type { Bench } from '../bench.ts';
import { shownCell, tableText, typed } from '../cells.ts';
import type { ConformanceCheck, ConformancePlan, KnownEdit } from '../plan.ts';
import { knownCell, knownText, readAll, rowText } from '../reading.ts';

const MAX_LIMIT = 10_000;

/** Keys that no row has, each a trap for a driver that pastes them into a statement, a path or a pattern. */
const KEYS = ["x' OR '1'='1", '" OR ""="', '0 OR 1=1', '*', '%', '../..', '?id=*', '`x`||id:*', '\u0000', '💥', ' '];
/** Values that must come back as they went, or not go at all. */
const VALUES = [
  "it's",
  '"quoted"',
  '`ticked`',
  "'; DROP TABLE x; --",
  '\\',
  '%_*?',
  '${x}',
  'ö日本💥',
  ' spaces ',
  'two\nlines',
  '\u0000',
  'null',
  '<b>',
];

async function outcomeOf(
  plan: ConformancePlan,
  { session, options }: Bench,
  table: TableDescription,
  change: RowChange,
): Promise<ChangeOutcome | undefined> {
  const edits = session.edits ?? fail('The session has no edits.');
  let outcome: ChangeOutcome | undefined;
  const stream = edits.apply(table.ref, [change], options)[Symbol.asyncIterator]();
  for (;;) {
    const next = await inTime('apply', stream.next());
    if (next.done === true) break;
    outcome = next.value;
    if (outcome.outcome !== 'failed') continue;
    must(
      Object.hasOwn(DRIVER_ERRORS, outcome.code),
      `A change failed with the code ${String(outcome.code)}, which the contract does not have.`,
    );
    must(outcome.message.trim() !== '', 'A change failed without a message.');
    mustNotNotify(plan, 'A failed change', JSON.stringify(outcome));
  }
  return outcome;
}

async function texts(bench: Bench, table: TableDescription): Promise<string> {
  const rows = await readAll(bench, table, {}, MAX_LIMIT);
  const all = rows.map((row) => table.columns.map(({ name, kind }) => shownCell(row.cells.get(name) ?? null, kind)).join(' | '));
  return all.sort().join('\n');
}

/** Whatever a key or a value holds, it is a key or a value, and nothing else is touched. */
export function editSafetyChecks(plan: ConformancePlan): ConformanceCheck[] {
  return (plan.edits ?? []).flatMap((edit) => [hostileKeys(plan, edit), hostileValues(plan, edit), seenValues(plan, edit)]);
}

function hostileKeys(plan: ConformancePlan, { table: ref, changed }: KnownEdit): ConformanceCheck {
  const where = `edits: ${tableText(ref)}`;
  return {
    name: `${where}: a hostile key names no row, and no row is changed or deleted by it`,
    run: () =>
      onBench(plan, async (bench) => {
        const table = await inTime('describeTable', bench.session.describeTable(ref, bench.options));
        const before = await texts(bench, table);
        const assignments = Object.entries(changed).map(([column, value]) => ({ column, value }));
        const rows = await readAll(bench, table, {}, MAX_LIMIT);
        const taken = new Set(rows.flatMap(({ cells }) => table.key.map((name) => typed(cells.get(name) ?? null))));
        for (const key of KEYS) {
          if (taken.has(key)) continue;
          const whole: Cell[] = table.key.map(() => key);
          for (const change of [
            { kind: 'delete', key: whole },
            { kind: 'update', key: whole, assignments },
          ] as const) {
            const outcome = await outcomeOf(plan, bench, table, change);
            must(
              outcome?.outcome === 'failed',
              () =>
                `The ${change.kind} of the row ${JSON.stringify(key)}, which is not there, ended as ${JSON.stringify(outcome)}.`,
            );
          }
        }
        must((await texts(bench, table)) === before, 'A change of a row that is not there changed others.');
      }),
  };
}

function hostileValues(plan: ConformancePlan, { table: ref, row, changed }: KnownEdit): ConformanceCheck {
  const where = `edits: ${tableText(ref)}`;
  return {
    name: `${where}: a hostile value is written as it is, or refused`,
    run: () =>
      onBench(plan, async (bench) => {
        const table = await inTime('describeTable', bench.session.describeTable(ref, bench.options));
        const key = table.key.map((name) => knownCell(row, name));
        const column = table.columns.find(
          ({ name, kind, editable }) => kind === 'text' && editable.allowed && Object.hasOwn(changed, name),
        );
        if (column === undefined) return;
        const remove = (): Promise<unknown> => outcomeOf(plan, bench, table, { kind: 'delete', key });
        const before = await texts(bench, table);
        const insert: RowChange = {
          kind: 'insert',
          values: Object.entries(row).map(([name, value]) => ({ column: name, value })),
        };
        const inserted = await outcomeOf(plan, bench, table, insert);
        must(inserted?.outcome === 'saved', () => `The insert ended as ${JSON.stringify(inserted)}.`);
        try {
          let last = knownCell(row, column.name);
          for (const value of VALUES) {
            const change: RowChange = { kind: 'update', key, assignments: [{ column: column.name, value }] };
            const outcome = await outcomeOf(plan, bench, table, change);
            if (outcome?.outcome === 'saved') last = value;
            const wanted = knownText(row, table);
            const found = (await readAll(bench, table, {}, MAX_LIMIT)).find((one) => rowText(one, table) === wanted);
            const got = shownCell(found?.cells.get(column.name) ?? null, column.kind);
            must(
              got === shownCell(last, column.kind),
              `${column.name} = ${JSON.stringify(value)} was ${outcome?.outcome ?? 'not reported'}, and (${got}) is read.`,
            );
          }
        } finally {
          await remove();
        }
        must((await texts(bench, table)) === before, 'A change of one row changed others.');
      }),
  };
}

/** Another value than the one that the row has: of another row, or none. */
function otherThan(known: KnownEdit, column: string): Cell {
  const value = knownCell(known.changed, column);
  return JSON.stringify(value) === JSON.stringify(knownCell(known.row, column)) ? null : value;
}

function seenValues(plan: ConformancePlan, edit: KnownEdit): ConformanceCheck {
  const { table: ref, row, changed } = edit;
  const where = `edits: ${tableText(ref)}`;
  return {
    name: `${where}: what the person saw is compared or ignored, and a conflict changes nothing`,
    run: () =>
      onBench(plan, async (bench) => {
        const table = await inTime('describeTable', bench.session.describeTable(ref, bench.options));
        const key = table.key.map((name) => knownCell(row, name));
        const assignments = Object.entries(changed).map(([column, value]) => ({ column, value }));
        const insert: RowChange = { kind: 'insert', values: Object.entries(row).map(([column, value]) => ({ column, value })) };
        const inserted = await outcomeOf(plan, bench, table, insert);
        must(inserted?.outcome === 'saved', () => `The insert ended as ${JSON.stringify(inserted)}.`);
        try {
          const before = await texts(bench, table);
          const stale = assignments.map(({ column }) => ({ column, value: otherThan(edit, column) }));
          const late = await outcomeOf(plan, bench, table, { kind: 'update', key, assignments, expected: stale });
          if (late?.outcome === 'saved') return;
          must(
            late?.outcome === 'failed' && late.code === 'CONFLICT',
            () => `An update of a row that holds something else by now ended as ${JSON.stringify(late)} instead of CONFLICT.`,
          );
          must((await texts(bench, table)) === before, 'An update that is a conflict was made.');
          const seen = assignments.map(({ column }) => ({ column, value: knownCell(row, column) }));
          const right = await outcomeOf(plan, bench, table, { kind: 'update', key, assignments, expected: seen });
          must(right?.outcome === 'saved', () => `An update of a row as the person saw it ended as ${JSON.stringify(right)}.`);
        } finally {
          await outcomeOf(plan, bench, table, { kind: 'delete', key });
        }
      }),
  };
}
