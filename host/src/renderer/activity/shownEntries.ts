import type { RunningEntry } from '@tabularium/sdk';
import { busyEntries } from '../../common/serverActivity.ts';

/** More rows than these make a table slow that is drawn again every second; the filter finds the others. */
export const MOST_SHOWN_ENTRIES = 500;

/** The choice of entries above the table. */
export interface ActivityChoice {
  readonly text: string;
  readonly showsIdle: boolean;
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

/** The entries to show, and how many of the others are only idle. */
export function shownEntries(
  entries: readonly RunningEntry[],
  { text, showsIdle }: ActivityChoice,
): { readonly shown: readonly RunningEntry[]; readonly idle: number } {
  const found = entries.filter((entry) => matches(entry, text.trim()));
  if (showsIdle) return { shown: found, idle: 0 };
  const busy = new Set(busyEntries(entries));
  const shown = found.filter((entry) => busy.has(entry));
  return { shown, idle: found.length - shown.length };
}
