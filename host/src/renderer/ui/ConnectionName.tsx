import type { ReactNode } from 'react';
import { useConnections } from '../api/queries.ts';
import styles from './connectionName.module.css';

/** The name of a connection in front of a bar that is shown above whichever connection is open; nothing where the connection was deleted. */
export function ConnectionName({ connectionId }: { readonly connectionId: string }): ReactNode {
  const connection = useConnections().data?.find((one) => one.id === connectionId);
  return connection === undefined ? null : <span className={styles.name}>{connection.name}</span>;
}
