import { IconAlertTriangle, IconDots, IconLoader2, IconRefresh } from '@tabler/icons-react';
import { visibleText } from '@tabularium/sdk';
import type { NamespaceSummary } from '@tabularium/sdk';
import { useEffect, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { namespaceKey } from '../../common/namespaces.ts';
import { readMore, readNamespace, stopReading, useNamespaceTree } from '../api/namespaceTree.ts';
import { strings } from '../i18n/index.ts';
import type { NamespaceState } from './namespaceLines.ts';
import styles from './sidebar.module.css';

/** Reading that takes no longer is not announced. */
const PATIENCE = 500;

interface Props {
  readonly connectionId: string;
  readonly state: NamespaceState;
  readonly namespace: NamespaceSummary;
  /** The place of the line, and whether the keyboard enters the list there. */
  readonly line: { readonly 'data-line': number; readonly tabIndex: number };
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** How far a namespace of the sidebar is read, and what can be done about it. */
export function NamespaceStateLine({ connectionId, state, namespace, line, onKeyDown }: Props): ReactNode {
  const words = strings.sidebar;
  const tree = useNamespaceTree(connectionId);
  const name = visibleText(namespace.path.join('.'));
  const shared = { type: 'button', className: styles.tableButton, onKeyDown, ...line } as const;
  const icon = { size: 14, stroke: 1.75, className: styles.tableMark, 'aria-hidden': true } as const;
  switch (state) {
    case 'reading':
      return (
        <AfterAWhile>
          <span className="tb-visually-hidden" role="status">
            {words.reading}
          </span>
          <button {...shared} aria-label={words.stopReading(name)} onClick={() => stopReading(connectionId, namespace.path)}>
            <IconLoader2 {...icon} />
            <span className={styles.tableName}>{words.reading}</span>
            <span className={styles.tableRows}>{words.stop}</span>
          </button>
        </AfterAWhile>
      );
    case 'failed': {
      const problem = tree?.nodes.get(namespaceKey(namespace.path))?.problem;
      const reason = visibleText([problem?.message ?? '', problem?.advice ?? ''].join(' ').trim(), 'name', 2_000);
      return (
        <>
          <span className="tb-visually-hidden" role="alert">
            {reason}
          </span>
          <button
            {...shared}
            title={reason}
            aria-label={words.readAgain(name, reason)}
            onClick={() => void readNamespace(connectionId, namespace)}
          >
            <IconAlertTriangle {...icon} />
            <span className={styles.tableName}>{reason}</span>
            <span className={styles.tableRows}>{strings.common.retry}</span>
            <IconRefresh {...icon} />
          </button>
        </>
      );
    }
    case 'more':
      return (
        <button {...shared} aria-label={words.moreOf(name)} onClick={() => void readMore(connectionId, namespace)}>
          <IconDots {...icon} />
          <span className={styles.tableName}>{words.more}</span>
        </button>
      );
    case 'empty':
      return (
        <span className={styles.emptyNamespace} onKeyDown={onKeyDown} {...line}>
          {words.emptyNamespace}
        </span>
      );
  }
}

function AfterAWhile({ children }: { readonly children: ReactNode }): ReactNode {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), PATIENCE);
    return () => clearTimeout(timer);
  }, []);
  return isLong ? children : null;
}
