import { createContext, use, useEffect, useMemo, useReducer } from 'react';
import type { Dispatch, ReactNode } from 'react';
import { recall, remembered } from './remembered.ts';
import { workspaceReducer } from './workspace.ts';
import type { Workspace, WorkspaceAction } from './workspace.ts';

interface WorkspaceValue {
  readonly workspace: Workspace;
  readonly dispatch: Dispatch<WorkspaceAction>;
}

const STORAGE_KEY = 'tabularium-workspace';

const WorkspaceContext = createContext<WorkspaceValue | undefined>(undefined);

export function WorkspaceProvider({ children }: { readonly children: ReactNode }): ReactNode {
  // Per window: two windows of one home show what each of them opened.
  const [workspace, dispatch] = useReducer(workspaceReducer, undefined, () => recall(sessionStorage.getItem(STORAGE_KEY)));
  useEffect(() => sessionStorage.setItem(STORAGE_KEY, remembered(workspace)), [workspace]);
  const value = useMemo(() => ({ workspace, dispatch }), [workspace]);
  return <WorkspaceContext value={value}>{children}</WorkspaceContext>;
}

export function useWorkspace(): WorkspaceValue {
  const value = use(WorkspaceContext);
  if (value === undefined) throw new Error('There is no workspace around this component.');
  return value;
}
