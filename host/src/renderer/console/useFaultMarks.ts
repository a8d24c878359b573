import { useEffect, useRef } from 'react';
import type { RefObject } from 'react';
import type { EditorHandle } from './CodeEditor.tsx';
import { faultIn } from './statementSource.ts';
import type { RunnableStatement, StatementFault } from './statementSource.ts';
import type { Problem } from '../api/problem.ts';

/** A fault that is shown in the editor. */
export interface MarkedFault extends StatementFault {
  readonly id: string;
}

/** The fault of a statement; none where the database doesn't say where it is. */
export function markedFaultOf(id: string, statement: RunnableStatement, problem: Problem | undefined): readonly MarkedFault[] {
  const offset = problem?.details.offset;
  return offset === undefined || offset > statement.text.length ? [] : [{ id, statement, offset }];
}

/** Underlines faults in the editor when they are new. The editor removes the lines when its text changes. */
export function useFaultMarks(editor: RefObject<EditorHandle | null>, faults: readonly MarkedFault[]): void {
  const latest = useRef(faults);
  useEffect(() => {
    latest.current = faults;
  });
  const ids = faults.map(({ id, offset }) => `${id} ${offset}`).join();
  useEffect(() => {
    const shown = editor.current;
    if (shown === null) return;
    const text = ids === '' ? '' : shown.text();
    shown.mark(latest.current.flatMap((fault) => faultIn(text, fault) ?? []));
  }, [editor, ids]);
}
