import { Button } from '@mantine/core';
import { visibleText } from '@tabularium/sdk';
import { useCallback, useSyncExternalStore } from 'react';
import type { ReactNode, RefObject } from 'react';
import { placeIn, wordEnd } from '../../common/textPlace.ts';
import type { TextPlace } from '../../common/textPlace.ts';
import type { Problem } from '../api/problem.ts';
import { strings } from '../i18n/index.ts';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import type { EditorHandle } from './CodeEditor.tsx';
import styles from './faultPlace.module.css';
import { faultIn } from './statementSource.ts';
import type { RunnableStatement, StatementFault, EditorRange } from './statementSource.ts';
import { markedFaultOf } from './useFaultMarks.ts';

interface Props {
  readonly title: string;
  readonly problem: Problem;
  readonly statement: RunnableStatement;
  readonly editor: RefObject<EditorHandle | null>;
}

/** The problem of a statement, with the place of its fault where the database says it. */
export function StatementProblem({ title, problem, statement, editor }: Props): ReactNode {
  const [fault] = markedFaultOf('', statement, problem);
  const place = (): EditorRange | undefined =>
    fault === undefined || editor.current === null ? undefined : faultIn(editor.current.text(), fault);
  const subscribe = useCallback((listener: () => void) => editor.current?.onText(listener) ?? (() => undefined), [editor]);
  // A text, which is the same as long as it says the same.
  const where = useSyncExternalStore(subscribe, () => {
    const from = place()?.from;
    return from === undefined ? undefined : placeText(placeIn(editor.current?.text() ?? '', from));
  });
  const goTo = (): void => {
    const found = place();
    if (found !== undefined) editor.current?.goTo(found);
  };
  return (
    <ProblemPanel
      compact
      title={title}
      problem={problem}
      actions={
        where === undefined ? undefined : (
          <Button variant="default" onClick={goTo}>
            {strings.console.goToFault}
          </Button>
        )
      }
    >
      {fault === undefined ? null : <FaultPlace fault={fault} where={where} />}
    </ProblemPanel>
  );
}

/** Code units of the line that are shown before the place and from there on. */
const MOST_BEFORE = 60;
const MOST_BEHIND = 160;

function placeText({ line, column }: TextPlace): string {
  return strings.console.faultPlace(line, column);
}

interface PlaceProps {
  readonly fault: StatementFault;
  /** In the editor; undefined where the statement isn't there as it was run. */
  readonly where: string | undefined;
}

/** The line of a statement that has a fault, with a mark at its place. */
function FaultPlace({ fault: { statement, offset }, where }: PlaceProps): ReactNode {
  const { line, column, text, at } = placeIn(statement.text, offset);
  const begin = at > MOST_BEFORE ? at - MOST_BEFORE : 0;
  const last = Math.min(text.length, at + MOST_BEHIND);
  const end = Math.min(wordEnd(text, at), last);
  const part = (from: number, to: number): string => visibleText(text.slice(from, to).toWellFormed(), 'data');
  return (
    <div className={styles.place}>
      <p>{where ?? strings.console.faultPlaceOfRequest(line, column)}</p>
      <pre>
        {begin === 0 ? part(0, at).trimStart() : `…${part(begin, at)}`}
        <mark>{end === at ? '\u00a0' : part(at, end)}</mark>
        {part(end, last)}
        {last < text.length ? '…' : ''}
      </pre>
    </div>
  );
}
