import { ActionIcon } from '@mantine/core';
import { IconLayoutSidebarLeftExpand, IconTable } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { OpenConnectionInfo } from '../../common/api.ts';
import { strings } from '../i18n/index.ts';
import { toolKey } from '../state/workspace.ts';
import type { WorkspaceTool } from '../../common/views.ts';
import styles from './sidebarStrip.module.css';
import { toolsOf, useToolNames } from './tools.tsx';

interface Props {
  readonly connection: OpenConnectionInfo;
  readonly openTab: string | undefined;
  readonly onUnfold: () => void;
  readonly onFind: () => void;
  readonly onOpenTool: (tool: WorkspaceTool) => void;
}

/** The folded sidebar: an icon for each thing in it. */
export function SidebarStrip({ connection, openTab, onUnfold, onFind, onOpenTool }: Props): ReactNode {
  const names = useToolNames(connection);
  const { table } = connection.manifest.terms;
  return (
    <nav className={styles.strip} data-region="sidebar" aria-label={strings.shell.foldedSidebar}>
      <ActionIcon aria-label={strings.shell.unfoldSidebar} title={strings.shell.unfoldSidebar} onClick={onUnfold}>
        <IconLayoutSidebarLeftExpand size={18} stroke={1.5} />
      </ActionIcon>
      <ActionIcon aria-label={strings.sidebar.filter(table)} title={strings.sidebar.filter(table)} onClick={onFind}>
        <IconTable size={18} stroke={1.5} />
      </ActionIcon>
      <span className={styles.stripSpace} />
      {toolsOf(connection).map(({ tool, icon: Icon }) => (
        <ActionIcon
          key={tool}
          data-tour={tool}
          aria-label={names[tool]}
          title={names[tool]}
          aria-current={openTab === toolKey(tool) || undefined}
          className={styles.stripTool}
          onClick={() => onOpenTool(tool)}
        >
          <Icon size={18} stroke={1.5} aria-hidden />
        </ActionIcon>
      ))}
    </nav>
  );
}
