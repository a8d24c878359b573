import { ActionIcon, Button } from '@mantine/core';
import { IconCopy, IconX } from '@tabler/icons-react';
import { visibleText } from '@tabularium/sdk';
import type { EndWay, RunningEntry } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import { copyText } from '../ui/copyText.ts';
import styles from './activity.module.css';
import { Duration } from './Duration.tsx';
import type { ListClock } from './Duration.tsx';
import { END_ICONS, END_WAYS, whyNot } from './EndButtons.tsx';
import { entryName } from './entryName.ts';
import { EntryState } from './EntryState.tsx';

interface Props {
  readonly id: string;
  /** As it was last listed. */
  readonly entry: RunningEntry;
  /** Whether the list no longer has it. */
  readonly isGone: boolean;
  readonly blockers: readonly RunningEntry[];
  readonly clock: ListClock;
  readonly onSelect: (id: string) => void;
  readonly onEnd: (entry: RunningEntry, way: EndWay) => void;
  readonly onClose: () => void;
}

/** All that is known of one entry, its whole statement among it. */
export function EntryDetails({ id, entry, isGone, blockers, clock, onSelect, onEnd, onClose }: Props): ReactNode {
  const words = strings.activity;
  const { state, statement, lockWait, own, kind } = entry;
  const name = entryName(entry);
  const runs = state === 'running' || state === 'waiting';
  const since = { ...clock, counts: clock.counts && !isGone };
  const facts: readonly (readonly [string, ReactNode])[] = [
    [words.columns.user, entry.user],
    [words.facts.application, entry.application],
    [words.facts.address, entry.client],
    [words.columns.database, entry.namespace],
    [
      words.columns.duration,
      entry.milliseconds === undefined ? undefined : <Duration milliseconds={entry.milliseconds} clock={since} />,
    ],
    [
      words.facts.transaction,
      entry.transactionMilliseconds === undefined ? undefined : (
        <Duration milliseconds={entry.transactionMilliseconds} clock={since} />
      ),
    ],
    [
      words.facts.session,
      entry.sessionMilliseconds === undefined ? undefined : <Duration milliseconds={entry.sessionMilliseconds} clock={since} />,
    ],
    [words.facts.activity, entry.activity],
    [words.facts.lock, lockWait?.lock],
    [
      words.columns.blockedBy,
      lockWait === undefined || blockers.length + lockWait.others.length === 0 ? undefined : (
        <span className={styles.blockers}>
          {blockers.map((blocker) => (
            <button
              key={blocker.id}
              type="button"
              className={styles.blocker}
              aria-label={words.showBlocker(entryName(blocker))}
              onClick={() => onSelect(blocker.id)}
            >
              {entryName(blocker)}
            </button>
          ))}
          {lockWait.others.join(', ')}
        </span>
      ),
    ],
  ];
  const refused = isGone ? undefined : END_WAYS.map((way) => whyNot(entry, way)).find((why) => why !== undefined);
  return (
    <aside
      id={id}
      className={styles.details}
      aria-label={words.details(name)}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
    >
      <div className={styles.detailsHead}>
        <h2>{name}</h2>
        {isGone ? <span className={styles.mark}>{words.isGone}</span> : <EntryState state={state} />}
        {own ? <span className={styles.mark}>{words.own}</span> : null}
        {kind === 'background' ? <span className={styles.mark}>{words.background}</span> : null}
        <ActionIcon className={styles.close} aria-label={words.closeDetails} title={words.closeDetails} onClick={onClose}>
          <IconX size={16} stroke={1.75} />
        </ActionIcon>
      </div>
      {isGone ? null : (
        <div className={styles.detailsActions}>
          {END_WAYS.map((way) => {
            const Icon = END_ICONS[way];
            return (
              <Button
                key={way}
                variant="default"
                disabled={!entry.ways.includes(way)}
                leftSection={<Icon size={14} stroke={1.75} />}
                onClick={() => onEnd(entry, way)}
              >
                {words.ways[way]}
              </Button>
            );
          })}
        </div>
      )}
      {refused === undefined ? null : <p className={styles.reason}>{refused}</p>}
      <div className={styles.statementHead}>
        <h3>{statement === undefined ? words.noStatement : runs ? words.columns.statement : words.lastStatement}</h3>
        {statement === undefined ? null : (
          <ActionIcon
            aria-label={words.copyStatement}
            title={words.copyStatement}
            onClick={() => void copyText(statement.text, strings.common.copied)}
          >
            <IconCopy size={16} stroke={1.75} />
          </ActionIcon>
        )}
      </div>
      {statement === undefined ? null : (
        <pre className={styles.text} tabIndex={0} aria-label={words.columns.statement}>
          {visibleText(statement.text, 'data')}
        </pre>
      )}
      {statement?.isCut === true ? <p className={styles.reason}>{words.isCut}</p> : null}
      <dl className={styles.facts}>
        {facts.map(([label, value]) =>
          value === undefined ? null : (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
    </aside>
  );
}
