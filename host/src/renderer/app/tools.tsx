import { IconActivity, IconChartLine, IconListSearch, IconTable, IconTags, IconTerminal2, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ComponentType, ReactNode } from 'react';
import type { OpenConnectionInfo } from '../../common/api.ts';
import type { WorkspaceTool } from '../../common/views.ts';
import { api } from '../api/client.ts';
import { strings } from '../i18n/index.ts';
import type { Tab } from '../state/workspace.ts';

interface ToolKind {
  readonly tool: WorkspaceTool;
  readonly isOffered: (connection: OpenConnectionInfo) => boolean;
  readonly icon: ComponentType<{ size: number; stroke: number; className?: string; 'aria-hidden': boolean }>;
}

/** Offered where a session has this facet. */
const withFacet =
  (facet: string) =>
  ({ facets }: OpenConnectionInfo): boolean =>
    facets.includes(facet);

/** In the order of the sidebar. */
const TOOLS: readonly ToolKind[] = [
  // Every column that holds a text is compared in one filter.
  { tool: 'find', isOffered: ({ manifest }) => manifest.filtering?.match.includes('any') === true, icon: IconListSearch },
  { tool: 'console', isOffered: withFacet('console'), icon: IconTerminal2 },
  { tool: 'dashboard', isOffered: withFacet('metrics'), icon: IconChartLine },
  { tool: 'activity', isOffered: withFacet('activity'), icon: IconActivity },
  { tool: 'objects', isOffered: withFacet('objects'), icon: IconTags },
  { tool: 'principals', isOffered: withFacet('principals'), icon: IconUsers },
];

/** The tools that a connection has. */
export function toolsOf(connection: OpenConnectionInfo): readonly ToolKind[] {
  return TOOLS.filter(({ isOffered }) => isOffered(connection));
}

/** The name of each tool; the driver names the one for users and keys. */
export function useToolNames(connection: OpenConnectionInfo): Readonly<Record<WorkspaceTool, string>> {
  const { connectionId, facets, manifest } = connection;
  const info = useQuery({
    queryKey: ['principals', connectionId, 'info'],
    queryFn: ({ signal }) => api.principals.info.query({ connectionId }, { signal }),
    enabled: facets.includes('principals'),
  });
  return {
    find: strings.finding.title(manifest.terms.table),
    console: strings.console.title,
    dashboard: strings.dashboard.title,
    activity: strings.activity.title,
    objects: strings.objects.title,
    principals: info.data?.term.other ?? strings.principals.title,
  };
}

/** A tab's icon. */
export function TabMark({ tab }: { readonly tab: Tab }): ReactNode {
  const Icon = 'table' in tab ? IconTable : (TOOLS.find(({ tool }) => tool === tab.tool)?.icon ?? IconTable);
  return <Icon size={14} stroke={1.75} aria-hidden />;
}
