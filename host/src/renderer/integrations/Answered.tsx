import { Loader } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { problemOf } from '../api/problem.ts';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { strings } from '../i18n/index.ts';
import styles from './integrations.module.css';

interface Props<T> {
  readonly query: UseQueryResult<T>;
  /** The part that could not be shown. */
  readonly title: string;
  readonly children: (data: T) => ReactNode;
}

/** The answer to a query; until then its progress, or why it failed. */
export function Answered<T>({ query, title, children }: Props<T>): ReactNode {
  if (query.data !== undefined) return children(query.data);
  if (query.error !== null) {
    return <ProblemPanel title={title} problem={problemOf(query.error)} onRetry={() => void query.refetch()} />;
  }
  return (
    <div className={styles.loading} role="status" aria-label={strings.integrations.loading}>
      <Loader size="sm" />
    </div>
  );
}
