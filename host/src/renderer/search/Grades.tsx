import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import styles from './search.module.css';

interface Props {
  /** From 1 on. */
  readonly rank: number;
  readonly grade: number | undefined;
  /** Null: the grade is taken back. */
  readonly onGrade: (grade: number | null) => void;
}

/** By grade. */
const MEANINGS = ['none', 'slight', 'relevant', 'exact'] as const;

/** The grade of one hit. */
export function Grades({ rank, grade, onGrade }: Props): ReactNode {
  const words = strings.relevance;
  return (
    <span className={styles.grades} role="group" aria-label={words.grades(rank)}>
      {MEANINGS.map((name) => words.grade[name]).map((meaning, value) => (
        <button
          key={meaning}
          type="button"
          className={styles.grade}
          aria-label={meaning}
          aria-pressed={grade === value}
          title={grade === value ? `${meaning}. ${words.takeBack}` : meaning}
          onClick={() => onGrade(grade === value ? null : value)}
        >
          {value}
        </button>
      ))}
    </span>
  );
}
