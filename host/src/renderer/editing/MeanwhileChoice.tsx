import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Meanwhile, ReviewedChange, Settlement } from '../../common/editing.ts';
import { strings } from '../i18n/index.ts';
import styles from './editing.module.css';

interface Props {
  readonly kind: ReviewedChange['kind'];
  readonly meanwhile: Meanwhile;
  /** The fields that a row wouldn't have when it is inserted again. */
  readonly missing: readonly string[];
  /** Absent while nothing can be decided. */
  readonly onChoice: ((choice: Settlement['choice']) => void) | undefined;
}

/** Another person's change of a row, and the question whose values to keep. */
export function MeanwhileChoice({ kind, meanwhile, missing, onChoice }: Props): ReactNode {
  const words = strings.editing.meanwhile;
  const isGone = meanwhile.is === 'deleted';
  const isDeletion = kind === 'delete';
  const { text, mine, theirs } = wordsOf(meanwhile, isDeletion);
  return (
    <div className={styles.meanwhile}>
      <p className={styles.reason} role="alert">
        {text}
      </p>
      {meanwhile.is === 'elsewhere' ? (
        <details className={styles.identities}>
          <summary>{words.identities}</summary>
          <dl>
            <dt>{words.identityThen}</dt>
            <dd>{meanwhile.was}</dd>
            <dt>{words.identityNow}</dt>
            <dd>{meanwhile.now}</dd>
          </dl>
        </details>
      ) : null}
      {isGone && !isDeletion ? (
        <p>{[words.insertAgainOf, ...(missing.length > 0 ? [words.insertAgainWithout(missing)] : [])].join(' ')}</p>
      ) : null}
      {onChoice === undefined ? null : (
        <Group gap={8} mt={4}>
          {isGone && isDeletion ? null : (
            <Button size="compact-xs" variant="default" onClick={() => onChoice('mine')}>
              {mine}
            </Button>
          )}
          <Button size="compact-xs" variant="default" onClick={() => onChoice('theirs')}>
            {theirs}
          </Button>
        </Group>
      )}
    </div>
  );
}

/** The sentence, and the names of the two choices. */
function wordsOf(
  meanwhile: Meanwhile,
  isDeletion: boolean,
): { readonly text: string; readonly mine: string; readonly theirs: string } {
  const words = strings.editing.meanwhile;
  switch (meanwhile.is) {
    case 'elsewhere':
      return { text: words.elsewhereText, mine: words.saveThere, theirs: words.drop };
    case 'deleted':
      return { text: isDeletion ? words.deletedTwice : words.deletedText, mine: words.insertAgain, theirs: words.drop };
    case 'changed':
      return isDeletion
        ? { text: words.deletionText, mine: words.deleteAnyway, theirs: words.keepRow }
        : { text: words.rowChanged(meanwhile.cells.map(({ column }) => column)), mine: words.keepMine, theirs: words.takeTheirs };
  }
}

interface SummaryProps {
  readonly count: number;
  readonly onChoice: (choice: Settlement['choice']) => void;
}

/** The same for all rows at once. */
export function MeanwhileSummary({ count, onChoice }: SummaryProps): ReactNode {
  const words = strings.editing.meanwhile;
  return (
    <div className={styles.meanwhileSummary} role="alert">
      <p>{words.summary(count)}</p>
      <Group gap={8}>
        <Button size="compact-xs" variant="default" onClick={() => onChoice('mine')}>
          {words.keepAll}
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => onChoice('theirs')}>
          {words.takeAll}
        </Button>
      </Group>
    </div>
  );
}
