import { useEffect, useRef, useState } from 'react';
import { consoleTexts, takeConsoleTexts } from '../state/consoleTexts.ts';
import { onGoing, recall, remember } from '../state/workspaceStore.ts';
import { TABS_NAME, closed, firstRequest, opened, readTabs, tabRenamed, textName } from './consoleTabs.ts';
import type { ConsoleTabs } from './consoleTabs.ts';

/** Typing is written down when it rests. */
const SAVE_DELAY_MILLISECONDS = 300;
/** How many closed texts can be taken up again while the window is open. */
const MOST_CLOSED = 20;

interface ClosedText {
  readonly text: string;
  readonly name: string | undefined;
}

export interface ConsoleTexts extends ConsoleTabs {
  readonly textOf: (id: string) => string;
  /** The name of a tab; undefined for an empty one. */
  readonly titleOf: (id: string) => string | undefined;
  readonly canReopen: boolean;
  readonly select: (id: string) => void;
  readonly open: (text?: string) => void;
  readonly close: (id: string) => void;
  readonly reopen: () => void;
  readonly rename: (id: string, name: string) => void;
  readonly write: (id: string, text: string) => void;
}

/** The texts of a connection's console, kept by the host as they are typed. */
export function useConsoleTabs(connectionId: string): ConsoleTexts {
  const [tabs, setTabs] = useState<ConsoleTabs>(() => readTabs(recall(connectionId, TABS_NAME)));
  const texts = useRef(new Map<string, string>());
  const [titles, setTitles] = useState<Readonly<Record<string, string | undefined>>>({});
  const [closedTexts, setClosedTexts] = useState<readonly ClosedText[]>([]);

  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>());

  useEffect(() => remember(connectionId, TABS_NAME, structuredClone(tabs)), [connectionId, tabs]);

  const textOf = (id: string): string => {
    const known = texts.current.get(id);
    if (known !== undefined) return known;
    const stored = recall(connectionId, textName(id));
    const text = typeof stored === 'string' ? stored : '';
    texts.current.set(id, text);
    return text;
  };
  const save = (id: string): void => {
    clearTimeout(timers.current.get(id));
    timers.current.delete(id);
    const text = texts.current.get(id) ?? '';
    remember(connectionId, textName(id), text === '' ? undefined : text);
    const title = firstRequest(text);
    setTitles((before) => (before[id] === title && id in before ? before : { ...before, [id]: title }));
  };
  const write = (id: string, text: string): void => {
    texts.current.set(id, text);
    clearTimeout(timers.current.get(id));
    timers.current.set(
      id,
      setTimeout(() => save(id), SAVE_DELAY_MILLISECONDS),
    );
  };
  const saveAll = useRef(() => undefined as void);
  useEffect(() => {
    saveAll.current = () => [...timers.current.keys()].forEach(save);
  });
  useEffect(() => {
    const now = (): void => saveAll.current();
    const ignore = onGoing(now);
    return () => {
      ignore();
      now();
    };
  }, []);
  const open = (text = '', name?: string): void => {
    const id = crypto.randomUUID();
    const next = opened(tabs, id, name);
    if (next === tabs) return;
    if (text !== '') {
      texts.current.set(id, text);
      save(id);
    }
    setTabs(next);
  };
  const opening = useRef(open);
  useEffect(() => {
    opening.current = open;
  });
  useEffect(() => {
    const take = (): void => takeConsoleTexts(connectionId).forEach((text) => opening.current(text));
    take();
    return consoleTexts.subscribe(take);
  }, [connectionId]);
  return {
    ...tabs,
    textOf,
    titleOf: (id) => tabs.tabs.find((tab) => tab.id === id)?.name ?? (id in titles ? titles[id] : firstRequest(textOf(id))),
    canReopen: closedTexts.length > 0,
    select: (active) => setTabs({ ...tabs, active }),
    open,
    close: (id) => {
      const text = textOf(id);
      const name = tabs.tabs.find((tab) => tab.id === id)?.name;
      if (text.trim() !== '') setClosedTexts([{ text, name }, ...closedTexts].slice(0, MOST_CLOSED));
      clearTimeout(timers.current.get(id));
      timers.current.delete(id);
      texts.current.delete(id);
      remember(connectionId, textName(id), undefined);
      setTabs(closed(tabs, id));
    },
    reopen: () => {
      const [last, ...rest] = closedTexts;
      if (last === undefined) return;
      setClosedTexts(rest);
      open(last.text, last.name);
    },
    rename: (id, name) => setTabs(tabRenamed(tabs, id, name)),
    write,
  };
}
