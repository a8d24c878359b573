import { Suspense, lazy } from 'react';
import type { ReactNode } from 'react';
import type { WorkspaceTool } from '../state/workspace.ts';
import styles from './pendingTable.module.css';
import type { ToolProps } from '../state/toolProps.ts';

// Loaded when first opened: the first window needs neither an editor nor charts.
const VIEWS = {
  console: lazy(async () => ({ default: (await import('../console/ConsoleTab.tsx')).ConsoleTab })),
  principals: lazy(async () => ({ default: (await import('../principals/PrincipalsTab.tsx')).PrincipalsTab })),
  objects: lazy(async () => ({ default: (await import('../objects/ObjectsTab.tsx')).ObjectsTab })),
  dashboard: lazy(async () => ({ default: (await import('../dashboard/DashboardTab.tsx')).DashboardTab })),
};

/** One tab of what a connection offers beside its tables. */
export function ToolTabView({ tool, ...props }: ToolProps & { readonly tool: WorkspaceTool }): ReactNode {
  const View = VIEWS[tool];
  return (
    <Suspense fallback={<div className={styles.pending} aria-busy />}>
      <View {...props} />
    </Suspense>
  );
}
