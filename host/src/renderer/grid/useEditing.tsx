import type { Cell, TableDescription } from '@tabularium/sdk';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode, RefObject } from 'react';
import type { OpenConnectionInfo } from '../../common/api.ts';
import { CellEditor } from '../editing/CellEditor.tsx';
import { CellMenu } from '../editing/CellMenu.tsx';
import type { MenuPlace } from '../editing/CellMenu.tsx';
import { ChangesBar } from '../editing/ChangesBar.tsx';
import { ReviewSheet } from '../editing/ReviewSheet.tsx';
import { StagedOverlay } from '../editing/stagedRows.ts';
import type { RowMarks } from '../editing/stagedRows.ts';
import { useCellEditing } from '../editing/useCellEditing.ts';
import type { EditableRow } from '../editing/useCellEditing.ts';
import { useSave } from '../editing/useSave.ts';
import { useStage } from '../editing/useStage.ts';
import type { Stage } from '../editing/useStage.ts';
import { strings } from '../strings/index.ts';
import type { DataGridProps, GridHandle } from './DataGrid.tsx';
import type { GridColumn } from './gridColumns.ts';
import { HEADER_ROW } from './navigation.ts';
import type { CellPosition } from './navigation.ts';
import type { PageCache } from './pageCache.ts';

interface Options {
  readonly connection: OpenConnectionInfo;
  readonly description: TableDescription;
  readonly columns: readonly GridColumn[];
  readonly cache: PageCache;
  readonly grid: RefObject<GridHandle | null>;
  readonly active: CellPosition | undefined;
  readonly onSaved: () => void;
}

interface MenuActions {
  readonly copy: (position: CellPosition) => void;
  readonly showRow: () => void;
}

interface OpenMenu extends MenuActions {
  readonly position: CellPosition;
  readonly place: MenuPlace;
}

export interface GridEditing {
  readonly stage: Stage;
  /** How many rows to be inserted stand above those of the table. */
  readonly above: number;
  readonly rowAt: (index: number) => EditableRow;
  readonly marks: (index: number) => RowMarks | undefined;
  readonly editing: DataGridProps['editing'];
  readonly refusal: (position: CellPosition) => string | undefined;
  readonly begin: (position: CellPosition) => void;
  readonly set: (position: CellPosition, value: Cell) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly openMenu: (position: CellPosition, place: MenuPlace, actions: MenuActions) => void;
  /** Stands in the foot of the tab. */
  readonly bar: ReactNode;
  /** Menu and sheets. */
  readonly layers: ReactNode;
}

/** Everything about editing that the rows of one table need. */
export function useEditing({ connection, description, columns, cache, grid, active, onSaved }: Options): GridEditing {
  const { connectionId } = connection;
  const stage = useStage(connectionId, description.ref);
  const save = useSave(connectionId, description.ref, onSaved);
  const [reviews, setReviews] = useState(false);
  const [menu, setMenu] = useState<OpenMenu>();
  const names = useMemo(() => columns.map(({ name }) => name), [columns]);
  const overlay = useMemo(() => new StagedOverlay(names, description.key, stage.rows), [names, description.key, stage.rows]);
  const above = overlay.inserted.length;

  const rowAt = (index: number): EditableRow => {
    const inserted = overlay.inserted[index];
    if (inserted !== undefined) return { base: undefined, staged: inserted, row: overlay.merged(undefined, inserted) };
    const base = cache.row(index - above);
    const staged = base === undefined ? undefined : overlay.stagedFor(base);
    return { base, staged, row: base !== undefined && staged !== undefined ? overlay.merged(base, staged) : base };
  };
  const marks = (index: number): RowMarks | undefined => {
    const { staged } = rowAt(index);
    return staged === undefined ? undefined : overlay.marks(staged);
  };

  const commands = useCellEditing({
    stage,
    overlay,
    columns,
    described: description.columns,
    rowAt,
    onMove: (from, direction) => {
      const last = columns.length - 1;
      if (direction === 'down')
        grid.current?.goTo({ row: Math.min(from.row + 1, cache.rowCount + above - 1), column: from.column });
      else if (direction !== undefined) {
        grid.current?.goTo({
          row: from.row,
          column: Math.min(last, Math.max(0, from.column + (direction === 'right' ? 1 : -1))),
        });
      }
      grid.current?.focus();
    },
    onInserted: () => {
      // The newest of the rows to be inserted is the last of those that stand above.
      const column = Math.max(
        0,
        columns.findIndex(({ isKey }) => !isKey),
      );
      grid.current?.goTo({ row: above, column });
      grid.current?.focus();
    },
  });
  const { editing } = commands;

  const leave = useRef(editing?.leave);
  leave.current = editing?.leave;
  const onLost = useCallback(() => leave.current?.(), []);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (!(event.target instanceof Element) || event.target.getAttribute('role') !== 'grid') return;
    const command = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    const does = (act: () => void): void => {
      event.preventDefault();
      act();
    };
    if (command && !event.altKey) {
      if (key === 'z') does(event.shiftKey ? stage.redo : stage.undo);
      else if (key === 'y') does(stage.redo);
      else if (key === 's') does(() => (stage.count > 0 ? setReviews(true) : undefined));
      return;
    }
    if (active === undefined || active.row === HEADER_ROW || event.altKey) return;
    if (event.key === 'F2') does(() => commands.begin(active));
    else if (event.key === 'Delete') does(() => commands.toggleDelete(active.row));
    else if (event.key.length === 1) does(() => commands.begin(active, event.key));
  };

  const readOnly = stage.ability?.allowed === false ? strings.editing.readOnly(stage.ability.reason) : undefined;
  const opened = menu === undefined ? undefined : { ...menu, at: rowAt(menu.position.row) };
  const column = menu === undefined ? undefined : columns[menu.position.column];
  const described = description.columns.find(({ name }) => name === column?.name);
  const closeReview = useCallback(() => {
    setReviews(false);
    grid.current?.focus();
  }, [grid]);

  return {
    stage,
    above,
    rowAt,
    marks,
    editing:
      editing === undefined
        ? undefined
        : {
            position: editing.position,
            onLost,
            element: (opensUp) => (
              <CellEditor
                column={columns[editing.position.column]?.name ?? ''}
                editing={editing}
                isJson={columns[editing.position.column]?.kind === 'json'}
                opensUp={opensUp}
              />
            ),
          },
    refusal: commands.refusal,
    begin: commands.begin,
    set: commands.set,
    onKeyDown,
    openMenu: (position, place, actions) => setMenu({ position, place, ...actions }),
    bar: (
      <ChangesBar stage={stage} tableName={description.ref.name} onInsert={commands.insert} onReview={() => setReviews(true)} />
    ),
    layers: (
      <>
        {opened === undefined ? null : (
          <CellMenu
            place={opened.place}
            refusal={commands.refusal(opened.position)}
            rowRefusal={readOnly}
            isNullable={described?.nullable === true}
            staged={opened.at.staged}
            isChanged={opened.at.staged?.cells.some((cell) => cell.column === column?.name) === true}
            onClose={() => setMenu(undefined)}
            onEdit={() => commands.begin(opened.position)}
            onSet={(value) => commands.set(opened.position, value)}
            onCopy={() => opened.copy(opened.position)}
            onShowRow={opened.showRow}
            onRevertCell={() => commands.revertCell(opened.position)}
            onRevertRow={() => commands.revertRow(opened.position.row)}
            onInsert={commands.insert}
            onDuplicate={() => commands.duplicate(opened.position.row)}
            onToggleDelete={() => commands.toggleDelete(opened.position.row)}
          />
        )}
        {reviews ? (
          <ReviewSheet connectionId={connectionId} table={description.ref} stage={stage} save={save} onClose={closeReview} />
        ) : null}
      </>
    ),
  };
}
