import { visibleText, wholeStart } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import { indentJson } from '../grid/model/jsonText.ts';
import { strings } from '../i18n/index.ts';
import styles from './objects.module.css';

/** The document of an object, to be read; nothing for one that has no members, such as a link. */
export function ObjectDocumentView({ document }: { readonly document: string }): ReactNode {
  if (/^\s*\{\s*\}\s*$/.test(document)) return null;
  const shown = indentJson(document);
  const isCut = shown.length > MOST_SHOWN;
  return (
    <section aria-label={strings.objects.document}>
      <p className={styles.help}>{strings.objects.document}</p>
      <pre className={styles.request} tabIndex={0}>
        {visibleText(isCut ? `${wholeStart(shown, MOST_SHOWN)}…` : shown, 'data')}
      </pre>
    </section>
  );
}

/** Characters: a list of synonyms may have a hundred thousand lines. */
const MOST_SHOWN = 20_000;
