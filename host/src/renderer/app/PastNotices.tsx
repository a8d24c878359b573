import { Popover } from '@mantine/core';
import { IconAlertTriangle, IconBell } from '@tabler/icons-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { formatTime } from '../i18n/format.ts';
import { strings } from '../i18n/index.ts';
import { clearPast, markRead, useStatus } from '../state/notify.ts';
import styles from './pastNotices.module.css';
import statusBarStyles from './statusBar.module.css';

/** The bell: what the status bar said, to be read again after it left. */
export function PastNotices(): ReactNode {
  const words = strings.status;
  const { past, unread } = useStatus();
  const [opened, setOpened] = useState(false);
  const change = (open: boolean): void => {
    setOpened(open);
    // Also when it closes: what came while it was open is in the list.
    markRead();
  };
  return (
    <Popover opened={opened} onChange={change} position="top-end" width={360} trapFocus returnFocus>
      <Popover.Target>
        <button
          type="button"
          className={styles.bell}
          data-unread={unread && !opened}
          aria-haspopup="dialog"
          aria-label={unread && !opened ? words.unreadNotices : words.notices}
          title={words.notices}
          onClick={() => change(!opened)}
        >
          <IconBell size={14} stroke={1.75} aria-hidden />
        </button>
      </Popover.Target>
      <Popover.Dropdown p={8} aria-label={words.notices}>
        {past.length === 0 ? (
          <p className={styles.empty} tabIndex={-1} data-autofocus>
            {words.noNotices}
          </p>
        ) : (
          <>
            <ul className={styles.list} tabIndex={0} aria-label={words.notices}>
              {past.map(({ id, tone, text, at, tab }) => (
                <li key={id} data-tone={tone}>
                  <time dateTime={at}>{formatTime(at)}</time>
                  {tone === 'warning' ? (
                    <IconAlertTriangle size={13} stroke={1.75} aria-label={words.warning} role="img" />
                  ) : null}
                  <span>
                    {tab === undefined ? null : <strong>{tab} </strong>}
                    {text}
                  </span>
                </li>
              ))}
            </ul>
            <button
              type="button"
              className={statusBarStyles.statusButton}
              onClick={() => {
                clearPast();
                change(false);
              }}
            >
              {words.clearNotices}
            </button>
          </>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
