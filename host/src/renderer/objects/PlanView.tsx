import { visibleText } from '@tabularium/sdk';
import type { PlannedChange } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import { inDriverWords } from '../api/driverTexts.ts';
import { indentJson } from '../grid/model/jsonText.ts';
import { strings } from '../i18n/index.ts';
import styles from './objects.module.css';

interface Props {
  readonly connectionId: string;
  readonly plan: PlannedChange;
  /** Shown between the two. */
  readonly children?: ReactNode;
}

/** The consequences of a change, and the requests as they would be sent. */
export function PlanView({ connectionId, plan, children }: Props): ReactNode {
  const words = strings.objects;
  const { consequence } = inDriverWords(connectionId, plan);
  return (
    <>
      <p className={styles.consequence}>{visibleText(consequence, 'name', 4_000)}</p>
      {children}
      <section aria-label={words.requests}>
        <p className={styles.help}>{words.requests}</p>
        {plan.requests.map(({ method, path, body }) => (
          <pre key={`${method} ${path}`} className={styles.request} tabIndex={0}>
            {visibleText(`${method} ${path}${body === undefined ? '' : `\n${indentJson(body)}`}`, 'data')}
          </pre>
        ))}
      </section>
    </>
  );
}
