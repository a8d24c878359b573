import { SegmentedControl } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { useCommands } from '../commands/registry.ts';
import { strings } from '../i18n/index.ts';
import { JsonTreeView } from '../inspector/JsonTreeView.tsx';
import { answerFacts } from './answerFacts.ts';
import { LARGEST_TREE, answerText, answerTree, isJsonText, nextView, readableText } from './answerViews.ts';
import type { AnswerViewName } from './answerViews.ts';
import { CopyAnswer } from './CopyAnswer.tsx';
import { ExportResult } from './ExportResult.tsx';
import { ResultGrid } from './ResultGrid.tsx';
import styles from './results.module.css';
import { StateMark } from './RunList.tsx';
import type { Answer, Run } from './runs.ts';
import { statementLabel } from './statementLabel.ts';
import { TextAnswer } from './TextAnswer.tsx';

const NO_FACTS: ReturnType<typeof answerFacts> = [];

interface Props {
  readonly run: Run;
  readonly answer: Answer;
  /** The connection that it ran on, where it is another one. */
  readonly elsewhere: string | undefined;
  readonly isShown: boolean;
}

/** One answer as its rows, as a tree and as text: those of the three that it has. */
export function AnswerView({ run, answer, elsewhere, isShown }: Props): ReactNode {
  const words = strings.console;
  const text = answerText(answer);
  const tree = useMemo(() => (text === undefined ? undefined : answerTree(text)), [text]);
  const facts = useMemo(() => (answer.is === 'rows' && text !== undefined ? answerFacts(text) : NO_FACTS), [answer.is, text]);
  const [chosen, setChosen] = useState<AnswerViewName>();
  const views: readonly AnswerViewName[] = [
    ...(answer.is === 'rows' ? (['rows'] as const) : []),
    ...(tree === undefined ? [] : (['tree'] as const)),
    ...(text === undefined ? [] : (['text'] as const)),
  ];
  const view = chosen !== undefined && views.includes(chosen) ? chosen : (views[0] ?? 'rows');
  const readable = useMemo(() => (view === 'text' ? readableText(answer) : ''), [answer, view]);
  const next = nextView(views, view);
  useCommands(
    [
      {
        id: 'console.view',
        disabled: views.length < 2 ? words.oneView : undefined,
        run: () => setChosen(next),
      },
    ],
    isShown,
  );
  const noAnswer = run.ends === undefined ? words.noAnswer : strings.consoleSession.transactionEnded[run.ends];
  const notes = [
    answer.truncated ? words.truncated : undefined,
    answer.is === 'rows' && answer.wholeLeftOut === true ? words.wholeLeftOut : undefined,
    text !== undefined && text.length > LARGEST_TREE ? words.tooLargeForTree(text.length) : undefined,
  ].filter((note) => note !== undefined);
  return (
    <>
      {facts.length === 0 ? null : (
        <dl className={styles.facts} aria-label={words.facts}>
          {facts.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <div className={styles.answer}>
        {answer.is === 'nothing' ? <p className={styles.notice}>{noAnswer}</p> : null}
        {answer.is === 'rows' && view === 'rows' ? (
          <ResultGrid label={words.gridLabel(statementLabel(run.statement))} columns={answer.columns} rows={answer.rows} />
        ) : null}
        {tree !== undefined && view === 'tree' ? <JsonTreeView root={tree} label={strings.json.treeLabel} /> : null}
        {text !== undefined && view === 'text' ? <TextAnswer text={readable} isJson={isJsonText(answer)} /> : null}
      </div>
      <div className={styles.footer}>
        <span className={styles.state} data-state={run.state}>
          <StateMark state={run.state} />
          {words.states[run.state]}
        </span>
        <span role="status">{summaryOf(answer, elsewhere)}</span>
        {notes.map((note) => (
          <span key={note} className={styles.truncated}>
            {note}
          </span>
        ))}
        <span className={styles.footSpace} />
        <ExportResult answer={answer} view={view} />
        <CopyAnswer answer={answer} view={view} />
        {views.length < 2 ? null : (
          <SegmentedControl
            className={styles.viewSwitch}
            aria-label={words.view}
            value={view}
            onChange={(value) => setChosen(views.find((each) => each === value))}
            data={views.map((value) => ({ value, label: words.views[value] }))}
          />
        )}
      </div>
    </>
  );
}

function summaryOf(answer: Answer, elsewhere: string | undefined): string {
  const words = strings.console;
  return [
    elsewhere === undefined ? undefined : words.ranOn(elsewhere),
    answer.status,
    answer.is === 'rows' ? words.rows(answer.rows.length) : undefined,
    answer.affectedRows === undefined ? undefined : words.affected(answer.affectedRows),
    answer.milliseconds === undefined ? undefined : words.milliseconds(answer.milliseconds),
  ]
    .filter((fact) => fact !== undefined)
    .join(' · ');
}
