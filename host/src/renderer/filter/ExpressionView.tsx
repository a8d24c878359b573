import { ActionIcon } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconCopy } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Filter, Sort, TableRef } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import { api } from '../api/client.ts';
import { inDriverWords } from '../api/driverTexts.ts';
import { problemOf } from '../api/problem.ts';
import { strings } from '../i18n/index.ts';
import { notify } from '../state/notify.ts';
import styles from './filter.module.css';

interface Props {
  readonly connectionId: string;
  readonly table: TableRef;
  /** Undefined while a condition is not filled in. */
  readonly filter: Filter | undefined;
  readonly sorts: readonly Sort[];
}

/** Typing is looked at when it rests. */
const REST_MILLISECONDS = 250;
/** More than this in one element makes the browser slow; copying takes the whole text all the same. */
const LONGEST_SHOWN = 20_000;

/** The request for the filter in the bar and the sorting of the grid, as the driver writes it. */
export function ExpressionView({ connectionId, table, filter, sorts }: Props): ReactNode {
  const words = strings.filter;
  const [question] = useDebouncedValue({ filter, sorts }, REST_MILLISECONDS);
  const asked = question.filter;
  const sent = useQuery({
    queryKey: ['expressions', connectionId, table, asked, question.sorts],
    queryFn: ({ signal }) =>
      asked === undefined
        ? undefined
        : api.filtering.expressions.mutate({ connectionId, table, filter: asked, sorts: [...question.sorts] }, { signal }),
    enabled: asked !== undefined,
    retry: false,
    staleTime: 0,
    placeholderData: (before) => before,
  });
  const copy = (label: string, text: string): void => {
    navigator.clipboard.writeText(text).then(
      () => notify({ tone: 'plain', text: words.copiedExpression(label) }),
      () => notify({ tone: 'warning', text: strings.grid.copyRefused }),
    );
  };
  if (filter === undefined) return <Line>{words.expressionUnfinished}</Line>;
  if (sent.error !== null) {
    return (
      <Line tone="wrong">
        {words.expressionFailed}. {problemOf(sent.error).message}
      </Line>
    );
  }
  return (
    <div className={styles.expression} role="group" aria-label={words.expressionLabel} aria-busy={sent.isFetching}>
      {sent.data?.parts.length === 0 ? <span className={styles.optionNote}>{words.expressionNone}</span> : null}
      {sent.data?.parts.map(({ label, text }) => (
        <div key={label} className={styles.expressionPart}>
          <span className={styles.expressionLabel}>{label}</span>
          <code tabIndex={0} aria-label={label}>
            {text.slice(0, LONGEST_SHOWN)}
          </code>
          <ActionIcon
            size={22}
            aria-label={words.copyExpression(label)}
            title={words.copyExpression(label)}
            onClick={() => copy(label, text)}
          >
            <IconCopy size={14} stroke={1.75} />
          </ActionIcon>
        </div>
      ))}
      {sent.data?.droppedSorts.map((dropped) => (
        <span key={dropped.column} className={styles.optionNote}>
          {words.notSorted(dropped.column, inDriverWords(connectionId, dropped).reason)}
        </span>
      ))}
    </div>
  );
}

function Line({ children, tone }: { readonly children: ReactNode; readonly tone?: 'wrong' }): ReactNode {
  return (
    <div className={styles.expression} role="group" aria-label={strings.filter.expressionLabel}>
      <span className={tone === 'wrong' ? styles.expressionError : styles.optionNote}>{children}</span>
    </div>
  );
}
