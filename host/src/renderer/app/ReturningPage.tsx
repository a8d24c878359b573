import { IconPlugConnected } from '@tabler/icons-react';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { lookForHost, onHostReturn } from '../api/hostLink/hostLink.ts';
import { strings } from '../i18n/index.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { HostLinkBar } from './HostLinkBar.tsx';
import styles from './fullPage.module.css';

/** A page that was loaded from a host which doesn't let it in yet: it comes back by its key, and loads again. */
export function ReturningPage(): ReactNode {
  useEffect(() => {
    const leave = onHostReturn(() => location.reload());
    lookForHost();
    return leave;
  }, []);
  return (
    <main className={styles.fullPage}>
      <HostLinkBar />
      <EmptyState
        icon={<IconPlugConnected size={40} stroke={1.25} />}
        title={strings.hostLink.returningTitle}
        text={strings.hostLink.returningText}
      />
    </main>
  );
}
