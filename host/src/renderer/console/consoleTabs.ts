import { z } from 'zod';

const tabSchema = z.object({ id: z.string().min(1).max(100), name: z.string().trim().min(1).max(80).optional() });
/** One text of a connection's console. */
export type ConsoleTabInfo = z.output<typeof tabSchema>;

/** How many a person can open. The tabs of several windows together may be more, and none of them is left out. */
const MOST_TABS = 50;
const tabsSchema = z.object({ tabs: z.array(tabSchema), active: z.string().max(100) });
/** The texts of a connection's console, in order, and the one on the screen. There is always one. */
export type ConsoleTabs = z.output<typeof tabsSchema>;

export const TABS_NAME = 'console-tabs';
const TEXT_NAME = 'console-text ';
export const textName = (id: string): string => `${TEXT_NAME}${id}`;
/** The tab whose text a document is; undefined for another document. */
export const textIdOf = (name: string): string | undefined =>
  name.startsWith(TEXT_NAME) ? name.slice(TEXT_NAME.length) : undefined;

const TITLE_LENGTH = 40;

const withTab = (tabs: ConsoleTabs, tab: ConsoleTabInfo): ConsoleTabs => ({ tabs: [...tabs.tabs, tab], active: tab.id });

/**
 * The tabs as they were left, or a single empty one.
 *
 * @param texts - the tabs whose texts are stored: one that the list has lost is at its end again
 * @param active - the tab that this window showed last, if it is there
 */
export function readTabs(stored: unknown, texts: readonly string[] = [], active?: string): ConsoleTabs {
  const listed = listedIn(stored);
  const lost = texts.filter((id) => !listed.tabs.some((tab) => tab.id === id));
  const tabs = [...listed.tabs, ...lost.map((id) => ({ id }))];
  const shown = [active, listed.active].find((id) => tabs.some((tab) => tab.id === id)) ?? tabs[0]?.id;
  return shown === undefined ? withTab({ tabs: [], active: '' }, { id: crypto.randomUUID() }) : { tabs, active: shown };
}

function listedIn(stored: unknown): ConsoleTabs {
  return tabsSchema.safeParse(stored).data ?? { tabs: [], active: '' };
}

/** The stored list with the tabs of this window, and with the tabs that other windows have added. */
export function withOwnTabs(stored: unknown, own: ConsoleTabs): ConsoleTabs {
  const { tabs } = listedIn(stored);
  const listedTabs = tabs.map((tab) => own.tabs.find(({ id }) => id === tab.id) ?? tab);
  return { tabs: [...listedTabs, ...missingIn(stored, own)], active: own.active };
}

/** The stored list without a tab that this window closes. */
export function withoutTab(stored: unknown, id: string): ConsoleTabs {
  const listed = listedIn(stored);
  return { ...listed, tabs: listed.tabs.filter((tab) => tab.id !== id) };
}

/** The tabs of this window that the stored list lacks. */
export function missingIn(stored: unknown, own: ConsoleTabs): readonly ConsoleTabInfo[] {
  const { tabs } = listedIn(stored);
  return own.tabs.filter(({ id }) => !tabs.some((tab) => tab.id === id));
}

/** The tabs of this window with the names that the stored list has for them; the same tabs where no name is another. */
export function withStoredNames(own: ConsoleTabs, stored: unknown): ConsoleTabs {
  const named = listedIn(stored).tabs;
  const tabs = own.tabs.map((tab) => {
    const other = named.find(({ id }) => id === tab.id);
    return other === undefined || other.name === tab.name ? tab : other;
  });
  return tabs.some((tab, place) => tab !== own.tabs[place]) ? { ...own, tabs } : own;
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
