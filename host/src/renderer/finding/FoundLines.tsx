import { ActionIcon } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { visibleText } from '@tabularium/sdk';
import type { TableRef } from '@tabularium/sdk';
import { useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import type { OpenConnectionInfo } from '../../common/api.ts';
import type { FoundCell, FoundRow } from '../../common/findingRows.ts';
import { tableName } from '../../common/tableName.ts';
import { reportInDriverWords } from '../api/driverTexts.ts';
import { inWindowLanguage } from '../api/inWindowLanguage.ts';
import { useRowHeight } from '../api/useRowHeight.ts';
import { useFixedRows } from '../grid/model/useFixedRows.ts';
import { formatCount } from '../i18n/format.ts';
import { strings } from '../i18n/index.ts';
import type { FindLine, FindGroup, FoldedLines } from './findLines.ts';
import type { FindRun, TableFound } from './useFindRun.ts';
import styles from './finding.module.css';

interface Props {
  readonly connection: OpenConnectionInfo;
  readonly run: FindRun;
  readonly lines: readonly FindLine[];
  readonly folded: FoldedLines;
  readonly onFold: (folded: FoldedLines) => void;
  /** Opens a table with the filter that found its rows. */
  readonly onOpen: (place: number) => void;
  /** The arrow key at the first line. */
  readonly onLeave: () => void;
}

/** The found rows below their tables, and behind them the tables without some. Only the lines near the viewport exist. */
export function FoundLines({ connection, run, lines, folded, onFold, onOpen, onLeave }: Props): ReactNode {
  const words = strings.finding;
  const rowHeight = useRowHeight();
  const { list, rows, showRow } = useFixedRows(lines.length, rowHeight);
  const [active, setActive] = useState(0);
  const activeLine = Math.min(active, lines.length - 1);

  const focusLine = (line: number): void => {
    setActive(line);
    showRow(line);
    list.current?.querySelector<HTMLElement>(`[data-line="${line}"]`)?.focus({ preventScroll: true });
  };
  const fold = (line: FindLine): void => {
    if (line.is === 'table') onFold({ ...folded, tables: toggled(folded.tables, line.place) });
    if (line.is === 'group') onFold({ ...folded, groups: toggled(folded.groups, line.group) });
  };
  const onKey = (event: KeyboardEvent, at: number): void => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const line = lines[at];
    if (line === undefined) return;
    const isHeading = line.is === 'table' || line.is === 'group';
    if (isHeading && event.key === (line.isFolded ? 'ArrowRight' : 'ArrowLeft')) {
      event.preventDefault();
      fold(line);
      return;
    }
    const to = {
      ArrowUp: at - 1,
      ArrowDown: at + 1,
      Home: 0,
      End: lines.length - 1,
      PageUp: headingBefore(lines, at),
      PageDown: headingBehind(lines, at),
      ArrowLeft: isHeading ? at : headingBefore(lines, at),
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (to < 0) onLeave();
    else if (to < lines.length) focusLine(to);
  };

  return (
    <div ref={list} className={styles.list} role="region" aria-label={words.results}>
      <ul className={styles.lines} style={{ height: lines.length * rowHeight }}>
        {lines.slice(rows.first, rows.last + 1).map((line, drawn) => {
          const at = rows.first + drawn;
          const button = {
            'data-line': at,
            tabIndex: at === activeLine ? 0 : -1,
            onFocus: () => setActive(at),
            onKeyDown: (event: KeyboardEvent) => onKey(event, at),
          };
          return (
            <li
              key={keyOf(line)}
              className={styles.item}
              data-is={line.is}
              style={{ transform: `translateY(${at * rowHeight}px)` }}
            >
              <Line connection={connection} run={run} line={line} button={button} onFold={() => fold(line)} onOpen={onOpen} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function keyOf(line: FindLine): string {
  if (line.is === 'group') return line.group;
  if (line.is === 'entry') return `${line.group} ${line.place}`;
  return line.is === 'row' ? `${line.place} ${line.row}` : String(line.place);
}

const isHeadingLine = ({ is }: FindLine): boolean => is === 'table' || is === 'group';

function headingBefore(lines: readonly FindLine[], at: number): number {
  return Math.max(0, lines.slice(0, Math.max(0, at)).findLastIndex(isHeadingLine));
}

function headingBehind(lines: readonly FindLine[], at: number): number {
  const found = lines.findIndex((line, place) => place > at && isHeadingLine(line));
  return found === -1 ? lines.length - 1 : found;
}

function toggled<Item>(items: ReadonlySet<Item>, item: Item): ReadonlySet<Item> {
  const after = new Set(items);
  if (!after.delete(item)) after.add(item);
  return after;
}

interface LineButton {
  readonly 'data-line': number;
  readonly tabIndex: number;
  readonly onFocus: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

interface LineProps {
  readonly connection: OpenConnectionInfo;
  readonly run: FindRun;
  readonly line: FindLine;
  readonly button: LineButton;
  readonly onFold: () => void;
  readonly onOpen: (place: number) => void;
}

function Line({ connection, run, line, button, onFold, onOpen }: LineProps): ReactNode {
  const words = strings.finding;
  const term = connection.manifest.terms.table;
  if (line.is === 'group') {
    return (
      <h2>
        <button type="button" {...button} className={styles.group} aria-expanded={!line.isFolded} onClick={onFold}>
          <Chevron isFolded={line.isFolded} />
          {words.groups[line.group](line.count, term)}
        </button>
      </h2>
    );
  }
  const name = shownName(run.tables[line.place]);
  const answer = run.found.get(line.place);
  if (line.is === 'table') {
    return (
      <h2 className={styles.heading}>
        <ActionIcon
          size={20}
          tabIndex={-1}
          aria-label={line.isFolded ? words.unfold(name) : words.fold(name)}
          aria-expanded={!line.isFolded}
          onClick={onFold}
        >
          <Chevron isFolded={line.isFolded} />
        </ActionIcon>
        <button
          type="button"
          {...button}
          className={styles.table}
          title={words.openFound(name)}
          onClick={() => onOpen(line.place)}
        >
          <span className={styles.name}>{name}</span>
          <span className={styles.count}>{`${formatCount(line.rows)}${line.hasMore ? '+' : ''}`}</span>
        </button>
      </h2>
    );
  }
  if (line.is === 'row') {
    const row = answer?.outcome.outcome === 'found' ? answer.outcome.rows[line.row] : undefined;
    return row === undefined ? null : (
      <button type="button" {...button} className={styles.row} onClick={() => onOpen(line.place)}>
        <Row row={row} />
      </button>
    );
  }
  return (
    <div {...button} role="group" aria-label={name} className={styles.entry}>
      <span className={styles.name}>{name}</span>
      <span className={styles.reason}>{reasonOf(answer, line.group, connection.connectionId)}</span>
    </div>
  );
}

function Chevron({ isFolded }: { readonly isFolded: boolean }): ReactNode {
  return isFolded ? <IconChevronRight size={14} aria-hidden /> : <IconChevronDown size={14} aria-hidden />;
}

function shownName(table: TableRef | undefined): string {
  return table === undefined ? '' : visibleText(tableName(table));
}

function Row({ row: { key, cells, moreCells } }: { readonly row: FoundRow }): ReactNode {
  return (
    <>
      {key.length === 0 ? null : (
        <span className={styles.key}>
          {key.map((cell) => (
            <Cell key={cell.column} cell={cell} />
          ))}
        </span>
      )}
      {cells.map((cell) => (
        <span key={cell.column} className={styles.cell}>
          <span className={styles.column}>{visibleText(cell.column)}</span> <Cell cell={cell} />
        </span>
      ))}
      {moreCells === 0 ? null : <span className={styles.column}>{`+${formatCount(moreCells)}`}</span>}
    </>
  );
}

function Cell({ cell }: { readonly cell: FoundCell }): ReactNode {
  return (
    <span className={styles.value}>
      {cell.parts.map(({ text, isMatch }, place) =>
        isMatch ? <mark key={place}>{visibleText(text)}</mark> : <span key={place}>{visibleText(text)}</span>,
      )}
    </span>
  );
}

function reasonOf(answer: TableFound | undefined, group: FindGroup, connectionId: string): string {
  const words = strings.finding;
  if (answer === undefined) return '';
  const { outcome, uncompared } = answer;
  if (group === 'uncompared') {
    if (uncompared === undefined) return '';
    const names = words.columns(
      uncompared.names.map((name) => visibleText(name)),
      uncompared.count - uncompared.names.length,
    );
    const why =
      uncompared.error === undefined ? '' : `: ${inWindowLanguage(reportInDriverWords(connectionId, uncompared.error)).message}`;
    return `${names}${visibleText(why)}`;
  }
  switch (outcome.outcome) {
    case 'noColumns':
      return uncompared?.error === undefined
        ? words.noColumns
        : visibleText(inWindowLanguage(reportInDriverWords(connectionId, uncompared.error)).message);
    case 'tooSlow':
      return words.tooSlow(outcome.seconds);
    case 'alias':
      return words.alias(shownName(outcome.of));
    case 'part':
      return words.part(shownName(outcome.of));
    case 'failed':
      return visibleText(inWindowLanguage(reportInDriverWords(connectionId, outcome.error)).message);
    default:
      return '';
  }
}
