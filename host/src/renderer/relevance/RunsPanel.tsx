import { ActionIcon, Button, Checkbox, Select } from '@mantine/core';
import { IconChartBar, IconTrash } from '@tabler/icons-react';
import type { TableRef } from '@tabularium/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { BEST_GRADE, DEFAULT_DEPTH, MOST_CONFIGURATIONS, MOST_DEPTH } from '../../common/relevance.ts';
import type { QuerySetInfo } from '../../common/relevance.ts';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import { formatMoment } from '../i18n/format.ts';
import { strings } from '../i18n/index.ts';
import { rereadQuerySets, useSearchConfigurations } from '../search/querySetQueries.ts';
import { readSearchSettings, searchSettingsName } from '../search/searchSettings.ts';
import { workspaceTableKey } from '../state/workspace.ts';
import { useRemembered } from '../state/workspaceStore.ts';
import { ConfirmRemoval } from '../ui/ConfirmRemoval.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { WholeNumberInput } from '../ui/WholeNumberInput.tsx';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { RunMetrics } from './RunMetrics.tsx';
import { SearchProgress } from './SearchProgress.tsx';
import { TrendChart } from './TrendChart.tsx';
import styles from './relevance.module.css';
import { useRelevanceRun } from './useRelevanceRun.ts';
import { waysOf } from './waysOf.ts';

interface Props {
  readonly connectionId: string;
  readonly table: TableRef;
  readonly set: QuerySetInfo;
  readonly isShown: boolean;
}

/** Runs of a query set: their settings, their progress, and their metrics. */
export function RunsPanel({ connectionId, table, set, isShown }: Props): ReactNode {
  const words = strings.relevance;
  const client = useQueryClient();
  const saved = useSearchConfigurations(connectionId, table, isShown).data;
  const remembered = useRemembered(connectionId, searchSettingsName(workspaceTableKey(table)));
  const ways = useMemo(() => waysOf(saved ?? [], readSearchSettings(remembered)), [saved, remembered]);
  const [chosen, setChosen] = useState<readonly string[]>([words.defaultWay]);
  const [depth, setDepth] = useState(DEFAULT_DEPTH);
  const [relevantFrom, setRelevantFrom] = useState(1);
  const [runId, setRunId] = useState<string>();
  const [removing, setRemoving] = useState<string>();
  const runs = useQuery({
    queryKey: ['relevance', 'runs', set.id],
    queryFn: ({ signal }) => api.relevance.runs.list.query({ id: set.id }, { signal }),
    enabled: isShown,
    staleTime: 0,
  });
  const removed = runs.data?.find(({ id }) => id === removing);
  const shownId = runs.data?.find(({ id }) => id === runId)?.id ?? runs.data?.[0]?.id;
  const run = useQuery({
    queryKey: ['relevance', 'run', shownId],
    queryFn: ({ signal }) => (shownId === undefined ? null : api.relevance.runs.get.query({ id: shownId }, { signal })),
    enabled: isShown,
  });
  const started = useRelevanceRun(setRunId);
  const wanted = ways.filter(({ name }) => chosen.includes(name));
  const isRunning = started.progress !== undefined;
  const remove = async (id: string): Promise<void> => {
    await api.relevance.runs.remove.mutate({ id });
    await rereadQuerySets(client);
  };
  const shownNames = useMemo(() => run.data?.configurations.map(({ name }) => name) ?? [], [run.data]);
  const error = runs.error ?? run.error;
  return (
    <>
      <fieldset className={styles.ways}>
        <legend>{words.ways}</legend>
        <p className={styles.muted}>{words.waysHelp}</p>
        <div className={styles.wayList}>
          {ways.map(({ name }) => (
            <Checkbox
              key={name}
              size="xs"
              label={name}
              checked={chosen.includes(name)}
              disabled={!chosen.includes(name) && wanted.length >= MOST_CONFIGURATIONS}
              onChange={({ currentTarget }) =>
                setChosen(currentTarget.checked ? [...chosen, name] : chosen.filter((one) => one !== name))
              }
            />
          ))}
        </div>
        <div className={styles.start}>
          <WholeNumberInput
            w={130}
            name={words.depth}
            label={words.depth}
            min={1}
            max={MOST_DEPTH}
            value={depth}
            onValue={(value) => setDepth(value ?? DEFAULT_DEPTH)}
          />
          <WholeNumberInput
            w={170}
            name={words.relevantFrom}
            label={words.relevantFrom}
            min={1}
            max={BEST_GRADE}
            value={relevantFrom}
            onValue={(value) => setRelevantFrom(value ?? 1)}
          />
          <Button
            size="xs"
            disabled={isRunning || wanted.length === 0 || set.queries === 0}
            title={set.queries === 0 ? words.noQueriesToRun : undefined}
            onClick={() =>
              started.start(
                { setId: set.id, connectionId, configurations: [...wanted], depth, relevantFrom },
                wanted.length * set.queries,
              )
            }
          >
            {words.run}
          </Button>
          {started.progress === undefined ? null : (
            <SearchProgress label={words.run} {...started.progress} onCancel={started.cancel} />
          )}
          {started.wasCancelled ? (
            <span className={styles.muted} role="status">
              {words.runCancelled}
            </span>
          ) : null}
        </div>
      </fieldset>
      {started.problem === undefined ? null : <ProblemPanel compact title={words.runFailed} problem={started.problem} />}
      {error === null ? null : (
        <ProblemPanel compact title={words.failed} problem={problemOf(error)} onRetry={() => void runs.refetch()} />
      )}
      {removed === undefined ? null : (
        <ConfirmRemoval
          title={words.removeRunTitle(formatMoment(removed.startedAt))}
          text={words.removeRunText}
          confirm={words.removeRunConfirm}
          onConfirm={() => remove(removed.id)}
          onClose={() => setRemoving(undefined)}
        />
      )}
      {runs.data?.length === 0 && !isRunning ? (
        <EmptyState icon={<IconChartBar size={32} stroke={1.25} />} title={words.noRunsTitle} text={words.noRunsText} />
      ) : null}
      {runs.data === undefined || shownId === undefined ? null : (
        <>
          <div className={styles.runHead}>
            <Select
              size="xs"
              className={styles.run}
              label={words.history}
              allowDeselect={false}
              value={shownId}
              data={runs.data.map(({ id, startedAt, depth: looked }) => ({
                value: id,
                label: words.runAt(formatMoment(startedAt), looked),
              }))}
              onChange={(id) => setRunId(id ?? undefined)}
            />
            <ActionIcon size={28} aria-label={words.removeRun} title={words.removeRun} onClick={() => setRemoving(shownId)}>
              <IconTrash size={16} stroke={1.75} />
            </ActionIcon>
          </div>
          {run.data === undefined || run.data === null ? null : <RunMetrics run={run.data} />}
          {runs.data.length < 2 || shownNames.length === 0 ? null : <TrendChart runs={runs.data} names={shownNames} />}
        </>
      )}
    </>
  );
}
