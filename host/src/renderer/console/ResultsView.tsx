import { Button, NativeSelect, SegmentedControl } from '@mantine/core';
import { IconTerminal2 } from '@tabler/icons-react';
import { visibleText } from '@tabularium/sdk';
import { useState } from 'react';
import type { ReactNode, RefObject } from 'react';
import { EmptyState } from '../ui/EmptyState.tsx';
import { strings } from '../i18n/index.ts';
import { AnswerView } from './AnswerView.tsx';
import type { EditorHandle } from './CodeEditor.tsx';
import { NoticeList } from './NoticeList.tsx';
import styles from './results.module.css';
import { RunList } from './RunList.tsx';
import type { Answer, Run } from './runs.ts';
import { StatementProblem } from './StatementProblem.tsx';

/** More answers are chosen from a list. */
const MOST_SEGMENTS = 5;

interface Props {
  readonly runs: readonly Run[];
  /** The connection that they ran on, where it is another one. */
  readonly elsewhere: string | undefined;
  readonly isShown: boolean;
  /** A statement to begin with; absent while there is none. */
  readonly example: string | undefined;
  readonly onExample: (text: string) => void;
  readonly editor: RefObject<EditorHandle | null>;
}

/** The results of the last run's statements; one at a time. */
export function ResultsView({ runs, elsewhere, isShown, example, onExample, editor }: Props): ReactNode {
  const words = strings.console;
  const [chosen, setChosen] = useState<number>();
  // Follows the run to its end, or to the statement that ended it; a person's choice holds until the next run.
  const following =
    runs.find(({ state }) => state === 'failed') ?? runs.findLast(({ state }) => state !== 'waiting' && state !== 'skipped');
  const shown = runs.find(({ id }) => id === chosen) ?? following ?? runs[0];
  if (shown === undefined) {
    return (
      <EmptyState
        icon={<IconTerminal2 size={36} stroke={1.25} />}
        title={words.resultsEmptyTitle}
        text={words.resultsEmptyText}
        action={
          example === undefined ? undefined : (
            <div className={styles.example}>
              <code>{example}</code>
              <Button variant="default" title={words.exampleTitle} onClick={() => onExample(example)}>
                {words.useExample}
              </Button>
            </div>
          )
        }
      />
    );
  }
  return (
    <section className={styles.results} aria-label={words.results}>
      {runs.length < 2 ? null : <RunList runs={runs} shown={shown} onChoose={setChosen} />}
      <RunView key={shown.id} run={shown} elsewhere={elsewhere} isShown={isShown} editor={editor} />
    </section>
  );
}

interface RunProps {
  readonly run: Run;
  readonly elsewhere: string | undefined;
  readonly isShown: boolean;
  readonly editor: RefObject<EditorHandle | null>;
}

function RunView({ run, elsewhere, isShown, editor }: RunProps): ReactNode {
  const words = strings.console;
  const { statement: text, source, state, answers, notices, progress, problem, problemTitle, stopped } = run;
  const [place, setPlace] = useState(0);
  const at = Math.min(place, answers.length - 1);
  const answer = answers[at];
  return (
    <>
      {answers.length < 2 ? null : <AnswerChoice answers={answers} place={at} onPlace={setPlace} />}
      {problem === undefined ? null : (
        <div className={styles.problem}>
          <StatementProblem
            title={problemTitle ?? words.failedTitle}
            problem={problem}
            statement={{ text, source }}
            editor={editor}
          />
        </div>
      )}
      {notices === undefined ? null : <NoticeList notices={notices} place={Math.max(0, at)} />}
      {stopped === undefined ? null : <p className={styles.notice}>{words.stoppedTexts[stopped]}</p>}
      {state === 'skipped' ? <p className={styles.notice}>{words.skippedText}</p> : null}
      {answer === undefined && (state === 'running' || state === 'waiting') ? (
        <p className={styles.notice} aria-busy>
          {progress === undefined
            ? state === 'waiting'
              ? words.states.waiting
              : words.waitingText
            : strings.consoleSession.progress(visibleText(progress.message), progress.share)}
        </p>
      ) : null}
      {answer === undefined ? (
        <div className={styles.answer} />
      ) : (
        <AnswerView key={at} run={run} answer={answer} elsewhere={elsewhere} isShown={isShown} />
      )}
    </>
  );
}

interface ChoiceProps {
  readonly answers: readonly Answer[];
  readonly place: number;
  readonly onPlace: (place: number) => void;
}

/** Which of the answers of one statement is shown. */
function AnswerChoice({ answers, place, onPlace }: ChoiceProps): ReactNode {
  const words = strings.console;
  const hasLabels = answers.some(({ label }) => label !== undefined);
  const data = answers.map(({ label }, at) => ({
    value: String(at),
    label: label ?? (hasLabels ? words.wholeAnswer : words.statementPlace(at + 1, answers.length)),
  }));
  return (
    <div className={styles.answers}>
      {answers.length > MOST_SEGMENTS ? (
        <NativeSelect
          aria-label={words.whichAnswer}
          value={String(place)}
          onChange={(event) => onPlace(Number(event.currentTarget.value))}
          data={data}
        />
      ) : (
        <SegmentedControl
          aria-label={words.whichAnswer}
          value={String(place)}
          onChange={(value) => onPlace(Number(value))}
          data={data}
        />
      )}
    </div>
  );
}
