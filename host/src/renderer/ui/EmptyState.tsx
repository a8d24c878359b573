import type { ReactNode } from 'react';
import styles from './components.module.css';

interface Props {
  readonly icon: ReactNode;
  readonly title: string;
  readonly text: string;
  readonly action?: ReactNode;
}

/** The purpose of an empty list, and the next step. */
export function EmptyState({ icon, title, text, action }: Props): ReactNode {
  return (
    <div className={styles.empty}>
      <div className={styles.emptyIcon} aria-hidden>
        {icon}
      </div>
      <h2 className={styles.emptyTitle}>{title}</h2>
      <p className={styles.emptyText}>{text}</p>
      {action}
    </div>
  );
}
