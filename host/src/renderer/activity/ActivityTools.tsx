import { ActionIcon, Button, Checkbox, NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconRefresh, IconSearch } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import styles from './activity.module.css';

/** Seconds between two lists; 0: only when asked. */
export const INTERVALS = [0, 1, 2, 5, 10, 30] as const;

/** Sessions as they are, or statements as the server has recorded them. */
export type ActivityView = 'now' | 'slow';

interface Props {
  readonly view: ActivityView;
  readonly hasStatistics: boolean;
  readonly text: string;
  readonly showsIdle: boolean;
  readonly seconds: number;
  readonly isPaused: boolean;
  readonly isReading: boolean;
  /** Of the sessions and of the last list. */
  readonly status: string;
  readonly onView: (view: ActivityView) => void;
  readonly onText: (text: string) => void;
  readonly onShowIdle: (shows: boolean) => void;
  readonly onSeconds: (seconds: number) => void;
  readonly onPause: (pauses: boolean) => void;
  readonly onRefresh: () => void;
}

/** The choices above the table. */
export function ActivityTools(props: Props): ReactNode {
  const { view, hasStatistics, text, showsIdle, seconds, isPaused, isReading, status } = props;
  const words = strings.activity;
  const shared = strings.dashboard;
  return (
    <div className={styles.bar}>
      {hasStatistics ? (
        <SegmentedControl
          aria-label={words.views}
          value={view}
          onChange={(value) => props.onView(value === 'slow' ? 'slow' : 'now')}
          data={(['now', 'slow'] as const).map((value) => ({ value, label: words[value] }))}
        />
      ) : null}
      {view === 'slow' ? null : (
        <>
          <TextInput
            className={styles.search}
            value={text}
            onChange={(event) => props.onText(event.currentTarget.value)}
            onKeyDown={(event) => (event.key === 'Escape' ? props.onText('') : undefined)}
            placeholder={words.filter}
            aria-label={words.filter}
            leftSection={<IconSearch size={14} stroke={1.75} aria-hidden />}
          />
          <Checkbox
            size="xs"
            label={words.showIdle}
            checked={showsIdle}
            onChange={(event) => props.onShowIdle(event.currentTarget.checked)}
          />
          <NativeSelect
            aria-label={words.refresh}
            className={styles.interval}
            value={String(seconds)}
            onChange={(event) => props.onSeconds(Number(event.currentTarget.value))}
            data={INTERVALS.map((value) => ({
              value: String(value),
              label: `${words.refresh}: ${value === 0 ? shared.off : shared.everySeconds(value)}`,
            }))}
          />
          <Button
            variant="default"
            disabled={seconds === 0}
            aria-pressed={isPaused}
            leftSection={isPaused ? <IconPlayerPlay size={14} stroke={1.75} /> : <IconPlayerPause size={14} stroke={1.75} />}
            onClick={() => props.onPause(!isPaused)}
          >
            {isPaused ? shared.resume : shared.pause}
          </Button>
        </>
      )}
      <ActionIcon
        aria-label={shared.refreshNow}
        title={shared.refreshNow}
        data-busy={isReading || undefined}
        onClick={props.onRefresh}
      >
        <IconRefresh size={16} stroke={1.75} />
      </ActionIcon>
      <span className={styles.last} role="status" aria-live="off">
        {status}
      </span>
    </div>
  );
}
