import type { ReactNode } from 'react';
import { strings } from '../strings/index.ts';
import { useDriversOverview } from './pluginQueries.ts';
import styles from './plugins.module.css';

/** A dot on the way to the settings while an update waits or a driver has a problem. */
export function AttentionMark(): ReactNode {
  const { data } = useDriversOverview();
  const drivers = data?.drivers ?? [];
  const updates = drivers.filter(({ updateWaits }) => updateWaits).length;
  const faults = drivers.filter(({ fault }) => fault !== undefined).length;
  if (updates + faults === 0) return null;
  const text = strings.plugins.attention(updates, faults);
  return <span className={styles.attention} data-fault={faults > 0 || undefined} role="img" aria-label={text} title={text} />;
}
