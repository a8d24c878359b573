import { ActionIcon, Button, Group, Menu, NativeSelect, TextInput } from '@mantine/core';
import { IconDatabasePlus, IconDots, IconDownload, IconPlus, IconSearch, IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { addressOf } from '../../common/address.ts';
import type { SavedConnection } from '../../common/connection.ts';
import type { CatalogueEntry } from '../../common/drivers.ts';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import { useCatalogue, useConnections, useReloadConnections } from '../api/queries.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import type { Layer } from '../state/layer.ts';
import { strings } from '../i18n/index.ts';
import { notify } from '../state/notify.ts';
import type { Workspace } from '../state/workspace.ts';
import { ConnectionList } from './ConnectionList.tsx';
import { ConnectionMenu } from './ConnectionMenu.tsx';
import { NextSteps } from './NextSteps.tsx';
import { TourOffer } from './TourOffer.tsx';
import { UnreadableConnections } from './UnreadableConnections.tsx';
import { SORTS, arrange, recentConnections } from '../connections/listModel.ts';
import { useListState } from './listState.ts';
import styles from './start.module.css';

interface Props {
  readonly workspace: Workspace;
  readonly onOpen: (connectionId: string) => void;
  readonly onOpenInNewWindow: (connection: SavedConnection) => void;
  readonly onClose: (connection: SavedConnection) => void;
  readonly onNew: () => void;
  readonly onLayer: (layer: Layer) => void;
}

/** With fewer connections a filter is one thing more to read. */
const TOOLS_FROM = 5;

/** The saved connections. */
export function StartView({ workspace, onOpen, onOpenInNewWindow, onClose, onNew, onLayer }: Props): ReactNode {
  const connections = useConnections();
  const catalogue = useCatalogue();
  const reload = useReloadConnections();
  const { sort, folded, opened, setSort, toggleGroup } = useListState();
  const [search, setSearch] = useState('');
  const [menu, setMenu] = useState<{ readonly connection: SavedConnection; readonly x: number; readonly y: number }>();
  const words = strings.connections;
  const entryOf = (connection: SavedConnection): CatalogueEntry | undefined =>
    catalogue.data?.entries.find((entry) => entry.id === connection.driver);
  const isOpen = (connection: SavedConnection): boolean => workspace.connections[connection.id]?.info !== undefined;

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
          action={
            <Group gap={8} justify="center">
              <Button data-tour="list" onClick={onNew}>
                {strings.start.emptyStep}
              </Button>
              <Button variant="default" onClick={() => onLayer({ is: 'import' })}>
                {words.import}
              </Button>
            </Group>
          }
        />
        <div className={styles.column}>
          <TourOffer />
          <UnreadableConnections />
        </div>
      </main>
    );
  }
  const wordsOf = (connection: SavedConnection): string => {
    const manifest = entryOf(connection)?.manifest;
    return manifest === undefined ? connection.driver : `${manifest.title} ${addressOf(manifest, connection.settings) ?? ''}`;
  };
  const groups = arrange(connections.data, { search, sort, opened, wordsOf });
  // The list has them first when it is searched or ordered by them.
  const recents = search.trim() === '' && sort !== 'recent' ? recentConnections(connections.data, opened) : [];
  const move = async (connectionId: string, group: string | undefined): Promise<void> => {
    try {
      await api.connections.group.mutate({ connectionIds: [connectionId], ...(group === undefined ? {} : { group }) });
      await reload();
    } catch (error) {
      notify({ tab: 'none', tone: 'warning', text: problemOf(error).message });
    }
  };
  return (
    <main className={styles.root}>
      <div className={styles.column}>
        <div className={styles.head}>
          <h1>{strings.start.title}</h1>
          <Group gap={8} wrap="nowrap">
            <Menu position="bottom-end">
              <Menu.Target>
                <ActionIcon aria-label={words.more}>
                  <IconDots size={18} stroke={1.75} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item leftSection={<IconDownload size={15} stroke={1.75} />} onClick={() => onLayer({ is: 'import' })}>
                  {words.import}
                </Menu.Item>
                <Menu.Item leftSection={<IconUpload size={15} stroke={1.75} />} onClick={() => onLayer({ is: 'export' })}>
                  {words.export}
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
            <Button leftSection={<IconPlus size={15} stroke={2} />} onClick={onNew}>
              {strings.start.newConnection}
            </Button>
          </Group>
        </div>
        <TourOffer />
        {connections.data.length < TOOLS_FROM ? null : (
          <div className={styles.tools}>
            <TextInput
              className={styles.search}
              value={search}
              onChange={(event) => setSearch(event.currentTarget.value)}
              onKeyDown={(event) => (event.key === 'Escape' ? setSearch('') : undefined)}
              placeholder={words.search}
              aria-label={words.search}
              leftSection={<IconSearch size={14} stroke={1.75} aria-hidden />}
            />
            <NativeSelect
              aria-label={words.sort}
              value={sort}
              onChange={(event) => setSort(SORTS.find((candidate) => candidate === event.currentTarget.value) ?? 'name')}
              data={SORTS.map((value) => ({ value, label: words.sorts[value] }))}
            />
          </div>
        )}
        {groups.length === 0 ? (
          <div className={styles.noMatch}>
            <p>{words.noMatch(search)}</p>
            <Button variant="subtle" onClick={() => setSearch('')}>
              {words.clearSearch}
            </Button>
          </div>
        ) : null}
        <ConnectionList
          groups={groups}
          recents={recents}
          // Found connections are shown, also in folded groups.
          folded={search.trim() === '' ? folded : []}
          entryOf={entryOf}
          isOpen={isOpen}
          opened={opened}
          onOpen={onOpen}
          onMenu={(connection, at) => setMenu({ connection, ...at })}
          onFold={toggleGroup}
          onMove={(connectionId, group) => void move(connectionId, group)}
        />
        <UnreadableConnections />
        <NextSteps hasSamples={connections.data.some(({ name }) => name.startsWith('Sample '))} onLayer={onLayer} />
      </div>
      {menu === undefined ? null : (
        <ConnectionMenu
          connection={menu.connection}
          isOpen={isOpen(menu.connection)}
          at={menu}
          onOpen={() => onOpen(menu.connection.id)}
          onOpenInNewWindow={() => onOpenInNewWindow(menu.connection)}
          onClose={() => onClose(menu.connection)}
          onLayer={onLayer}
          onLeave={() => setMenu(undefined)}
        />
      )}
    </main>
  );
}
