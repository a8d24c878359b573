import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { useCommands } from '../commands/registry.ts';
import type { ToolProps } from '../state/toolProps.ts';
import { strings } from '../i18n/index.ts';
import { endTransactions } from '../state/openTransactions.ts';
import styles from './console.module.css';
import { ConsolePage } from './ConsolePage.tsx';
import type { ConsolePanel } from './ConsolePage.tsx';
import { TabStrip } from './TabStrip.tsx';
import { useConsoleTabs } from './useConsoleTabs.ts';

/** Statements in the database's own language, several texts side by side. A text that was shown once keeps its results. */
export function ConsoleTab({ name, connection, isShown }: ToolProps): ReactNode {
  const words = strings.console;
  const { connectionId } = connection;
  const texts = useConsoleTabs(connectionId);
  const [panel, setPanel] = useState<ConsolePanel>();
  const [visited, setVisited] = useState<ReadonlySet<string>>(() => new Set([texts.active]));
  if (!visited.has(texts.active)) setVisited(new Set([...visited, texts.active]));
  const prefix = useId();
  const idOf = (id: string) => ({ tab: `${prefix}${id}-tab`, page: `${prefix}${id}` });
  const close = (id: string, then?: () => void): void =>
    void endTransactions({
      kind: 'close',
      isEnded: (session) => session.otherWindow === undefined && session.id === id,
      goOn: () => {
        texts.close(id);
        then?.();
      },
    });
  useCommands(
    [
      { id: 'console.newTab', group: 'console', title: words.commands.newTab, run: () => texts.open() },
      { id: 'console.closeTab', group: 'console', title: words.commands.closeTab, run: () => close(texts.active) },
      {
        id: 'console.reopenTab',
        group: 'console',
        title: words.commands.reopenTab,
        disabled: texts.canReopen ? undefined : words.nothingToReopen,
        run: texts.reopen,
      },
    ],
    isShown,
  );
  return (
    <section className={styles.console} aria-label={words.title}>
      <TabStrip texts={texts} onClose={close} idOf={idOf} />
      <div className={styles.pages}>
        {texts.tabs.map(({ id }) =>
          visited.has(id) ? (
            <div
              key={id}
              id={idOf(id).page}
              className={styles.page}
              role="tabpanel"
              aria-labelledby={idOf(id).tab}
              hidden={id !== texts.active}
            >
              <ConsolePage
                id={id}
                title={texts.titleOf(id) ?? words.untitled}
                name={name}
                connection={connection}
                initialText={texts.textOf(id)}
                fromElsewhere={texts.fromElsewhere(id)}
                isShown={isShown && id === texts.active}
                panel={panel}
                onPanel={setPanel}
                onText={(text) => texts.write(id, text)}
              />
            </div>
          ) : null,
        )}
      </div>
    </section>
  );
}
