import { ActionIcon, Button, NativeSelect } from '@mantine/core';
import {
  IconBookmark,
  IconBraces,
  IconDeviceFloppy,
  IconHistory,
  IconPlayerPlay,
  IconPlayerStop,
  IconPlayerTrackNext,
  IconX,
} from '@tabler/icons-react';
import type { Statement } from '@tabularium/sdk';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { fillVariables, variablesOf } from '../../common/console.ts';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { ProblemPanel } from '../components/ProblemPanel.tsx';
import type { ToolProps } from '../shell/ToolTabView.tsx';
import { strings } from '../strings/index.ts';
import { notify } from '../workspace/activity.ts';
import { chooseStatements } from './chooseStatements.ts';
import { CodeEditor } from './CodeEditor.tsx';
import type { EditorHandle } from './CodeEditor.tsx';
import { ConfirmRun } from './ConfirmRun.tsx';
import styles from './console.module.css';
import { keepDraft, loadDraft } from './drafts.ts';
import { formatJson } from './formatJson.ts';
import { HistoryPanel } from './HistoryPanel.tsx';
import { ResultsView } from './ResultsView.tsx';
import { SaveDialog } from './SaveDialog.tsx';
import { SavedPanel } from './SavedPanel.tsx';
import { Splitter } from './Splitter.tsx';
import { useRuns } from './useRuns.ts';
import { VariablesDialog } from './VariablesDialog.tsx';

const ROW_LIMITS = [100, 1_000, 10_000, 100_000] as const;
const DEFAULT_ROWS = 1_000;
/** Typing is written down when it rests. */
const KEEP_MILLISECONDS = 400;

type Panel = 'history' | 'saved';

/** Statements in the database's own language: written, run, and taken up again. */
export function ConsoleTab({ name, connection, isShown }: ToolProps): ReactNode {
  const words = strings.console;
  const { connectionId } = connection;
  const editor = useRef<EditorHandle>(null);
  const [initialText] = useState(() => loadDraft(connectionId));
  const [share, setShare] = useState(45);
  const [maxRows, setMaxRows] = useState<number>(DEFAULT_ROWS);
  const [panel, setPanel] = useState<Panel>();
  const [saving, setSaving] = useState<string>();
  const [waiting, setWaiting] = useState<{ readonly statements: readonly string[]; readonly names: readonly string[] }>();
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [splitProblem, setSplitProblem] = useState<Problem>();
  const { runs, busy, problem, asking, start, answer, stop } = useRuns(connectionId);
  const finished = runs.filter(({ state }) => state !== 'running' && state !== 'waiting').length;
  const keepTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latestText = useRef(initialText);

  useEffect(() => {
    // Who walks along the tabs with the arrow keys stays among them.
    if (isShown && document.activeElement?.getAttribute('role') !== 'tab') editor.current?.focus();
  }, [isShown]);
  useEffect(() => {
    const keep = (): void => keepDraft(connectionId, latestText.current);
    window.addEventListener('pagehide', keep);
    return () => {
      window.removeEventListener('pagehide', keep);
      clearTimeout(keepTimer.current);
      keep();
    };
  }, [connectionId]);

  const onChange = (text: string): void => {
    latestText.current = text;
    clearTimeout(keepTimer.current);
    keepTimer.current = setTimeout(() => keepDraft(connectionId, text), KEEP_MILLISECONDS);
  };
  const split = async (): Promise<readonly Statement[]> => {
    const text = editor.current?.text() ?? '';
    return text.trim() === '' ? [] : api.console.split.mutate({ connectionId, text });
  };
  const run = async (what: 'chosen' | 'all'): Promise<void> => {
    if (busy) return;
    setSplitProblem(undefined);
    try {
      const all = await split();
      const text = editor.current?.text() ?? '';
      const selection = editor.current?.selection() ?? { from: 0, to: 0 };
      const chosen =
        what === 'all'
          ? all
          : await chooseStatements(all, text, selection, (part) => api.console.split.mutate({ connectionId, text: part }));
      const statements = chosen.map((statement) => statement.text);
      if (statements.length === 0) {
        notify({ tone: 'plain', text: words.nothingToRun });
        return;
      }
      const names = variablesOf(statements.join('\n'));
      if (names.length > 0) setWaiting({ statements, names });
      else start(statements, maxRows);
    } catch (error) {
      setSplitProblem(problemOf(error));
    }
  };
  const format = (): void => {
    const formatted = formatJson(editor.current?.text() ?? '');
    if (formatted === undefined) notify({ tone: 'plain', text: words.formatNothing });
    else editor.current?.replace(formatted);
    editor.current?.focus();
  };
  const save = async (): Promise<void> => {
    const text = editor.current?.text() ?? '';
    const { from, to } = editor.current?.selection() ?? { from: 0, to: 0 };
    if (from !== to) setSaving(text.slice(from, to));
    else if (text.trim() === '') notify({ tone: 'plain', text: words.nothingToRun });
    else {
      try {
        const [statement] = await chooseStatements(await split(), text, { from, to }, async () => []);
        setSaving(statement?.text ?? text);
      } catch {
        // What cannot be taken apart is saved whole.
        setSaving(text);
      }
    }
  };
  const take = (text: string): void => editor.current?.append(text);
  const shownProblem = splitProblem ?? problem;
  const togglePanel = (which: Panel): void => setPanel((before) => (before === which ? undefined : which));

  return (
    <section className={styles.console} aria-label={words.title}>
      <div className={styles.bar} role="toolbar" aria-label={words.title}>
        {busy ? (
          <Button color="red" leftSection={<IconPlayerStop size={14} stroke={1.75} />} title={words.stopTitle} onClick={stop}>
            {words.stop}
          </Button>
        ) : (
          <Button
            leftSection={<IconPlayerPlay size={14} stroke={1.75} />}
            title={words.runTitle}
            onClick={() => void run('chosen')}
          >
            {words.run}
          </Button>
        )}
        <Button
          variant="default"
          disabled={busy}
          leftSection={<IconPlayerTrackNext size={14} stroke={1.75} />}
          title={words.runAllTitle}
          onClick={() => void run('all')}
        >
          {words.runAll}
        </Button>
        <NativeSelect
          className={styles.limit}
          aria-label={words.maxRows}
          title={words.maxRows}
          value={String(maxRows)}
          onChange={(event) => setMaxRows(Number(event.currentTarget.value))}
          data={ROW_LIMITS.map((limit) => ({ value: String(limit), label: words.rowLimit(limit) }))}
        />
        <ActionIcon aria-label={words.format} title={words.formatTitle} onClick={format}>
          <IconBraces size={16} stroke={1.75} />
        </ActionIcon>
        <ActionIcon aria-label={words.save} title={words.save} aria-keyshortcuts="Control+S" onClick={() => void save()}>
          <IconDeviceFloppy size={16} stroke={1.75} />
        </ActionIcon>
        <span className={styles.barSpace} />
        <Button
          variant="subtle"
          color="gray"
          aria-pressed={panel === 'saved'}
          leftSection={<IconBookmark size={14} stroke={1.75} />}
          onClick={() => togglePanel('saved')}
        >
          {words.saved}
        </Button>
        <Button
          variant="subtle"
          color="gray"
          aria-pressed={panel === 'history'}
          leftSection={<IconHistory size={14} stroke={1.75} />}
          onClick={() => togglePanel('history')}
        >
          {words.history}
        </Button>
      </div>
      <div className={styles.stage}>
        <div className={styles.halves} style={{ gridTemplateRows: `${share}fr 5px ${100 - share}fr` }}>
          <CodeEditor
            ref={editor}
            connectionId={connectionId}
            initialText={initialText}
            onChange={onChange}
            onRun={() => void run('chosen')}
            onRunAll={() => void run('all')}
            onSave={() => void save()}
          />
          <Splitter share={share} onShare={setShare} />
          <div className={styles.lower}>
            {shownProblem === undefined ? null : (
              <div className={styles.problem}>
                <ProblemPanel compact title={words.failedTitle} problem={shownProblem} />
              </div>
            )}
            <ResultsView key={runs[0]?.id ?? 0} runs={runs} />
          </div>
        </div>
        {panel === undefined ? null : (
          <aside className={styles.panel} aria-label={words[panel]}>
            <div className={styles.panelTitle}>
              <h2>{words[panel]}</h2>
              <ActionIcon aria-label={words.closePanel} title={words.closePanel} onClick={() => setPanel(undefined)}>
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
      {asking === undefined ? null : <ConfirmRun connection={name} judged={asking} onAnswer={answer} />}
      {waiting === undefined ? null : (
        <VariablesDialog
          names={waiting.names}
          before={values}
          onClose={() => setWaiting(undefined)}
          onRun={(given) => {
            setValues({ ...values, ...given });
            setWaiting(undefined);
            start(
              waiting.statements.map((statement) => fillVariables(statement, given)),
              maxRows,
            );
          }}
        />
      )}
      {saving === undefined ? null : (
        <SaveDialog connectionId={connectionId} text={saving} onClose={() => setSaving(undefined)} />
      )}
    </section>
  );
}
