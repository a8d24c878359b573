import { visibleText } from '@tabularium/sdk';
import { createStore, useStore } from 'zustand';
import type { StoreApi } from 'zustand';

/** Work that the status bar shows while it runs. */
export interface Activity {
  readonly id: number;
  readonly label: string;
  /** 0 to 1, where that is known. */
  readonly progress?: number;
  /** How long the rest takes at the speed so far; absent until that can be estimated. */
  readonly secondsLeft?: number;
  readonly cancel?: () => void;
  /** The connection that the work belongs to, where it belongs to one. */
  readonly connectionId?: string;
}

/** A tab of the window, as notices name it. */
interface NoticeTab {
  /** Names the tab among those of all connections. */
  readonly key: string;
  readonly name: string;
  /** Its connection. */
  readonly connectionId?: string;
}

/** How long the rest of some work takes, as the host estimates it; undefined until it can be estimated. */
export interface GivenEstimate {
  readonly secondsLeft: number | undefined;
}

/** A handle on running work. `end` is called once, whatever the outcome. */
export interface RunningActivity {
  /** @param estimate - absent: by the speed since the work is in the status bar of this window */
  readonly update: (label: string, progress?: number, estimate?: GivenEstimate) => void;
  readonly end: () => void;
}

/** A line that says what happened. It leaves a while after it was seen (`secondsShown`), or when another takes its place. */
export interface Notice {
  readonly tone: 'plain' | 'warning';
  readonly text: string;
  /** The likely next action. */
  readonly action?: { readonly label: string; readonly run: () => void };
  /** The state that it describes, where that can change while the notice is shown; see `withdraw`. */
  readonly about?: string;
  /** The tab that it is about, the one in front unless given. It is shown while that tab is in front; with `none`, whatever is in front. */
  readonly tab?: NoticeTab | 'none';
}

/** A notice in the status bar, with the tab that it is about. */
interface ShownNotice extends Omit<Notice, 'tab'> {
  readonly tab?: NoticeTab;
  /** A warning that came while work ran. It is shown beside the work, because it is about something that a person did meanwhile. */
  readonly during?: true;
}

/** A notice that was shown, to be read again. */
interface PastNotice {
  readonly id: number;
  readonly tone: Notice['tone'];
  readonly text: string;
  /** In ISO 8601. */
  readonly at: string;
  /** The name of the tab that it was about. */
  readonly tab?: string;
}

const MOST_PAST_NOTICES = 50;

/** In UTF-16 code units. A notice may quote a server, and fifty of them are kept. */
const LONGEST_NOTICE = 2_000;

/** How long a notice stays, in seconds. One with an action stays until another takes its place, because only it offers the action. */
function secondsShown({ tone, action }: Notice): number | undefined {
  if (action !== undefined) return undefined;
  return tone === 'warning' ? 60 : 10;
}

/** Below these, the speed so far says nothing about the rest. */
const LEAST_MILLISECONDS = 2_000;
const LEAST_PROGRESS = 0.02;

/** How long the rest of some work takes, from its speed so far; undefined until that can be estimated. */
function secondsLeft(milliseconds: number, progress: number | undefined): number | undefined {
  if (progress === undefined || progress < LEAST_PROGRESS || milliseconds < LEAST_MILLISECONDS) return undefined;
  return ((milliseconds / 1_000) * (1 - progress)) / progress;
}

/** The content of the status bar, and the functions that change it. */
export interface Status {
  readonly activities: readonly Activity[];
  readonly notice: ShownNotice | undefined;
  /** The tab in front, where there is one. */
  readonly activeTab: NoticeTab | undefined;
  /** The newest first, 50 at most. */
  readonly past: readonly PastNotice[];
  /** Whether a warning came since the past notices were last opened. */
  readonly unread: boolean;
  /** Puts work into the status bar, which names the connection of the work while another one is on the screen. */
  readonly beginActivity: (label: string, cancel?: () => void, connectionId?: string) => RunningActivity;
  /** Shows a line in the status bar; none clears it. */
  readonly notify: (notice?: Notice) => void;
  /** Takes the notice away that describes a state, because the state is another one now. It stays among the past ones. */
  readonly withdraw: (about: string) => void;
  /** Says which tab is in front. Call the result when it no longer is. */
  readonly activateTab: (tab: NoticeTab) => () => void;
  readonly markRead: () => void;
  readonly clearPast: () => void;
}

export function createStatusStore(): StoreApi<Status> {
  let nextId = 1;
  let nextNotice = 1;
  let leaving: ReturnType<typeof setTimeout> | undefined;
  return createStore((set, get) => ({
    activities: [],
    notice: undefined,
    activeTab: undefined,
    past: [],
    unread: false,
    beginActivity(label, cancel, connectionId) {
      const id = nextId;
      nextId += 1;
      const begun = Date.now();
      const activity: Activity = {
        ...{ id, label },
        ...(cancel === undefined ? {} : { cancel }),
        ...(connectionId === undefined ? {} : { connectionId }),
      };
      set(({ activities }) => ({ activities: [...activities, activity] }));
      return {
        update(newLabel, progress, estimate) {
          const left = estimate === undefined ? secondsLeft(Date.now() - begun, progress) : estimate.secondsLeft;
          set(({ activities }) => ({
            activities: activities.map((other) => {
              if (other.id !== id) return other;
              const { secondsLeft: before, ...rest } = other;
              const shown = left ?? (estimate === undefined ? before : undefined);
              return {
                ...rest,
                label: newLabel,
                ...(progress === undefined ? {} : { progress }),
                ...(shown === undefined ? {} : { secondsLeft: shown }),
              };
            }),
          }));
        },
        end() {
          set(({ activities }) => ({ activities: activities.filter((other) => other.id !== id) }));
        },
      };
    },
    notify(notice) {
      clearTimeout(leaving);
      if (notice === undefined) {
        set({ notice });
        return;
      }
      const { tab: given = get().activeTab, ...rest } = notice;
      const said = { ...rest, text: visibleText(rest.text, 'text', LONGEST_NOTICE) };
      const { tone, text } = said;
      const tab = given === 'none' || given === undefined ? undefined : { key: given.key, name: visibleText(given.name) };
      const at = new Date().toISOString();
      const added: PastNotice = { id: nextNotice, tone, text, at, ...(tab === undefined ? {} : { tab: tab.name }) };
      nextNotice += 1;
      set(({ past, unread, activities }) => ({
        notice: {
          ...said,
          ...(tab === undefined ? {} : { tab }),
          ...(tone === 'warning' && activities.length > 0 ? { during: true } : {}),
        },
        past: [added, ...past].slice(0, MOST_PAST_NOTICES),
        unread: unread || tone === 'warning',
      }));
      const seconds = secondsShown(notice);
      if (seconds === undefined) return;
      const leave = (): void => {
        // A notice that left a hidden window would be unread.
        if (document.hidden) leaving = setTimeout(leave, seconds * 1_000);
        else set({ notice: undefined });
      };
      leaving = setTimeout(leave, seconds * 1_000);
    },
    withdraw(about) {
      if (get().notice?.about === about) get().notify();
    },
    activateTab(activeTab) {
      set({ activeTab });
      return () => {
        if (get().activeTab === activeTab) set({ activeTab: undefined });
      };
    },
    markRead() {
      set({ unread: false });
    },
    clearPast() {
      set({ past: [], unread: false });
    },
  }));
}

const status = createStatusStore();

export const { beginActivity, notify, withdraw, activateTab, markRead, clearPast } = status.getState();

/** The connection of a tab, for the work that begins in it. */
export function connectionOf(tab: NoticeTab | 'none'): string | undefined {
  return tab === 'none' ? undefined : tab.connectionId;
}

/** The tab in front. Work that outlives a change of tabs takes it before it begins, for the notice at its end. */
export function currentTab(): NoticeTab | 'none' {
  return status.getState().activeTab ?? 'none';
}

export function useStatus(): Status {
  return useStore(status);
}
