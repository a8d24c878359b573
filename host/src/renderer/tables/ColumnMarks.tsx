import type { Column, ColumnMark } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import styles from './structure.module.css';

/** The marks of columns, in the order of the legend. */
export const COLUMN_MARKS = ['key', 'required', 'optional', 'sort', 'filter', 'fixed'] as const;
export type CommonMark = (typeof COLUMN_MARKS)[number];

/** The marks of a column, in the order of the legend. */
export function marksOf(column: Column, key: readonly string[]): readonly CommonMark[] {
  const has: Readonly<Record<CommonMark, boolean>> = {
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

interface MarksProps {
  readonly marks: readonly CommonMark[];
  /** The driver's own, after the others. */
  readonly own: readonly ColumnMark[];
}

export function ColumnMarks({ marks, own }: MarksProps): ReactNode {
  return (
    <span className={styles.marks}>
      {marks.map((mark) => (
        <span key={mark} className={styles.mark} data-mark={mark} title={strings.structure.meaning[mark]}>
          {strings.structure.marks[mark]}
        </span>
      ))}
      {own.map(({ label, meaning }) => (
        <span key={label} className={styles.mark} data-mark="own" title={meaning}>
          {label}
        </span>
      ))}
    </span>
  );
}

/** The driver's own marks of a table's columns, each once, with its first meaning. */
export function ownMarks(columns: readonly Column[]): readonly ColumnMark[] {
  const byLabel = new Map<string, ColumnMark>();
  for (const own of columns.flatMap(({ marks = [] }) => marks)) if (!byLabel.has(own.label)) byLabel.set(own.label, own);
  return [...byLabel.values()];
}

interface LegendProps {
  readonly used: ReadonlySet<CommonMark>;
  readonly own: readonly ColumnMark[];
}

/** The meaning of each mark that a table has. */
export function MarkLegend({ used, own }: LegendProps): ReactNode {
  const common = COLUMN_MARKS.filter((mark) => used.has(mark)).map((mark) => ({
    look: mark,
    label: strings.structure.marks[mark],
    meaning: strings.structure.meaning[mark],
  }));
  return (
    <dl className={styles.legend} aria-label={strings.structure.legend}>
      {[...common, ...own.map(({ label, meaning }) => ({ look: 'own', label, meaning }))].map(({ look, label, meaning }) => (
        <div key={`${look} ${label}`}>
          <dt>
            <span className={styles.mark} data-mark={look}>
              {label}
            </span>
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}
