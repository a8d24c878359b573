import { Button } from '@mantine/core';
import { isUnread } from '@tabularium/sdk';
import type { UnreadValue } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import { unreadSize } from '../grid/model/cellText.ts';
import type { GridRow } from '../grid/model/gridRow.ts';
import { strings } from '../i18n/index.ts';
import styles from './inspector.module.css';

interface ValueProps {
  readonly column: string;
  readonly value: UnreadValue;
  readonly onRead: () => void;
}

/** Stands for a value that its page left out, with a way to read it. */
export function UnreadView({ column, value, onRead }: ValueProps): ReactNode {
  const words = strings.inspector;
  const said = words.unreadValue(unreadSize(value));
  return (
    <>
      {value.start === undefined ? (
        <p className={styles.body} data-mark>
          {said}
        </p>
      ) : (
        <>
          <p className={styles.reason}>{said}</p>
          <p className={styles.body}>{value.start}…</p>
        </>
      )}
      <div className={styles.actions}>
        <Button variant="default" aria-label={words.readValueOf(column)} onClick={onRead}>
          {words.readValue}
        </Button>
      </div>
    </>
  );
}

interface RowProps {
  readonly row: GridRow;
  readonly onRead: () => void;
}

/** Stands for the JSON of a row whose page left values out: without them it would not be the row. */
export function UnreadRow({ row, onRead }: RowProps): ReactNode {
  const words = strings.inspector;
  const count = row.filter(isUnread).length;
  return (
    <>
      <p className={styles.body} data-mark>
        {words.unreadRow(count)}
      </p>
      <div className={styles.actions}>
        <Button variant="default" onClick={onRead}>
          {words.readValues(count)}
        </Button>
      </div>
    </>
  );
}
