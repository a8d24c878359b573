import { Menu } from '@mantine/core';
import { ABSENT } from '@tabularium/sdk';
import type { Cell } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import type { StagedRow } from '../../common/editing.ts';
import { strings } from '../strings/index.ts';
import styles from './editing.module.css';

export interface MenuPlace {
  readonly x: number;
  readonly y: number;
}

interface Props {
  readonly place: MenuPlace;
  /** Why the cell cannot be edited. */
  readonly refusal: string | undefined;
  /** Why no row can be added or deleted. */
  readonly rowRefusal: string | undefined;
  readonly isNullable: boolean;
  readonly staged: StagedRow | undefined;
  readonly isChanged: boolean;
  readonly onClose: () => void;
  readonly onEdit: () => void;
  readonly onSet: (value: Cell) => void;
  readonly onCopy: () => void;
  readonly onShowRow: () => void;
  readonly onRevertCell: () => void;
  readonly onRevertRow: () => void;
  readonly onInsert: () => void;
  readonly onDuplicate: () => void;
  readonly onToggleDelete: () => void;
}

const words = strings.editing;

/** What can be done with one cell and its row. What cannot is dimmed, with its reason. */
export function CellMenu(props: Props): ReactNode {
  const { place, refusal, rowRefusal, staged } = props;
  const nullRefusal = refusal ?? (props.isNullable ? undefined : words.notNullable);
  const item = (label: string, act: () => void, reason?: string, key?: string): ReactNode => (
    <Menu.Item
      disabled={reason !== undefined}
      onClick={act}
      className={styles.menuItem}
      rightSection={key === undefined ? undefined : <kbd className={styles.key}>{key}</kbd>}
    >
      {label}
      {reason === undefined ? null : <span className={styles.menuReason}>{reason}</span>}
    </Menu.Item>
  );
  return (
    <Menu opened onClose={props.onClose} position="bottom-start" withinPortal width={280} returnFocus={false}>
      <Menu.Target>
        <span className={styles.menuAnchor} style={{ left: place.x, top: place.y }} />
      </Menu.Target>
      <Menu.Dropdown aria-label={words.menu}>
        {item(words.edit, props.onEdit, refusal, 'F2')}
        {item(words.setNull, () => props.onSet(null), nullRefusal)}
        {item(words.setAbsent, () => props.onSet(ABSENT), nullRefusal)}
        {props.isChanged ? item(words.revertCell, props.onRevertCell) : null}
        <Menu.Divider />
        {item(words.copyCell, props.onCopy, undefined, 'Ctrl+C')}
        {item(words.showRow, props.onShowRow, undefined, 'Ctrl+I')}
        <Menu.Divider />
        {item(words.insertRow, props.onInsert, rowRefusal)}
        {item(words.duplicateRow, props.onDuplicate, rowRefusal)}
        {staged === undefined || staged.kind === 'delete' ? null : item(words.revertRow, props.onRevertRow)}
        {staged?.kind === 'insert'
          ? null
          : item(staged?.kind === 'delete' ? words.keepRow : words.deleteRow, props.onToggleDelete, rowRefusal, 'Del')}
      </Menu.Dropdown>
    </Menu>
  );
}
