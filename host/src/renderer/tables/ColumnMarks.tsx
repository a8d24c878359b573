import type { Column } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import styles from './structure.module.css';

/** The marks of columns, in the order of the legend. */
export const COLUMN_MARKS = ['key', 'required', 'optional', 'sort', 'filter', 'fixed'] as const;
export type ColumnMark = (typeof COLUMN_MARKS)[number];

/** The marks of a column, in the order of the legend. */
export function marksOf(column: Column, key: readonly string[]): readonly ColumnMark[] {
  const has: Readonly<Record<ColumnMark, boolean>> = {
    key: key.includes(column.name),
    required: column.required === true,
    optional: column.nullable,
    sort: column.sortable.allowed,
    filter: column.filterClass !== undefined,
    fixed: !column.editable.allowed,
  };
  return COLUMN_MARKS.filter((mark) => has[mark]);
}

/** Why a column can't be sorted by or edited, as a driver says it; once each. */
export function reasonsOf({ sortable, editable }: Column): readonly string[] {
  return [...new Set([sortable, editable].flatMap((ability) => (ability.allowed ? [] : [ability.reason])))];
}

export function ColumnMarks({ marks }: { readonly marks: readonly ColumnMark[] }): ReactNode {
  return (
    <span className={styles.marks}>
      {marks.map((mark) => (
        <span key={mark} className={styles.mark} data-mark={mark} title={strings.structure.meaning[mark]}>
          {strings.structure.marks[mark]}
        </span>
      ))}
    </span>
  );
}

/** The meaning of each mark that a table has. */
export function MarkLegend({ used }: { readonly used: ReadonlySet<ColumnMark> }): ReactNode {
  return (
    <dl className={styles.legend} aria-label={strings.structure.legend}>
      {COLUMN_MARKS.filter((mark) => used.has(mark)).map((mark) => (
        <div key={mark}>
          <dt>
            <span className={styles.mark} data-mark={mark}>
              {strings.structure.marks[mark]}
            </span>
          </dt>
          <dd>{strings.structure.meaning[mark]}</dd>
        </div>
      ))}
    </dl>
  );
}
