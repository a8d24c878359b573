import type { TableRef } from '@tabularium/sdk';
import { useState } from 'react';
import type { DragEvent, ReactNode } from 'react';
import type { OpenConnectionInfo } from '../../common/api.ts';
import { notify } from '../state/notify.ts';
import styles from './importing.module.css';
import { openImport } from './openImport.ts';
import { useImportRefusal } from './useImportRefusal.ts';

interface Props {
  readonly connection: OpenConnectionInfo;
  /** Absent: a new one. */
  readonly table?: TableRef;
  readonly className?: string;
  readonly children: ReactNode;
}

/** Takes a file that is dropped on it, to be imported. */
export function DropImport({ connection, table, className = '', children }: Props): ReactNode {
  const refusal = useImportRefusal(connection);
  const [isOver, setOver] = useState(false);
  const hasFile = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files');
  const { connectionId } = connection;
  return (
    <div
      className={`${styles.dropZone ?? ''} ${className}`}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        if (!hasFile(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        const [file] = event.dataTransfer.files;
        if (file === undefined) return;
        event.preventDefault();
        if (refusal === undefined) openImport({ connectionId, file, ...(table === undefined ? {} : { table }) });
        else notify({ tab: 'none', tone: 'warning', text: refusal });
      }}
    >
      {children}
    </div>
  );
}
