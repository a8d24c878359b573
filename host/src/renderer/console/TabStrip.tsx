import { ActionIcon, TextInput, VisuallyHidden } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import { useHasTransaction } from '../state/heldSessions.ts';
import styles from './console.module.css';
import type { ConsoleTexts } from './useConsoleTabs.ts';

interface Props {
  readonly texts: ConsoleTexts;
  /** Closes a tab, perhaps after a question, and does something then. */
  readonly onClose: (id: string, then?: () => void) => void;
  /** How a tab and its page belong together. */
  readonly idOf: (id: string) => { readonly tab: string; readonly page: string };
}

/** The texts of a console side by side; arrow keys go along them, Delete closes, F2 renames. */
export function TabStrip({ texts, onClose, idOf }: Props): ReactNode {
  const words = strings.console;
  const [renaming, setRenaming] = useState<{ readonly id: string; readonly name: string }>();
  const { tabs, active } = texts;
  const titleOf = (id: string): string => texts.titleOf(id) ?? words.untitled;
  // Also one that was just opened behind many others.
  const shownTab = idOf(active).tab;
  useEffect(() => {
    document.getElementById(shownTab)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [shownTab, tabs.length]);
  const focus = (id: string): void => {
    requestAnimationFrame(() => document.getElementById(idOf(id).tab)?.focus());
  };
  const onKeyDown = (event: KeyboardEvent, id: string): void => {
    const place = tabs.findIndex((tab) => tab.id === id);
    const to = {
      ArrowLeft: (place + tabs.length - 1) % tabs.length,
      ArrowRight: (place + 1) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    }[event.key];
    const wanted = to === undefined ? undefined : tabs[to];
    if (wanted !== undefined) {
      texts.select(wanted.id);
      focus(wanted.id);
    } else if (event.key === 'Delete') {
      const neighbour = tabs[place + 1] ?? tabs[place - 1];
      onClose(id, () => (neighbour === undefined ? undefined : focus(neighbour.id)));
    } else if (event.key === 'F2') setRenaming({ id, name: titleOf(id) });
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const finish = (apply: boolean): void => {
    if (renaming === undefined) return;
    if (apply && renaming.name.trim() !== titleOf(renaming.id)) texts.rename(renaming.id, renaming.name);
    setRenaming(undefined);
    focus(renaming.id);
  };
  return (
    <div className={styles.tabs}>
      <div className={styles.tabList} role="tablist" aria-label={words.tabs}>
        {tabs.map(({ id }) => {
          const isShown = id === active;
          const title = titleOf(id);
          return (
            <div key={id} className={styles.tab} role="presentation" data-shown={isShown || undefined}>
              {renaming?.id === id ? (
                <TextInput
                  className={styles.tabName}
                  aria-label={words.tabName(title)}
                  value={renaming.name}
                  maxLength={80}
                  autoFocus
                  onFocus={(event) => event.currentTarget.select()}
                  onChange={(event) => setRenaming({ id, name: event.currentTarget.value })}
                  onBlur={() => finish(true)}
                  onKeyDown={(event) => {
                    if (event.key === 'Enter') finish(true);
                    else if (event.key === 'Escape') finish(false);
                    else return;
                    event.stopPropagation();
                  }}
                />
              ) : (
                <button
                  type="button"
                  role="tab"
                  id={idOf(id).tab}
                  aria-controls={idOf(id).page}
                  aria-selected={isShown}
                  tabIndex={isShown ? 0 : -1}
                  title={words.tabHelp}
                  onClick={() => texts.select(id)}
                  onDoubleClick={() => setRenaming({ id, name: title })}
                  onAuxClick={(event) => (event.button === 1 ? onClose(id) : undefined)}
                  onKeyDown={(event) => onKeyDown(event, id)}
                >
                  {title}
                  <TransactionMark id={id} />
                </button>
              )}
              {/* For the pointer; the keyboard closes with Delete, and a list of tabs holds nothing but tabs. */}
              <span className={styles.closeTab} title={words.closeTab(title)} aria-hidden onClick={() => onClose(id)}>
                <IconX size={12} stroke={1.75} />
              </span>
            </div>
          );
        })}
      </div>
      <ActionIcon size={24} aria-label={words.newTab} title={words.newTab} onClick={() => texts.open()}>
        <IconPlus size={14} stroke={1.75} />
      </ActionIcon>
    </div>
  );
}

/** Says that a transaction is open in a tab, also while another tab is shown. */
function TransactionMark({ id }: { readonly id: string }): ReactNode {
  const words = strings.consoleSession;
  if (!useHasTransaction(id)) return null;
  return (
    <>
      <span className={styles.transactionMark} title={words.tabHasTransaction} aria-hidden />
      <VisuallyHidden>{` · ${words.tabHasTransaction}`}</VisuallyHidden>
    </>
  );
}
