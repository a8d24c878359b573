import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconDatabasePlus, IconDots, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { SavedConnection } from '../../common/connection.ts';
import type { CatalogueEntry } from '../../common/drivers.ts';
import { problemOf } from '../api/problem.ts';
import { useCatalogue, useConnections } from '../api/queries.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { ColorDot, StateBadge, TypeIcon } from '../components/Marks.tsx';
import { ProblemPanel } from '../components/ProblemPanel.tsx';
import { strings } from '../strings/index.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { addressOf } from './address.ts';
import styles from './start.module.css';

interface Props {
  readonly workspace: Workspace;
  readonly onOpen: (connectionId: string) => void;
  readonly onNew: () => void;
  readonly onEdit: (connection: SavedConnection) => void;
  readonly onRemove: (connection: SavedConnection) => void;
}

/** The saved connections. */
export function StartView({ workspace, onOpen, onNew, onEdit, onRemove }: Props): ReactNode {
  const connections = useConnections();
  const catalogue = useCatalogue();
  const entryOf = (connection: SavedConnection): CatalogueEntry | undefined =>
    catalogue.data?.entries.find((entry) => entry.id === connection.driver);
  if (connections.error !== null) {
    return (
      <main className={styles.root}>
        <ProblemPanel
          title={strings.start.title}
          problem={problemOf(connections.error)}
          onRetry={() => void connections.refetch()}
        />
      </main>
    );
  }
  if (connections.data === undefined) return <main className={styles.root} aria-busy />;
  if (connections.data.length === 0) {
    return (
      <main className={styles.root}>
        <EmptyState
          icon={<IconDatabasePlus size={44} stroke={1.25} />}
          title={strings.start.emptyTitle}
          text={strings.start.emptyText}
          action={<Button onClick={onNew}>{strings.start.emptyStep}</Button>}
        />
      </main>
    );
  }
  return (
    <main className={styles.root}>
      <div className={styles.column}>
        <div className={styles.head}>
          <h1>{strings.start.title}</h1>
          <Button leftSection={<IconPlus size={15} stroke={2} />} onClick={onNew}>
            {strings.start.newConnection}
          </Button>
        </div>
        <ul className={styles.list} aria-label={strings.start.list}>
          {connections.data.map((connection) => {
            const entry = entryOf(connection);
            const address = entry === undefined ? undefined : addressOf(entry.manifest, connection.settings);
            return (
              <li key={connection.id} className={styles.item}>
                <button type="button" className={styles.itemButton} onClick={() => onOpen(connection.id)}>
                  <span className="tb-visually-hidden">{strings.start.open} </span>
                  <ColorDot color={connection.color} />
                  <span className={styles.itemIcon}>
                    {entry === undefined ? null : <TypeIcon path={entry.manifest.icon} size={22} />}
                  </span>
                  <span className={styles.itemText}>
                    <span className={styles.itemName}>{connection.name}</span>
                    <span className={styles.itemType}>
                      {entry?.manifest.title ?? strings.start.unknownType(connection.driver)}
                      {address === undefined ? null : ` · ${address}`}
                    </span>
                  </span>
                  {workspace.connections[connection.id]?.info === undefined ? null : (
                    <StateBadge tone="good">{strings.start.isOpen}</StateBadge>
                  )}
                </button>
                <Menu position="bottom-end">
                  <Menu.Target>
                    <ActionIcon className={styles.more} aria-label={strings.start.more(connection.name)}>
                      <IconDots size={18} stroke={1.75} />
                    </ActionIcon>
                  </Menu.Target>
                  <Menu.Dropdown>
                    <Menu.Item leftSection={<IconPencil size={15} stroke={1.75} />} onClick={() => onEdit(connection)}>
                      {strings.start.edit}
                    </Menu.Item>
                    <Menu.Item
                      color="red"
                      leftSection={<IconTrash size={15} stroke={1.75} />}
                      onClick={() => onRemove(connection)}
                    >
                      {strings.start.remove}
                    </Menu.Item>
                  </Menu.Dropdown>
                </Menu>
              </li>
            );
          })}
        </ul>
      </div>
    </main>
  );
}
