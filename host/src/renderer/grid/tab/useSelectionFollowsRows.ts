import { rowKeyText } from '@tabularium/sdk';
import type { RowKey } from '@tabularium/sdk';
import { useEffect, useRef } from 'react';
import type { EditableRow } from '../model/editableRow.ts';
import type { GridRow } from '../model/gridRow.ts';
import type { GridSelection } from '../model/gridSelection.ts';
import { HEADER_ROW } from '../model/navigation.ts';
import type { PageCache } from '../model/pageCache.ts';
import { placeOfRow } from '../model/placeOfRow.ts';
import type { RowSource } from '../model/rowSource.ts';
import type { Selection } from '../model/selection.ts';

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

/**
 * The selection stays with its rows when they are read again: somebody may have added or deleted some above, and what is deleted, pasted or typed
 * next must not reach another row. A row that is gone leaves nothing selected.
 */
export function useSelectionFollowsRows({ selection: state, source, keyOf, cache, order }: Options): void {
  const meant = useRef<Meant>(undefined);
  useEffect(() => {
    const { selection, follow } = state;
    if (selection === undefined || selection.anchor.row === HEADER_ROW) {
      meant.current = undefined;
      return;
    }
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

/** The places of the selected rows; none for ranges that reach to the end, whatever is there. Undefined where there are too many. */
function finiteRows({ ranges }: Selection): readonly number[] | undefined {
  const finite = ranges.filter(({ bottom }) => bottom !== Number.POSITIVE_INFINITY);
  const count = finite.reduce((sum, { top, bottom }) => sum + bottom - top + 1, 0);
  if (count > MOST_FOLLOWED) return undefined;
  return finite.flatMap(({ top, bottom }) => Array.from({ length: bottom - top + 1 }, (_, place) => top + place));
}
