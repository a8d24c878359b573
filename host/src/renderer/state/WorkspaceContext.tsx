import { createContext, use, useEffect, useLayoutEffect, useMemo, useReducer, useRef } from 'react';
import type { Dispatch, ReactNode, RefObject } from 'react';
import { useSettled } from './useSettled.ts';
import { saveWindow } from './windowState.ts';
import type { WindowStart } from './windowState.ts';
import { workspaceReducer } from './workspace.ts';
import type { Workspace, WorkspaceAction } from './workspace.ts';

interface WorkspaceValue {
  readonly workspace: Workspace;
  readonly dispatch: Dispatch<WorkspaceAction>;
  /** The workspace that is drawn now, also for an effect of a component that is gone. */
  readonly drawn: RefObject<Workspace>;
}

const WorkspaceContext = createContext<WorkspaceValue | undefined>(undefined);

/** The open connections and tabs of this window. Two windows of one home show what each of them opened. Nothing is drawn until the window's last state is known. */
export function WorkspaceProvider({
  start,
  children,
}: {
  readonly start: Promise<WindowStart>;
  readonly children: ReactNode;
}): ReactNode {
  const begun = useSettled(start);
  return begun === undefined ? null : <WithWorkspace initial={begun.workspace}>{children}</WithWorkspace>;
}

function WithWorkspace({ initial, children }: { readonly initial: Workspace; readonly children: ReactNode }): ReactNode {
  const [workspace, dispatch] = useReducer(workspaceReducer, initial);
  useEffect(() => saveWindow(workspace), [workspace]);
  const drawn = useRef(workspace);
  useLayoutEffect(() => {
    drawn.current = workspace;
  }, [workspace]);
  const value = useMemo(() => ({ workspace, dispatch, drawn }), [workspace]);
  return <WorkspaceContext value={value}>{children}</WorkspaceContext>;
}

export function useWorkspace(): WorkspaceValue {
  const value = use(WorkspaceContext);
  if (value === undefined) throw new Error('There is no workspace around this component.');
  return value;
}
