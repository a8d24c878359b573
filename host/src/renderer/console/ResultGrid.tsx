import type { BatchColumn, Cell } from '@tabularium/sdk';
import { useId, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { useRowHeight } from '../api/useRowHeight.ts';
import { shownText, wholeText } from '../grid/model/cellText.ts';
import { fitted } from '../grid/model/fit.ts';
import type { GridColumn } from '../grid/model/gridColumns.ts';
import { cutMark } from '../grid/model/cutMark.ts';
import { ValueInspector } from '../inspector/ValueInspector.tsx';
import { useFixedRows } from '../grid/model/useFixedRows.ts';
import { strings } from '../i18n/index.ts';
import { notify } from '../state/notify.ts';
import styles from './results.module.css';

interface Props {
  readonly label: string;
  readonly columns: readonly BatchColumn[];
  readonly rows: readonly (readonly Cell[])[];
}

interface Place {
  readonly row: number;
  readonly column: number;
}

const toGridColumn = ({ name, kind }: BatchColumn, source: number): GridColumn => ({
  source,
  name,
  kind,
  type: '',
  sortable: { allowed: true },
  isKey: false,
  alignEnd: kind === 'integer' || kind === 'decimal',
  width: 160,
});

/** The rows of an answer: as in a table's grid, but whole and in the order that the server gave. */
export function ResultGrid({ label, columns, rows }: Props): ReactNode {
  const activeId = useId();
  const rowHeight = useRowHeight();
  const { list, rows: span, showRow } = useFixedRows(rows.length + 1, rowHeight);
  // Widths come from the first rows and stay, however many follow.
  const [fit, setFit] = useState<{ readonly of: readonly BatchColumn[]; readonly drawn: readonly GridColumn[] }>();
  if (rows.length > 0 && fit?.of !== columns) setFit({ of: columns, drawn: fitted(columns.map(toGridColumn), rows) });
  const drawn = fit?.of === columns ? fit.drawn : columns.map(toGridColumn);
  const [active, setActive] = useState<Place>({ row: 0, column: 0 });
  const [inspecting, setInspecting] = useState(false);
  const template = drawn.map(({ width }) => `${width}px`).join(' ');
  const width = drawn.reduce((sum, column) => sum + column.width, 0);
  const column = drawn[active.column];
  const cell = rows[active.row]?.[active.column];
  // A row that was scrolled away with the wheel isn't drawn.
  const activeIsDrawn = cell !== undefined && active.row >= span.first && active.row <= span.last;

  const showColumn = (place: number): void => {
    const element = list.current;
    if (element === null) return;
    const left = drawn.slice(0, place).reduce((sum, each) => sum + each.width, 0);
    const right = left + (drawn[place]?.width ?? 0);
    if (left < element.scrollLeft) element.scrollLeft = left;
    else if (right > element.scrollLeft + element.clientWidth) element.scrollLeft = right - element.clientWidth;
  };
  const inspect = (place: number): void => {
    setInspecting(true);
    // The value takes its room from the grid: the cell that it belongs to stays in sight.
    requestAnimationFrame(() => requestAnimationFrame(() => showColumn(place)));
  };
  const copy = async (): Promise<void> => {
    if (column === undefined || cell === undefined) return;
    try {
      await navigator.clipboard.writeText(wholeText(cell, column.kind).text);
      notify({ tone: 'plain', text: strings.grid.copied(column.name) });
    } catch {
      notify({ tone: 'warning', text: strings.grid.copyRefused });
    }
  };
  const moveTo = (row: number, place: number): void => {
    const to = {
      row: Math.max(0, Math.min(rows.length - 1, row)),
      column: Math.max(0, Math.min(drawn.length - 1, place)),
    };
    setActive(to);
    showRow(to.row);
    showRow(to.row + 1);
    showColumn(to.column);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const far = event.ctrlKey || event.metaKey;
    const page = Math.max(1, Math.floor((list.current?.clientHeight ?? 0) / rowHeight) - 2);
    const { row, column: at } = active;
    const lastRow = rows.length - 1;
    const lastColumn = drawn.length - 1;
    const moves: Readonly<Record<string, readonly [number, number]>> = {
      ArrowUp: [far ? 0 : row - 1, at],
      ArrowDown: [far ? lastRow : row + 1, at],
      ArrowLeft: [row, far ? 0 : at - 1],
      ArrowRight: [row, far ? lastColumn : at + 1],
      Home: [far ? 0 : row, 0],
      End: [far ? lastRow : row, lastColumn],
      PageUp: [row - page, at],
      PageDown: [row + page, at],
    };
    const move = moves[event.key];
    if (move !== undefined) {
      event.preventDefault();
      moveTo(...move);
    } else if (event.key === 'Enter') inspect(at);
    else if (event.key === 'Escape' && inspecting) setInspecting(false);
    else if (far && event.key === 'c' && window.getSelection()?.isCollapsed !== false) {
      event.preventDefault();
      void copy();
    }
  };

  return (
    <div className={styles.gridAndValue}>
      <div
        ref={list}
        className={styles.grid}
        role="grid"
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-colcount={drawn.length}
        aria-activedescendant={activeIsDrawn ? activeId : undefined}
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <div className={styles.gridHeader} role="row" aria-rowindex={1} style={{ gridTemplateColumns: template, width }}>
          {drawn.map((each, place) => (
            <div
              key={place}
              role="columnheader"
              aria-colindex={place + 1}
              title={each.name}
              data-end={each.alignEnd || undefined}
            >
              {each.name}
            </div>
          ))}
        </div>
        <div role="rowgroup" style={{ height: rows.length * rowHeight, width, position: 'relative' }}>
          {rows.slice(span.first, span.last + 1).map((row, offset) => {
            const index = span.first + offset;
            return (
              <div
                key={index}
                className={styles.gridRow}
                role="row"
                aria-rowindex={index + 2}
                style={{ gridTemplateColumns: template, transform: `translateY(${index * rowHeight}px)`, width }}
              >
                {drawn.map((each, place) => {
                  const { text, tone } = shownText(row[place] ?? null, each.kind);
                  const isActive = index === active.row && place === active.column;
                  const cut = cutMark(text, each.width);
                  return (
                    <div
                      key={place}
                      id={isActive ? activeId : undefined}
                      role="gridcell"
                      aria-colindex={place + 1}
                      aria-selected={isActive || undefined}
                      data-active={isActive || undefined}
                      data-tone={tone}
                      data-cut={cut}
                      aria-label={cut === undefined ? undefined : text}
                      title={cut === undefined ? undefined : text}
                      data-end={each.alignEnd || undefined}
                      onMouseDown={() => setActive({ row: index, column: place })}
                      onDoubleClick={() => inspect(place)}
                    >
                      {text}
                    </div>
                  );
                })}
              </div>
            );
          })}
        </div>
        {rows.length === 0 ? <p className={styles.noRows}>{strings.console.noRows}</p> : null}
      </div>
      {inspecting ? (
        <ValueInspector
          column={column}
          cell={cell}
          onClose={() => {
            setInspecting(false);
            list.current?.focus();
          }}
        />
      ) : null}
    </div>
  );
}
