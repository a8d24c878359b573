import { Popover } from '@mantine/core';
import { IconAlertTriangle, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useConnections } from '../api/queries.ts';
import { useIsAway } from '../api/reachability.ts';
import { strings } from '../i18n/index.ts';
import { useAnsweringNode } from '../state/answeringNode.ts';
import { notify, useStatus } from '../state/notify.ts';
import type { Activity } from '../state/notify.ts';
import { PastNotices } from './PastNotices.tsx';
import styles from './statusBar.module.css';

/** The running work, with a way to stop it, and beside it a warning that came while it ran; without work the latest notice. */
export function StatusBar({ connectionId }: { readonly connectionId: string | undefined }): ReactNode {
  const node = useAnsweringNode(connectionId);
  const isAway = useIsAway(connectionId);
  const { activities, notice: latest, activeTab } = useStatus();
  const notice = latest?.tab === undefined || latest.tab.key === activeTab?.key ? latest : undefined;
  const connections = useConnections().data;
  const named = activities.map((activity): Activity => {
    const owner =
      activity.connectionId === connectionId ? undefined : connections?.find(({ id }) => id === activity.connectionId);
    return owner === undefined ? activity : { ...activity, label: strings.status.of(owner.name, activity.label) };
  });
  const current = named.at(-1);
  const others = named.slice(0, -1).reverse();
  const shown = current === undefined || notice?.during === true ? notice : undefined;
  return (
    <footer className={styles.statusBar} data-region="status" aria-label={strings.status.label}>
      <div className={styles.statusText} role="status" aria-live="polite">
        {current === undefined ? null : (
          <>
            <span className={styles.statusPulse} aria-hidden />
            <span className={styles.statusLabel}>{current.label}</span>
          </>
        )}
        {shown === undefined ? null : (
          <span className={styles.statusNotice} data-tone={shown.tone}>
            {shown.tone === 'warning' ? <IconAlertTriangle size={13} stroke={1.75} aria-hidden /> : null}
            <span className={styles.statusLabel} title={shown.text}>
              {shown.text}
            </span>
          </span>
        )}
        {current === undefined && notice === undefined ? (
          <span className={styles.statusIdle}>{isAway ? strings.status.away : strings.status.ready}</span>
        ) : null}
      </div>
      {current === undefined ? null : <Work activity={current} />}
      {others.length === 0 ? null : (
        <Popover position="top-end" width={360} trapFocus returnFocus>
          <Popover.Target>
            <button type="button" className={styles.statusButton} aria-haspopup="dialog">
              {strings.shell.moreWork(others.length)}
            </button>
          </Popover.Target>
          <Popover.Dropdown p={8} aria-label={strings.shell.work}>
            <ul className={styles.workList}>
              {others.map((activity) => (
                <li key={activity.id}>
                  <span className={styles.statusLabel}>{activity.label}</span>
                  <Work activity={activity} />
                </li>
              ))}
            </ul>
          </Popover.Dropdown>
        </Popover>
      )}
      {shown?.action !== undefined ? (
        <button type="button" className={styles.statusButton} onClick={() => shown.action?.run()}>
          {shown.action.label}
        </button>
      ) : null}
      {shown?.tone === 'warning' ? (
        <button type="button" className={styles.statusButton} aria-label={strings.common.dismiss} onClick={() => notify()}>
          <IconX size={13} stroke={2} aria-hidden />
        </button>
      ) : null}
      {node === undefined ? null : (
        <span className={styles.statusNode} title={strings.status.node(node)}>
          {node}
        </span>
      )}
      <PastNotices />
    </footer>
  );
}

/** How far one piece of work is, how long the rest takes, and the way to stop it. */
function Work({ activity: { label, progress, secondsLeft, cancel } }: { readonly activity: Activity }): ReactNode {
  return (
    <>
      {progress === undefined ? null : <progress className={styles.statusProgress} value={progress} max={1} aria-label={label} />}
      {secondsLeft === undefined ? null : <span className={styles.statusLeft}>{strings.status.left(secondsLeft)}</span>}
      {cancel === undefined ? null : (
        <button type="button" className={styles.statusButton} aria-label={strings.status.cancel(label)} onClick={() => cancel()}>
          {strings.common.cancel}
        </button>
      )}
    </>
  );
}
