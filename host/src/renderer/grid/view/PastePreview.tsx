import { wholeStart } from '@tabularium/sdk';
import { Button, Skeleton } from '@mantine/core';
import { IconArrowDown } from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { PastedTable } from '../../editing/clipboardTable.ts';
import type { PasteFault, PastePlan, PlannedCell } from '../../editing/pastePlan.ts';
import { nextProblem, pasteProblems } from '../../editing/pasteProblems.ts';
import type { PastePlace } from '../../editing/pasteProblems.ts';
import { rangeWords } from '../../editing/editFault.ts';
import { strings } from '../../i18n/index.ts';
import styles from './paste.module.css';

/** Lines that are drawn; all of them are staged. */
const MOST_LINES = 100;
/** Lines over a problem that is gone to. */
const LINES_BEFORE = 3;
/** Columns that are drawn; all of them are staged. */
const MOST_DRAWN_COLUMNS = 60;
/** Kinds of problems that are listed. */
const MOST_PROBLEMS = 4;
/** Characters of a field that are drawn. */
const MOST_SHOWN = 120;

const shortened = (text: string): string => (text.length > MOST_SHOWN ? `${wholeStart(text, MOST_SHOWN)}…` : text);

function faultText(fault: PasteFault): string {
  switch (fault.fault) {
    case 'kind':
      return strings.paste.faultKinds[fault.kind];
    case 'range':
      return strings.paste.outOfRange(...rangeWords(fault.range));
    case 'label':
      return strings.paste.noLabel(strings.editing.labels(fault.labels));
    case 'readOnly':
      return strings.editing.readOnly(fault.reason);
    case 'twice':
      return strings.paste.twice(fault.name);
    default:
      return strings.paste[fault.fault];
  }
}

interface Props {
  /** Undefined while it is made. */
  readonly planned: PastePlan | undefined;
  readonly source: PastedTable;
}

/** Whether a line changes a row that is there already. */
const changesRow = ({ target, cells }: PastePlan['rows'][number]): boolean =>
  target !== undefined &&
  cells.some(({ fault, value, changes }) => fault === undefined && (value !== undefined || changes !== undefined));

/** The lines that would be staged, under a summary of the fields that can’t be: by column and reason, with the way to each. */
export function PastePreview({ planned, source }: Props): ReactNode {
  const words = strings.paste;
  const [at, setAt] = useState<PastePlace>();
  const table = useRef<HTMLDivElement>(null);
  useEffect(() => setAt(undefined), [planned]);
  useEffect(() => {
    if (at !== undefined) table.current?.querySelector('[data-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [at]);
  const problems = useMemo(() => (planned === undefined ? [] : pasteProblems(planned, faultText)), [planned]);
  if (planned === undefined) return <Skeleton height={120} aria-busy />;
  const widest = planned.rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const width = Math.min(widest, MOST_DRAWN_COLUMNS);
  const from = at === undefined || at.line < MOST_LINES ? 0 : at.line - LINES_BEFORE;
  const lines = planned.rows.slice(from, from + MOST_LINES);
  const rest = planned.rows.slice(from + MOST_LINES);
  const nameOf = (place: number): string =>
    source.names?.[place] ?? planned.rows.find(({ cells }) => cells[place]?.column !== undefined)?.cells[place]?.column ?? '';
  return (
    <>
      {problems.length === 0 ? null : (
        <div className={styles.problems} role="group" aria-label={words.problems}>
          <ul>
            {problems.slice(0, MOST_PROBLEMS).map(({ column, reason, count, first }) => (
              <li key={`${column} ${reason}`}>
                <button type="button" onClick={() => setAt(first)}>
                  {words.problem(shortened(column), reason, count)}
                </button>
              </li>
            ))}
            {problems.length > MOST_PROBLEMS ? <li>{words.moreProblems(problems.length - MOST_PROBLEMS)}</li> : null}
          </ul>
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<IconArrowDown size={14} stroke={1.75} />}
            onClick={() => setAt(nextProblem(planned, at))}
          >
            {words.nextProblem}
          </Button>
        </div>
      )}
      <div ref={table} className={styles.preview} role="region" aria-label={words.preview} tabIndex={0}>
        {from === 0 ? null : <p>{words.linesFrom(from + 1, from + lines.length, planned.rows.length)}</p>}
        <table>
          <thead>
            <tr>
              <th scope="col">
                <span className="tb-visually-hidden">{words.preview}</span>
              </th>
              {Array.from({ length: width }, (_unused, place) => (
                <th key={place} scope="col">
                  {nameOf(place)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.map((row, offset) => (
              <tr key={from + offset}>
                <th scope="row">{row.target === undefined ? words.new : words.line(from + offset + 1)}</th>
                {row.cells.slice(0, width).map((cell, place) => (
                  <PreviewCell key={place} cell={cell} isCurrent={at?.line === from + offset && at.place === place} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {rest.length > 0 ? <p>{words.more(rest.length, rest.filter(changesRow).length)}</p> : null}
        {widest > width ? <p>{words.moreColumns(widest - width)}</p> : null}
      </div>
    </>
  );
}

interface CellProps {
  readonly cell: PlannedCell;
  readonly isCurrent: boolean;
}

/** One line high, with the reason where the field is pointed at: the reasons of many fields would push the values apart. */
function PreviewCell({ cell, isCurrent }: CellProps): ReactNode {
  const isMember = cell.changes !== undefined;
  const state = cell.fault !== undefined ? 'fault' : cell.value === undefined && !isMember ? 'same' : 'change';
  const shown = shortened(cell.shown);
  const reason = cell.fault === undefined ? (isMember ? strings.paste.member : undefined) : faultText(cell.fault);
  return (
    <td data-state={state} data-current={isCurrent || undefined} title={reason}>
      {cell.value === null ? <em>{strings.grid.null}</em> : shown}
      {reason === undefined ? null : isCurrent ? (
        <span className={styles.fault}>{reason}</span>
      ) : (
        <span className="tb-visually-hidden">{reason}</span>
      )}
    </td>
  );
}
