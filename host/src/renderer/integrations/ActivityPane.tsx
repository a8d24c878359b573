import { Button, Group, Select, Switch, Table, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconListDetails } from '@tabler/icons-react';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { ACTIVITY_KINDS, ACTIVITY_OUTCOMES } from '../../common/integrations.ts';
import type { ActivityKind, ActivityOutcome } from '../../common/integrations.ts';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { strings } from '../i18n/index.ts';
import { saveAs } from '../ui/saveAs.ts';
import styles from './integrations.module.css';
import { useIntegrationSettings, useSetIntegrationSettings } from './queries.ts';
import { SettingRow } from '../ui/SettingRow.tsx';

const PAGE = 100;
const TYPING_MILLISECONDS = 250;

/** The actions of clients. */
export function ActivityPane(): ReactNode {
  const words = strings.integrations.activity;
  const [typed, setTyped] = useState('');
  const [kind, setKind] = useState<ActivityKind>();
  const [outcome, setOutcome] = useState<ActivityOutcome>();
  const [search] = useDebouncedValue(typed, TYPING_MILLISECONDS);
  const filter = { search, ...(kind === undefined ? {} : { kind }), ...(outcome === undefined ? {} : { outcome }) };
  const activity = useInfiniteQuery({
    queryKey: ['integrations', 'activity', filter],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam, signal }) =>
      api.integrations.activity.query(
        { ...filter, limit: PAGE, ...(pageParam === undefined ? {} : { before: pageParam }) },
        { signal },
      ),
    getNextPageParam: (page) => (page.more ? page.entries.at(-1)?.sequence : undefined),
    staleTime: 0,
  });
  const exportAll = useMutation({
    mutationFn: async () => {
      const parts: string[] = [];
      for await (const part of await api.integrations.exportActivity.mutate(filter)) parts.push(part);
      saveAs('tabularium-activity.csv', 'text/csv', parts);
    },
  });
  const verify = useMutation({ mutationFn: () => api.integrations.verifyActivity.query() });
  const checked = verify.data;
  const problem = exportAll.error ?? verify.error;
  const entries = activity.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <>
      <Group gap={8} align="flex-end" wrap="wrap">
        <TextInput
          label={words.search}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          flex="1 1 160px"
        />
        <Select
          label={words.kind}
          placeholder={words.any}
          clearable
          w={130}
          value={kind ?? null}
          onChange={(value) => setKind(ACTIVITY_KINDS.find((known) => known === value))}
          data={ACTIVITY_KINDS.map((value) => ({ value, label: words.kinds[value] }))}
        />
        <Select
          label={words.outcome}
          placeholder={words.any}
          clearable
          w={150}
          value={outcome ?? null}
          onChange={(value) => setOutcome(ACTIVITY_OUTCOMES.find((known) => known === value))}
          data={ACTIVITY_OUTCOMES.map((value) => ({ value, label: words.outcomes[value] }))}
        />
        <Button variant="default" loading={exportAll.isPending} onClick={() => exportAll.mutate()}>
          {words.export}
        </Button>
        <Button variant="default" loading={verify.isPending} onClick={() => verify.mutate()}>
          {words.verify}
        </Button>
      </Group>
      <p className={styles.muted} aria-live="polite">
        {checked === undefined ? null : checked.whole ? words.whole(checked.entries) : words.broken(checked.brokenAt ?? 0)}
      </p>
      {problem === null ? null : (
        <ProblemPanel compact title={exportAll.error === null ? words.verify : words.export} problem={problemOf(problem)} />
      )}
      <LogStatements />
      {activity.error !== null ? (
        <ProblemPanel
          title={strings.integrations.sections.activity}
          problem={problemOf(activity.error)}
          onRetry={() => void activity.refetch()}
        />
      ) : activity.data !== undefined && entries.length === 0 ? (
        <EmptyState icon={<IconListDetails size={36} stroke={1.25} />} title={words.none} text={words.noneText} />
      ) : (
        <Table className={styles.table} aria-label={strings.integrations.sections.activity}>
          <Table.Thead>
            <Table.Tr>
              {(['time', 'client', 'connection', 'action', 'outcome', 'duration'] as const).map((column) => (
                <Table.Th key={column}>{words.columns[column]}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {entries.map((entry) => (
              <Table.Tr key={entry.sequence}>
                <Table.Td>{words.time(entry.time)}</Table.Td>
                <Table.Td>{[entry.client, entry.tokenName].filter((name) => name !== undefined).join(' · ')}</Table.Td>
                <Table.Td>{entry.connectionName}</Table.Td>
                <Table.Td>
                  {entry.action}
                  {entry.statement === undefined ? null : <div className={styles.muted}>{entry.statement}</div>}
                </Table.Td>
                <Table.Td>
                  {words.outcomes[entry.outcome]}
                  {entry.code === undefined ? null : <div className={styles.muted}>{entry.code}</div>}
                </Table.Td>
                <Table.Td>{entry.milliseconds}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {activity.hasNextPage ? (
        <Button variant="default" mt={8} loading={activity.isFetchingNextPage} onClick={() => void activity.fetchNextPage()}>
          {words.older}
        </Button>
      ) : null}
    </>
  );
}

function LogStatements(): ReactNode {
  const words = strings.integrations.activity;
  const { data } = useIntegrationSettings();
  const save = useSetIntegrationSettings();
  if (data === undefined) return null;
  return (
    <SettingRow id="setting-statements" title={words.statements} help={words.statementsHelp}>
      <Switch
        aria-labelledby="setting-statements"
        checked={data.logStatements}
        onChange={(event) => save.mutate({ ...data, logStatements: event.currentTarget.checked })}
      />
    </SettingRow>
  );
}
