import { VisuallyHidden } from '@mantine/core';
import { IconCheck, IconClock, IconMinus, IconPlayerStop, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import styles from './results.module.css';
import { countRuns } from './runs.ts';
import type { Run, RunState } from './runs.ts';
import { statementLabel } from './statementLabel.ts';

const MARKS = {
  waiting: IconClock,
  running: IconClock,
  ok: IconCheck,
  failed: IconX,
  stopped: IconPlayerStop,
  skipped: IconMinus,
};

export function StateMark({ state }: { readonly state: RunState }): ReactNode {
  const Icon = MARKS[state];
  return <Icon size={14} stroke={2} aria-hidden />;
}

interface Props {
  readonly runs: readonly Run[];
  readonly shown: Run;
  readonly onChoose: (id: number) => void;
}

/** The statements of a run in order, each with what became of it, and how many of them ran. */
export function RunList({ runs, shown, onChoose }: Props): ReactNode {
  const words = strings.console;
  const counts = countRuns(runs);
  const counted = [
    words.ranWell(counts.ok),
    counts.failed === 0 ? undefined : words.ranBadly(counts.failed),
    counts.stopped === 0 ? undefined : words.ranStopped(counts.stopped),
    counts.skipped === 0 ? undefined : words.ranNot(counts.skipped),
    counts.open === 0 ? undefined : words.ranNotYet(counts.open),
  ];
  return (
    <div className={styles.runList}>
      <ol className={styles.runs} aria-label={words.runList}>
        {runs.map((run, place) => (
          <li key={run.id}>
            <button
              type="button"
              aria-current={run === shown || undefined}
              data-state={run.state}
              title={`${words.statementPlace(place + 1, runs.length)} · ${words.states[run.state]}\n${run.statement.slice(0, 400)}`}
              onClick={() => onChoose(run.id)}
            >
              <StateMark state={run.state} />
              <span>{statementLabel(run.statement)}</span>
              <VisuallyHidden>{words.states[run.state]}</VisuallyHidden>
            </button>
          </li>
        ))}
      </ol>
      <span className={styles.runCounts} role="status">
        {counted.filter((part) => part !== undefined).join(' · ')}
      </span>
    </div>
  );
}
