import { Button, SegmentedControl } from '@mantine/core';
import { IconCheck, IconClock, IconCopy, IconPlayerStop, IconTerminal2, IconX } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { indentJson } from '../grid/model/jsonText.ts';
import { parseTree } from '../inspector/jsonTree.ts';
import type { JsonNode } from '../inspector/jsonTree.ts';
import { JsonTreeView } from '../inspector/JsonTreeView.tsx';
import { strings } from '../i18n/index.ts';
import { notify } from '../state/notify.ts';
import styles from './results.module.css';
import { ExportResult } from './ExportResult.tsx';
import { ResultGrid } from './ResultGrid.tsx';
import type { Answer, Run, RunState } from './runs.ts';

/** A larger answer is shown as text: a tree of it would take seconds and hundreds of megabytes. */
const LARGEST_TREE = 4_000_000;
/** More than this in one element makes the browser slow; copying takes the whole text all the same. */
const LONGEST_TEXT = 200_000;

const MARKS = {
  waiting: IconClock,
  running: IconClock,
  ok: IconCheck,
  failed: IconX,
  stopped: IconPlayerStop,
  skipped: IconClock,
};

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

function StateMark({ state }: { readonly state: RunState }): ReactNode {
  const Icon = MARKS[state];
  return <Icon size={14} stroke={2} aria-hidden />;
}

interface Props {
  readonly runs: readonly Run[];
  /** The connection that they ran on, where it is another one. */
  readonly elsewhere: string | undefined;
}

/** The results of the last run's statements; one at a time. */
export function ResultsView({ runs, elsewhere }: Props): ReactNode {
  const words = strings.console;
  const [chosen, setChosen] = useState<number>();
  // Follows the run to its end; a person's choice holds until the next run.
  const following = runs.findLast(({ state }) => state !== 'waiting' && state !== 'skipped') ?? runs[0];
  const shown = runs.find(({ id }) => id === chosen) ?? following;
  if (shown === undefined) {
    return (
      <EmptyState
        icon={<IconTerminal2 size={36} stroke={1.25} />}
        title={words.resultsEmptyTitle}
        text={words.resultsEmptyText}
      />
    );
  }
  return (
    <section className={styles.results} aria-label={words.results}>
      {runs.length < 2 ? null : (
        <ol className={styles.runs}>
          {runs.map((run, place) => (
            <li key={run.id}>
              <button
                type="button"
                aria-current={run === shown || undefined}
                data-state={run.state}
                title={`${words.statementPlace(place + 1, runs.length)} · ${words.states[run.state]}\n${run.statement.slice(0, 400)}`}
                onClick={() => setChosen(run.id)}
              >
                <StateMark state={run.state} />
                <span>{firstLine(run.statement)}</span>
              </button>
            </li>
          ))}
        </ol>
      )}
      <RunView key={shown.id} run={shown} elsewhere={elsewhere} />
    </section>
  );
}

function RunView({ run, elsewhere }: { readonly run: Run; readonly elsewhere: string | undefined }): ReactNode {
  const words = strings.console;
  const { state, answers, problem } = run;
  const [place, setPlace] = useState(0);
  const answer = answers[Math.min(place, answers.length - 1)];
  return (
    <>
      {answers.length < 2 ? null : (
        <div className={styles.answers}>
          <SegmentedControl
            aria-label={words.results}
            value={String(place)}
            onChange={(value) => setPlace(Number(value))}
            data={answers.map((_each, at) => ({ value: String(at), label: words.statementPlace(at + 1, answers.length) }))}
          />
        </div>
      )}
      {problem === undefined ? null : (
        <div className={styles.problem}>
          <ProblemPanel compact title={words.failedTitle} problem={problem} />
        </div>
      )}
      {state === 'stopped' ? <p className={styles.notice}>{words.stoppedText}</p> : null}
      {state === 'skipped' ? <p className={styles.notice}>{words.skippedText}</p> : null}
      {answer === undefined && (state === 'running' || state === 'waiting') ? (
        <p className={styles.notice} aria-busy>
          {words.waitingText}
        </p>
      ) : null}
      {answer === undefined ? (
        <div className={styles.answer} />
      ) : (
        <AnswerView key={place} run={run} answer={answer} elsewhere={elsewhere} />
      )}
    </>
  );
}

interface AnswerProps {
  readonly run: Run;
  readonly answer: Answer;
  readonly elsewhere: string | undefined;
}

function AnswerView({ run, answer, elsewhere }: AnswerProps): ReactNode {
  const words = strings.console;
  const text = answer.is === 'text' ? answer.text : undefined;
  const tree = useMemo(() => (text === undefined ? undefined : treeOf(text)), [text]);
  const [view, setView] = useState<'tree' | 'text'>('tree');
  const facts = [
    elsewhere === undefined ? undefined : words.ranOn(elsewhere),
    answer.status,
    answer.is === 'rows' ? words.rows(answer.rows.length) : undefined,
    answer.affectedRows === undefined ? undefined : words.affected(answer.affectedRows),
    answer.milliseconds === undefined ? undefined : words.milliseconds(answer.milliseconds),
  ];
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text ?? '');
      notify({ tone: 'plain', text: strings.common.copied });
    } catch {
      notify({ tone: 'warning', text: strings.grid.copyRefused });
    }
  };
  return (
    <>
      <div className={styles.answer}>
        {answer.is === 'rows' ? (
          <ResultGrid label={words.gridLabel(firstLine(run.statement))} columns={answer.columns} rows={answer.rows} />
        ) : null}
        {answer.is === 'nothing' ? <p className={styles.notice}>{words.noAnswer}</p> : null}
        {text !== undefined && tree !== undefined && view === 'tree' ? (
          <JsonTreeView root={tree} label={strings.json.treeLabel} />
        ) : null}
        {text !== undefined && (tree === undefined || view === 'text') ? (
          <pre className={styles.text} tabIndex={0} aria-label={words.textLabel}>
            {shownTextOf(text, tree !== undefined)}
          </pre>
        ) : null}
      </div>
      <div className={styles.foot}>
        <span className={styles.state} data-state={run.state}>
          <StateMark state={run.state} />
          {words.states[run.state]}
        </span>
        <span role="status">{facts.filter((fact) => fact !== undefined).join(' · ')}</span>
        {answer.truncated ? <span className={styles.truncated}>{words.truncated}</span> : null}
        {text === undefined || text.length <= LARGEST_TREE ? null : (
          <span className={styles.truncated}>{words.tooLargeForTree(text.length)}</span>
        )}
        {text !== undefined && text.length > LONGEST_TEXT && (tree === undefined || view === 'text') ? (
          <span>{words.cut(LONGEST_TEXT, text.length)}</span>
        ) : null}
        <span className={styles.footSpace} />
        <ExportResult answer={answer} />
        {text === undefined ? null : (
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            leftSection={<IconCopy size={14} stroke={1.75} />}
            onClick={() => void copy()}
          >
            {words.copyAnswer}
          </Button>
        )}
        {tree === undefined ? null : (
          <SegmentedControl
            className={styles.viewSwitch}
            aria-label={words.view}
            value={view}
            onChange={(value) => setView(value === 'text' ? 'text' : 'tree')}
            data={[
              { value: 'tree', label: words.tree },
              { value: 'text', label: words.text },
            ]}
          />
        )}
      </div>
    </>
  );
}

function treeOf(text: string): JsonNode | undefined {
  if (text.length > LARGEST_TREE) return undefined;
  try {
    const root = parseTree(text);
    return root.is === 'object' || root.is === 'array' ? root : undefined;
  } catch {
    return undefined;
  }
}

function shownTextOf(text: string, isJson: boolean): string {
  const cut = text.slice(0, LONGEST_TEXT);
  return isJson ? indentJson(cut).slice(0, LONGEST_TEXT) : cut;
}
