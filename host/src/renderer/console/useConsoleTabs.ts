import { useEffect, useRef, useState } from 'react';
import { consoleTexts, takeConsoleTexts } from '../state/consoleTexts.ts';
import type { Written } from '../state/documentStore.ts';
import { onGoing, onWrittenElsewhere, recall, recallNames, remember } from '../state/workspaceStore.ts';
import {
  TABS_NAME,
  closed,
  firstRequest,
  missingIn,
  opened,
  readTabs,
  tabRenamed,
  textIdOf,
  textName,
  withOwnTabs,
  withStoredNames,
  withoutTab,
} from './consoleTabs.ts';
import type { ConsoleTabs } from './consoleTabs.ts';
import { forgetLosses } from './leftTransaction.ts';

/** Typing is written down when it rests. */
const SAVE_DELAY_MILLISECONDS = 300;
/** How many closed texts can be taken up again while the window is open. */
const MOST_CLOSED = 20;

interface ClosedText {
  readonly text: string;
  readonly name: string | undefined;
}

/** A text that was written in another window. Each writing is an object of its own, also where its text is that of an earlier one. */
export interface TextFromElsewhere {
  readonly text: string;
}

export interface ConsoleTexts extends ConsoleTabs {
  readonly textOf: (id: string) => string;
  /** The text that another window wrote last into a tab of this one. */
  readonly fromElsewhere: (id: string) => TextFromElsewhere | undefined;
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

/** Under this name a page remembers its tab for its own reload: each window shows a tab of its own. */
const activeKey = (connectionId: string): string => `tabularium-console-tab ${connectionId}`;

function storedText(connectionId: string, id: string): string {
  const stored = recall(connectionId, textName(id));
  return typeof stored === 'string' ? stored : '';
}

function storedTabs(connectionId: string): ConsoleTabs {
  const texts = recallNames(connectionId).flatMap((name) => textIdOf(name) ?? []);
  const written = texts.filter((id) => storedText(connectionId, id) !== '');
  return readTabs(recall(connectionId, TABS_NAME), written, sessionStorage.getItem(activeKey(connectionId)) ?? undefined);
}

/** Writes a change of the tabs into the list of now: other windows of the connection write into it, too. */
function list(connectionId: string, own: ConsoleTabs): void {
  const stored = recall(connectionId, TABS_NAME);
  const next = withOwnTabs(stored, own);
  if (JSON.stringify(next) !== JSON.stringify(stored)) remember(connectionId, TABS_NAME, structuredClone(next));
}

/**
 * The texts of a connection's console, kept by the host as they are typed. Windows of one connection share the texts: typing in one shows in the others.
 * Each has the tabs that it has opened or found, so one that is closed elsewhere stays here, and is stored again.
 */
export function useConsoleTabs(connectionId: string): ConsoleTexts {
  const [tabs, setTabs] = useState<ConsoleTabs>(() => storedTabs(connectionId));
  // From the beginning, because another window may forget one of them.
  const [firstTexts] = useState(() => new Map(tabs.tabs.map(({ id }) => [id, storedText(connectionId, id)])));
  const texts = useRef(firstTexts);
  const [titles, setTitles] = useState<Readonly<Record<string, string | undefined>>>({});
  const [fromElsewhere, setFromElsewhere] = useState<Readonly<Record<string, TextFromElsewhere>>>({});
  const [closedTexts, setClosedTexts] = useState<readonly ClosedText[]>([]);

  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>());

  useEffect(() => {
    list(connectionId, tabs);
    sessionStorage.setItem(activeKey(connectionId), tabs.active);
  }, [connectionId, tabs]);

  const textOf = (id: string): string => texts.current.get(id) ?? '';
  const entitle = (id: string, text: string): void => {
    const title = firstRequest(text);
    setTitles((before) => (before[id] === title && id in before ? before : { ...before, [id]: title }));
  };
  const save = (id: string): void => {
    clearTimeout(timers.current.get(id));
    timers.current.delete(id);
    const text = textOf(id);
    // An empty text is stored, too: other windows take one that is forgotten for a tab that was closed.
    if (recall(connectionId, textName(id)) !== text) remember(connectionId, textName(id), text);
    entitle(id, text);
  };
  const write = (id: string, text: string): void => {
    if (textOf(id) === text) return;
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
  const hear = ({ scope, name, value }: Written): void => {
    if (scope !== connectionId) return;
    if (name === TABS_NAME) {
      const stored = recall(connectionId, TABS_NAME);
      const missing = missingIn(stored, tabs);
      setTabs((now) => withStoredNames(now, stored));
      if (missing.length > 0) list(connectionId, withStoredNames(tabs, stored));
      return;
    }
    const id = textIdOf(name);
    if (id === undefined || !tabs.tabs.some((tab) => tab.id === id)) return;
    if (typeof value !== 'string') {
      if (textOf(id) !== '') remember(connectionId, name, textOf(id));
      return;
    }
    // A text that is being typed here is stored next, and is the newer one.
    if (timers.current.has(id) || value === textOf(id)) return;
    texts.current.set(id, value);
    entitle(id, value);
    setFromElsewhere((before) => ({ ...before, [id]: { text: value } }));
  };
  const hearing = useRef(hear);
  useEffect(() => {
    hearing.current = hear;
  });
  useEffect(() => onWrittenElsewhere((written) => hearing.current(written)), []);
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
    fromElsewhere: (id) => fromElsewhere[id],
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
      remember(connectionId, TABS_NAME, structuredClone(withoutTab(recall(connectionId, TABS_NAME), id)));
      remember(connectionId, textName(id), undefined);
      forgetLosses(connectionId, id);
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
