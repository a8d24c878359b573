import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { visibleText } from '@tabularium/sdk';
import type { TableRef } from '@tabularium/sdk';
import { useEffect, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { StagedMark } from '../editing/StagedMark.tsx';
import { strings } from '../i18n/index.ts';
import type { Tab } from '../state/workspace.ts';
import styles from './tabBar.module.css';
import { TabMenu } from './TabMenu.tsx';
import type { TabName } from './tabNames.ts';
import { TabMark } from './tools.tsx';

interface Props {
  readonly tabs: readonly Tab[];
  readonly nameOf: (tab: Tab) => string;
  /** As `nameOf`, in its parts. */
  readonly tabNameOf: (tab: Tab) => TabName;
  /** How many rows of a table are staged. */
  readonly stagedOf: (table: TableRef) => number;
  readonly activeTab: string | undefined;
  readonly onSelect: (key: string) => void;
  readonly onClose: (key: string) => void;
  readonly onCloseOthers: (key: string) => void;
  readonly onCloseAll: () => void;
  readonly onMove: (key: string, to: number) => void;
}

/** The type of a dragged tab, so that nothing else is taken for one. */
const DRAGGED = 'application/x-tabularium-tab';

/** The open tables. Arrow keys go along them, with Alt and Shift they move one; Delete closes it. */
export function TabBar(props: Props): ReactNode {
  const { tabs, nameOf, tabNameOf, stagedOf, activeTab, onSelect, onClose, onCloseOthers, onCloseAll, onMove } = props;
  const [menu, setMenu] = useState<{ readonly tab: Tab; readonly x: number; readonly y: number }>();
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    bar.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [activeTab]);
  const onKeyDown = (event: KeyboardEvent, place: number): void => {
    if (event.altKey && event.shiftKey && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
      event.preventDefault();
      const tab = tabs[place];
      if (tab !== undefined) onMove(tab.key, Math.max(0, place + (event.key === 'ArrowLeft' ? -1 : 1)));
      return;
    }
    if (event.altKey || event.ctrlKey || event.metaKey) return;
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
    <>
      <div ref={bar} className={styles.tabBar} role="tablist" data-region="tabs" aria-label={strings.tabs.label}>
        {tabs.map((tab, place) => {
          const isActive = tab.key === activeTab;
          return (
            <div
              key={tab.key}
              className={styles.tab}
              data-active={isActive || undefined}
              role="presentation"
              draggable
              onDragStart={(event) => {
                event.dataTransfer.setData(DRAGGED, tab.key);
                event.dataTransfer.effectAllowed = 'move';
              }}
              onDragOver={(event) => (event.dataTransfer.types.includes(DRAGGED) ? event.preventDefault() : undefined)}
              onDrop={(event) => onMove(event.dataTransfer.getData(DRAGGED), place)}
              onContextMenu={(event) => {
                event.preventDefault();
                const box = event.currentTarget.getBoundingClientRect();
                // The menu key has no place of its own.
                const byMouse = event.button === 2;
                setMenu({ tab, x: byMouse ? event.clientX : box.left + 12, y: byMouse ? event.clientY : box.bottom });
              }}
            >
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
                <TabText name={tabNameOf(tab)} />
                <StagedMark count={'table' in tab ? stagedOf(tab.table) : 0} />
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
      {menu === undefined ? null : (
        <TabMenu
          tab={menu.tab}
          name={nameOf(menu.tab)}
          isOnly={tabs.length === 1}
          at={menu}
          onCloseTab={() => onClose(menu.tab.key)}
          onCloseOthers={() => onCloseOthers(menu.tab.key)}
          onCloseAll={onCloseAll}
          onLeave={() => setMenu(undefined)}
        />
      )}
    </>
  );
}

/** Both are cut where they are long, so that neither hides the other. */
function TabText({ name: { name, place } }: { readonly name: TabName }): ReactNode {
  const own = <span className={styles.tabName}>{name}</span>;
  if (place === undefined) return own;
  return (
    <>
      {own} <span className={styles.tabPlace}>{visibleText(place)}</span>
    </>
  );
}
