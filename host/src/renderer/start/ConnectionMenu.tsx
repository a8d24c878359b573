import { Menu } from '@mantine/core';
import {
  IconAppWindow,
  IconCopy,
  IconCursorText,
  IconFolder,
  IconPencil,
  IconPlugConnected,
  IconPlugConnectedX,
  IconTrash,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { SavedConnection } from '../../common/connection.ts';
import { PointMenu } from '../ui/PointMenu.tsx';
import type { Layer } from '../state/layer.ts';
import { newWindowRefusal } from '../state/newWindow.ts';
import { strings } from '../i18n/index.ts';

interface Props {
  readonly connection: SavedConnection;
  readonly isOpen: boolean;
  readonly at: { readonly x: number; readonly y: number };
  readonly onOpen: () => void;
  readonly onOpenInNewWindow: () => void;
  readonly onClose: () => void;
  readonly onLayer: (layer: Layer) => void;
  readonly onLeave: () => void;
}

const ICON = { size: 15, stroke: 1.75 } as const;

/** The menu of a saved connection. */
export function ConnectionMenu({ connection, isOpen, at, onLayer, onLeave, ...on }: Props): ReactNode {
  const words = strings.connections;
  return (
    <PointMenu label={words.menu(connection.name)} at={at} onClose={onLeave}>
      <Menu.Item leftSection={<IconPlugConnected {...ICON} />} onClick={on.onOpen}>
        {words.open}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconAppWindow {...ICON} />}
        disabled={newWindowRefusal() !== undefined}
        onClick={on.onOpenInNewWindow}
      >
        {words.openInNewWindow}
      </Menu.Item>
      {isOpen ? (
        <Menu.Item leftSection={<IconPlugConnectedX {...ICON} />} onClick={on.onClose}>
          {words.closeConnection}
        </Menu.Item>
      ) : null}
      <Menu.Divider />
      <Menu.Item leftSection={<IconPencil {...ICON} />} onClick={() => onLayer({ is: 'edit', connection })}>
        {strings.start.edit}
      </Menu.Item>
      <Menu.Item leftSection={<IconCursorText {...ICON} />} onClick={() => onLayer({ is: 'rename', connection })}>
        {words.rename}
      </Menu.Item>
      <Menu.Item leftSection={<IconCopy {...ICON} />} onClick={() => onLayer({ is: 'duplicate', connection })}>
        {words.duplicate}
      </Menu.Item>
      <Menu.Item leftSection={<IconFolder {...ICON} />} onClick={() => onLayer({ is: 'group', connection })}>
        {words.moveToGroup}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item color="red" leftSection={<IconTrash {...ICON} />} onClick={() => onLayer({ is: 'remove', connection })}>
        {strings.start.remove}
      </Menu.Item>
    </PointMenu>
  );
}
