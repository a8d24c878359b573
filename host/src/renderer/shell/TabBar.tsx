import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useRef } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { strings } from '../strings/index.ts';
import type { Tab } from '../workspace/workspace.ts';
import styles from './shell.module.css';
import { TabMark } from './tools.tsx';

interface Props {
  readonly tabs: readonly Tab[];
  readonly nameOf: (tab: Tab) => string;
  readonly activeTab: string | undefined;
  readonly onSelect: (key: string) => void;
  readonly onClose: (key: string) => void;
}

/** The open tables. Arrow keys move between them, Delete closes one. */
export function TabBar({ tabs, nameOf, activeTab, onSelect, onClose }: Props): ReactNode {
  const bar = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent, place: number): void => {
    const to = { ArrowLeft: place - 1, ArrowRight: place + 1, Home: 0, End: tabs.length - 1 }[event.key];
    const target = to === undefined ? undefined : tabs[(to + tabs.length) % tabs.length];
    if (target !== undefined) {
      event.preventDefault();
      onSelect(target.key);
      bar.current?.querySelectorAll<HTMLElement>('[role="tab"]')[tabs.indexOf(target)]?.focus();
    } else if (event.key === 'Delete') {
      const tab = tabs[place];
      if (tab !== undefined) onClose(tab.key);
    }
  };
  return (
    <div ref={bar} className={styles.tabBar} role="tablist" aria-label={strings.tabs.label}>
      {tabs.map((tab, place) => {
        const isActive = tab.key === activeTab;
        return (
          <div key={tab.key} className={styles.tab} data-active={isActive || undefined} role="presentation">
            <button
              type="button"
              role="tab"
              aria-selected={isActive}
              aria-keyshortcuts="Delete"
              tabIndex={isActive ? 0 : -1}
              className={styles.tabButton}
              title={'table' in tab ? [...tab.table.namespace, tab.table.name].join('.') : nameOf(tab)}
              onClick={() => onSelect(tab.key)}
              onAuxClick={(event) => (event.button === 1 ? onClose(tab.key) : undefined)}
              onKeyDown={(event) => onKeyDown(event, place)}
            >
              <TabMark tab={tab} />
              <span className={styles.tabName}>{nameOf(tab)}</span>
            </button>
            <ActionIcon
              size={20}
              // A list of tabs may hold tabs only: with the keyboard, Delete closes.
              tabIndex={-1}
              aria-hidden
              className={styles.tabClose}
              title={strings.tabs.close(nameOf(tab))}
              onClick={() => onClose(tab.key)}
            >
              <IconX size={13} stroke={2} />
            </ActionIcon>
          </div>
        );
      })}
    </div>
  );
}
