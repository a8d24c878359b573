import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { lookForHost, useHostLink } from '../api/hostLink/hostLink.ts';
import { strings } from '../i18n/index.ts';
import { Countdown } from '../ui/Countdown.tsx';
import { StateBar } from '../ui/StateBar.tsx';
import styles from './hostLinkBar.module.css';

const words = strings.hostLink;

/** Over the window while its host is gone: what happened, when it is looked for again, and how to continue. */
export function HostLinkBar(): ReactNode {
  const link = useHostLink();
  if (link.is === 'up') return null;
  if (link.is === 'down') {
    return (
      <div className={styles.hostLink}>
        <StateBar
          title={words.downTitle}
          text={words.downText}
          progress={link.retryAt === undefined ? words.looking : undefined}
          actions={
            <>
              {link.retryAt === undefined ? null : <Countdown until={link.retryAt} />}
              <Button size="compact-sm" disabled={link.retryAt === undefined} onClick={lookForHost}>
                {words.tryNow}
              </Button>
            </>
          }
        />
      </div>
    );
  }
  const [title, text] =
    link.is === 'expired' ? [words.expiredTitle, words.expiredText] : [words.strangerTitle, words.strangerText];
  return (
    <div className={styles.hostLink}>
      <StateBar
        title={title}
        text={text}
        actions={
          <Button size="compact-sm" variant="default" onClick={lookForHost}>
            {strings.common.retry}
          </Button>
        }
      />
    </div>
  );
}
