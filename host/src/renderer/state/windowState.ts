import { z } from 'zod';
import type { ClaimWindow, ClaimedWindow } from '../../common/workspaceState.ts';
import { api } from '../api/client.ts';
import { onHostReturn } from '../api/hostLink/hostLink.ts';
import { fromRemembered, toRemembered } from './remembered.ts';
import type { Workspace } from './workspace.ts';
import { workspaceReducer } from './workspace.ts';
import { sendLastWords } from './workspaceStore.ts';

// Each window has a place of its own at the host: its tabs are there again after a reload and after the host was restarted, and no two windows
// write to one place. What the page itself keeps for a reload makes the first frame right without asking anybody.

const STORAGE_KEY = 'tabularium-window';
const LOCK = 'tabularium-window ';
const DELAY_MILLISECONDS = 400;
/** How long a page that was reloaded waits for the page before it to let go of their place. Longer: it is a copy of a page that stays open. */
const SUCCESSION_MILLISECONDS = 500;

/** A window that was opened for one connection says so in its address: `#connection=<id>`; `#new` begins with nothing. */
const ADDRESS = /^#(?:new|connection=([0-9a-f-]{36}))$/;

const storedSchema = z.object({ windowId: z.uuid(), workspace: z.unknown() });

/** The first state of a window. */
export interface WindowStart {
  readonly workspace: Workspace;
}

let own: ClaimedWindow | undefined;
let newest: Workspace | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

function stored(): z.output<typeof storedSchema> | undefined {
  try {
    return storedSchema.parse(JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? ''));
  } catch {
    return undefined;
  }
}

function store(): void {
  if (own === undefined || newest === undefined) return;
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ windowId: own.windowId, workspace: toRemembered(newest) }));
}

/** Holds the name of a place as long as the page lives. A page that a browser copied finds it held. */
function hold(windowId: string): Promise<boolean> {
  if (!('locks' in navigator)) return Promise.resolve(true);
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(SUCCESSION_MILLISECONDS);
    navigator.locks
      .request(`${LOCK}${windowId}`, { signal }, () => {
        resolve(true);
        return new Promise(() => undefined);
      })
      .catch(() => resolve(false));
  });
}

async function claim(input: ClaimWindow): Promise<ClaimedWindow | undefined> {
  return api.workspace.claimWindow.mutate(input).catch(() => undefined);
}

/** Which workspace this window begins with. Without an answer of the host it is an empty one that isn't saved. */
export async function startWindow(): Promise<WindowStart> {
  const [asked, connectionId] = ADDRESS.exec(location.hash) ?? [];
  if (asked !== undefined) history.replaceState(null, '', location.pathname + location.search);
  const saved = asked === undefined ? stored() : undefined;
  if (saved !== undefined) {
    void hold(saved.windowId).then(async (isOurs) => {
      own = await claim(isOurs ? { windowId: saved.windowId } : { fresh: true });
      if (own !== undefined && !isOurs) void hold(own.windowId);
      store();
    });
    return { workspace: fromRemembered(saved.workspace) };
  }
  own = await claim({ fresh: asked !== undefined });
  if (own !== undefined) void hold(own.windowId);
  const workspace = fromRemembered(own?.workspace);
  return { workspace: connectionId === undefined ? workspace : workspaceReducer(workspace, { type: 'show', connectionId }) };
}

/** The workspace to save: none without an open connection. */
const openIn = (workspace: Workspace): ReturnType<typeof toRemembered> | null =>
  Object.keys(workspace.connections).length === 0 ? null : toRemembered(workspace);

/** Keeps what the window shows now. */
export function saveWindow(workspace: Workspace): void {
  newest = workspace;
  store();
  timer ??= setTimeout(send, DELAY_MILLISECONDS);
}

function send(): void {
  clearTimeout(timer);
  timer = undefined;
  if (own === undefined || newest === undefined) return;
  void api.workspace.saveWindow.mutate({ windowId: own.windowId, workspace: openIn(newest) }).catch(() => undefined);
}

/** The address of another window of this application, for a connection or with nothing. */
export function windowAddress(connectionId: string | undefined): string {
  return `${location.pathname}${location.search}#${connectionId === undefined ? 'new' : `connection=${connectionId}`}`;
}

if (typeof window !== 'undefined') {
  // A restarted host has let this window's place go.
  onHostReturn(({ restarted }) => {
    if (!restarted || own === undefined) return;
    void claim({ windowId: own.windowId }).then((claimed) => {
      own = claimed ?? own;
      send();
    });
  });
  window.addEventListener('pagehide', () => {
    if (own === undefined) return;
    const { windowId, lease } = own;
    if (timer !== undefined && newest !== undefined) {
      sendLastWords('workspace.saveWindow', { windowId, workspace: openIn(newest) });
    }
    sendLastWords('workspace.releaseWindow', { windowId, lease });
  });
  // A page that comes back from the browser's memory claims its place again.
  window.addEventListener('pageshow', (event) => {
    if (event.persisted && own !== undefined) void claim({ windowId: own.windowId }).then((claimed) => (own = claimed ?? own));
  });
}
