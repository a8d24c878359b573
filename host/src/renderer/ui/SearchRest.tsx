import { Button, Progress } from '@mantine/core';
import { visibleText } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import { hasUnread, partlyRead, readRest, stopRest, useNamespaceTree } from '../api/namespaceTree.ts';
import { strings } from '../i18n/index.ts';
import styles from './searchRest.module.css';

/** Lists that are read in part and named; of the others the number is. */
const MOST_NAMED = 3;

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
  const parts = partlyRead(tree);
  const named = parts.slice(0, MOST_NAMED).map((path) => (path.length === 0 ? words.theList(term) : visibleText(path.join('.'))));
  const further = parts.length - named.length;
  return (
    <div className={styles.searchRest}>
      <p>{words.onlyRead(term)}</p>
      {named.length === 0 ? null : (
        <p>{words.partlyRead([...named, ...(further > 0 ? [words.furtherLists(further)] : [])].join(', '))}</p>
      )}
      <Button size="compact-xs" variant="default" onClick={() => void readRest(connectionId)}>
        {words.searchRest(term)}
      </Button>
    </div>
  );
}
