import { ActionIcon, Button, Modal, SegmentedControl, TextInput } from '@mantine/core';
import { IconHistory, IconSearch, IconTrash, IconX } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { strings } from '../i18n/index.ts';
import dialogs from './dialogs.module.css';
import styles from './panels.module.css';
import { DialogActions } from '../ui/DialogActions.tsx';

interface Props {
  readonly connectionId: string;
  readonly name: string;
  /** Counts up with every run, so that the list is reloaded. */
  readonly turn: number;
  readonly onTake: (text: string) => void;
}

const PAGE = 100;

const short = (text: string): string => text.slice(0, 80);

/** The requests that were run, newest first. */
export function HistoryPanel({ connectionId, name, turn, onTake }: Props): ReactNode {
  const words = strings.console;
  const [search, setSearch] = useState('');
  const [where, setWhere] = useState<'here' | 'all'>('here');
  const [clearing, setClearing] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const list = useInfiniteQuery({
    queryKey: ['console', 'history', connectionId, where, search, turn],
    queryFn: ({ signal, pageParam }) =>
      api.console.history.search.query(
        {
          search,
          limit: PAGE,
          ...(where === 'here' ? { connectionId } : {}),
          ...(pageParam === 0 ? {} : { before: pageParam }),
        },
        { signal },
      ),
    initialPageParam: 0,
    getNextPageParam: (page) => (page.length < PAGE ? undefined : page.at(-1)?.id),
    placeholderData: (before) => before,
    staleTime: 0,
  });
  const entries = list.data?.pages.flat();
  const change = async (work: Promise<unknown>): Promise<void> => {
    try {
      await work;
      setProblem(undefined);
      await list.refetch();
    } catch (error) {
      setProblem(problemOf(error));
    }
  };
  const shownProblem = problem ?? (list.error === null ? undefined : problemOf(list.error));
  return (
    <>
      <div className={styles.panelHead}>
        <TextInput
          className={styles.panelSearch}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          placeholder={words.historySearch}
          aria-label={words.historySearch}
          leftSection={<IconSearch size={14} stroke={1.75} aria-hidden />}
        />
        <ActionIcon
          aria-label={words.historyClear}
          title={words.historyClear}
          disabled={entries === undefined || entries.length === 0}
          onClick={() => setClearing(true)}
        >
          <IconTrash size={16} stroke={1.75} />
        </ActionIcon>
      </div>
      <div className={styles.panelChoice}>
        <SegmentedControl
          fullWidth
          aria-label={words.historyWhere}
          value={where}
          onChange={(value) => setWhere(value === 'all' ? 'all' : 'here')}
          data={[
            { value: 'here', label: words.historyHere },
            { value: 'all', label: words.historyAll },
          ]}
        />
      </div>
      <div className={styles.panelBody}>
        {shownProblem === undefined ? null : (
          <ProblemPanel
            compact
            title={words.historyFailed}
            problem={shownProblem}
            onRetry={() => void change(Promise.resolve())}
          />
        )}
        {entries?.length === 0 && search === '' ? (
          <EmptyState
            icon={<IconHistory size={32} stroke={1.25} />}
            title={words.historyEmptyTitle}
            text={words.historyEmptyText}
          />
        ) : null}
        {entries?.length === 0 && search !== '' ? <p className={styles.notice}>{words.historyNoMatch}</p> : null}
        <ul className={styles.entries}>
          {entries?.map((entry) => (
            <li key={entry.id}>
              <button type="button" title={entry.text.slice(0, 2_000)} onClick={() => onTake(entry.text)}>
                <code>{short(entry.text)}</code>
                <span className={styles.entryFacts} data-outcome={entry.outcome}>
                  <span>{entry.status ?? words.outcomes[entry.outcome]}</span>
                  {entry.milliseconds === undefined ? null : <span>{words.milliseconds(entry.milliseconds)}</span>}
                  <time dateTime={entry.startedAt}>{words.startedAt(entry.startedAt)}</time>
                </span>
                {entry.changed ? <span className={styles.entryFacts}>{words.changedText}</span> : null}
              </button>
              <ActionIcon
                size={22}
                aria-label={words.forget(short(entry.text))}
                title={words.forget(short(entry.text))}
                onClick={() => void change(api.console.history.remove.mutate({ id: entry.id }))}
              >
                <IconX size={13} stroke={1.75} />
              </ActionIcon>
            </li>
          ))}
        </ul>
        {list.hasNextPage ? (
          <Button variant="subtle" fullWidth loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {words.historyMore}
          </Button>
        ) : null}
      </div>
      {clearing ? (
        <Modal
          opened
          onClose={() => setClearing(false)}
          title={words.historyClearTitle(name)}
          size={440}
          centered
          closeButtonProps={{ 'aria-label': strings.common.close }}
        >
          <p className={dialogs.confirmText}>{words.historyClearText}</p>
          <DialogActions>
            <Button variant="default" onClick={() => setClearing(false)} data-autofocus>
              {strings.common.cancel}
            </Button>
            <Button
              color="red"
              onClick={() => {
                setClearing(false);
                void change(api.console.history.clear.mutate({ connectionId }));
              }}
            >
              {words.historyClearConfirm}
            </Button>
          </DialogActions>
        </Modal>
      ) : null}
    </>
  );
}
