import { Button, Progress } from '@mantine/core';
import type { ReactNode } from 'react';
import { hasUnread, readRest, stopRest, useNamespaceTree } from '../api/namespaceTree.ts';
import { strings } from '../i18n/index.ts';
import styles from './searchRest.module.css';

interface Props {
  readonly connectionId: string;
  /** Of the namespaces, such as databases. */
  readonly term: { readonly one: string; readonly other: string } | undefined;
}

/** Says that a list has only the tables that were read, and reads the others. Nothing where every table is read. */
export function SearchRest({ connectionId, term = strings.sidebar.namespaceTerm }: Props): ReactNode {
  const words = strings.sidebar;
  const tree = useNamespaceTree(connectionId);
  if (tree === undefined) return null;
  const { readingRest } = tree;
  if (readingRest !== undefined) {
    const { done, all } = readingRest;
    return (
      <div className={styles.searchRest}>
        <p role="status">{words.readingRest(done, all)}</p>
        <Progress size={3} value={all === 0 ? 0 : (100 * done) / all} aria-label={words.searchRest(term)} />
        <Button size="compact-xs" variant="default" onClick={() => stopRest(connectionId)}>
          {words.stop}
        </Button>
      </div>
    );
  }
  if (!hasUnread(tree)) return null;
  return (
    <div className={styles.searchRest}>
      <p>{words.onlyRead(term)}</p>
      <Button size="compact-xs" variant="default" onClick={() => void readRest(connectionId)}>
        {words.searchRest(term)}
      </Button>
    </div>
  );
}
