import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import styles from './components.module.css';

/** Beside the name of a field that a new row needs a value in. */
export function RequiredMark(): ReactNode {
  return (
    <span className={styles.requiredMark} role="img" aria-label={strings.common.required} title={strings.common.requiredTitle} />
  );
}
