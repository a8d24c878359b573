import type { RunningEntry } from '@tabularium/sdk';
import { busyEntries } from '../../common/serverActivity.ts';

/** More rows than these make a table slow that is drawn again every second; the filter finds the others. */
export const MOST_SHOWN_ENTRIES = 500;

/** The choice of entries above the table. */
export interface ActivityChoice {
  readonly text: string;
  readonly showsIdle: boolean;
  /** Those that are shown although they are idle. */
  readonly retained?: ReadonlySet<string>;
}

/** All words of the text must be somewhere in what is shown of the entry. */
function matches(entry: RunningEntry, text: string): boolean {
  const { number, user, application, client, namespace, activity, statement, lockWait } = entry;
  const all = [number, user, application, client, namespace, activity, statement?.text, lockWait?.lock]
    .join('\n')
    .toLocaleLowerCase();
  return text
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}

/** The entries of a list that are shown. */
interface ShownEntries {
  readonly shown: readonly RunningEntry[];
  /** How many more match, and are only idle. */
  readonly idle: number;
  /** Whether an entry is busy, whatever the text. */
  readonly isBusy: boolean;
}

export function shownEntries(entries: readonly RunningEntry[], { text, showsIdle, retained }: ActivityChoice): ShownEntries {
  const found = entries.filter((entry) => matches(entry, text.trim()));
  const busy = new Set(busyEntries(entries));
  const isBusy = busy.size > 0;
  if (showsIdle) return { shown: found, idle: 0, isBusy };
  const shown = found.filter((entry) => busy.has(entry) || retained?.has(entry.id) === true);
  return { shown, idle: found.length - shown.length, isBusy };
}
