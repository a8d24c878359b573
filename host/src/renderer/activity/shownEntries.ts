import type { RunningEntry } from '@tabularium/sdk';

/** More rows than these make a table slow that is drawn again every second; the filter finds the others. */
export const MOST_ROWS = 500;

/** What a person wants to see. */
export interface ActivityChoice {
  readonly text: string;
  readonly showsIdle: boolean;
}

/** How many entries wait for each of those that others wait for, by its id. */
export function blockedCounts(entries: readonly RunningEntry[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { waitsFor } of entries) for (const id of waitsFor?.blockedBy ?? []) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

/** All words of the text must be somewhere in what is shown of the entry. */
function matches(entry: RunningEntry, text: string): boolean {
  const { number, user, application, client, namespace, activity, statement, waitsFor } = entry;
  const all = [number, user, application, client, namespace, activity, statement?.text, waitsFor?.lock].join('\n').toLocaleLowerCase();
  return text
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}

/** The entries to show, and how many of the others are only idle. An idle entry that others wait for is the one that is looked for. */
export function shownEntries(
  entries: readonly RunningEntry[],
  { text, showsIdle }: ActivityChoice,
): { readonly shown: readonly RunningEntry[]; readonly idle: number } {
  const blocked = blockedCounts(entries);
  const found = entries.filter((entry) => matches(entry, text.trim()));
  const shown = found.filter(({ id, state }) => showsIdle || state !== 'idle' || blocked.has(id));
  return { shown, idle: found.length - shown.length };
}
