import type { ReactNode } from 'react';
import { dotVariable } from './theme.ts';
import type { ConnectionColor } from './theme.ts';
import styles from './components.module.css';

/** A connection's colour. */
export function ColorDot({ color }: { readonly color: ConnectionColor }): ReactNode {
  return <span className={styles.dot} style={{ background: dotVariable(color) }} aria-hidden />;
}

/** A database type's icon, from the path in its manifest. */
export function TypeIcon({ path, size = 20 }: { readonly path: string; readonly size?: number }): ReactNode {
  return (
    <svg className={styles.typeIcon} width={size} height={size} viewBox="0 0 24 24" aria-hidden>
      <path d={path} fill="currentColor" fillRule="evenodd" />
    </svg>
  );
}

/** A few words of state, in the colour that the state means. */
export function StateBadge({
  tone,
  children,
}: {
  readonly tone: 'plain' | 'good' | 'warning' | 'accent';
  readonly children: ReactNode;
}): ReactNode {
  return (
    <span className={styles.badge} data-tone={tone}>
      {children}
    </span>
  );
}
