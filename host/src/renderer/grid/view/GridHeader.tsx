import type { Sort } from '@tabularium/sdk';
import { memo, useCallback, useState } from 'react';
import type { ReactNode } from 'react';
import { strings } from '../../i18n/index.ts';
import styles from './grid.module.css';
import type { GridColumn } from '../model/gridColumns.ts';
import { HeaderCell } from './HeaderCell.tsx';
import type { HeaderActions } from './HeaderCell.tsx';
import { readSelected } from '../model/selection.ts';

export interface GridHeaderProps {
  /** The id of the active cell's element. */
  readonly activeId: string;
  readonly columns: readonly GridColumn[];
  readonly edges: readonly number[];
  readonly frozen: number;
  readonly firstColumn: number;
  readonly lastColumn: number;
  readonly sorts: readonly Sort[];
  readonly maxSorts: number;
  /** The header cell that the keyboard is on. */
  readonly activeColumn: number | undefined;
  /** The columns that are selected as a whole, as `selectedInRow` writes them. */
  readonly selected: string | undefined;
  readonly actions: HeaderActions;
  readonly onSelectAll: () => void;
}

interface Drag {
  readonly from: number;
  readonly to: number;
}

export const GridHeader = memo(function GridHeader(props: GridHeaderProps): ReactNode {
  const { columns, edges, frozen, sorts, maxSorts, activeColumn, activeId, actions } = props;
  const [drag, setDrag] = useState<Drag>();
  const onDrag = useCallback((from: number, to: number | undefined): void => {
    setDrag(to === undefined ? undefined : { from, to });
  }, []);
  const selected = readSelected(props.selected);
  const places: number[] = [];
  for (let place = 0; place < frozen; place += 1) places.push(place);
  for (let place = Math.max(frozen, props.firstColumn); place <= props.lastColumn; place += 1) places.push(place);
  return (
    <div role="rowgroup" className={styles.headerGroup}>
      <div role="row" aria-rowindex={1} className={styles.header}>
        <div
          role="columnheader"
          aria-colindex={1}
          aria-label={strings.selection.rowNumbers}
          title={strings.selection.selectAll}
          className={styles.corner}
          style={{ width: edges[0] }}
          onMouseDown={props.onSelectAll}
        />
        {places.map((place) => {
          const column = columns[place];
          if (column === undefined) return null;
          const left = edges[place] ?? 0;
          return (
            <HeaderCell
              key={column.name}
              activeId={activeId}
              column={column}
              place={place}
              left={left}
              width={(edges[place + 1] ?? 0) - left}
              isFrozen={place < frozen}
              sorts={sorts}
              maxSorts={maxSorts}
              isActive={place === activeColumn}
              isSelected={selected.some(({ first, last }) => place >= first && place <= last)}
              isDragged={drag?.from === place}
              actions={actions}
              onDrag={onDrag}
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
