import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { MOST_CONSOLE_SESSIONS } from '@tabularium/sdk/protocol';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { OpenConnectionInfo } from '../../common/api.ts';
import { api } from '../api/client.ts';
import { useCommands } from '../commands/registry.ts';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { strings } from '../i18n/index.ts';
import { notify } from '../state/notify.ts';
import { CodeEditor } from './CodeEditor.tsx';
import type { EditorHandle } from './CodeEditor.tsx';
import { ConfirmRun } from './ConfirmRun.tsx';
import styles from './console.module.css';
import { ConsoleTools } from './ConsoleTools.tsx';
import type { ConsolePanel } from './ConsoleTools.tsx';
import { formatJson } from './formatJson.ts';
import { isSql } from './loadLanguage.ts';
import { HistoryPanel } from './HistoryPanel.tsx';
import panels from './panels.module.css';
import { PlaceSelect } from './PlaceSelect.tsx';
import { PlanTree } from './PlanTree.tsx';
import { ResultsView } from './ResultsView.tsx';
import { SaveDialog } from './SaveDialog.tsx';
import { SavedPanel } from './SavedPanel.tsx';
import { Splitter } from './Splitter.tsx';
import { StatementProblem } from './StatementProblem.tsx';
import { SessionLimitDialog } from './SessionLimitDialog.tsx';
import { SessionLine } from './SessionLine.tsx';
import sessionLine from './sessionLine.module.css';
import { useConsoleSession } from './useConsoleSession.ts';
import { useSessionCommands } from './useSessionCommands.ts';
import { useExplanation } from './useExplanation.ts';
import { markedFaultOf, useFaultMarks } from './useFaultMarks.ts';
import { useRequests } from './useRequests.ts';
import type { TransactionEndWay } from './runs.ts';
import type { TextFromElsewhere } from './useConsoleTabs.ts';
import { useRuns } from './useRuns.ts';
import { VariablesDialog } from './VariablesDialog.tsx';

export type { ConsolePanel } from './ConsoleTools.tsx';

const DEFAULT_ROWS = 1_000;

interface Props {
  /** The tab of the console, and its title. */
  readonly id: string;
  readonly title: string;
  readonly name: string;
  readonly connection: OpenConnectionInfo;
  readonly initialText: string;
  /** Takes the place of the text; undo brings it back. */
  readonly fromElsewhere: TextFromElsewhere | undefined;
  readonly isShown: boolean;
  readonly panel: ConsolePanel | undefined;
  readonly onPanel: (panel: ConsolePanel | undefined) => void;
  readonly onText: (text: string) => void;
}

/** One text of the console: written, run, and taken up again. */
export function ConsolePage({
  id,
  title,
  name,
  connection,
  initialText,
  fromElsewhere,
  isShown,
  panel,
  onPanel,
  onText,
}: Props): ReactNode {
  const words = strings.console;
  const { connectionId } = connection;
  const editor = useRef<EditorHandle>(null);
  const [share, setShare] = useState(45);
  const [maxRows, setMaxRows] = useState<number>(DEFAULT_ROWS);
  const [stopsAtError, setStopsAtError] = useState(true);
  const language = { name: connection.manifest.console?.language, dialect: connection.manifest.console?.dialect };
  const [saving, setSaving] = useState<string>();
  const hasSession = connection.console?.sessions === true;
  const session = useConsoleSession({ connection, name, id, title });
  const {
    runs,
    target,
    busy,
    rejected,
    asking,
    needed,
    giveParameters,
    start,
    answer,
    stop,
    endTransaction: runEnd,
  } = useRuns({ connectionId, name }, hasSession ? session : undefined, isSql(language));
  const explaining = useExplanation(connectionId, () => (hasSession ? session.sessionId() : undefined));
  const explains = connection.facets.includes('explain');
  const isHttp = connection.console?.requests === true;
  const requests = useRequests(connectionId, editor, (statements, wanted) => {
    explaining.close();
    start(statements, { maxRows, stopsAtError }, wanted);
  });
  const { data: examples } = useQuery({
    queryKey: ['console', 'examples', connectionId],
    queryFn: ({ signal }) => api.console.examples.query({ connectionId }, { signal }),
    enabled: isShown && runs.length === 0,
  });
  const example = examples?.[0];
  const { data: places } = useQuery({
    queryKey: ['console', 'places', connectionId],
    queryFn: ({ signal }) => api.console.places.query({ connectionId }, { signal }),
    enabled: isShown && hasSession,
  });
  const isBusy = busy || explaining.busy;
  const endTransaction = (way: TransactionEndWay): Promise<void> => {
    explaining.close();
    return runEnd(way);
  };
  const { setRunning } = session;
  useEffect(() => setRunning(busy), [busy, setRunning]);
  const finished = runs.filter(({ state }) => state !== 'running' && state !== 'waiting').length;

  useEffect(() => {
    // The arrow keys keep the focus among the tabs.
    if (isShown && document.activeElement?.getAttribute('role') !== 'tab') editor.current?.focus();
  }, [isShown]);
  useEffect(() => {
    if (fromElsewhere !== undefined && fromElsewhere.text !== editor.current?.text()) editor.current?.replace(fromElsewhere.text);
  }, [fromElsewhere]);
  /** A request that follows a commit must not run before it. */
  const isFree = (): boolean => !isBusy && !session.isEnding;
  const run = (what: 'chosen' | 'all'): void => (isFree() ? void requests.run(what) : undefined);
  const explain = (): void => {
    if (isFree()) void requests.toExplain().then((statement) => statement === undefined || explaining.start(statement, false));
  };
  const stopAll = (): void => {
    stop();
    explaining.stop();
  };
  const format = async (): Promise<void> => {
    const text = editor.current?.text() ?? '';
    const formatted = isSql(language) ? (await import('./formatSql.ts')).formatSql(text, language.dialect) : formatJson(text);
    // Text that was typed meanwhile is not replaced.
    if (editor.current?.text() !== text) return;
    if (formatted === undefined) notify({ tone: 'plain', text: isSql(language) ? words.formatNoSql : words.formatNothing });
    else editor.current.replace(formatted);
    editor.current.focus();
  };
  const save = (): void => void requests.toSave().then(setSaving);
  const curl = (): void => void requests.copyCurl();
  const take = (text: string): void => editor.current?.append(text);
  const planned = explaining.shown;
  useFaultMarks(editor, [
    ...runs.flatMap(({ id: run, statement: text, source, problem }) => markedFaultOf(`run ${run}`, { text, source }, problem)),
    ...(rejected === undefined ? [] : markedFaultOf('rejected', rejected.statement, rejected.problem)),
    ...(planned === undefined ? [] : markedFaultOf('plan', { text: planned.statement, source: planned.source }, planned.problem)),
  ]);
  const running = session.isEnding ? strings.consoleSession.isEnding : isBusy ? words.isRunning : undefined;
  const { commands } = words;
  useCommands(
    [
      { id: 'console.run', disabled: running, run: () => run('chosen') },
      { id: 'console.runAll', disabled: running, run: () => run('all') },
      ...(explains ? [{ id: 'console.explain' as const, disabled: running, run: explain }] : []),
      {
        id: 'console.stop',
        group: 'console',
        title: commands.stop,
        disabled: isBusy ? undefined : words.notRunning,
        run: stopAll,
      },
      { id: 'console.save', run: save },
      {
        id: 'console.format',
        group: 'console',
        title: isSql(language) ? words.formatSql : commands.format,
        run: () => void format(),
      },
      ...(isHttp ? [{ id: 'console.curl' as const, group: 'console' as const, title: commands.curl, run: curl }] : []),
      { id: 'console.history', group: 'console', title: commands.history, run: () => onPanel('history') },
      { id: 'console.saved', group: 'console', title: commands.saved, run: () => onPanel('saved') },
    ],
    isShown,
  );

  const isApart = hasSession && target.connectionId === connectionId && session.isApart;
  useSessionCommands(session, { hasSession, isShown, busy: running, endTransaction });

  return (
    <>
      <ConsoleTools
        connectionId={connectionId}
        state={{ busy: isBusy, maxRows, panel, stopsAtError, isSql: isSql(language), explains, isHttp }}
        commands={{
          run: () => run('chosen'),
          runAll: () => run('all'),
          runOn: (wanted) => void requests.run('chosen', wanted),
          stop: stopAll,
          explain,
          setMaxRows,
          setStopsAtError,
          format: () => void format(),
          save,
          copyCurl: curl,
          showPanel: onPanel,
        }}
      />
      <div className={styles.stage}>
        <div className={styles.halves} style={{ gridTemplateRows: `${share}fr 5px ${100 - share}fr` }}>
          <div className={sessionLine.upper}>
            <CodeEditor
              ref={editor}
              connectionId={connectionId}
              language={language}
              initialText={initialText}
              onChange={onText}
              onRun={() => run('chosen')}
              onRunAll={() => run('all')}
              onSave={save}
              sessionId={() => (hasSession ? session.sessionId() : undefined)}
            />
            {hasSession ? (
              <SessionLine
                session={session}
                busy={isBusy}
                onEndTransaction={endTransaction}
                onDone={() => editor.current?.focus()}
                place={
                  places === undefined || places.length < 2 ? null : (
                    <PlaceSelect
                      label={connection.manifest.terms.container?.one ?? strings.consoleSession.place}
                      places={places}
                      shown={session.shown}
                      last={session.lastNamespace}
                      busy={isBusy || session.isEnding}
                      onChoose={({ statement }) => {
                        explaining.close();
                        start([{ text: statement }], { maxRows, stopsAtError });
                      }}
                    />
                  )
                }
              />
            ) : null}
          </div>
          <Splitter share={share} onShare={setShare} />
          <div className={styles.lower}>
            {session.problem === undefined ? null : (
              <div className={styles.problem}>
                <ProblemPanel compact title={session.problem.title} problem={session.problem.problem} />
              </div>
            )}
            {requests.problem !== undefined ? (
              <div className={styles.problem}>
                <ProblemPanel compact title={words.failedTitle} problem={requests.problem} />
              </div>
            ) : rejected === undefined ? null : (
              <div className={styles.problem}>
                <StatementProblem title={words.failedTitle} {...rejected} editor={editor} />
              </div>
            )}
            {planned !== undefined ? (
              <PlanTree
                connectionId={connectionId}
                explained={planned}
                editor={editor}
                isShown={isShown}
                onMeasure={() => explaining.start({ text: planned.statement, source: planned.source }, true)}
                onClose={() => {
                  explaining.close();
                  editor.current?.focus();
                }}
              />
            ) : // A failure is the result.
            runs.length === 0 && (requests.problem ?? rejected ?? session.problem) !== undefined ? null : (
              <ResultsView
                key={runs[0]?.id ?? 0}
                runs={runs}
                elsewhere={target.connectionId === connectionId ? undefined : target.name}
                isShown={isShown}
                example={example}
                onExample={take}
                editor={editor}
              />
            )}
          </div>
        </div>
        {panel === undefined || !isShown ? null : (
          <aside className={panels.panel} aria-label={words[panel]}>
            <div className={panels.panelTitle}>
              <h2>{words[panel]}</h2>
              <ActionIcon aria-label={words.closePanel} title={words.closePanel} onClick={() => onPanel(undefined)}>
                <IconX size={16} stroke={1.75} />
              </ActionIcon>
            </div>
            {panel === 'history' ? (
              <HistoryPanel connectionId={connectionId} name={name} turn={(runs[0]?.id ?? 0) + finished} onTake={take} />
            ) : (
              <SavedPanel connectionId={connectionId} onTake={take} />
            )}
          </aside>
        )}
      </div>
      {explaining.asking === undefined ? null : (
        <ConfirmRun
          connectionId={connectionId}
          connection={name}
          isSql={isSql(language)}
          judged={explaining.asking}
          notCounted={hasSession && session.isApart ? strings.consoleSession.notCounted : undefined}
          onAnswer={explaining.answer}
        />
      )}
      {asking === undefined ? null : (
        <ConfirmRun
          connectionId={target.connectionId}
          connection={target.name}
          isSql={isSql(language)}
          judged={asking}
          notCounted={isApart ? strings.consoleSession.notCounted : undefined}
          onAnswer={answer}
        />
      )}
      {requests.waiting === undefined ? null : (
        <VariablesDialog
          title={words.variablesTitle}
          text={words.variablesText}
          fields={requests.waiting.names.map((variable) => ({ name: variable }))}
          before={requests.values}
          onClose={() => requests.answer(undefined)}
          onRun={(values) =>
            requests.answer(Object.fromEntries(Object.entries(values).map(([variable, value]) => [variable, value ?? ''])))
          }
        />
      )}
      {needed === undefined ? null : (
        <VariablesDialog
          title={strings.consoleSession.parametersTitle}
          text={strings.consoleSession.parametersText}
          statement={needed.statement}
          fields={needed.parameters}
          before={needed.before}
          onClose={() => giveParameters(undefined)}
          onRun={giveParameters}
        />
      )}
      {session.atLimit === undefined ? null : (
        <SessionLimitDialog
          connectionId={connectionId}
          connection={name}
          title={title}
          limit={MOST_CONSOLE_SESSIONS}
          onAnswer={session.atLimit}
        />
      )}
      {saving === undefined ? null : (
        <SaveDialog connectionId={connectionId} text={saving} onClose={() => setSaving(undefined)} />
      )}
    </>
  );
}
