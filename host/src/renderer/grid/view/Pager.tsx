import { ActionIcon, NativeSelect } from '@mantine/core';
import { IconChevronLeft, IconChevronLeftPipe, IconChevronRight, IconChevronRightPipe } from '@tabler/icons-react';
import type { RowCount } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import { strings } from '../../i18n/index.ts';
import type { PageSize } from './pageSize.ts';
import styles from './tab.module.css';

/** Where in the table the screen is. */
export interface PagerPlace {
  /** The page at the top of the screen: its first and last row, counted from 0. Absent while there are no rows. */
  readonly span: { readonly first: number; readonly last: number } | undefined;
  readonly rowCount: number;
  readonly total: RowCount | undefined;
  /** Whether a filter lets pass only some of the table's rows. */
  readonly isFiltered: boolean;
  /** Whether the last row can be gone to at once. */
  readonly reachesEnd: boolean;
}

interface Props {
  readonly place: PagerPlace;
  readonly pageSize: PageSize;
  /** Those that the driver offers. */
  readonly pageSizes: readonly number[];
  readonly onGoTo: (row: number) => void;
  readonly onLast: () => void;
}

/** Page by page through the table, and how many rows a page has. */
export function Pager({ place, pageSize: { rows: pageSize, choose }, pageSizes, onGoTo, onLast }: Props): ReactNode {
  const { span, rowCount, reachesEnd } = place;
  const first = span?.first ?? 0;
  const next = (span?.last ?? -1) + 1;
  const atStart = first === 0;
  const atEnd = span === undefined || next >= rowCount;
  const sizes = pageSizes.includes(pageSize) ? pageSizes : [...pageSizes, pageSize].sort((a, b) => a - b);
  return (
    <nav className={styles.pager} aria-label={strings.pager.label}>
      <NativeSelect
        className={styles.pageSize}
        aria-label={strings.pager.pageSize}
        value={String(pageSize)}
        data={sizes.map((size) => ({ value: String(size), label: strings.pager.perPage(size) }))}
        onChange={(event) => choose(Number(event.currentTarget.value))}
      />
      <ActionIcon aria-label={strings.pager.first} title={strings.pager.first} disabled={atStart} onClick={() => onGoTo(0)}>
        <IconChevronLeftPipe size={16} stroke={1.75} />
      </ActionIcon>
      <ActionIcon
        aria-label={strings.pager.previous}
        title={strings.pager.previous}
        disabled={atStart}
        onClick={() => onGoTo(Math.max(0, first - pageSize))}
      >
        <IconChevronLeft size={16} stroke={1.75} />
      </ActionIcon>
      <Range {...place} />
      <ActionIcon aria-label={strings.pager.next} title={strings.pager.next} disabled={atEnd} onClick={() => onGoTo(next)}>
        <IconChevronRight size={16} stroke={1.75} />
      </ActionIcon>
      <ActionIcon
        aria-label={strings.pager.last}
        title={reachesEnd ? strings.pager.last : strings.pager.lastUnknown}
        disabled={atEnd || !reachesEnd}
        onClick={onLast}
      >
        <IconChevronRightPipe size={16} stroke={1.75} />
      </ActionIcon>
    </nav>
  );
}

function Range({ span, total, isFiltered }: Pick<PagerPlace, 'span' | 'total' | 'isFiltered'>): ReactNode {
  if (span === undefined) return <span className={styles.range} />;
  const range = strings.pager.range(span.first + 1, span.last + 1);
  const of = total === undefined ? strings.pager.ofMore : strings.pager.of(strings.pager.total(total));
  const filtered = isFiltered ? ` ${strings.filter.filtered}` : '';
  const notice = total !== undefined && !total.exact ? ` (${strings.pager.estimate})` : '';
  return (
    <span className={styles.range} data-testid="range" title={`${range} ${of}${filtered}${notice}`}>
      {range} <span className={styles.ofTotal}>{`${of}${filtered}`}</span>
    </span>
  );
}
