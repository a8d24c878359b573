import { ABSENT, isAbsent } from '@tabularium/sdk';
import type { Cell, ColumnKind } from '@tabularium/sdk';
import type { Meanwhile, SaveProblem, Settlement } from '../../common/editing.ts';
import { HostError } from '../../common/errors.ts';
import { sameCell } from './cellEquality.ts';
import type { CurrentRow } from './currentRows.ts';
import type { RowContent, StoredRow } from './stagedContent.ts';

/** The columns whose present values a staged row is compared by; undefined for all that the row has by then. */
export function comparedColumns({ kind, cells, seen, seenWhole }: RowContent): readonly string[] | undefined {
  if (kind === 'insert') return [];
  if (seenWhole === true) return undefined;
  if (kind === 'delete') return (seen ?? []).map(({ column }) => column);
  return cells.flatMap(({ column, original }) => (original === undefined ? [] : [column]));
}

/** How a row differs by now from what was seen when its change was staged; undefined where nothing of it would be overwritten unseen. */
export function meanwhileOf(
  { kind, cells, seen, seenWhole }: RowContent,
  now: CurrentRow,
  same: (one: Cell, other: Cell, column: string) => boolean,
): Meanwhile | undefined {
  if (kind === 'insert') return undefined;
  if (now === 'gone') return { is: 'deleted' };
  const compared: readonly { readonly column: string; readonly was: Cell; readonly yours?: Cell }[] =
    kind === 'delete'
      ? [...(seen ?? []).map(({ column, value }) => ({ column, was: value })), ...(seenWhole === true ? added(seen, now) : [])]
      : cells.flatMap(({ column, original, value }) => (original === undefined ? [] : [{ column, was: original, yours: value }]));
  const changed = compared.flatMap(({ column, was, yours }) => {
    // A column that the table no longer has differs from what was seen: another table may have taken the name.
    const current = now.has(column) ? (now.get(column) ?? null) : ABSENT;
    if (same(was, current, column)) return [];
    // Somebody else made the same change: sending it again overwrites nothing.
    if (yours !== undefined && same(yours, current, column)) return [];
    return [{ column, was, now: current, ...(yours === undefined ? {} : { yours }) }];
  });
  return changed.length === 0 ? undefined : { is: 'changed', cells: changed };
}

/** Columns that the table got since, as far as the row has a value there. */
function added(
  seen: RowContent['seen'],
  now: Exclude<CurrentRow, 'gone'>,
): readonly { readonly column: string; readonly was: Cell }[] {
  const known = new Set(seen?.map(({ column }) => column));
  return [...now].flatMap(([column, value]) =>
    known.has(column) || value === null || isAbsent(value) ? [] : [{ column, was: ABSENT }],
  );
}

/**
 * A row in which somebody else made the same change meanwhile: with their value as the one that was seen, so that a database that compares in the
 * write takes the change. The same object where no cell is of that kind.
 */
export function withSameChange(
  content: RowContent,
  now: CurrentRow,
  same: (one: Cell, other: Cell, column: string) => boolean,
): RowContent {
  if (content.kind !== 'update' || now === 'gone') return content;
  let isSame = false;
  const cells = content.cells.map((cell) => {
    const current = now.get(cell.column);
    if (current === undefined || cell.original === undefined) return cell;
    if (same(cell.original, current, cell.column) || !same(cell.value, current, cell.column)) return cell;
    isSame = true;
    return { ...cell, original: current };
  });
  return isSame ? { ...content, cells } : content;
}

/** Compares by what cells mean. */
export function byMeaning(kindOf: (column: string) => ColumnKind): (one: Cell, other: Cell, column: string) => boolean {
  return (one, other, column) => sameCell(one, other, kindOf(column));
}

/** Compares character by character, as a driver does that compares in the database. */
export function byText(one: Cell, other: Cell): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The order of members does not count: one of the two has travelled. */
function isSame(one: Meanwhile | undefined, other: Meanwhile | undefined): boolean {
  return canonical(one) === canonical(other);
}

function canonical(meanwhile: Meanwhile | undefined): string {
  if (meanwhile?.is === 'elsewhere') return JSON.stringify([meanwhile.was, meanwhile.now]);
  if (meanwhile?.is !== 'changed') return meanwhile?.is ?? '';
  return JSON.stringify(meanwhile.cells.map(({ column, was, yours, now }) => [column, was, yours, now]));
}

/** A row's problem after it was compared; the same object where nothing is new. */
export function comparedProblem(problem: SaveProblem | undefined, meanwhile: Meanwhile | undefined): SaveProblem | undefined {
  if (isSame(problem?.meanwhile, meanwhile)) return problem;
  if (problem?.outcome === 'unknown') {
    const { meanwhile: _before, ...rest } = problem;
    return meanwhile === undefined ? rest : { ...rest, meanwhile };
  }
  return meanwhile === undefined ? undefined : changedMeanwhile(meanwhile);
}

const MEANWHILE_MESSAGES: Readonly<Record<Meanwhile['is'], string>> = {
  changed: 'Somebody changed this row since you did. Decide in the review whose values to keep.',
  deleted: 'Somebody deleted this row since you changed it. Decide in the review whether to insert it again.',
  elsewhere:
    'The name of the table stands for another table since you changed this row. Decide in the review whether to save it there.',
};

export function changedMeanwhile(meanwhile: Meanwhile): SaveProblem {
  const [first] = meanwhile.is === 'changed' ? meanwhile.cells : [];
  return {
    outcome: 'failed',
    code: 'CONFLICT',
    message: MEANWHILE_MESSAGES[meanwhile.is],
    ...(first === undefined ? {} : { column: first.column }),
    meanwhile,
  };
}

/** The result of a decision: rows by their ids, null where nothing is staged any more. */
export type Settled = readonly (readonly [rowId: string, content: RowContent | null])[];

/** The facts about a table that settling needs. */
export interface SettleContext {
  readonly key: readonly string[];
  /** Whether a new row takes a value in this column. */
  readonly takes: (column: string) => boolean;
  readonly newRow: () => { readonly id: string; readonly position: number };
}

/** @throws HostError `INVALID_REQUEST` where the row is something else by now than what was shown */
export function settled(row: StoredRow, { choice, shown }: Settlement, context: SettleContext): Settled {
  const { content, problem } = row;
  const meanwhile = problem?.meanwhile;
  if (meanwhile === undefined || !isSame(meanwhile, shown)) {
    throw new HostError('INVALID_REQUEST', 'The row was changed again since it was shown.', {
      details: { advice: 'Look at it again, then decide.' },
    });
  }
  // Compared with the rows of that table before it is saved there.
  if (meanwhile.is === 'elsewhere')
    return [[content.id, choice === 'mine' ? { ...content, tableIdentity: meanwhile.now } : null]];
  if (meanwhile.is === 'deleted') {
    return choice === 'mine' && content.kind === 'update'
      ? [[content.id, null], insertedAgain(content, context)]
      : [[content.id, null]];
  }
  const now = new Map(meanwhile.cells.map((cell) => [cell.column, cell.now]));
  if (content.kind === 'delete') return [[content.id, choice === 'theirs' ? null : { ...content, ...seenNow(content, now) }]];
  if (choice === 'mine') {
    const cells = content.cells.map((cell) => {
      const current = now.get(cell.column);
      return current === undefined ? cell : { ...cell, original: current };
    });
    return [[content.id, { ...content, cells, ...seenNow(content, now) }]];
  }
  const left = content.cells.filter(({ column }) => !now.has(column));
  return [[content.id, left.length === 0 ? null : { ...content, cells: left, ...seenNow(content, now) }]];
}

function seenNow({ kind, seen }: RowContent, now: ReadonlyMap<string, Cell>): Pick<RowContent, 'seen'> {
  if (seen === undefined) return {};
  const known = new Set(seen.map(({ column }) => column));
  const fresh = kind === 'delete' ? [...now].filter(([column]) => !known.has(column)) : [];
  return {
    seen: [
      ...seen.map(({ column, value }) => ({ column, value: now.get(column) ?? (now.has(column) ? null : value) })),
      ...fresh.map(([column, value]) => ({ column, value })),
    ],
  };
}

/** A row that somebody deleted, as a new one: with its key, as it was seen, and with what was changed in it. */
function insertedAgain(
  { key, cells, tableIdentity, seen = [] }: RowContent,
  context: SettleContext,
): readonly [string, RowContent] {
  const values = new Map<string, Cell>(seen.map(({ column, value }) => [column, value]));
  context.key.forEach((column, place) => values.set(column, key?.[place] ?? null));
  for (const { column, value } of cells) values.set(column, value);
  const { id, position } = context.newRow();
  const given = [...values].filter(
    ([column, value]) => context.takes(column) && !(Array.isArray(value) && value[0] === 'absent'),
  );
  const row = { id, position, kind: 'insert' as const, cells: given.map(([column, value]) => ({ column, value })) };
  return [id, tableIdentity === undefined ? row : { ...row, tableIdentity }];
}
