import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './stateBar.module.css';

interface Props {
  readonly title: string;
  readonly text: string;
  /** The part that changes while the bar is there. It is not read aloud. */
  readonly progress?: string | undefined;
  /** The way on, first the likely one. */
  readonly actions?: ReactNode;
}

/** A state that concerns all that lies below: a slim bar that says what happened and what to do, above content that stays readable. */
export function StateBar({ title, text, progress, actions }: Props): ReactNode {
  return (
    <section className={styles.bar} aria-label={title}>
      <IconAlertTriangle className={styles.icon} size={18} stroke={1.75} aria-hidden />
      <div className={styles.body} role="alert">
        <strong className={styles.title}>{title}</strong> <span>{text}</span>
      </div>
      {progress === undefined ? null : <span className={styles.progress}>{progress}</span>}
      {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
    </section>
  );
}
