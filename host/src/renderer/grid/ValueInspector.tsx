import { ActionIcon } from '@mantine/core';
import { IconCopy, IconX } from '@tabler/icons-react';
import type { Cell } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import { strings } from '../strings/index.ts';
import { wholeText } from './cellText.ts';
import type { CellTone } from './cellText.ts';
import styles from './grid.module.css';
import type { GridColumn } from './gridColumns.ts';
import { indentJson } from './jsonText.ts';

/** More than this in one element makes the browser slow; copying takes the whole value all the same. */
const MAX_SHOWN = 200_000;

const MARKS: Partial<Record<CellTone, string>> = {
  null: strings.grid.nullTitle,
  absent: strings.grid.absentTitle,
  empty: strings.grid.emptyTitle,
};

interface Props {
  readonly column: GridColumn | undefined;
  /** Undefined while the row is being read. */
  readonly cell: Cell | undefined;
  readonly onCopy: () => void;
  readonly onClose: () => void;
}

/** The whole value of one cell. */
export function ValueInspector({ column, cell, onCopy, onClose }: Props): ReactNode {
  const whole = column === undefined || cell === undefined ? undefined : wholeText(cell, column.kind);
  const mark =
    whole === undefined ? (column === undefined ? strings.inspector.noCell : strings.inspector.notLoaded) : MARKS[whole.tone];
  const text =
    whole === undefined ? '' : whole.tone === 'json' && whole.text.length <= MAX_SHOWN ? indentJson(whole.text) : whole.text;
  return (
    <aside className={styles.inspector} aria-label={strings.inspector.label}>
      <div className={styles.inspectorHead}>
        <h2 className={styles.inspectorTitle}>
          <span>{column?.name ?? strings.inspector.label}</span>
          <span>{column?.type}</span>
        </h2>
        <ActionIcon
          aria-label={strings.inspector.copy}
          title={strings.inspector.copy}
          disabled={whole === undefined}
          onClick={onCopy}
        >
          <IconCopy size={16} stroke={1.75} />
        </ActionIcon>
        <ActionIcon aria-label={strings.inspector.close} title={strings.inspector.close} onClick={onClose}>
          <IconX size={16} stroke={1.75} />
        </ActionIcon>
      </div>
      <pre className={styles.inspectorBody} data-mark={mark !== undefined || undefined} tabIndex={0}>
        {mark ?? text.slice(0, MAX_SHOWN)}
      </pre>
      {whole === undefined || mark !== undefined ? null : (
        <div className={styles.inspectorFoot}>
          {text.length > MAX_SHOWN
            ? strings.inspector.cut(MAX_SHOWN, whole.text.length)
            : strings.inspector.length(whole.text.length)}
        </div>
      )}
    </aside>
  );
}
