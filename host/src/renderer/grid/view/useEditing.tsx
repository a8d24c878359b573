import type { Cell, TableDescription } from '@tabularium/sdk';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode, RefObject } from 'react';
import type { OpenConnectionInfo } from '../../../common/api.ts';
import { CellEditor } from '../../editing/CellEditor.tsx';
import { ChangesBar } from '../../editing/ChangesBar.tsx';
import type { PasteColumn } from '../../editing/pastePlan.ts';
import { ReviewDialog } from '../../editing/ReviewDialog.tsx';
import { StagedOverlay } from '../../editing/stagedRows.ts';
import type { RowMarks } from '../../editing/stagedRows.ts';
import { useClosedNotice } from '../../editing/useClosedNotice.ts';
import { useCellEditing } from '../../editing/useCellEditing.ts';
import type { CellCommands } from '../../editing/useCellEditing.ts';
import type { EditableRow } from '../model/editableRow.ts';
import { useSave } from '../../editing/useSave.ts';
import { useStage } from '../../editing/useStage.ts';
import type { Stage } from '../../editing/useStage.ts';
import { strings } from '../../i18n/index.ts';
import type { GridHandle } from '../model/gridHandle.ts';
import type { OpenEditor } from './gridProps.ts';
import type { GridColumn } from '../model/gridColumns.ts';
import type { CellPosition } from '../model/navigation.ts';
import type { GridRow, PageCache } from '../model/pageCache.ts';
import type { RowSource } from '../model/rowSource.ts';

interface Options {
  readonly connection: OpenConnectionInfo;
  readonly description: TableDescription;
  /** The columns on the screen. */
  readonly columns: readonly GridColumn[];
  /** All columns, in the order of a row. */
  readonly all: readonly GridColumn[];
  readonly cache: PageCache;
  readonly grid: RefObject<GridHandle | null>;
  /** Whether the tab is in front. */
  readonly isShown: boolean;
  readonly onSaved: () => void;
}

export interface GridEditing extends Pick<CellCommands, 'refusal' | 'begin' | 'set' | 'insert' | 'revertCell'> {
  readonly commands: CellCommands;
  readonly stage: Stage;
  readonly source: RowSource;
  /** How many rows to be inserted stand above those of the table. */
  readonly above: number;
  readonly rowAt: (index: number) => EditableRow;
  readonly marks: (index: number) => RowMarks | undefined;
  readonly editing: OpenEditor | undefined;
  /** Why no row can be added, changed or deleted. */
  readonly readOnly: string | undefined;
  /** All columns with what may be written into them. */
  readonly writable: readonly (PasteColumn & { readonly isKey: boolean })[];
  readonly review: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  /** Stands in the foot of the tab. */
  readonly bar: ReactNode;
  /** Dialogs. */
  readonly layers: ReactNode;
}

/** Everything about editing that the rows of one table need. */
export function useEditing({ connection, description, columns, all, cache, grid, isShown, onSaved }: Options): GridEditing {
  const { connectionId } = connection;
  const stage = useStage(connectionId, description.ref, isShown);
  useClosedNotice(connectionId, description.ref, stage.count);
  const save = useSave(connectionId, description.ref, onSaved);
  const [reviews, setReviews] = useState(false);
  const names = useMemo(() => all.map(({ name }) => name), [all]);
  const overlay = useMemo(() => new StagedOverlay(names, description.key, stage.rows), [names, description.key, stage.rows]);
  const above = overlay.inserted.length;
  const version = cache.version();
  const writable = useMemo(
    () =>
      all.flatMap(({ name, kind, source, isKey }) => {
        const described = description.columns.find((column) => column.name === name);
        return described === undefined
          ? []
          : [{ name, kind, source, isKey, nullable: described.nullable, editable: described.editable }];
      }),
    [all, description.columns],
  );

  const source = useMemo((): RowSource => {
    void version;
    const staged = (base: GridRow): EditableRow => {
      const change = overlay.stagedFor(base);
      return { base, staged: change, row: change === undefined ? base : overlay.merged(base, change) };
    };
    const rowAt = (index: number): EditableRow => {
      const inserted = overlay.inserted[index];
      if (inserted !== undefined) return { base: undefined, staged: inserted, row: overlay.merged(undefined, inserted) };
      const base = cache.row(index - above);
      return base === undefined ? { base, staged: undefined, row: undefined } : staged(base);
    };
    return { cache, above, rowAt, staged };
  }, [cache, version, overlay, above]);
  const { rowAt } = source;
  const marks = (index: number): RowMarks | undefined => {
    const { staged } = rowAt(index);
    return staged === undefined ? undefined : overlay.marks(staged);
  };

  const commands = useCellEditing({
    stage,
    overlay,
    columns,
    described: description.columns,
    pasteColumns: writable,
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
    onInserted: (rows) => {
      // The newest of the rows to be inserted are the last of those that stand above.
      const column = Math.max(
        0,
        columns.findIndex(({ isKey }) => !isKey),
      );
      requestAnimationFrame(() => {
        grid.current?.goTo({ row: above + rows - 1, column });
        grid.current?.focus();
      });
    },
  });
  const { editing } = commands;

  const leave = useRef(editing?.leave);
  leave.current = editing?.leave;
  const onLost = useCallback(() => leave.current?.(), []);
  const review = (): void => {
    if (stage.count > 0) setReviews(true);
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    const command = event.ctrlKey || event.metaKey;
    if (!command || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key === 'z') (event.shiftKey ? stage.redo : stage.undo)();
    else if (key === 'y') stage.redo();
    else if (key === 's') review();
    else return;
    event.preventDefault();
  };

  const closeReview = useCallback(() => {
    setReviews(false);
    grid.current?.focus();
  }, [grid]);

  return {
    commands,
    stage,
    source,
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
    readOnly: stage.ability?.allowed === false ? strings.editing.readOnly(stage.ability.reason) : undefined,
    writable,
    review,
    refusal: commands.refusal,
    begin: commands.begin,
    set: (position: CellPosition, value: Cell) => commands.set(position, value),
    insert: commands.insert,
    revertCell: commands.revertCell,
    onKeyDown,
    bar: (
      <ChangesBar stage={stage} tableName={description.ref.name} onInsert={commands.insert} onReview={() => setReviews(true)} />
    ),
    layers: reviews ? (
      <ReviewDialog connectionId={connectionId} table={description.ref} stage={stage} save={save} onClose={closeReview} />
    ) : null,
  };
}
