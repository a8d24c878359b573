import type { ReactNode } from 'react';
import type { WorkspaceTool } from '../../common/views.ts';
import styles from './pendingTable.module.css';
import type { ToolProps } from '../state/toolProps.ts';
import { onDemand } from '../ui/onDemand.tsx';

const WAITING = <div className={styles.pending} aria-busy />;

// Loaded when first opened: the first window needs neither an editor nor charts.
const VIEWS = {
  find: onDemand(async () => (await import('../finding/FindTab.tsx')).FindTab, WAITING),
  console: onDemand(async () => (await import('../console/ConsoleTab.tsx')).ConsoleTab, WAITING),
  principals: onDemand(async () => (await import('../principals/PrincipalsTab.tsx')).PrincipalsTab, WAITING),
  objects: onDemand(async () => (await import('../objects/ObjectsTab.tsx')).ObjectsTab, WAITING),
  activity: onDemand(async () => (await import('../activity/ActivityTab.tsx')).ActivityTab, WAITING),
  dashboard: onDemand(async () => (await import('../dashboard/DashboardTab.tsx')).DashboardTab, WAITING),
};

/** One tab of what a connection offers beside its tables. */
export function ToolTabView({ tool, ...props }: ToolProps & { readonly tool: WorkspaceTool }): ReactNode {
  const View = VIEWS[tool];
  return <View {...props} />;
}
