import { Button } from '@mantine/core';
import { IconTableOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Manifest } from '@tabularium/sdk/manifest';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ProblemPanel } from '../../ui/ProblemPanel.tsx';
import { strings } from '../../i18n/index.ts';
import styles from './grid.module.css';
import type { FailedPage } from '../model/gridPage.ts';
import type { PageCache } from '../model/pageCache.ts';

interface Props {
  readonly tableName: string;
  readonly terms: Manifest['terms'];
  readonly cache: PageCache;
  readonly failure: FailedPage | undefined;
  readonly nothingRead: boolean;
  readonly isEmpty: boolean;
  readonly isFiltered: boolean;
  readonly onClearFilter: () => void;
  readonly onReload: () => void;
}

/** What stands over the rows: that there are none, or why they could not be read. */
export function GridOverlays(props: Props): ReactNode {
  const { tableName, terms, cache, failure, nothingRead, isFiltered } = props;
  if (failure !== undefined) {
    return (
      <div className={nothingRead ? styles.overlay : styles.failedPage}>
        <ProblemPanel
          compact={!nothingRead}
          title={nothingRead ? strings.grid.readFailed(tableName) : strings.grid.pageFailed(failure.first + 1, failure.last + 1)}
          problem={failure.problem}
          onRetry={() => cache.retry(failure.page)}
        />
      </div>
    );
  }
  if (!props.isEmpty) return null;
  return (
    <div className={styles.overlay}>
      <EmptyState
        icon={<IconTableOff size={40} stroke={1.25} />}
        title={isFiltered ? strings.filter.noMatchTitle : strings.grid.noRowsTitle(terms.row)}
        text={isFiltered ? strings.filter.noMatchText : strings.grid.noRowsText(tableName, terms.row)}
        action={
          <Button variant="default" onClick={isFiltered ? props.onClearFilter : props.onReload}>
            {isFiltered ? strings.filter.clear : strings.grid.reloadRows}
          </Button>
        }
      />
    </div>
  );
}
