import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { UnreadableConnection } from '../../common/connection.ts';
import { useReloadConnections, useUnreadableConnections } from '../api/queries.ts';
import { RemoveConnectionDialog } from '../connections/RemoveConnectionDialog.tsx';
import { strings } from '../i18n/index.ts';
import styles from './start.module.css';

/** The connections that can't be read, each with its reason. Without this, one of a newer version would be missing without an error. */
export function UnreadableConnections(): ReactNode {
  const unreadable = useUnreadableConnections();
  const reload = useReloadConnections();
  const [removing, setRemoving] = useState<UnreadableConnection>();
  const words = strings.start.unreadable;
  if (unreadable.data === undefined || unreadable.data.length === 0) return null;
  return (
    <section className={styles.group}>
      <h2 className={styles.groupTitle}>{words.title}</h2>
      <p>{words.advice}</p>
      <ul className={styles.list} aria-label={words.title}>
        {unreadable.data.map((connection) => (
          <li key={connection.id} className={`${styles.item} ${styles.unreadable}`}>
            <IconAlertTriangle size={18} stroke={1.75} aria-hidden />
            <span className={styles.itemText}>
              <span className={styles.itemName}>{connection.name}</span>
              <span className={styles.itemType}>{words.fields(connection.fields)}</span>
            </span>
            <Button variant="default" aria-label={words.removeOf(connection.name)} onClick={() => setRemoving(connection)}>
              {strings.start.remove}
            </Button>
          </li>
        ))}
      </ul>
      {removing === undefined ? null : (
        <RemoveConnectionDialog
          connection={removing}
          onRemoved={() => {
            setRemoving(undefined);
            void reload();
          }}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </section>
  );
}
