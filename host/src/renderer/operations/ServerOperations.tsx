import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconPlus } from '@tabler/icons-react';
import type { Operation } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import { MENU_IN_WINDOW } from '../ui/menuInWindow.ts';
import styles from './operations.module.css';

interface Props {
  readonly operations: readonly Operation[];
  readonly onChoose: (operation: Operation) => void;
}

/** An operation that makes a table has a button of its own; the other operations of the server are in a menu. */
export function ServerOperations({ operations, onChoose }: Props): ReactNode {
  const words = strings.operations;
  const making = operations.filter(({ makes }) => makes === 'table');
  const others = operations.filter(({ makes }) => makes !== 'table');
  return (
    <span className={styles.serverOperations}>
      {making.map((operation) => {
        const { id, label, ability } = operation;
        return (
          <ActionIcon
            key={id}
            size={20}
            variant="subtle"
            aria-label={words.server(label)}
            title={ability.allowed ? words.server(label) : ability.reason}
            disabled={!ability.allowed}
            onClick={() => onChoose(operation)}
          >
            <IconPlus size={14} stroke={1.75} />
          </ActionIcon>
        );
      })}
      {others.length === 0 ? null : (
        <Menu position="bottom-end" middlewares={MENU_IN_WINDOW} width={240} withinPortal>
          <Menu.Target>
            <ActionIcon size={20} variant="subtle" aria-label={words.serverMenu} title={words.serverMenu}>
              <IconDots size={14} stroke={1.75} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map((operation) => (
              <Menu.Item
                key={operation.id}
                className={styles.item}
                disabled={!operation.ability.allowed}
                onClick={() => onChoose(operation)}
              >
                {words.server(operation.label)}
                {operation.ability.allowed ? null : <span className={styles.reason}>{operation.ability.reason}</span>}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </span>
  );
}
