import { useSyncExternalStore } from 'react';

/** Work that the status bar tells of while it runs. */
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
  /** What a person may want to do next. */
  readonly action?: { readonly label: string; readonly run: () => void };
}

interface Snapshot {
  readonly activities: readonly Activity[];
  readonly notice?: Notice;
}

let snapshot: Snapshot = { activities: [] };
let nextId = 1;
const listeners = new Set<() => void>();

function publish(next: Snapshot): void {
  snapshot = next;
  for (const listener of listeners) listener();
}

/** Puts work into the status bar. */
export function beginActivity(label: string, cancel?: () => void): RunningActivity {
  const id = nextId;
  nextId += 1;
  publish({ ...snapshot, activities: [...snapshot.activities, { id, label, ...(cancel === undefined ? {} : { cancel }) }] });
  return {
    update(newLabel, progress) {
      const activities = snapshot.activities.map((activity) =>
        activity.id === id ? { ...activity, label: newLabel, ...(progress === undefined ? {} : { progress }) } : activity,
      );
      publish({ ...snapshot, activities });
    },
    end() {
      publish({ ...snapshot, activities: snapshot.activities.filter((activity) => activity.id !== id) });
    },
  };
}

/** Shows a line in the status bar; none clears it. */
export function notify(notice?: Notice): void {
  publish({ activities: snapshot.activities, ...(notice === undefined ? {} : { notice }) });
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function useStatus(): Snapshot {
  return useSyncExternalStore(subscribe, () => snapshot);
}
