import { rowKeyText } from '@tabularium/sdk';
import type { RowKey } from '@tabularium/sdk';
import { useEffect, useRef } from 'react';
import type { EditableRow } from '../model/editableRow.ts';
import type { GridRow } from '../model/gridRow.ts';
import type { GridSelection } from '../model/gridSelection.ts';
import { HEADER_ROW } from '../model/navigation.ts';
import type { PageCache } from '../model/pageCache.ts';
import { placeOfRow } from '../model/placeOfRow.ts';
import { presentRows } from '../model/rowSource.ts';
import type { RowSource } from '../model/rowSource.ts';
import type { Selection } from '../model/selection.ts';
import { savedKeyOf } from '../../state/savedRows.ts';

/** Selected rows that are looked at one by one; of more, only the active cell stays selected when rows were read again. */
const MOST_FOLLOWED = 1_000;

interface Options {
  readonly selection: GridSelection;
  readonly source: RowSource;
  readonly keyOf: (row: GridRow) => RowKey | undefined;
  readonly cache: PageCache;
  /** Changes when the same numbers mean other rows on purpose. */
  readonly order: string;
}

/** The rows that were meant when something was selected. */
interface Meant {
  readonly selection: Selection;
  readonly cache: PageCache;
  readonly order: string;
  readonly active: EditableRow;
  /** The names of the rows by their places; undefined where there are too many. */
  readonly names: ReadonlyMap<number, string | undefined> | undefined;
}

/** A new row that left those above the table while it was the active one. */
interface Awaited {
  readonly rowId: string;
  readonly column: number;
  /** The rows that were there then, without it. */
  readonly cache: PageCache;
}

/** The place of a new row that was saved; undefined where it isn't here. */
function placeOfSaved(source: RowSource, keyOf: Options['keyOf'], rowId: string): number | undefined {
  const key = savedKeyOf(rowId);
  if (key === undefined) return undefined;
  const wanted = rowKeyText(key);
  for (const { index, base } of presentRows(source)) {
    const own = base === undefined ? undefined : keyOf(base);
    if (own !== undefined && rowKeyText(own) === wanted) return index;
  }
  return undefined;
}

/**
 * The selection stays with its rows when they are read again: somebody may have added or deleted some above, and what is deleted, pasted or typed
 * next must not reach another row. A row that is gone leaves nothing selected. A new row that was saved is found again where the rows that
 * are read then have it.
 */
export function useSelectionFollowsRows({ selection: state, source, keyOf, cache, order }: Options): void {
  const meant = useRef<Meant>(undefined);
  const awaited = useRef<Awaited>(undefined);
  useEffect(() => {
    const { active, selection, follow, cell } = state;
    if (selection === undefined || selection.anchor.row === HEADER_ROW) {
      meant.current = undefined;
      const waiting = awaited.current;
      if (active !== undefined) awaited.current = undefined;
      else if (waiting !== undefined && cache.hasRows) {
        const found = placeOfSaved(source, keyOf, waiting.rowId);
        if (found !== undefined || cache !== waiting.cache) awaited.current = undefined;
        if (found !== undefined) cell({ row: found, column: waiting.column });
      }
      return;
    }
    awaited.current = undefined;
    const nameOf = ({ base, staged }: EditableRow): string | undefined => {
      if (staged?.kind === 'insert') return `new ${staged.id}`;
      const key = base === undefined ? undefined : keyOf(base);
      return key === undefined ? undefined : rowKeyText(key);
    };
    const before = meant.current;
    const { row } = selection.anchor;
    const now = source.rowAt(row);
    const wanted = before === undefined ? undefined : nameOf(before.active);
    if (before?.selection !== selection || before.order !== order || wanted === undefined) {
      const rows = finiteRows(selection);
      const names = rows === undefined ? undefined : new Map(rows.map((at) => [at, nameOf(source.rowAt(at))]));
      meant.current = { selection, cache, order, active: now, names };
      return;
    }
    const { staged } = before.active;
    const isGone = staged?.kind === 'insert' && !isAbove(source, staged.id);
    if (isGone) {
      awaited.current = { rowId: staged.id, column: selection.anchor.column, cache };
      follow(undefined, true);
      return;
    }
    const name = nameOf(now);
    // While the row is being read it is not known which one it is, and nothing can be done with it.
    if (name === undefined || (name === wanted && before.cache === cache)) return;
    const place = placeOfRow(source, keyOf, before.active, row);
    if (place === undefined) {
      follow(undefined, true);
      return;
    }
    const by = place - row;
    const isSame =
      before.names !== undefined &&
      [...before.names].every(([at, known]) => known === undefined || nameOf(source.rowAt(at + by)) === known);
    if (by !== 0 || !isSame) follow(place, !isSame);
    else meant.current = { ...before, cache };
  });
}

/** Whether a new row is among those above the table. */
function isAbove({ above, rowAt }: RowSource, rowId: string): boolean {
  for (let index = 0; index < above; index += 1) if (rowAt(index).staged?.id === rowId) return true;
  return false;
}

/** The places of the selected rows; none for ranges that reach to the end, whatever is there. Undefined where there are too many. */
function finiteRows({ ranges }: Selection): readonly number[] | undefined {
  const finite = ranges.filter(({ bottom }) => bottom !== Number.POSITIVE_INFINITY);
  const count = finite.reduce((sum, { top, bottom }) => sum + bottom - top + 1, 0);
  if (count > MOST_FOLLOWED) return undefined;
  return finite.flatMap(({ top, bottom }) => Array.from({ length: bottom - top + 1 }, (_, place) => top + place));
}
