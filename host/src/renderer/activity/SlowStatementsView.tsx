import { Button } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import type { SlowStatements } from '@tabularium/sdk';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../api/client.ts';
import { inDriverWords, notesInDriverWords } from '../api/driverTexts.ts';
import { problemOf } from '../api/problem.ts';
import { formatCount, formatMilliseconds } from '../i18n/format.ts';
import { strings } from '../i18n/index.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import styles from './activity.module.css';

/** Below a second with its fractions: many runs of a fast statement are a slow one. */
function timeText(milliseconds: number): string {
  return milliseconds < 1_000 ? strings.dashboard.units.milliseconds(milliseconds) : formatMilliseconds(milliseconds);
}

interface Props {
  readonly connectionId: string;
  readonly isShown: boolean;
}

/** The statements that took the server most time, or why it can't say. */
export function SlowStatementsView({ connectionId, isShown }: Props): ReactNode {
  const words = strings.activity;
  const slow = useQuery({
    queryKey: ['activity', connectionId, 'slow'],
    queryFn: ({ signal }) => api.activity.slow.query({ connectionId }, { signal }),
    enabled: isShown,
    staleTime: 0,
  });
  const again = (): void => void slow.refetch();
  return (
    <div className={styles.body} role="group" aria-label={words.slow} tabIndex={0}>
      {slow.error === null ? null : (
        <div className={styles.problem}>
          <ProblemPanel title={words.slowFailed} problem={problemOf(slow.error)} onRetry={again} />
        </div>
      )}
      {slow.data === undefined ? (
        <div className={styles.pending} aria-busy={slow.error === null} />
      ) : (
        <Statistics connectionId={connectionId} found={slow.data} onRefresh={again} />
      )}
    </div>
  );
}

function Statistics(props: {
  readonly connectionId: string;
  readonly found: SlowStatements;
  readonly onRefresh: () => void;
}): ReactNode {
  const { connectionId, found, onRefresh } = props;
  const words = strings.activity;
  const { slowColumns: columns } = words;
  const refresh = (
    <Button variant="default" onClick={onRefresh}>
      {strings.dashboard.refreshNow}
    </Button>
  );
  const icon = <IconChartBar size={36} stroke={1.25} />;
  if (!found.available) {
    const { reason } = inDriverWords(connectionId, { reason: found.reason, texts: { reason: found.text } });
    return <EmptyState icon={icon} title={words.slowMissing} text={reason} action={refresh} />;
  }
  const { notes } = notesInDriverWords(connectionId, found);
  if (found.statements.length === 0)
    return <EmptyState icon={icon} title={words.slowEmpty} text={words.slowEmptyText} action={refresh} />;
  return (
    <>
      {notes.map((note) => (
        <p key={note} className={styles.note}>
          {note}
        </p>
      ))}
      <table className={styles.list} aria-label={words.slow}>
        <thead>
          <tr>
            <th scope="col" className={styles.statement}>
              {columns.statement}
            </th>
            {(['total', 'calls', 'mean', 'max', 'rows'] as const).map((column) => (
              <th key={column} scope="col" className={styles.number}>
                {columns[column]}
              </th>
            ))}
            <th scope="col" className={styles.wide}>
              {columns.user}
            </th>
            <th scope="col" className={styles.wide}>
              {columns.database}
            </th>
          </tr>
        </thead>
        <tbody>
          {found.statements.map((one, place) => (
            <tr key={place}>
              <td className={styles.statement}>
                <details className={styles.recorded}>
                  <summary>
                    <code>{one.text.slice(0, 160)}</code>
                  </summary>
                  <pre className={styles.text}>{one.text}</pre>
                  {one.isCut ? <p className={styles.reason}>{words.isCut}</p> : null}
                </details>
              </td>
              <td className={styles.number}>{timeText(one.totalMilliseconds)}</td>
              <td className={styles.number}>{formatCount(one.calls)}</td>
              <td className={styles.number}>{timeText(one.meanMilliseconds)}</td>
              <td className={styles.number}>{one.maxMilliseconds === undefined ? null : timeText(one.maxMilliseconds)}</td>
              <td className={styles.number}>{one.rows === undefined ? null : formatCount(one.rows)}</td>
              <td className={styles.wide}>{one.user}</td>
              <td className={styles.wide}>{one.namespace}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
