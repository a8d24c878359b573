import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import { useOperations } from './operations.ts';
import { useDriversOverview } from './pluginQueries.ts';
import styles from './plugins.module.css';

/** A dot on the way to the settings while an update waits, or a driver has a problem, or something that was done with one failed. */
export function AttentionMark(): ReactNode {
  const { data } = useDriversOverview();
  const operations = useOperations();
  const drivers = data?.drivers ?? [];
  const updates = drivers.filter(({ updateOffered }) => updateOffered).length;
  const faults = new Set([
    ...drivers.flatMap(({ id, fault }) => (fault === undefined ? [] : [id])),
    ...[...operations].flatMap(([key, { running, problem }]) => (running || problem === undefined ? [] : [key])),
  ]).size;
  if (updates + faults === 0) return null;
  const text = strings.plugins.attention(updates, faults);
  return <span className={styles.attention} data-fault={faults > 0 || undefined} role="img" aria-label={text} title={text} />;
}
