import { Button, Checkbox, Loader, Menu, SegmentedControl, Select, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconSearch } from '@tabler/icons-react';
import type { RecordedQueries, RecordedQuery, RecordedQueryKind, TableRef } from '@tabularium/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import type { QuerySetInfo } from '../../common/relevance.ts';
import { api } from '../api/client.ts';
import { inDriverWords } from '../api/driverTexts.ts';
import { problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { formatCount } from '../i18n/format.ts';
import { strings } from '../i18n/index.ts';
import { NewQuerySetDialog } from '../search/NewQuerySetDialog.tsx';
import { copyOfTable, rereadQuerySets } from '../search/querySetQueries.ts';
import { notify } from '../state/notify.ts';
import { showObjectKind } from '../state/objectKinds.ts';
import { useWorkspace } from '../state/WorkspaceContext.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import styles from './relevance.module.css';
import { showInSearch } from './showInSearch.ts';

/** Queries of one answer: as many as an analysis looks at. */
const READ = 1_000;
/** Rows that are drawn, and that “Show more” adds. */
const STEP = 100;

interface Props {
  readonly connectionId: string;
  readonly table: TableRef;
  readonly sets: readonly QuerySetInfo[];
  readonly isShown: boolean;
  /** Whether the connection has named objects, some of which may record queries. */
  readonly hasObjects: boolean;
  readonly onSearch: () => void;
}

type Order = 'most' | 'least' | 'text';
const byText = new Intl.Collator(undefined, { numeric: true });

function inOrder(queries: readonly RecordedQuery[], order: Order): readonly RecordedQuery[] {
  if (order === 'text') return queries.toSorted((a, b) => byText.compare(a.text, b.text));
  // They come with the most frequent first.
  return order === 'most' ? queries : queries.toReversed();
}

/** Queries of the database's own users: the most frequent ones, and those that found nothing. */
export function RecordedPanel({ connectionId, table, sets, isShown, hasObjects, onSearch }: Props): ReactNode {
  const words = strings.relevance.recorded;
  const client = useQueryClient();
  const [kind, setKind] = useState<RecordedQueryKind>('popular');
  const [recording, setRecording] = useState<string>();
  const queryKey = ['recordedQueries', connectionId, table, kind, recording ?? null];
  const recorded = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      api.search.recordedQueries.query(
        {
          connectionId,
          request: {
            ...{ table: copyOfTable(table), kind, offset: 0, limit: READ },
            ...(recording === undefined ? {} : { recording }),
          },
        },
        { signal },
      ),
    enabled: isShown,
    staleTime: 0,
    retry: false,
  });
  const answer = recorded.data;
  return (
    <>
      <div className={styles.bar}>
        <SegmentedControl
          size="xs"
          aria-label={words.kind}
          value={kind}
          onChange={(value) => {
            setKind(value === 'withoutHits' ? 'withoutHits' : 'popular');
            setRecording(undefined);
          }}
          data={[
            { value: 'popular', label: words.popular },
            { value: 'withoutHits', label: words.withoutHits },
          ]}
        />
        {answer === undefined || answer.recordings.length < 2 ? null : (
          <Select
            size="xs"
            aria-label={words.recording}
            value={recording ?? answer.recordings[0] ?? null}
            allowDeselect={false}
            data={[...answer.recordings]}
            onChange={(name) => setRecording(name ?? undefined)}
          />
        )}
        {recorded.isFetching ? (
          <span className={styles.running} role="status">
            <Loader size={14} aria-hidden />
            <span className={styles.muted}>{words.reading}</span>
            <Button size="compact-xs" variant="default" onClick={() => void client.cancelQueries({ queryKey })}>
              {strings.relevance.cancel}
            </Button>
          </span>
        ) : (
          <Button size="compact-xs" variant="subtle" onClick={() => void recorded.refetch()}>
            {words.refresh}
          </Button>
        )}
      </div>
      {recorded.error === null ? null : (
        <ProblemPanel compact title={words.failed} problem={problemOf(recorded.error)} onRetry={() => void recorded.refetch()} />
      )}
      {answer?.missing === undefined || recorded.error !== null ? null : (
        <Missing connectionId={connectionId} missing={answer.missing} hasObjects={hasObjects} />
      )}
      {answer === undefined || answer.queries.length === 0 || recorded.error !== null ? null : (
        <QueryTable
          key={JSON.stringify(queryKey)}
          connectionId={connectionId}
          table={table}
          sets={sets}
          title={kind === 'popular' ? words.popular : words.withoutHits}
          answer={answer}
          onSearch={onSearch}
        />
      )}
    </>
  );
}

interface MissingProps {
  readonly connectionId: string;
  readonly missing: NonNullable<RecordedQueries['missing']>;
  readonly hasObjects: boolean;
}

function Missing({ connectionId, missing, hasObjects }: MissingProps): ReactNode {
  const { dispatch } = useWorkspace();
  const { reason, advice, objects } = inDriverWords(connectionId, missing);
  return (
    <EmptyState
      icon={<IconSearch size={32} stroke={1.25} />}
      title={strings.relevance.recorded.none}
      text={advice === undefined ? reason : `${reason} ${advice}`}
      action={
        objects === undefined || !hasObjects ? null : (
          <Button
            size="xs"
            variant="default"
            onClick={() => {
              showObjectKind(connectionId, objects);
              dispatch({ type: 'openTool', connectionId, tool: 'objects' });
            }}
          >
            {strings.relevance.recorded.openObjects}
          </Button>
        )
      }
    />
  );
}

interface TableProps {
  readonly connectionId: string;
  readonly table: TableRef;
  readonly sets: readonly QuerySetInfo[];
  readonly title: string;
  readonly answer: RecordedQueries;
  readonly onSearch: () => void;
}

function QueryTable({ connectionId, table, sets, title, answer, onSearch }: TableProps): ReactNode {
  const words = strings.relevance.recorded;
  const client = useQueryClient();
  const { queries, found } = answer;
  const [order, setOrder] = useState<Order>('most');
  const [shown, setShown] = useState(STEP);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isNaming, setNaming] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const ordered = useMemo(() => inOrder(queries, order), [queries, order]);
  const rows = ordered.slice(0, shown);
  // One query may be there more than once, with other filters.
  const texts = new Set(rows.map(({ text }) => text));
  const marked = [...chosen].filter((text) => queries.some((query) => query.text === text));
  const hasFilter = queries.some(({ filter }) => filter !== undefined);
  const add = async (id: string, name: string): Promise<void> => {
    try {
      const before = sets.find((set) => set.id === id)?.queries ?? 0;
      const added = marked.map((text) => text.trim()).filter((text) => text !== '');
      const after = await api.relevance.sets.addQueries.mutate({ id, texts: added });
      setProblem(undefined);
      setChosen(new Set());
      notify({ tone: 'plain', text: words.added(after.queries - before, added.length - (after.queries - before), name) });
    } catch (error) {
      setProblem(problemOf(error));
    }
    await rereadQuerySets(client);
  };
  const sorted = (first: Order, second?: Order): 'ascending' | 'descending' | undefined => {
    if (order === first) return first === 'most' ? 'descending' : 'ascending';
    return order === second ? 'ascending' : undefined;
  };
  return (
    <>
      <div className={styles.bar}>
        <Menu position="bottom-start" withinPortal disabled={marked.length === 0}>
          <Menu.Target>
            <Button size="xs" disabled={marked.length === 0} rightSection={<IconChevronDown size={12} />}>
              {words.add(marked.length)}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {sets.map(({ id, name }) => (
              <Menu.Item key={id} onClick={() => void add(id, name)}>
                {name}
              </Menu.Item>
            ))}
            <Menu.Item onClick={() => setNaming(true)}>{strings.relevance.newSet}</Menu.Item>
          </Menu.Dropdown>
        </Menu>
        <span className={styles.muted} role="status">
          {found > queries.length ? words.firstOf(queries.length, found) : words.found(found)}
        </span>
      </div>
      {problem === undefined ? null : <ProblemPanel compact title={strings.relevance.addFailed} problem={problem} />}
      <div className={styles.scroll} tabIndex={0} role="region" aria-label={title}>
        <table className={styles.table} aria-label={title}>
          <thead>
            <tr>
              <td className={styles.choice}>
                <Checkbox
                  size="xs"
                  aria-label={words.chooseAll(texts.size)}
                  checked={texts.size > 0 && [...texts].every((text) => chosen.has(text))}
                  onChange={({ currentTarget }) => setChosen(currentTarget.checked ? texts : new Set())}
                />
              </td>
              <th scope="col" aria-sort={sorted('text')}>
                <UnstyledButton className={styles.sortButton} onClick={() => setOrder('text')}>
                  {strings.relevance.query}
                  {order === 'text' ? ' ↑' : ''}
                </UnstyledButton>
              </th>
              <th scope="col" className={styles.number} aria-sort={sorted('most', 'least')}>
                <UnstyledButton className={styles.sortButton} onClick={() => setOrder(order === 'most' ? 'least' : 'most')}>
                  {words.count}
                  {order === 'most' ? ' ↓' : order === 'least' ? ' ↑' : ''}
                </UnstyledButton>
              </th>
              {hasFilter ? <th scope="col">{words.filter}</th> : null}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ text, count, filter }) => (
              <tr key={JSON.stringify([text, filter])}>
                <td className={styles.choice}>
                  <Checkbox
                    size="xs"
                    aria-label={words.choose(text)}
                    checked={chosen.has(text)}
                    onChange={({ currentTarget }) => {
                      const next = new Set(chosen);
                      if (currentTarget.checked) next.add(text);
                      else next.delete(text);
                      setChosen(next);
                    }}
                  />
                </td>
                <th scope="row">
                  <UnstyledButton
                    className={styles.textButton}
                    title={words.search(text)}
                    onClick={() => {
                      showInSearch(connectionId, table, { text });
                      onSearch();
                    }}
                  >
                    {text}
                  </UnstyledButton>
                </th>
                <td className={styles.number}>{formatCount(count)}</td>
                {hasFilter ? <td className={styles.filter}>{filter}</td> : null}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown < ordered.length ? (
        <Button size="xs" variant="default" onClick={() => setShown(shown + STEP)}>
          {strings.search.more}
        </Button>
      ) : null}
      {isNaming ? (
        <NewQuerySetDialog
          connectionId={connectionId}
          table={table}
          onCreated={(id, name) => void add(id, name)}
          onClose={() => setNaming(false)}
        />
      ) : null}
    </>
  );
}
