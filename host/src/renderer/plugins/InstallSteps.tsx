import { Progress } from '@mantine/core';
import { IconCheck, IconCircleDashed } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { InstallProgress } from '../../common/drivers.ts';
import { strings } from '../i18n/index.ts';
import styles from './chooser.module.css';

const STEPS = ['resolving', 'downloading', 'verifying', 'tryingOut'] as const;

/** How far a download is, 0 to 100, where its length is known. */
function percent(progress: InstallProgress): number | undefined {
  if (progress.step !== 'downloading' || progress.totalBytes === undefined || progress.totalBytes === 0) return undefined;
  return Math.min(100, (progress.receivedBytes / progress.totalBytes) * 100);
}

/** The steps of an installation, the present one marked. */
export function InstallSteps({ progress }: { readonly progress: InstallProgress | undefined }): ReactNode {
  const present = progress === undefined ? 0 : progress.step === 'installed' ? STEPS.length : STEPS.indexOf(progress.step);
  const share = progress === undefined ? undefined : percent(progress);
  return (
    <>
      <ol className={styles.steps} aria-label={strings.install.label}>
        {STEPS.map((step, place) => {
          const state = place < present ? 'done' : place === present ? 'running' : 'waiting';
          return (
            <li key={step} className={styles.step} data-state={state} aria-current={state === 'running' ? 'step' : undefined}>
              {state === 'done' ? (
                <IconCheck size={16} stroke={2} aria-hidden />
              ) : state === 'running' ? (
                <span className={styles.runningMark} aria-hidden />
              ) : (
                <IconCircleDashed size={16} stroke={1.5} aria-hidden />
              )}
              <span>{strings.install[step]}</span>
              <span className={styles.stepFact}>
                {step === 'downloading' && progress?.step === 'downloading'
                  ? strings.install.bytes(progress.receivedBytes, progress.totalBytes)
                  : null}
              </span>
            </li>
          );
        })}
      </ol>
      <Progress
        className={styles.bar}
        size={4}
        value={present >= STEPS.length ? 100 : (present * 100) / STEPS.length + (share ?? 0) / STEPS.length}
        transitionDuration={100}
        aria-label={strings.install.label}
      />
    </>
  );
}
