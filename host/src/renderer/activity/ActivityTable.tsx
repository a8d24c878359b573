import { VisuallyHidden } from '@mantine/core';
import type { EndWay, RunningEntry } from '@tabularium/sdk';
import { memo, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import { StateBadge } from '../ui/Marks.tsx';
import styles from './activity.module.css';
import { Duration } from './Duration.tsx';
import type { ListClock } from './Duration.tsx';
import { EndButtons } from './EndButtons.tsx';
import { clientName, entryName } from './entryName.ts';
import { EntryState } from './EntryState.tsx';

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity };

interface Props {
  readonly entries: readonly RunningEntry[];
  /** Of all entries of the list, by their ids. */
  readonly byId: ReadonlyMap<string, RunningEntry>;
  readonly blocked: ReadonlyMap<string, number>;
  readonly clock: ListClock;
  readonly selected: string | undefined;
  /** Of the details that a row opens. */
  readonly detailsId: string;
  readonly onSelect: (id: string) => void;
  readonly onEnd: (entry: RunningEntry, way: EndWay) => void;
}

/** Entries of a server, one row each. One row is in the order of the Tab key; the arrow keys go to the others. */
export function ActivityTable({ entries, byId, blocked, clock, selected, detailsId, onSelect, onEnd }: Props): ReactNode {
  const words = strings.activity;
  const { columns } = words;
  const [reached, setReached] = useState<string>();
  const current = entries.some(({ id }) => id === reached) ? reached : entries[0]?.id;
  const move = (event: KeyboardEvent<HTMLElement>): void => {
    const step = STEPS[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const row = event.target instanceof Element ? event.target.closest('tr') : null;
    const rows = [...event.currentTarget.querySelectorAll('tr')];
    const place = row === null ? -1 : rows.indexOf(row);
    if (place < 0) return;
    event.preventDefault();
    const next = rows[Math.min(rows.length - 1, Math.max(0, place + step))];
    next?.querySelector<HTMLElement>('button')?.focus();
  };
  return (
    <table className={styles.list} aria-label={words.list}>
      <thead>
        <tr>
          <th scope="col">{columns.number}</th>
          <th scope="col">{columns.state}</th>
          <th scope="col">{columns.user}</th>
          <th scope="col" className={styles.wide}>
            {columns.client}
          </th>
          <th scope="col" className={styles.wide}>
            {columns.database}
          </th>
          <th scope="col" className={styles.statement}>
            {columns.statement}
          </th>
          <th scope="col" className={styles.number}>
            {columns.duration}
          </th>
          <th scope="col">{columns.blockedBy}</th>
          <td />
        </tr>
      </thead>
      <tbody onKeyDown={move}>
        {entries.map((entry) => (
          <EntryRow
            key={entry.id}
            entry={entry}
            blockers={(entry.lockWait?.blockedBy ?? []).flatMap((id) => byId.get(id) ?? [])}
            blocks={blocked.get(entry.id) ?? 0}
            clock={clock}
            isReached={entry.id === current}
            isSelected={entry.id === selected}
            detailsId={detailsId}
            onReach={setReached}
            onSelect={onSelect}
            onEnd={onEnd}
          />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps extends Pick<Props, 'clock' | 'detailsId' | 'onSelect' | 'onEnd'> {
  readonly entry: RunningEntry;
  readonly blockers: readonly RunningEntry[];
  readonly blocks: number;
  readonly isReached: boolean;
  readonly isSelected: boolean;
  readonly onReach: (id: string) => void;
}

const EntryRow = memo(function EntryRow(props: RowProps): ReactNode {
  const { entry, blockers, blocks, clock, isReached, isSelected, detailsId, onReach, onSelect, onEnd } = props;
  const words = strings.activity;
  const { id, state, kind, user, namespace, statement, lockWait, own } = entry;
  const name = entryName(entry);
  return (
    <tr
      data-selected={isSelected || undefined}
      data-idle={state === 'idle' || undefined}
      onFocus={() => onReach(id)}
      onClick={() => onSelect(id)}
    >
      <th scope="row">
        <button
          type="button"
          className={styles.open}
          tabIndex={isReached ? 0 : -1}
          aria-expanded={isSelected}
          aria-controls={isSelected ? detailsId : undefined}
          title={words.details(name)}
          onClick={(event) => {
            event.stopPropagation();
            onSelect(id);
          }}
        >
          {name}
        </button>
      </th>
      <td>
        <EntryState state={state} />
        {own ? <span className={styles.mark}>{words.own}</span> : null}
      </td>
      <td>{user ?? (kind === 'background' ? <span className={styles.faint}>{words.background}</span> : null)}</td>
      <td className={styles.wide}>{clientName(entry)}</td>
      <td className={styles.wide}>{namespace}</td>
      <td className={styles.statement} title={statement?.text.slice(0, 1_000)}>
        {statement === undefined ? null : (
          <code data-last={state !== 'running' && state !== 'waiting'}>{statement.text.slice(0, 300)}</code>
        )}
      </td>
      <td className={styles.number}>
        <Duration milliseconds={entry.milliseconds} clock={clock} />
      </td>
      <td>
        <span className={styles.blockers}>
          {blockers.map((blocker) => (
            <button
              key={blocker.id}
              type="button"
              className={styles.blocker}
              tabIndex={isReached ? 0 : -1}
              aria-label={words.showBlocker(entryName(blocker))}
              title={blocker.user}
              onClick={(event) => {
                event.stopPropagation();
                onSelect(blocker.id);
              }}
            >
              {entryName(blocker)}
            </button>
          ))}
          {lockWait?.others.map((other) => (
            <StateBadge key={other} tone="plain">
              {other}
            </StateBadge>
          ))}
          {blocks > 0 ? <StateBadge tone="warning">{words.blocks(blocks)}</StateBadge> : null}
        </span>
        {lockWait === undefined ? null : <VisuallyHidden>{lockWait.lock}</VisuallyHidden>}
      </td>
      <td className={styles.buttons}>
        <EndButtons entry={entry} isReached={isReached} onEnd={onEnd} />
      </td>
    </tr>
  );
});
