import { z } from 'zod';

const tabSchema = z.object({ id: z.string().min(1).max(100), name: z.string().trim().min(1).max(80).optional() });
/** One text of a connection's console. */
export type ConsoleTabInfo = z.output<typeof tabSchema>;

const MOST_TABS = 50;
const tabsSchema = z.object({ tabs: z.array(tabSchema).min(1).max(MOST_TABS), active: z.string().max(100) });
/** The texts of a connection's console, in order, and the one on the screen. There is always one. */
export type ConsoleTabs = z.output<typeof tabsSchema>;

export const TABS_NAME = 'console-tabs';
export const textName = (id: string): string => `console-text ${id}`;

const TITLE_LENGTH = 40;

const withTab = (tabs: ConsoleTabs, tab: ConsoleTabInfo): ConsoleTabs => ({ tabs: [...tabs.tabs, tab], active: tab.id });

/** The tabs as they were left, or a single empty one. */
export function readTabs(stored: unknown): ConsoleTabs {
  const parsed = tabsSchema.safeParse(stored);
  if (!parsed.success) return withTab({ tabs: [], active: '' }, { id: crypto.randomUUID() });
  const { tabs, active } = parsed.data;
  return { tabs, active: tabs.some(({ id }) => id === active) ? active : (tabs[0]?.id ?? '') };
}

/** With another tab at the end, on the screen; the same tabs when there are as many as can be. */
export function opened(tabs: ConsoleTabs, id: string, name?: string): ConsoleTabs {
  return tabs.tabs.length >= MOST_TABS ? tabs : withTab(tabs, { id, ...(name === undefined ? {} : { name }) });
}

/** Without a tab; its neighbour is on the screen then, and after the last one an empty one. */
export function closed(tabs: ConsoleTabs, id: string): ConsoleTabs {
  const place = tabs.tabs.findIndex((tab) => tab.id === id);
  if (place === -1) return tabs;
  const left = tabs.tabs.filter((tab) => tab.id !== id);
  const neighbour = left[Math.min(place, left.length - 1)];
  if (neighbour === undefined) return readTabs(undefined);
  return { tabs: left, active: tabs.active === id ? neighbour.id : tabs.active };
}

/** With another name for a tab; none: named by its first request again. */
export function tabRenamed(tabs: ConsoleTabs, id: string, name: string): ConsoleTabs {
  const trimmed = name.trim().slice(0, 80);
  return {
    ...tabs,
    tabs: tabs.tabs.map((tab) => (tab.id === id ? { id, ...(trimmed === '' ? {} : { name: trimmed }) } : tab)),
  };
}

/** The name of a tab without one of a person's: its first line with a word. */
export function firstRequest(text: string): string | undefined {
  const lines = text.slice(0, 2_000).split('\n');
  const line = lines.map((one) => one.trim()).find((one) => one !== '' && !/^(?:#|\/\/|--)/.test(one));
  return line?.slice(0, TITLE_LENGTH);
}
