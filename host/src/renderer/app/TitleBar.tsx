import { ActionIcon, Menu } from '@mantine/core';
import {
  IconAppWindow,
  IconCheck,
  IconLayoutSidebar,
  IconList,
  IconPlugConnectedX,
  IconPlus,
  IconSearch,
  IconSelector,
  IconSettings,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { SavedConnection } from '../../common/connection.ts';
import { keysOf } from '../../common/keyMap.ts';
import { ariaKeys, keysText, onMac } from '../commands/keys.ts';
import { inDesktop } from '../commands/registry.ts';
import { ColorDot, StateBadge } from '../ui/Marks.tsx';
import { AttentionMark } from '../plugins/AttentionMark.tsx';
import { useIsAway } from '../api/reachability.ts';
import { strings } from '../i18n/index.ts';
import type { Workspace } from '../state/workspace.ts';
import { newWindowRefusal, openNewWindow } from '../state/newWindow.ts';
import keyHintStyles from './keyHint.module.css';
import styles from './titleBar.module.css';

export interface TitleBarCommands {
  readonly show: (connectionId: string) => void;
  readonly showList: () => void;
  readonly newConnection: () => void;
  readonly close: (connectionId: string) => void;
  readonly toggleSidebar: () => void;
  readonly openPalette: () => void;
  readonly openSettings: () => void;
}

interface Props {
  readonly workspace: Workspace;
  readonly connections: readonly SavedConnection[];
  readonly sidebarIsShown: boolean;
  readonly commands: TitleBarCommands;
}

/** Which connection the window shows, and the ways to the others. */
export function TitleBar({ workspace, connections, sidebarIsShown, commands }: Props): ReactNode {
  const isAway = useIsAway(workspace.active);
  const shown = connections.find((connection) => connection.id === workspace.active);
  const info = workspace.active === undefined ? undefined : workspace.connections[workspace.active]?.info;
  const isOpen = (connection: SavedConnection): boolean => workspace.connections[connection.id]?.info !== undefined;
  const item = (connection: SavedConnection): ReactNode => (
    <Menu.Item
      key={connection.id}
      leftSection={<ColorDot color={connection.color} />}
      rightSection={connection.id === workspace.active ? <IconCheck size={14} aria-hidden /> : null}
      onClick={() => commands.show(connection.id)}
    >
      {connection.name}
    </Menu.Item>
  );
  const isMac = onMac();
  const paletteKeys = keysOf('application.palette', inDesktop());
  const open = connections.filter(isOpen);
  const saved = connections.filter((connection) => !isOpen(connection));
  return (
    <div role="region" data-region="title" className={styles.titleBar} aria-label={strings.titleBar.label}>
      {info === undefined ? null : (
        <ActionIcon
          aria-label={sidebarIsShown ? strings.titleBar.hideSidebar : strings.titleBar.showSidebar}
          aria-expanded={sidebarIsShown}
          title={sidebarIsShown ? strings.titleBar.hideSidebar : strings.titleBar.showSidebar}
          onClick={commands.toggleSidebar}
        >
          <IconLayoutSidebar size={18} stroke={1.5} />
        </ActionIcon>
      )}
      <Menu position="bottom-start" width={280}>
        <Menu.Target>
          <button
            type="button"
            data-tour="switcher"
            className={styles.switcher}
            aria-label={strings.titleBar.switchConnection(shown?.name ?? strings.titleBar.noConnection)}
          >
            {shown === undefined ? <IconList size={15} stroke={1.75} aria-hidden /> : <ColorDot color={shown.color} />}
            <span className={styles.switcherName}>{shown?.name ?? strings.titleBar.noConnection}</span>
            <IconSelector size={14} stroke={1.75} aria-hidden />
          </button>
        </Menu.Target>
        <Menu.Dropdown mah="70vh" style={{ overflow: 'auto' }}>
          {open.length === 0 ? null : <Menu.Label>{strings.titleBar.openConnections}</Menu.Label>}
          {open.map(item)}
          {saved.length === 0 ? null : <Menu.Label>{strings.titleBar.savedConnections}</Menu.Label>}
          {saved.map(item)}
          {connections.length === 0 ? null : <Menu.Divider />}
          <Menu.Item leftSection={<IconList size={15} stroke={1.75} />} onClick={commands.showList}>
            {strings.titleBar.allConnections}
          </Menu.Item>
          <Menu.Item leftSection={<IconPlus size={15} stroke={1.75} />} onClick={commands.newConnection}>
            {strings.titleBar.newConnection}
          </Menu.Item>
          {shown === undefined ? null : (
            <Menu.Item
              leftSection={<IconAppWindow size={15} stroke={1.75} />}
              disabled={newWindowRefusal() !== undefined}
              onClick={() => openNewWindow(shown.id)}
            >
              {strings.shell.openInNewWindow}
            </Menu.Item>
          )}
          {shown === undefined ? null : (
            <Menu.Item leftSection={<IconPlugConnectedX size={15} stroke={1.75} />} onClick={() => commands.close(shown.id)}>
              {strings.titleBar.closeConnection(shown.name)}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {info === undefined ? null : (
        <span className={styles.server}>
          {isAway
            ? strings.titleBar.serverAway(info.server.product)
            : strings.titleBar.server(info.server.product, info.server.version)}
        </span>
      )}
      {info === undefined || (shown?.access.readOnly !== true && info.facets.includes('edits')) ? null : (
        <span
          className={styles.readOnly}
          title={shown?.access.readOnly === true ? strings.shell.readOnlyMode : strings.shell.readOnlyWhy}
        >
          <StateBadge tone="warning">{strings.shell.readOnly}</StateBadge>
        </span>
      )}
      <span className={styles.titleSpace} />
      <button
        type="button"
        data-tour="palette"
        className={styles.finder}
        aria-haspopup="dialog"
        aria-keyshortcuts={ariaKeys(paletteKeys, isMac)}
        onClick={commands.openPalette}
      >
        <IconSearch size={14} stroke={1.75} aria-hidden />
        <span className={styles.finderText}>{strings.shell.palette}</span>
        <kbd className={keyHintStyles.keyHint} aria-hidden>
          {keysText(paletteKeys[0] ?? '', isMac)}
        </kbd>
      </button>
      <ActionIcon aria-label={strings.titleBar.settings} title={strings.titleBar.settings} onClick={commands.openSettings}>
        <IconSettings size={18} stroke={1.5} />
        <AttentionMark />
      </ActionIcon>
    </div>
  );
}
