import { ActionIcon, Button, NativeSelect } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import {
  IconAlertTriangle,
  IconChartLine,
  IconInfoCircle,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { api } from '../api/client.ts';
import { inDriverWords, notesInDriverWords } from '../api/driverTexts.ts';
import { problemOf } from '../api/problem.ts';
import { useCommands } from '../commands/registry.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import type { ToolProps } from '../state/toolProps.ts';
import { strings } from '../i18n/index.ts';
import styles from './dashboard.module.css';
import { MetricCard } from './MetricCard.tsx';
import { NodesTable } from './NodesTable.tsx';
import { lastMinutes, shownMetrics, shownNode } from './series.ts';
import { useReadings } from './useReadings.ts';

/** Minutes; 0: everything that is kept. */
const RANGES = [0, 1, 5, 15] as const;
const INTERVALS = [0, 1, 2, 5, 10, 30] as const;
const DEFAULT_SECONDS = 5;

/** A server's metrics, live. */
export function DashboardTab({ connection, isShown }: ToolProps): ReactNode {
  const words = strings.dashboard;
  const { connectionId } = connection;
  const [seconds, setSeconds] = useLocalStorage<number>({
    key: 'tabularium-dashboard-seconds',
    defaultValue: DEFAULT_SECONDS,
    getInitialValueInEffect: false,
  });
  const every = INTERVALS.find((known) => known === seconds) ?? DEFAULT_SECONDS;
  const [minutes, setMinutes] = useLocalStorage<number>({
    key: 'tabularium-dashboard-minutes',
    defaultValue: 0,
    getInitialValueInEffect: false,
  });
  const range = RANGES.find((known) => known === minutes) ?? 0;
  const [paused, setPaused] = useState(false);
  const { readings, reading, problem, readNow } = useReadings(connectionId, paused ? 0 : every);
  const info = useQuery({
    queryKey: ['metrics', connectionId, 'info'],
    queryFn: ({ signal }) => api.metrics.info.query({ connectionId }, { signal }),
  });
  useCommands(
    [
      { id: 'dashboard.refresh', group: 'view', title: words.commands.refresh, run: readNow },
      { id: 'dashboard.pause', group: 'view', title: words.commands.pause, run: () => setPaused((before) => !before) },
    ],
    isShown,
  );
  const newest = readings.at(-1);
  const last = newest === undefined ? undefined : notesInDriverWords(connectionId, newest);
  const metrics = shownMetrics(readings).map((metric) => inDriverWords(connectionId, metric));
  const charted = lastMinutes(readings, range);
  const cardsNode = shownNode(readings);
  return (
    <section className={styles.dashboard} aria-label={words.title}>
      <div className={styles.bar}>
        <NativeSelect
          aria-label={words.refresh}
          className={styles.interval}
          value={String(every)}
          onChange={(event) => setSeconds(Number(event.currentTarget.value))}
          data={INTERVALS.map((value) => ({
            value: String(value),
            label: `${words.refresh}: ${value === 0 ? words.off : words.everySeconds(value)}`,
          }))}
        />
        <NativeSelect
          aria-label={words.range}
          className={styles.range}
          value={String(range)}
          onChange={(event) => setMinutes(Number(event.currentTarget.value))}
          data={RANGES.map((value) => ({
            value: String(value),
            label: value === 0 ? words.wholeRange : words.lastMinutes(value),
          }))}
        />
        <Button
          variant="default"
          disabled={every === 0}
          aria-pressed={paused}
          leftSection={paused ? <IconPlayerPlay size={14} stroke={1.75} /> : <IconPlayerPause size={14} stroke={1.75} />}
          onClick={() => setPaused(!paused)}
        >
          {paused ? words.resume : words.pause}
        </Button>
        <ActionIcon aria-label={words.refreshNow} title={words.refreshNow} onClick={readNow} data-busy={reading || undefined}>
          <IconRefresh size={16} stroke={1.75} />
        </ActionIcon>
        <span className={styles.last} role="status" aria-live="off">
          {paused && every !== 0 ? `${words.paused} · ` : ''}
          {last === undefined ? words.neverRefreshed : words.lastRefresh(last.at)}
        </span>
      </div>
      <div className={styles.body} role="group" aria-label={words.metrics} tabIndex={0}>
        {problem === undefined ? null : (
          <div className={styles.problem}>
            <ProblemPanel compact title={words.readFailed} problem={problem} onRetry={readNow} />
            {last === undefined ? null : <p>{words.staleText(last.at)}</p>}
          </div>
        )}
        {last?.problems
          .map((one) => inDriverWords(connectionId, one))
          .map(({ source, message }) => (
            <p key={source} className={styles.source} role="alert">
              <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
              <span>
                <strong>{words.sourceFailed(source)}</strong> {message}
              </span>
            </p>
          ))}
        {last?.nodes === undefined ? null : (
          <NodesTable connectionId={connectionId} nodes={last.nodes} notReady={last.notReady} notes={last.notes ?? []} />
        )}
        {last !== undefined && metrics.length === 0 && last.nodes === undefined ? (
          <EmptyState
            icon={<IconChartLine size={36} stroke={1.25} />}
            title={words.noMetricsTitle}
            text={words.noMetricsText}
            action={
              <Button variant="default" onClick={readNow}>
                {words.refreshNow}
              </Button>
            }
          />
        ) : null}
        {last === undefined && problem === undefined ? <div className={styles.pending} aria-busy /> : null}
        {last?.nodes === undefined || cardsNode === undefined ? null : (
          <h2 className={styles.cardsOf}>{words.cardsOf(cardsNode)}</h2>
        )}
        <ul className={styles.cards} aria-label={words.metrics}>
          {metrics.map((metric) => (
            <MetricCard key={metric.id} metric={metric} readings={charted} />
          ))}
        </ul>
        {info.error === null ? null : <ProblemPanel compact title={words.readFailed} problem={problemOf(info.error)} />}
        <div className={styles.missing}>
          {info.data?.missingPanels
            .map((panel) => inDriverWords(connectionId, panel))
            .map(({ id, label, reason }) => (
              <section key={id} aria-label={label}>
                <h2>{label}</h2>
                <p>
                  <IconInfoCircle size={16} stroke={1.75} aria-hidden />
                  <span>{reason}</span>
                </p>
              </section>
            ))}
        </div>
      </div>
    </section>
  );
}
