import { Button, FileButton, Menu, SegmentedControl, Select } from '@mantine/core';
import { IconChartBar, IconDots } from '@tabler/icons-react';
import type { TableRef } from '@tabularium/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { LARGEST_QUERY_SET_FILE } from '../../common/relevance.ts';
import type { QuerySetFormat, QuerySetInfo } from '../../common/relevance.ts';
import { chosenFileText } from '../api/chosenFileText.ts';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { useTypedText } from '../editing/useTypedText.ts';
import { strings } from '../i18n/index.ts';
import { NewQuerySetDialog } from '../search/NewQuerySetDialog.tsx';
import { copyOfTable, rereadQuerySets, useQuerySets } from '../search/querySetQueries.ts';
import { notify } from '../state/notify.ts';
import { workspaceTableKey } from '../state/workspace.ts';
import { recall, remember } from '../state/workspaceStore.ts';
import { ConfirmRemoval } from '../ui/ConfirmRemoval.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { NameDialog } from '../ui/NameDialog.tsx';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { saveAs } from '../ui/saveAs.ts';
import { DifferencesPanel } from './DifferencesPanel.tsx';
import { LostQueries } from './LostQueries.tsx';
import { QueryList } from './QueryList.tsx';
import { RecordedPanel } from './RecordedPanel.tsx';
import { RunsPanel } from './RunsPanel.tsx';
import styles from './relevance.module.css';

interface Props {
  readonly connectionId: string;
  readonly table: TableRef;
  readonly isShown: boolean;
  /** Whether the connection has named objects. */
  readonly hasObjects: boolean;
  /** Shows the search of the table, whose remembered settings have been changed. */
  readonly onSearch: () => void;
  /** The content of the footer: the switch between the views. */
  readonly footer: ReactNode;
}

const PARTS = ['queries', 'runs', 'differences', 'recorded'] as const;
type Part = (typeof PARTS)[number];

type Question = 'new' | 'rename' | 'remove' | { readonly file: string; readonly content: string };

/** Queries that were typed for a set and not added yet. */
interface TypedQueries {
  /** Of the set, which may be gone. */
  readonly name: string;
  readonly text: string;
}

const settingsName = (table: TableRef): string => `relevance ${workspaceTableKey(table)}`;

/** Query sets of a table: their queries and judgments, and the runs that compare ways to search. */
export function RelevanceTab({ connectionId, table, isShown, hasObjects, onSearch, footer }: Props): ReactNode {
  const words = strings.relevance;
  const sets = useQuerySets(connectionId, table, isShown);
  const [chosen, setChosen] = useState<string | undefined>(() => {
    const stored = recall(connectionId, settingsName(table));
    return typeof stored === 'string' ? stored : undefined;
  });
  const [wanted, setWanted] = useState<Part>('queries');
  const recordsQueries = useQuery({
    queryKey: ['recordedQueries', connectionId, 'has'],
    queryFn: ({ signal }) => api.search.recordsQueries.query({ connectionId }, { signal }),
    enabled: isShown,
  });
  const [question, setQuestion] = useState<Question>();
  const [problem, setProblem] = useState<Problem>();
  useEffect(() => {
    if (chosen !== undefined) remember(connectionId, settingsName(table), chosen);
  }, [connectionId, table, chosen]);
  const set = sets.data?.find(({ id }) => id === chosen) ?? sets.data?.[0];
  // Without a set there are no runs of one.
  const parts = PARTS.filter(
    (one) => (one !== 'runs' || set !== undefined) && (one !== 'recorded' || recordsQueries.data === true),
  );
  const part = parts.includes(wanted) ? wanted : 'queries';
  // A part that was shown stays mounted: it holds typed text, results and running work.
  const [visited, setVisited] = useState<ReadonlySet<Part>>(new Set([part]));
  if (!visited.has(part)) setVisited(new Set([...visited, part]));
  const [typed, setTyped] = useState<ReadonlyMap<string, TypedQueries>>(new Map());
  const type = (id: string, name: string, text: string): void =>
    setTyped((before) => new Map([...before].filter(([other]) => other !== id)).set(id, { name, text }));
  const lost = [...typed].filter(([id, { text }]) => text.trim() !== '' && sets.data?.some((one) => one.id === id) === false);
  useTypedText([...typed.values()].some(({ text }) => text.trim() !== ''));
  const exportSet = async ({ id, name }: QuerySetInfo, format: QuerySetFormat): Promise<void> => {
    try {
      const content = await api.relevance.sets.export.query({ id, format });
      setProblem(undefined);
      saveAs(`${name}.${format}`, format === 'json' ? 'application/json' : 'text/csv', [content]);
    } catch (error) {
      setProblem(problemOf(error));
    }
  };
  const forgetFile = useRef<() => void>(null);
  const chooseFile = async (file: File | null): Promise<void> => {
    // A file that was corrected can be chosen again.
    forgetFile.current?.();
    if (file === null) return;
    try {
      const content = await chosenFileText(file, LARGEST_QUERY_SET_FILE);
      setProblem(undefined);
      setQuestion({ file: file.name, content });
    } catch (error) {
      setProblem(problemOf(error));
    }
  };
  const shownProblem = problem ?? (sets.error === null ? undefined : problemOf(sets.error));
  return (
    <div className={styles.tab} role="region" aria-label={words.label(table.name)}>
      <div className={styles.head}>
        <Select
          size="xs"
          className={styles.set}
          aria-label={words.set}
          placeholder={words.chooseSet}
          value={set?.id ?? null}
          allowDeselect={false}
          disabled={set === undefined}
          data={(sets.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(id) => setChosen(id ?? undefined)}
        />
        {set === undefined ? null : <span className={styles.muted}>{words.sets(set.queries, set.judgments)}</span>}
        <Button size="compact-sm" variant="subtle" onClick={() => setQuestion('new')}>
          {words.newSet}
        </Button>
        <FileButton
          resetRef={forgetFile}
          accept="application/json,text/csv,.json,.csv"
          onChange={(file) => void chooseFile(file)}
        >
          {(props) => (
            <Button size="compact-sm" variant="subtle" {...props}>
              {words.importFile}
            </Button>
          )}
        </FileButton>
        {set === undefined ? null : (
          <SetMenu
            onRename={() => setQuestion('rename')}
            onExport={(format) => void exportSet(set, format)}
            onRemove={() => setQuestion('remove')}
          />
        )}
        <SegmentedControl
          className={styles.part}
          size="xs"
          aria-label={words.part}
          value={part}
          onChange={(value) => setWanted(PARTS.find((one) => one === value) ?? 'queries')}
          data={parts.map((value) => ({ value, label: words.parts[value] }))}
        />
      </div>
      <div className={styles.body}>
        {shownProblem === undefined ? null : (
          <ProblemPanel
            title={problem === undefined ? words.failed : words.exportFailed}
            problem={shownProblem}
            onRetry={() => void sets.refetch()}
          />
        )}
        {lost.map(([id, { name, text }]) => (
          <LostQueries
            key={id}
            connectionId={connectionId}
            table={table}
            name={name}
            text={text}
            shown={set}
            onText={(next) => type(id, name, next)}
            onDone={(saved) => {
              type(id, name, '');
              if (saved !== undefined) setChosen(saved);
            }}
          />
        ))}
        {sets.data?.length === 0 && part === 'queries' ? (
          <EmptyState icon={<IconChartBar size={32} stroke={1.25} />} title={words.emptyTitle} text={words.emptyText} />
        ) : null}
        {set !== undefined && visited.has('queries') ? (
          <div hidden={part !== 'queries'}>
            <QueryList
              key={set.id}
              connectionId={connectionId}
              table={table}
              setId={set.id}
              isShown={isShown && part === 'queries'}
              typed={typed.get(set.id)?.text ?? ''}
              onTyped={(text) => type(set.id, set.name, text)}
              onSearch={onSearch}
            />
          </div>
        ) : null}
        {set !== undefined && visited.has('runs') ? (
          <div hidden={part !== 'runs'}>
            <RunsPanel key={set.id} connectionId={connectionId} table={table} set={set} isShown={isShown && part === 'runs'} />
          </div>
        ) : null}
        {visited.has('differences') ? (
          <div hidden={part !== 'differences'}>
            <DifferencesPanel
              connectionId={connectionId}
              table={table}
              set={set}
              isShown={isShown && part === 'differences'}
              onSearch={onSearch}
            />
          </div>
        ) : null}
        {visited.has('recorded') ? (
          <div hidden={part !== 'recorded'}>
            <RecordedPanel
              connectionId={connectionId}
              table={table}
              sets={sets.data ?? []}
              isShown={isShown && part === 'recorded'}
              hasObjects={hasObjects}
              onSearch={onSearch}
            />
          </div>
        ) : null}
      </div>
      {footer}
      {question === undefined ? null : (
        <Asked
          question={question}
          set={set}
          connectionId={connectionId}
          table={table}
          onChosen={setChosen}
          onClose={() => setQuestion(undefined)}
        />
      )}
    </div>
  );
}

interface SetMenuProps {
  readonly onRename: () => void;
  readonly onExport: (format: QuerySetFormat) => void;
  readonly onRemove: () => void;
}

function SetMenu({ onRename, onExport, onRemove }: SetMenuProps): ReactNode {
  const words = strings.relevance;
  return (
    <Menu position="bottom-start" withinPortal>
      <Menu.Target>
        <Button size="compact-sm" variant="subtle" aria-label={words.more} title={words.more}>
          <IconDots size={16} stroke={1.75} />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onRename}>{words.rename}</Menu.Item>
        <Menu.Item onClick={() => onExport('json')}>{words.exportJson}</Menu.Item>
        <Menu.Item onClick={() => onExport('csv')}>{words.exportCsv}</Menu.Item>
        <Menu.Item color="red" onClick={onRemove}>
          {words.remove}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

interface AskedProps {
  readonly question: Question;
  readonly set: QuerySetInfo | undefined;
  readonly connectionId: string;
  readonly table: TableRef;
  readonly onChosen: (id: string | undefined) => void;
  readonly onClose: () => void;
}

function Asked({ question, set, connectionId, table, onChosen, onClose }: AskedProps): ReactNode {
  const words = strings.relevance;
  const client = useQueryClient();
  if (question === 'new') {
    return <NewQuerySetDialog connectionId={connectionId} table={table} onCreated={onChosen} onClose={onClose} />;
  }
  if (typeof question === 'object') {
    return (
      <NameDialog
        title={words.importTitle(question.file)}
        label={words.name}
        description={words.importHelp}
        initialName={set?.name ?? question.file.replace(/\.[^.]+$/, '')}
        confirm={words.importConfirm}
        missing={words.nameMissing}
        failed={words.importFailed}
        onSubmit={async (name) => {
          const imported = await api.relevance.sets.import.mutate({
            ...{ connectionId, table: copyOfTable(table), name },
            content: question.content,
          });
          await rereadQuerySets(client);
          onChosen(imported.set.id);
          notify({ tone: 'plain', text: words.imported(imported.queries, imported.judgments, imported.set.name) });
          onClose();
        }}
        onClose={onClose}
      />
    );
  }
  if (set === undefined) return null;
  if (question === 'remove') {
    return (
      <ConfirmRemoval
        title={words.removeTitle(set.name)}
        text={words.removeText(set.queries, set.judgments)}
        confirm={words.removeConfirm(set.name)}
        onConfirm={async () => {
          await api.relevance.sets.remove.mutate({ id: set.id });
          onChosen(undefined);
          await rereadQuerySets(client);
        }}
        onClose={onClose}
      />
    );
  }
  return (
    <NameDialog
      title={words.renameTitle(set.name)}
      label={words.name}
      initialName={set.name}
      confirm={words.renameConfirm}
      missing={words.nameMissing}
      fieldError="INVALID_REQUEST"
      failed={words.renameFailed}
      onSubmit={async (name) => {
        await api.relevance.sets.rename.mutate({ id: set.id, name });
        await rereadQuerySets(client);
        onClose();
      }}
      onClose={onClose}
    />
  );
}
