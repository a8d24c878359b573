import { IconAlertTriangle, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { strings } from '../strings/index.ts';
import { notify, useStatus } from '../workspace/activity.ts';
import styles from './shell.module.css';

/** What is happening now, with a way to stop it. */
export function StatusBar(): ReactNode {
  const { activities, notice } = useStatus();
  const current = activities.at(-1);
  return (
    <footer className={styles.statusBar} aria-label={strings.status.label}>
      <div className={styles.statusText} role="status" aria-live="polite">
        {current === undefined ? null : (
          <>
            <span className={styles.statusPulse} aria-hidden />
            <span className={styles.statusLabel}>{current.label}</span>
          </>
        )}
        {current === undefined && notice !== undefined ? (
          <span className={styles.statusNotice} data-tone={notice.tone}>
            {notice.tone === 'warning' ? <IconAlertTriangle size={13} stroke={1.75} aria-hidden /> : null}
            <span className={styles.statusLabel} title={notice.text}>
              {notice.text}
            </span>
          </span>
        ) : null}
        {current === undefined && notice === undefined ? <span className={styles.statusIdle}>{strings.status.ready}</span> : null}
      </div>
      {current?.progress === undefined ? null : (
        <progress className={styles.statusProgress} value={current.progress} max={1} aria-label={current.label} />
      )}
      {current?.cancel === undefined ? null : (
        <button
          type="button"
          className={styles.statusButton}
          aria-label={strings.status.cancel(current.label)}
          onClick={() => current.cancel?.()}
        >
          {strings.common.cancel}
        </button>
      )}
      {current === undefined && notice?.tone === 'warning' ? (
        <button type="button" className={styles.statusButton} aria-label={strings.common.dismiss} onClick={() => notify()}>
          <IconX size={13} stroke={2} aria-hidden />
        </button>
      ) : null}
    </footer>
  );
}
