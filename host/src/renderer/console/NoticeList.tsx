import { visibleText } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import { StateBadge } from '../ui/Marks.tsx';
import styles from './noticeList.module.css';
import type { PlacedNotice, RunNotices } from './runs.ts';

interface Props {
  readonly notices: RunNotices;
  /** The answer that is shown: its notices are those that came before its end. */
  readonly place: number;
}

/** The server's messages of one answer, in the order in which they came. */
export function NoticeList({ notices: { shown, leftOut }, place }: Props): ReactNode {
  const words = strings.consoleSession;
  const own = shown.filter((notice) => notice.place === place);
  if (own.length === 0) return null;
  return (
    <section className={styles.notices} aria-label={words.notices} tabIndex={0}>
      {leftOut === 0 ? null : <p className={styles.leftOut}>{words.noticesLeftOut(leftOut)}</p>}
      <ol>
        {own.map((notice, at) => (
          <NoticeLine key={at} notice={notice} />
        ))}
      </ol>
    </section>
  );
}

function NoticeLine({ notice: { severity, message, detail, hint, code } }: { readonly notice: PlacedNotice }): ReactNode {
  const words = strings.consoleSession;
  return (
    <li>
      <StateBadge tone={severity === 'warning' ? 'warning' : 'plain'}>{words.severities[severity]}</StateBadge>
      <div className={styles.text}>
        <span>{visibleText(message, 'data')}</span>
        {code === undefined || code === '00000' ? null : <span className={styles.code}> {visibleText(code)}</span>}
        {detail === undefined ? null : <div className={styles.more}>{words.detail(visibleText(detail, 'data'))}</div>}
        {hint === undefined ? null : <div className={styles.more}>{words.hint(visibleText(hint, 'data'))}</div>}
      </div>
    </li>
  );
}
