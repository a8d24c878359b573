import { IconPlus, IconTable } from '@tabler/icons-react';
import type { TableRef } from '@tabularium/sdk';
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react';
import { tableName } from '../../common/tableName.ts';
import type { OpenConnectionInfo } from '../../common/api.ts';
import { strings } from '../i18n/index.ts';
import { workspaceTableKey } from '../state/workspace.ts';
import styles from './sidebar.module.css';

interface Props {
  readonly connection: OpenConnectionInfo;
  /** Those that the filter lets pass. */
  readonly tables: readonly TableRef[];
  readonly openTable: string | undefined;
  readonly onOpen: (table: TableRef) => void;
  readonly onMenu: (table: TableRef, event: MouseEvent) => void;
  readonly onOpenByName: () => void;
}

/** Tables that were opened by name, under a heading of their own: the list above holds what the server lists. */
export function NamedTablesSection({ connection, tables, openTable, onOpen, onMenu, onOpenByName }: Props): ReactNode {
  const words = strings.sidebar;
  const { table: term } = connection.manifest.terms;
  const onKey = (event: KeyboardEvent<HTMLElement>): void => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (step === undefined) return;
    const buttons = [...event.currentTarget.querySelectorAll('button')];
    const next = buttons[buttons.indexOf(document.activeElement as HTMLButtonElement) + step];
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  };
  return (
    <section aria-label={words.openedByName} onKeyDown={onKey}>
      {tables.length === 0 ? null : (
        <>
          <h2 className={styles.sidebarTitle}>
            {words.openedByName}
            <span className={styles.sidebarCount}>{tables.length}</span>
          </h2>
          <ul className={styles.named}>
            {tables.map((table) => (
              <li key={workspaceTableKey(table)}>
                <button
                  type="button"
                  className={styles.tableButton}
                  aria-current={workspaceTableKey(table) === openTable || undefined}
                  title={tableName(table)}
                  onClick={() => onOpen(table)}
                  onContextMenu={(event) => onMenu(table, event)}
                >
                  <IconTable size={14} stroke={1.75} className={styles.tableMark} aria-hidden />
                  <span className={styles.tableName}>{tableName(table)}</span>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      <div className={styles.openByName}>
        <button type="button" className={styles.tableButton} title={words.openByName(term)} onClick={onOpenByName}>
          <IconPlus size={14} stroke={1.75} className={styles.tableMark} aria-hidden />
          <span className={styles.tableName}>{words.openByName(term)}</span>
        </button>
      </div>
    </section>
  );
}
