import { createStore, useStore } from 'zustand';
import type { StoreApi } from 'zustand';

/** Work that the status bar shows while it runs. */
export interface Activity {
  readonly id: number;
  readonly label: string;
  /** 0 to 1, where that is known. */
  readonly progress?: number;
  readonly cancel?: () => void;
}

/** A handle on running work. `end` is called once, whatever the outcome. */
export interface RunningActivity {
  readonly update: (label: string, progress?: number) => void;
  readonly end: () => void;
}

/** A line that says what happened. It leaves automatically (see `secondsShown`), or when another takes its place. */
export interface Notice {
  readonly tone: 'plain' | 'warning';
  readonly text: string;
  /** The likely next action. */
  readonly action?: { readonly label: string; readonly run: () => void };
}

/** A notice that was shown, to be read again. */
interface PastNotice {
  readonly id: number;
  readonly tone: Notice['tone'];
  readonly text: string;
  /** In ISO 8601. */
  readonly at: string;
}

const MOST_PAST_NOTICES = 50;

/** How long a notice stays, in seconds. One with an action stays until another takes its place, because only it offers the action. */
function secondsShown({ tone, action }: Notice): number | undefined {
  if (action !== undefined) return undefined;
  return tone === 'warning' ? 60 : 10;
}

/** The content of the status bar, and the functions that change it. */
export interface Status {
  readonly activities: readonly Activity[];
  readonly notice: Notice | undefined;
  /** The newest first, 50 at most. */
  readonly past: readonly PastNotice[];
  /** Whether a warning came since the past notices were last opened. */
  readonly unread: boolean;
  /** Puts work into the status bar. */
  readonly beginActivity: (label: string, cancel?: () => void) => RunningActivity;
  /** Shows a line in the status bar; none clears it. */
  readonly notify: (notice?: Notice) => void;
  readonly markRead: () => void;
  readonly clearPast: () => void;
}

export function createStatusStore(): StoreApi<Status> {
  let nextId = 1;
  let nextNotice = 1;
  let leaving: ReturnType<typeof setTimeout> | undefined;
  return createStore((set) => ({
    activities: [],
    notice: undefined,
    past: [],
    unread: false,
    beginActivity(label, cancel) {
      const id = nextId;
      nextId += 1;
      const activity: Activity = { id, label, ...(cancel === undefined ? {} : { cancel }) };
      set(({ activities }) => ({ activities: [...activities, activity] }));
      return {
        update(newLabel, progress) {
          set(({ activities }) => ({
            activities: activities.map((other) =>
              other.id === id ? { ...other, label: newLabel, ...(progress === undefined ? {} : { progress }) } : other,
            ),
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
      const { tone, text } = notice;
      const added: PastNotice = { id: nextNotice, tone, text, at: new Date().toISOString() };
      nextNotice += 1;
      set(({ past, unread }) => ({
        notice,
        past: [added, ...past].slice(0, MOST_PAST_NOTICES),
        unread: unread || tone === 'warning',
      }));
      const seconds = secondsShown(notice);
      if (seconds !== undefined) leaving = setTimeout(() => set({ notice: undefined }), seconds * 1_000);
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

export const { beginActivity, notify, markRead, clearPast } = status.getState();

export function useStatus(): Status {
  return useStore(status);
}
