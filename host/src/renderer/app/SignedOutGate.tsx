import { IconLockOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { problemOf } from '../api/problem.ts';
import { useApplicationInfo } from '../api/queries.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { strings } from '../i18n/index.ts';
import styles from './fullPage.module.css';

/** Lets the window through unless the host says at its start that its session has expired. One that is open stays, with what was typed in it, below a bar. */
export function SignedOutGate({ children }: { readonly children: ReactNode }): ReactNode {
  const { data, error } = useApplicationInfo();
  if (data === undefined && error !== null && problemOf(error).code === 'NOT_SIGNED_IN') {
    return (
      <div className={styles.fullPage}>
        <EmptyState
          icon={<IconLockOff size={40} stroke={1.25} />}
          title={strings.application.signedOutTitle}
          text={strings.application.signedOutText}
        />
      </div>
    );
  }
  return children;
}
