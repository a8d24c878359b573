import { ActionIcon } from '@mantine/core';
import { IconFileExport, IconLayoutSidebarRight, IconRefresh } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { strings } from '../../i18n/index.ts';
import styles from './tab.module.css';

interface Props {
  readonly viewSwitch: ReactNode;
  readonly columnsMenu: ReactNode;
  readonly changes: ReactNode;
  readonly selection: ReactNode;
  readonly pager: ReactNode;
  readonly hasChanges: boolean;
  readonly hasSelection: boolean;
  readonly isInspecting: boolean;
  readonly canExport: boolean;
  readonly milliseconds: number | undefined;
  readonly onReload: () => void;
  readonly onInspect: () => void;
  readonly onExport: () => void;
}

/** The foot of a tab: what can be done with the rows, what is selected, and where in the table the screen is. */
export function TabFooter(props: Props): ReactNode {
  const { canExport, isInspecting, milliseconds } = props;
  return (
    <div className={styles.footer} data-changes={props.hasChanges || undefined} data-selection={props.hasSelection || undefined}>
      {props.viewSwitch}
      <ActionIcon aria-label={strings.grid.reloadRows} title={strings.grid.reloadRows} onClick={props.onReload}>
        <IconRefresh size={16} stroke={1.75} />
      </ActionIcon>
      {props.columnsMenu}
      <ActionIcon
        aria-label={strings.rowPanel.show}
        title={strings.rowPanel.show}
        aria-pressed={isInspecting}
        onClick={props.onInspect}
      >
        <IconLayoutSidebarRight size={16} stroke={1.75} />
      </ActionIcon>
      <ActionIcon
        aria-label={strings.transfer.open}
        title={canExport ? strings.transfer.open : strings.transfer.unavailable}
        disabled={!canExport}
        onClick={props.onExport}
      >
        <IconFileExport size={16} stroke={1.75} />
      </ActionIcon>
      {props.changes}
      {props.selection}
      {props.pager}
      <span className={styles.milliseconds} title={strings.pager.millisecondsTitle}>
        {milliseconds === undefined ? null : strings.pager.milliseconds(milliseconds)}
      </span>
    </div>
  );
}
