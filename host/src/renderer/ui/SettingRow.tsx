import type { ReactNode } from 'react';
import styles from './components.module.css';

/** One setting: what it is, what it does, and its control. */
export function SettingRow({
  id,
  title,
  help,
  children,
}: {
  readonly id: string;
  readonly title: string;
  readonly help: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <div className={styles.setting}>
      <div>
        <h3 id={id}>{title}</h3>
        <p>{help}</p>
      </div>
      {children}
    </div>
  );
}
