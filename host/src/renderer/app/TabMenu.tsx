import { Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import { tableName } from '../../common/tableName.ts';
import { PointMenu } from '../ui/PointMenu.tsx';
import { strings } from '../i18n/index.ts';
import { copyText } from '../ui/copyText.ts';
import type { Tab } from '../state/workspace.ts';

interface Props {
  readonly tab: Tab;
  readonly name: string;
  readonly isOnly: boolean;
  readonly at: { readonly x: number; readonly y: number };
  readonly onCloseTab: () => void;
  readonly onCloseOthers: () => void;
  readonly onCloseAll: () => void;
  readonly onLeave: () => void;
}

/** The menu of a tab. */
export function TabMenu({ tab, name, isOnly, at, onCloseTab, onCloseOthers, onCloseAll, onLeave }: Props): ReactNode {
  const words = strings.shell;
  return (
    <PointMenu label={words.tabMenu(name)} at={at} onClose={onLeave}>
      <Menu.Item onClick={onCloseTab}>{words.closeTab}</Menu.Item>
      <Menu.Item disabled={isOnly} onClick={onCloseOthers}>
        {words.closeOthers}
      </Menu.Item>
      <Menu.Item onClick={onCloseAll}>{words.closeAll}</Menu.Item>
      {'table' in tab ? (
        <>
          <Menu.Divider />
          <Menu.Item onClick={() => void copyText(tableName(tab.table), words.copiedName(tableName(tab.table)))}>
            {words.copyName}
          </Menu.Item>
        </>
      ) : null}
    </PointMenu>
  );
}
