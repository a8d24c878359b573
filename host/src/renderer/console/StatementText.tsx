import { visibleText } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import styles from './dialogs.module.css';

/** More of a statement in a question makes the browser slow. */
const LONGEST_SHOWN = 50_000;

interface Props {
  readonly text: string;
  readonly label: string;
}

/** A statement in a question, as it was written. */
export function StatementText({ text, label }: Props): ReactNode {
  return (
    <>
      <pre className={styles.statement} tabIndex={0} aria-label={label}>
        {visibleText(text.slice(0, LONGEST_SHOWN), 'data')}
      </pre>
      {text.length <= LONGEST_SHOWN ? null : (
        <p className={styles.truncated}>{strings.console.cut(LONGEST_SHOWN, text.length)}</p>
      )}
    </>
  );
}
