import { IconAlertTriangle, IconDots, IconLoader2, IconRefresh } from '@tabler/icons-react';
import { visibleText } from '@tabularium/sdk';
import type { NamespaceSummary } from '@tabularium/sdk';
import { useEffect, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import type { OpenConnectionInfo } from '../../common/api.ts';
import { namespaceKey } from '../../common/namespaces.ts';
import { readMore, readNamespace, stopReading, useNamespaceTree } from '../api/namespaceTree.ts';
import { strings } from '../i18n/index.ts';
import type { NamespaceState } from './namespaceLines.ts';
import { reasonOf } from './reasonLines.ts';
import styles from './sidebar.module.css';

/** Reading that takes no longer is not announced. */
const PATIENCE = 500;

interface Props {
  readonly connectionId: string;
  readonly state: NamespaceState;
  readonly namespace: NamespaceSummary;
  readonly terms: OpenConnectionInfo['manifest']['terms'];
  /** The place of the line, and whether the keyboard enters the list there. */
  readonly line: { readonly 'data-line': number; readonly tabIndex: number };
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** How far a namespace of the sidebar is read, and what can be done about it. */
export function NamespaceStateLine({ connectionId, state, namespace, terms, line, onKeyDown }: Props): ReactNode {
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
      const reason = reasonOf(tree?.nodes.get(namespaceKey(namespace.path))?.problem);
      return (
        <div className={styles.failedNamespace}>
          <p role="alert">
            <IconAlertTriangle {...icon} />
            <span>{reason}</span>
          </p>
          <button
            {...shared}
            aria-label={words.readAgain(name, reason)}
            onClick={() => void readNamespace(connectionId, namespace)}
          >
            <IconRefresh {...icon} />
            <span className={styles.tableName}>{strings.common.retry}</span>
          </button>
        </div>
      );
    }
    case 'more': {
      const { nextNamespaces, nextTables } = tree?.nodes.get(namespaceKey(namespace.path)) ?? {};
      const text =
        name === ''
          ? words.moreAtTop(terms.container ?? words.namespaceTerm)
          : nextTables !== undefined && nextNamespaces === undefined
            ? words.moreTablesOf(terms.table, name)
            : words.moreOf(name);
      return (
        <button {...shared} title={text} onClick={() => void readMore(connectionId, namespace)}>
          <IconDots {...icon} />
          <span className={styles.tableName}>{text}</span>
        </button>
      );
    }
    case 'empty':
      return (
        <span className={styles.emptyNamespace} onKeyDown={onKeyDown} {...line}>
          {words.emptyNamespace(terms.table)}
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
