import { memo, useCallback, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { strings } from '../../i18n/index.ts';
import { readSelected } from '../model/selection.ts';
import type { Sorting } from '../model/sorting.ts';
import styles from './grid.module.css';
import type { GridFrame } from './gridFrame.ts';
import type { HeaderActions } from './headerActions.ts';
import { HeaderCell } from './HeaderCell.tsx';

export interface GridHeaderProps {
  readonly frame: GridFrame;
  readonly sorting: Sorting;
  /** The header cell that the keyboard is on. */
  readonly activeColumn: number | undefined;
  /** The columns that are selected as a whole, as `selectedInRow` writes them. */
  readonly selected: string | undefined;
  readonly actions: Omit<HeaderActions, 'onDrag'>;
}

interface Drag {
  readonly from: number;
  readonly to: number;
}

export const GridHeader = memo(function GridHeader({ frame, sorting, activeColumn, ...props }: GridHeaderProps): ReactNode {
  const { columns, edges, frozen } = frame;
  const [drag, setDrag] = useState<Drag>();
  const onDrag = useCallback((from: number, to: number | undefined): void => {
    setDrag(to === undefined ? undefined : { from, to });
  }, []);
  const actions = useMemo((): HeaderActions => ({ ...props.actions, onDrag }), [props.actions, onDrag]);
  const selected = readSelected(props.selected);
  const places: number[] = [];
  for (let place = 0; place < frozen; place += 1) places.push(place);
  for (let place = Math.max(frozen, frame.firstColumn); place <= frame.lastColumn; place += 1) places.push(place);
  return (
    <div role="rowgroup" className={styles.headerGroup}>
      <div role="row" aria-rowindex={1} className={styles.header}>
        <div
          role="columnheader"
          aria-colindex={1}
          title={strings.selection.selectAll}
          className={styles.corner}
          style={{ width: frame.numberWidth }}
          onMouseDown={actions.onSelectAll}
        >
          <span className="tb-visually-hidden">{strings.selection.rowNumbers}</span>
        </div>
        {places.map((place) => {
          const column = columns[place];
          if (column === undefined) return null;
          const left = edges[place] ?? 0;
          return (
            <HeaderCell
              key={column.name}
              column={column}
              at={{ place, left, width: (edges[place + 1] ?? 0) - left, isFrozen: place < frozen }}
              state={{
                activeId: place === activeColumn ? frame.activeId : undefined,
                isSelected: selected.some(({ first, last }) => place >= first && place <= last),
                isDragged: drag?.from === place,
              }}
              sorting={sorting}
              actions={actions}
            />
          );
        })}
        {drag === undefined ? null : (
          <span className={styles.dropLine} style={{ left: edges[drag.to > drag.from ? drag.to + 1 : drag.to] }} />
        )}
      </div>
    </div>
  );
});
