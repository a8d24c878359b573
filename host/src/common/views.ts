/** The views of a table in its tab. */
export const TAB_VIEWS = ['data', 'rankedSearch', 'relevance', 'structure'] as const;
export type TabView = (typeof TAB_VIEWS)[number];

/** The tools of a connection beside its tables, each in a tab of its own. */
export const WORKSPACE_TOOLS = ['console', 'principals', 'dashboard', 'activity', 'objects', 'find'] as const;
export type WorkspaceTool = (typeof WORKSPACE_TOOLS)[number];
