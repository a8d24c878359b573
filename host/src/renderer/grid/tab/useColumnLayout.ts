import type { TableDescription } from '@tabularium/sdk';
import { useCallback, useMemo, useState } from 'react';
import { workspaceTableKey } from '../../state/workspace.ts';
import { recall, remember } from '../../state/workspaceStore.ts';
import { DESCRIBED_LAYOUT, arranged, columnLayoutSchema, isDescribed, storedLayout } from '../model/columnLayout.ts';
import type { ColumnLayout } from '../model/columnLayout.ts';
import type { GridColumn, GridColumns } from '../model/gridColumns.ts';

/** The columns of one table as a person arranged them, remembered with the connection. */
export interface ColumnArrangement extends GridColumns {
  readonly layout: ColumnLayout;
  /** All columns, in the order of a row, with the widths that suit them. */
  readonly all: readonly GridColumn[];
  readonly described: GridColumns;
  readonly change: (change: (before: ColumnLayout) => ColumnLayout) => void;
}

function load(connectionId: string, name: string): ColumnLayout {
  const stored = columnLayoutSchema.safeParse(recall(connectionId, name));
  return stored.success ? stored.data : DESCRIBED_LAYOUT;
}

/** How a person arranged the columns, and the way to change it. */
export type LayoutState = Pick<ColumnArrangement, 'layout' | 'change'>;

/** The layout of one table's columns, as it was left. */
export function useColumnLayout(connectionId: string, { ref }: TableDescription): LayoutState {
  const name = `columns ${workspaceTableKey(ref)}`;
  const [layout, setLayout] = useState<ColumnLayout>(() => load(connectionId, name));
  const change = useCallback(
    (next: (before: ColumnLayout) => ColumnLayout): void => {
      setLayout((before) => {
        const after = next(before);
        if (after !== before) remember(connectionId, name, isDescribed(after) ? undefined : storedLayout(after));
        return after;
      });
    },
    [connectionId, name],
  );
  return useMemo(() => ({ layout, change }), [layout, change]);
}

/**
 * @param fitted - the described columns with widths that suit the first rows
 * @param frozen - how many of them stay in place until a person says otherwise
 */
export function useColumnArrangement(
  { layout, change }: LayoutState,
  fitted: readonly GridColumn[],
  frozen: number,
): ColumnArrangement {
  const described = useMemo(() => ({ columns: fitted, frozen }), [fitted, frozen]);
  const shown = useMemo(() => arranged(described, layout), [described, layout]);
  return useMemo(() => ({ ...shown, layout, all: fitted, described, change }), [shown, layout, fitted, described, change]);
}
