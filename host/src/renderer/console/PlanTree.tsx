import { Button, SegmentedControl, VisuallyHidden } from '@mantine/core';
import { IconCopy, IconStopwatch, IconX } from '@tabler/icons-react';
import { visibleText } from '@tabularium/sdk';
import type { PlanNode, StatementPlan } from '@tabularium/sdk';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode, RefObject } from 'react';
import type { Explanation } from '../../common/explaining.ts';
import { notesInDriverWords } from '../api/driverTexts.ts';
import { useCommands } from '../commands/registry.ts';
import { indentJson } from '../grid/model/jsonText.ts';
import { strings } from '../i18n/index.ts';
import { copyText } from '../ui/copyText.ts';
import { StateBadge } from '../ui/Marks.tsx';
import type { EditorHandle } from './CodeEditor.tsx';
import styles from './plan.module.css';
import { misestimate } from './planEstimates.ts';
import results from './results.module.css';
import { StatementProblem } from './StatementProblem.tsx';
import { TextAnswer } from './TextAnswer.tsx';
import type { ExplainedStatement } from './useExplanation.ts';

/** Deeper steps are indented no further, so that the names stay on the screen. */
const MOST_INDENT = 12;
/** Facts of a step that are shown at once; the others are opened. */
const MOST_FACTS = 3;

interface Props {
  readonly connectionId: string;
  readonly explained: ExplainedStatement;
  readonly editor: RefObject<EditorHandle | null>;
  readonly isShown: boolean;
  readonly onMeasure: () => void;
  readonly onClose: () => void;
}

/** The plan of one statement: its steps with what is off in them, or the text that the database gave. */
export function PlanTree({ connectionId, explained, editor, isShown, onMeasure, onClose }: Props): ReactNode {
  const words = strings.explain;
  const { statement, source, state, explanation, problem } = explained;
  const region = useRef<HTMLElement>(null);
  useEffect(() => {
    if (state === 'failed') region.current?.scrollIntoView({ block: 'nearest' });
  }, [state]);
  return (
    <section ref={region} className={results.results} aria-label={words.region}>
      {problem === undefined ? null : (
        <div className={results.problem}>
          <StatementProblem title={words.failed} problem={problem} statement={{ text: statement, source }} editor={editor} />
        </div>
      )}
      {state === 'running' ? (
        <p className={results.notice} aria-busy>
          {words.waiting}
        </p>
      ) : null}
      {state === 'stopped' ? <p className={results.notice}>{words.stopped}</p> : null}
      {explanation === undefined ? (
        <>
          <div className={results.answer} />
          <div className={results.footer}>
            <span className={results.footSpace} />
            <ClosePlan onClose={onClose} />
          </div>
        </>
      ) : (
        <PlanAnswer
          connectionId={connectionId}
          statement={statement}
          isMeasured={explained.isMeasured}
          explanation={explanation}
          isShown={isShown}
          onMeasure={onMeasure}
          onClose={onClose}
        />
      )}
    </section>
  );
}

interface AnswerProps {
  readonly connectionId: string;
  readonly statement: string;
  readonly isMeasured: boolean;
  readonly explanation: Explanation;
  readonly isShown: boolean;
  readonly onMeasure: () => void;
  readonly onClose: () => void;
}

function PlanAnswer({ connectionId, statement, isMeasured, explanation, isShown, onMeasure, onClose }: AnswerProps): ReactNode {
  const words = strings.explain;
  const { measurable } = explanation;
  const plan = notesInDriverWords(connectionId, explanation.plan);
  const [view, setView] = useState<'tree' | 'text'>('tree');
  const turn = (): void => setView((before) => (before === 'tree' ? 'text' : 'tree'));
  useCommands([{ id: 'console.view', disabled: plan.raw === undefined ? words.noText : undefined, run: turn }], isShown);
  const facts = [
    isMeasured ? words.measured : words.estimatedOnly,
    plan.planningMilliseconds === undefined ? undefined : words.planning(plan.planningMilliseconds),
    plan.executionMilliseconds === undefined ? undefined : words.execution(plan.executionMilliseconds),
  ].filter((fact) => fact !== undefined);
  const notes = [...plan.notes, ...(plan.leftOut === undefined ? [] : [words.leftOut(plan.leftOut)])];
  return (
    <>
      <div className={results.answer}>
        {view === 'text' && plan.raw !== undefined ? (
          <TextAnswer text={readable(plan.raw)} isJson={plan.raw.mediaType === 'application/json'} />
        ) : (
          <Steps label={words.table(visibleText(statement.split('\n', 1)[0] ?? ''))} plan={plan} isMeasured={isMeasured} />
        )}
      </div>
      <div className={results.footer}>
        <span role="status">{facts.join(' · ')}</span>
        {notes.map((note) => (
          <span key={note} className={results.truncated}>
            {visibleText(note)}
          </span>
        ))}
        <span className={results.footSpace} />
        {isMeasured ? null : (
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            leftSection={<IconStopwatch size={14} stroke={1.75} />}
            // Not the attribute “disabled”: the reason must be found by keyboard and screen reader too.
            aria-disabled={!measurable.allowed || undefined}
            data-disabled={!measurable.allowed || undefined}
            title={measurable.allowed ? words.measureTitle : words.notMeasurable(visibleText(measurable.does))}
            onClick={() => (measurable.allowed ? onMeasure() : undefined)}
          >
            {words.measure}
          </Button>
        )}
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          leftSection={<IconCopy size={14} stroke={1.75} />}
          onClick={() => void copyText(plan.raw?.text ?? stepsText(plan.nodes), strings.common.copied)}
        >
          {words.copy}
        </Button>
        {plan.raw === undefined ? null : (
          <SegmentedControl
            className={results.viewSwitch}
            aria-label={words.view}
            value={view}
            onChange={(value) => setView(value === 'text' ? 'text' : 'tree')}
            data={(['tree', 'text'] as const).map((value) => ({ value, label: words.views[value] }))}
          />
        )}
        <ClosePlan onClose={onClose} />
      </div>
    </>
  );
}

function ClosePlan({ onClose }: Pick<Props, 'onClose'>): ReactNode {
  const words = strings.explain;
  return (
    <Button variant="subtle" color="gray" size="compact-xs" leftSection={<IconX size={14} stroke={1.75} />} onClick={onClose}>
      {words.close}
    </Button>
  );
}

interface StepsProps {
  readonly label: string;
  readonly plan: StatementPlan;
  readonly isMeasured: boolean;
}

function Steps({ label, plan, isMeasured }: StepsProps): ReactNode {
  const { columns } = strings.explain;
  return (
    <div className={styles.scroll} role="group" aria-label={label} tabIndex={0}>
      <table className={styles.plan} aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{columns.step}</th>
            <th scope="col">{columns.estimated}</th>
            {isMeasured ? (
              <>
                <th scope="col">{columns.actual}</th>
                <th scope="col">{columns.time}</th>
                <th scope="col">{columns.loops}</th>
              </>
            ) : null}
            <th scope="col">{columns.cost}</th>
          </tr>
        </thead>
        <tbody>
          {plan.nodes.map((node, place) => (
            <Step key={place} node={node} isMeasured={isMeasured} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Step({ node, isMeasured }: { readonly node: PlanNode; readonly isMeasured: boolean }): ReactNode {
  const words = strings.explain;
  const { depth, operation, target, estimatedRows, cost, actualRows, actualMilliseconds, loops } = node;
  const off = misestimate(node);
  return (
    <tr>
      <th scope="row" style={{ paddingInlineStart: `${12 + Math.min(depth, MOST_INDENT) * 20}px` }}>
        <VisuallyHidden>{words.level(depth)}</VisuallyHidden>
        <span className={styles.operation}>{visibleText(operation)}</span>{' '}
        {target === undefined ? null : <code>{visibleText(target)}</code>}
        <Facts facts={node.facts} />
      </th>
      <td>{estimatedRows === undefined ? null : words.rows(estimatedRows)}</td>
      {isMeasured ? (
        <>
          <td>
            {actualRows === undefined ? (loops === 0 ? words.never : null) : words.rows(actualRows)}
            {off === undefined ? null : (
              <div>
                <StateBadge tone="warning">{off.is === 'more' ? words.more(off.factor) : words.fewer(off.factor)}</StateBadge>
              </div>
            )}
          </td>
          <td>{actualMilliseconds === undefined ? null : words.time(actualMilliseconds)}</td>
          <td>{loops === undefined ? null : words.rows(loops)}</td>
        </>
      ) : null}
      <td>{cost === undefined ? null : words.cost(cost)}</td>
    </tr>
  );
}

function Facts({ facts }: Pick<PlanNode, 'facts'>): ReactNode {
  if (facts.length === 0) return null;
  const list = (some: PlanNode['facts']): ReactNode => (
    <dl className={styles.facts}>
      {some.map(({ label, value }, place) => (
        <div key={place}>
          <dt>{visibleText(label)}</dt>
          <dd>{visibleText(value)}</dd>
        </div>
      ))}
    </dl>
  );
  const more = facts.slice(MOST_FACTS);
  return (
    <>
      {list(facts.slice(0, MOST_FACTS))}
      {more.length === 0 ? null : (
        <details className={styles.more}>
          <summary>{strings.explain.moreFacts(more.length)}</summary>
          {list(more)}
        </details>
      )}
    </>
  );
}

function readable({ mediaType, text }: NonNullable<StatementPlan['raw']>): string {
  return mediaType === 'application/json' ? indentJson(text) : text;
}

function stepsText(nodes: readonly PlanNode[]): string {
  return nodes.map(({ depth, operation, target = '' }) => `${'  '.repeat(depth)}${operation} ${target}`.trimEnd()).join('\n');
}
