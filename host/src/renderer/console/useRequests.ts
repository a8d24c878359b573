import type { Statement } from '@tabularium/sdk';
import { useState } from 'react';
import type { RefObject } from 'react';
import { fillVariables, variablesOf } from '../../common/console.ts';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { strings } from '../i18n/index.ts';
import { notify, withdraw } from '../state/notify.ts';
import { copyText } from '../ui/copyText.ts';
import { chooseStatements } from './chooseStatements.ts';
import type { EditorHandle } from './CodeEditor.tsx';
import { fromText } from './statementSource.ts';
import type { RunnableStatement } from './statementSource.ts';
import type { RunTarget } from './useRuns.ts';

/** The notice that nothing was run; the next run withdraws it. */
const NOTHING = 'console nothing to run';

/** Statements that wait for the values of their variables. */
export interface WaitingRun {
  readonly statements: readonly RunnableStatement[];
  readonly names: readonly string[];
  readonly target: RunTarget | undefined;
}

export interface Requests {
  readonly waiting: WaitingRun | undefined;
  /** The values of variables until now. */
  readonly values: Readonly<Record<string, string>>;
  readonly problem: Problem | undefined;
  /** @param target - another connection than the console's own */
  readonly run: (what: 'chosen' | 'all', target?: RunTarget) => Promise<void>;
  /** Continues with values, or stops. */
  readonly answer: (values: Readonly<Record<string, string>> | undefined) => void;
  readonly copyCurl: () => Promise<void>;
  /** The request at the cursor, or the first of the selection, with the values of its variables until now. */
  readonly toExplain: () => Promise<RunnableStatement | undefined>;
  /** The text that "save" takes now: the selection, the request at the cursor, or all. */
  readonly toSave: () => Promise<string | undefined>;
}

/** Which of the requests in a text are meant, and what is done with them. */
export function useRequests(
  connectionId: string,
  editor: RefObject<EditorHandle | null>,
  start: (statements: readonly RunnableStatement[], target: RunTarget | undefined) => void,
): Requests {
  const [waiting, setWaiting] = useState<WaitingRun>();
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [problem, setProblem] = useState<Problem>();
  const split = async (text: string): Promise<readonly Statement[]> =>
    text.trim() === '' ? [] : api.console.split.mutate({ connectionId, text });
  const chosen = async (): Promise<readonly RunnableStatement[]> => {
    const text = editor.current?.text() ?? '';
    const selection = editor.current?.selection() ?? { from: 0, to: 0 };
    return (await chooseStatements(await split(text), text, selection, split)).map((statement) => fromText(text, statement));
  };
  const nothing = (): void => notify({ about: NOTHING, tone: 'plain', text: strings.console.nothingToRun });

  return {
    waiting,
    values,
    problem,
    run: async (what, target) => {
      setProblem(undefined);
      try {
        const whole = editor.current?.text() ?? '';
        const all = what === 'all' ? (await split(whole)).map((statement) => fromText(whole, statement)) : await chosen();
        if (all.length === 0) {
          nothing();
          return;
        }
        const names = variablesOf(all.map(({ text }) => text).join('\n'));
        withdraw(NOTHING);
        if (names.length > 0) setWaiting({ statements: all, names, target });
        else start(all, target);
      } catch (error) {
        setProblem(problemOf(error));
      }
    },
    answer: (given) => {
      setWaiting(undefined);
      if (waiting === undefined || given === undefined) return;
      setValues({ ...values, ...given });
      start(
        waiting.statements.map(({ text, source }) => ({ text: fillVariables(text, given), source })),
        waiting.target,
      );
    },
    copyCurl: async () => {
      setProblem(undefined);
      try {
        const [statement] = await chosen();
        if (statement === undefined) {
          nothing();
          return;
        }
        const command = await api.console.curl.mutate({ connectionId, statement: fillVariables(statement.text, values) });
        void copyText(command, strings.console.copiedCurl);
      } catch (error) {
        setProblem(problemOf(error));
      }
    },
    toExplain: async () => {
      setProblem(undefined);
      try {
        const [statement] = await chosen();
        if (statement !== undefined) return { ...statement, text: fillVariables(statement.text, values) };
        nothing();
      } catch (error) {
        setProblem(problemOf(error));
      }
      return undefined;
    },
    toSave: async () => {
      const text = editor.current?.text() ?? '';
      const { from, to } = editor.current?.selection() ?? { from: 0, to: 0 };
      if (from !== to) return text.slice(from, to);
      if (text.trim() === '') {
        nothing();
        return undefined;
      }
      try {
        return (await chosen())[0]?.text ?? text;
      } catch {
        // A text that can't be split is saved whole.
        return text;
      }
    },
  };
}
