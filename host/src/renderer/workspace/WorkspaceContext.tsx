import { createContext, use, useMemo, useReducer } from 'react';
import type { Dispatch, ReactNode } from 'react';
import { EMPTY_WORKSPACE, workspaceReducer } from './workspace.ts';
import type { Workspace, WorkspaceAction } from './workspace.ts';

interface WorkspaceValue {
  readonly workspace: Workspace;
  readonly dispatch: Dispatch<WorkspaceAction>;
}

const WorkspaceContext = createContext<WorkspaceValue | undefined>(undefined);

export function WorkspaceProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const [workspace, dispatch] = useReducer(workspaceReducer, EMPTY_WORKSPACE);
  const value = useMemo(() => ({ workspace, dispatch }), [workspace]);
  return <WorkspaceContext value={value}>{children}</WorkspaceContext>;
}

export function useWorkspace(): WorkspaceValue {
  const value = use(WorkspaceContext);
  if (value === undefined) throw new Error('There is no workspace around this component.');
  return value;
}
