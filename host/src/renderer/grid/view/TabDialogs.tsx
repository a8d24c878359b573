import type { Filter, TableRef } from '@tabularium/sdk';
import { Suspense, lazy } from 'react';
import type { ReactNode, RefObject } from 'react';
import { MenuList } from '../../ui/MenuList.tsx';
import type { MenuEntry, MenuPlace } from '../../ui/MenuList.tsx';
import { strings } from '../../i18n/index.ts';
import type { GridHandle } from '../model/gridHandle.ts';
import { GoToDialog } from './GoToDialog.tsx';
import type { GridColumn } from '../model/gridColumns.ts';
import { readRows } from '../model/rowSource.ts';
import type { RowSource } from '../model/rowSource.ts';
import { isMultiple, lengthOf, rowsIn } from '../model/selection.ts';
import type { SelectionSize } from '../model/selection.ts';
import type { GridSelection } from '../model/gridSelection.ts';

const ExportDialog = lazy(() => import('../../transfer/ExportDialog.tsx').then((module) => ({ default: module.ExportDialog })));

/** What lies over a tab; one at a time. */
export type OpenDialog =
  /** Made of what is selected when it is drawn: the click that opens it selects its cell. */
  | { readonly kind: 'cellMenu'; readonly place: MenuPlace }
  | { readonly kind: 'menu'; readonly label: string; readonly place: MenuPlace; readonly entries: readonly MenuEntry[] }
  | { readonly kind: 'goTo' | 'export' };

interface Props {
  readonly open: OpenDialog | undefined;
  readonly connectionId: string;
  readonly table: TableRef;
  readonly filter: Filter;
  readonly grid: RefObject<GridHandle | null>;
  readonly selection: GridSelection;
  readonly size: SelectionSize;
  readonly source: RowSource;
  readonly columns: readonly GridColumn[];
  /** Those that are hidden, too. */
  readonly all: readonly GridColumn[];
  readonly cellMenu: () => readonly MenuEntry[];
  readonly onClose: () => void;
}

export function TabDialogs({ open, grid, selection, source, columns, onClose, ...props }: Props): ReactNode {
  const { active, selection: selected } = selection;
  const { above, cache } = source;
  const leave = (): void => {
    onClose();
    grid.current?.focus();
  };
  const leaveDialog = (): void => {
    onClose();
    requestAnimationFrame(() => grid.current?.focus());
  };
  if (open === undefined) return null;
  if (open.kind === 'cellMenu') {
    return <MenuList label={strings.editing.menu} place={open.place} entries={props.cellMenu()} onClose={leave} />;
  }
  if (open.kind === 'menu') return <MenuList label={open.label} place={open.place} entries={open.entries} onClose={leave} />;
  if (open.kind === 'goTo') {
    return (
      <GoToDialog
        rowCount={Math.max(1, cache.knownRows)}
        columns={columns}
        row={Math.max(0, (active?.row ?? above) - above)}
        column={active === undefined ? undefined : columns[active.column]?.name}
        onGo={(row, name) => {
          const column = columns.findIndex((one) => one.name === name);
          grid.current?.goTo({ row: row + above, column: column === -1 ? (active?.column ?? 0) : column });
        }}
        onClose={leaveDialog}
      />
    );
  }
  const rows = selected !== undefined && isMultiple(selected) ? rowsIn(selected.ranges, props.size) : undefined;
  return (
    <Suspense>
      <ExportDialog
        connectionId={props.connectionId}
        table={props.table}
        columns={props.all}
        shownColumns={columns.map(({ name }) => name)}
        filter={props.filter}
        selected={rows === undefined ? undefined : { rows: lengthOf(rows), read: (signal) => readRows(source, rows, signal) }}
        onClose={leaveDialog}
      />
    </Suspense>
  );
}
