import { Button } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { OperationRun } from '../../common/operations.ts';
import { visibleText } from '@tabularium/sdk';
import { api } from '../api/client.ts';
import { inDriverWords, reportInDriverWords } from '../api/driverTexts.ts';
import { inWindowLanguage } from '../api/inWindowLanguage.ts';
import { problemOf } from '../api/problem.ts';
import { strings } from '../i18n/index.ts';
import { ConnectionName } from '../ui/ConnectionName.tsx';
import styles from './operations.module.css';
import { useWaitingBars } from '../state/waitingWork.ts';
import { runTitle } from './runText.ts';

/** As many are shown; the command line has them all. */
const MOST_SHOWN = 3;

interface Props {
  readonly runs: readonly OperationRun[];
  readonly onUndo: (run: OperationRun) => void;
}

/** Runs that a person can resume, undo or leave. They take no focus, and a window that closes leaves them to the next one. */
export function OpenRuns({ runs, onUndo }: Props): ReactNode {
  const open = runs.filter(needsPerson).slice(0, MOST_SHOWN);
  useWaitingBars('operations', open.length);
  if (open.length === 0) return null;
  return (
    <section className={styles.runs} data-region="operations" aria-label={strings.operations.runs} aria-live="polite">
      {open.map((run) => (
        <OpenRun key={run.id} run={run} onUndo={onUndo} />
      ))}
    </section>
  );
}

function needsPerson({ state, canResume, error, result, rejected }: OperationRun): boolean {
  if (state === 'running') return false;
  return state === 'interrupted' || error !== undefined || canResume || result?.undo !== undefined || rejected > 0;
}

function OpenRun({ run, onUndo }: { readonly run: OperationRun; readonly onUndo: Props['onUndo'] }): ReactNode {
  const words = strings.operations;
  const [busy, setBusy] = useState<'leave' | 'resume'>();
  const [problem, setProblem] = useState<string>();
  const { id, state, canResume, result, rejected, rejections } = run;
  const act = async (what: 'leave' | 'resume'): Promise<void> => {
    setBusy(what);
    setProblem(undefined);
    try {
      await api.operations[what].mutate({ id });
    } catch (error) {
      setProblem(problemOf(error).message);
      setBusy(undefined);
    }
  };
  const Icon = state === 'done' && rejected === 0 ? IconCircleCheck : IconAlertTriangle;
  return (
    <div className={styles.run}>
      <Icon size={16} stroke={1.75} aria-hidden className={styles.runIcon} data-done={state === 'done' || undefined} />
      <div className={styles.runText}>
        <ConnectionName connectionId={run.connectionId} />
        {textOf(run)}
        {rejected === 0 ? null : (
          <details>
            <summary>{words.rejected(rejected)}</summary>
            <ul className={styles.rejections}>
              {rejections.map(({ row, message }, place) => (
                <li key={place}>
                  <strong>{visibleText(row, 'name', 300)}</strong> {visibleText(message, 'text', 1_000)}
                </li>
              ))}
            </ul>
          </details>
        )}
        {problem === undefined ? null : (
          <div role="alert" className={styles.fault}>
            {problem}
          </div>
        )}
      </div>
      {canResume ? (
        <Button size="compact-sm" loading={busy === 'resume'} disabled={busy === 'leave'} onClick={() => void act('resume')}>
          {words.resume}
        </Button>
      ) : null}
      {result?.undo === undefined ? null : (
        <Button size="compact-sm" variant="default" onClick={() => onUndo(run)}>
          {words.undo}
        </Button>
      )}
      <Button
        size="compact-sm"
        variant="default"
        loading={busy === 'leave'}
        disabled={busy === 'resume'}
        onClick={() => void act('leave')}
      >
        {state === 'done' ? strings.common.dismiss : words.leave}
      </Button>
    </div>
  );
}

function textOf(run: OperationRun): string {
  const words = strings.operations;
  const { connectionId, state, result, error, canResume } = run;
  if (result !== undefined) return visibleText(inDriverWords(connectionId, result).message, 'name', 4_000);
  const title = runTitle(run);
  if (error !== undefined) {
    const { message, details, advice } = inWindowLanguage(reportInDriverWords(connectionId, error));
    return visibleText(`${words.failed(title, message)} ${details.advice ?? advice}`, 'name', 4_000);
  }
  return state === 'interrupted' ? words.interrupted(title, canResume) : words.cancelled(title);
}
