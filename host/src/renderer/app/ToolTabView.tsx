import { Suspense, lazy } from 'react';
import type { ReactNode } from 'react';
import type { OpenConnectionInfo } from '../../common/api.ts';
import type { Tool } from '../state/workspace.ts';
import styles from './shell.module.css';

/** What a tool's tab is given. */
export interface ToolProps {
  readonly name: string;
  readonly connection: OpenConnectionInfo;
  readonly isShown: boolean;
}

// Loaded when first opened: the first window needs neither an editor nor charts.
const VIEWS = {
  console: lazy(async () => ({ default: (await import('../console/ConsoleTab.tsx')).ConsoleTab })),
  principals: lazy(async () => ({ default: (await import('../principals/PrincipalsTab.tsx')).PrincipalsTab })),
  dashboard: lazy(async () => ({ default: (await import('../dashboard/DashboardTab.tsx')).DashboardTab })),
};

/** One tab of what a connection offers beside its tables. */
export function ToolTabView({ tool, ...props }: ToolProps & { readonly tool: Tool }): ReactNode {
  const View = VIEWS[tool];
  return (
    <Suspense fallback={<div className={styles.pending} aria-busy />}>
      <View {...props} />
    </Suspense>
  );
}
