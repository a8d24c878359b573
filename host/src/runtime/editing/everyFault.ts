import type { EditsFacet, PreparedChange, RowChange, TableRef } from '@tabularium/sdk';
import type { ChangeFault } from '../../common/editing.ts';
import { lackingText } from './saveRun.ts';

/** Columns at fault that are named of one row. */
const MOST_FAULTS = 20;
/** Rows of one call whose faults are all looked for; of the others the first one is named. */
const MOST_ROWS = 200;

/** A change as a driver prepared it, and of one that can't be sent the faults behind the first. */
export interface WhollyPrepared {
  readonly change: PreparedChange;
  readonly more: readonly ChangeFault[];
}

/**
 * Prepares changes, and finds every column at fault in those that can't be sent. A driver names one column of a change, so it is asked again without that
 * column, until it names none. A fault that comes from leaving a column out is not one of the row, and isn't named.
 *
 * @throws what preparing throws
 */
export async function everyFault(
  edits: Pick<EditsFacet, 'prepare'>,
  table: TableRef,
  changes: readonly RowChange[],
  signal: AbortSignal,
): Promise<readonly WhollyPrepared[]> {
  const prepared = await edits.prepare(table, changes, { signal });
  const more = new Map<number, ChangeFault[]>();
  let open = prepared
    .flatMap((one, index) => withoutFault(index, changes[index], one))
    .filter(isChange)
    .slice(0, MOST_ROWS);
  for (let round = 1; round < MOST_FAULTS && open.length > 0; round += 1) {
    const again = await edits.prepare(
      table,
      open.map(({ change }) => change),
      { signal },
    );
    open = open.flatMap(({ index, change }, place) => {
      const one = again[place];
      const rest = withoutFault(index, change, one);
      if (rest.length > 0 && one?.ready === false) {
        more.set(index, [...(more.get(index) ?? []), faultOf(one)]);
      }
      return rest.filter(isChange);
    });
  }
  return prepared.map((change, index) => ({ change, more: more.get(index) ?? [] }));
}

interface Open {
  readonly index: number;
  readonly change: RowChange;
}

/** The change without the column that is at fault in it; none where no column of it is. */
function withoutFault(index: number, change: RowChange | undefined, prepared: PreparedChange | undefined): readonly Open[] {
  if (change === undefined || prepared === undefined || prepared.ready || change.kind === 'delete') return [];
  const { column } = prepared;
  const assigned = change.kind === 'insert' ? change.values : change.assignments;
  const rest = assigned.filter((one) => one.column !== column);
  if (column === undefined || rest.length === assigned.length) return [];
  return [{ index, change: change.kind === 'insert' ? { ...change, values: rest } : { ...change, assignments: rest } }];
}

/** Whether something is left of it: a driver refuses a change of nothing. */
function isChange({ change }: Open): boolean {
  return change.kind === 'delete' || (change.kind === 'insert' ? change.values : change.assignments).length > 0;
}

/** A row that lacks values which it needs is not sent, whatever its driver says; the faults of its other columns stay. */
export function withLacking(one: WhollyPrepared | undefined, lacks: readonly string[] | undefined): WhollyPrepared | undefined {
  if (one === undefined || lacks === undefined) return one;
  const { change, more } = one;
  const others = [...(change.ready ? [] : [faultOf(change)]), ...more].filter(
    ({ column }) => column === undefined || !lacks.includes(column),
  );
  return { change: { ready: false, message: lackingText(lacks) }, more: others };
}

function faultOf({ message, texts, column }: Extract<PreparedChange, { ready: false }>): ChangeFault {
  return { message, ...(texts === undefined ? {} : { texts }), ...(column === undefined ? {} : { column }) };
}
