import { ActionIcon, Button, Textarea } from '@mantine/core';
import { IconSearch, IconTrash } from '@tabler/icons-react';
import type { TableRef } from '@tabularium/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import type { JudgedQuery } from '../../common/relevance.ts';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { formatCount } from '../i18n/format.ts';
import { strings } from '../i18n/index.ts';
import { rereadQuerySets, useQuerySet } from '../search/querySetQueries.ts';
import { notify } from '../state/notify.ts';
import { ConfirmRemoval } from '../ui/ConfirmRemoval.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import styles from './relevance.module.css';
import { showInSearch } from './showInSearch.ts';
import { typedQueries } from './typedQueries.ts';

interface Props {
  readonly connectionId: string;
  readonly table: TableRef;
  readonly setId: string;
  readonly isShown: boolean;
  /** The text of the box for queries, which outlives the set. */
  readonly typed: string;
  readonly onTyped: (text: string) => void;
  readonly onSearch: () => void;
}

/** The queries of a set, with their judgments counted. */
export function QueryList({ connectionId, table, setId, isShown, typed, onTyped, onSearch }: Props): ReactNode {
  const words = strings.relevance;
  const client = useQueryClient();
  const set = useQuerySet(setId, isShown);
  const [problem, setProblem] = useState<Problem>();
  const [removing, setRemoving] = useState<JudgedQuery>();
  const lines = typedQueries(typed);
  const texts = [...new Set(lines)];
  const add = async (): Promise<void> => {
    if (texts.length === 0) return;
    try {
      const before = set.data?.judged.length;
      const { judged } = await api.relevance.sets.addQueries.mutate({ id: setId, texts });
      setProblem(undefined);
      onTyped('');
      const added = before === undefined ? lines.length : Math.max(0, judged.length - before);
      if (added < lines.length) notify({ tone: 'plain', text: words.addedSome(added, lines.length - added) });
    } catch (error) {
      setProblem(problemOf(error));
    }
    await rereadQuerySets(client);
  };
  const remove = async (query: JudgedQuery): Promise<void> => {
    await api.relevance.sets.removeQuery.mutate({ id: setId, queryId: query.id });
    await rereadQuerySets(client);
    notify({ tone: 'plain', text: words.removedQuery(query.text) });
  };
  const judge = (text: string): void => {
    showInSearch(connectionId, table, { text, judging: setId });
    onSearch();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    void add();
  };
  const shown = problem ?? (set.error === null ? undefined : problemOf(set.error));
  return (
    <>
      <div className={styles.add}>
        <Textarea
          className={styles.addText}
          size="xs"
          autosize
          minRows={1}
          maxRows={6}
          aria-label={words.addLabel}
          placeholder={words.addPlaceholder}
          value={typed}
          spellCheck={false}
          onChange={({ currentTarget }) => onTyped(currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <Button size="xs" onClick={() => void add()} disabled={texts.length === 0}>
          {words.add}
        </Button>
      </div>
      {shown === undefined ? null : (
        <ProblemPanel
          compact
          title={problem === undefined ? words.failed : words.addFailed}
          problem={shown}
          {...(problem === undefined ? { onRetry: () => void set.refetch() } : {})}
        />
      )}
      {set.data?.judged.length === 0 ? (
        <EmptyState icon={<IconSearch size={32} stroke={1.25} />} title={words.noQueriesTitle} text={words.noQueriesText} />
      ) : null}
      {set.data === undefined || set.data === null || set.data.judged.length === 0 ? null : (
        <table className={styles.table} aria-label={words.queries}>
          <thead>
            <tr>
              <th scope="col">{words.query}</th>
              <th scope="col" className={styles.number}>
                {words.judgments}
              </th>
              <th scope="col" className={styles.number}>
                {words.relevant}
              </th>
              <td />
            </tr>
          </thead>
          <tbody>
            {set.data.judged.map((query) => (
              <tr key={query.id}>
                <th scope="row">{query.text}</th>
                <td className={styles.number}>{formatCount(query.judgments.length)}</td>
                <td className={styles.number}>{formatCount(query.judgments.filter(({ grade }) => grade > 0).length)}</td>
                <td className={styles.actions}>
                  <Button
                    size="compact-xs"
                    variant="subtle"
                    aria-label={words.judge(query.text)}
                    onClick={() => judge(query.text)}
                  >
                    {words.judgeShort}
                  </Button>
                  <ActionIcon
                    size={22}
                    aria-label={words.removeQuery(query.text)}
                    title={words.removeQuery(query.text)}
                    // Only judgments are work that a person would miss.
                    onClick={() => (query.judgments.length === 0 ? void remove(query) : setRemoving(query))}
                  >
                    <IconTrash size={14} stroke={1.75} />
                  </ActionIcon>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {removing === undefined ? null : (
        <ConfirmRemoval
          title={words.removeQueryTitle(removing.text)}
          text={words.removeQueryText(removing.judgments.length)}
          confirm={words.removeQueryConfirm}
          onConfirm={() => remove(removing)}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </>
  );
}
