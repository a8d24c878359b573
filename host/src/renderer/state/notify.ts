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

/** A line that stays until another takes its place. */
export interface Notice {
  readonly tone: 'plain' | 'warning';
  readonly text: string;
  /** The likely next action. */
  readonly action?: { readonly label: string; readonly run: () => void };
}

/** The content of the status bar, and the functions that change it. */
export interface Status {
  readonly activities: readonly Activity[];
  readonly notice: Notice | undefined;
  /** Puts work into the status bar. */
  readonly beginActivity: (label: string, cancel?: () => void) => RunningActivity;
  /** Shows a line in the status bar; none clears it. */
  readonly notify: (notice?: Notice) => void;
}

export function createStatusStore(): StoreApi<Status> {
  let nextId = 1;
  return createStore((set) => ({
    activities: [],
    notice: undefined,
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
      set({ notice });
    },
  }));
}

const status = createStatusStore();

export const { beginActivity, notify } = status.getState();

export function useStatus(): Status {
  return useStore(status);
}
