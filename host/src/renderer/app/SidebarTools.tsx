import type { ReactNode } from 'react';
import type { OpenConnectionInfo } from '../../common/api.ts';
import { toolKey } from '../state/workspace.ts';
import type { WorkspaceTool } from '../../common/views.ts';
import styles from './sidebar.module.css';
import { toolsOf, useToolNames } from './tools.tsx';

interface Props {
  readonly connection: OpenConnectionInfo;
  readonly openTab: string | undefined;
  readonly onOpen: (tool: WorkspaceTool) => void;
}

/** The tools of a connection beside its tables; nothing where its driver has none of it. */
export function SidebarTools({ connection, openTab, onOpen }: Props): ReactNode {
  const names = useToolNames(connection);
  const tools = toolsOf(connection);
  if (tools.length === 0) return null;
  return (
    <ul className={styles.tools}>
      {tools.map(({ tool, icon: Icon }) => (
        <li key={tool}>
          <button
            type="button"
            data-tour={tool}
            className={styles.tableButton}
            aria-current={openTab === toolKey(tool) || undefined}
            onClick={() => onOpen(tool)}
          >
            <Icon size={14} stroke={1.75} className={styles.tableMark ?? ''} aria-hidden />
            <span className={styles.tableName}>{names[tool]}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
