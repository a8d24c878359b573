import { useEffect, useRef, useState } from 'react';
import type { Explanation } from '../../common/explaining.ts';
import { api } from '../api/client.ts';
import { problemOf, wasAborted } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { strings } from '../i18n/index.ts';
import { beginActivity } from '../state/notify.ts';
import type { RunnableStatement, StatementSource } from './statementSource.ts';
import type { JudgedStatements } from './useRuns.ts';

/** A statement whose plan was asked for. */
export interface ExplainedStatement {
  readonly statement: string;
  readonly source?: StatementSource | undefined;
  /** Whether it was run for its plan. */
  readonly isMeasured: boolean;
  readonly state: 'running' | 'ok' | 'failed' | 'stopped';
  readonly explanation?: Explanation;
  readonly problem?: Problem;
}

export interface Explaining {
  /** The plan that is shown; absent while the results of runs are. */
  readonly shown: ExplainedStatement | undefined;
  readonly busy: boolean;
  /** Waiting for a yes: planning it may do more than read. */
  readonly asking: readonly JudgedStatements[] | undefined;
  readonly start: (statement: RunnableStatement, analyze: boolean) => void;
  readonly answer: (yes: boolean) => void;
  readonly stop: () => void;
  readonly close: () => void;
}

const LABEL_LENGTH = 60;

/**
 * Explains one statement at a time.
 *
 * @param sessionOf - the id of the console session that the statement would run in; undefined: in none
 */
export function useExplanation(connectionId: string, sessionOf: () => string | undefined): Explaining {
  const [shown, setShown] = useState<ExplainedStatement>();
  const [asking, setAsking] = useState<JudgedStatements>();
  const controller = useRef<AbortController>(undefined);
  useEffect(() => () => controller.current?.abort(), []);

  /** Where the statement that was begun last is planned. */
  const place = useRef<{ readonly connectionId: string; readonly sessionId?: string }>({ connectionId });

  /** Shows how a call ended. After Close, and after a newer call has begun, an older one shows nothing. */
  const end = (stopping: AbortController, outcome: ExplainedStatement): void => {
    if (controller.current !== stopping) return;
    controller.current = undefined;
    setShown(outcome);
  };

  const explain = async (
    { text: statement, source }: RunnableStatement,
    analyze: boolean,
    agreedTo: JudgedStatements['classification']['effect'],
    stopping: AbortController,
  ): Promise<void> => {
    const { signal } = stopping;
    const begun = { statement, source, isMeasured: analyze } as const;
    const label = statement.split('\n', 1)[0]?.slice(0, LABEL_LENGTH) ?? '';
    setShown({ ...begun, state: 'running' });
    const activity = beginActivity(strings.explain.running(label), () => stopping.abort(), connectionId);
    try {
      const explanation = await api.console.explain.plan.mutate({ ...place.current, statement, analyze, agreedTo }, { signal });
      end(stopping, { ...begun, state: 'ok', explanation });
    } catch (error) {
      if (wasAborted(error, signal)) end(stopping, { ...begun, state: 'stopped' });
      else end(stopping, { ...begun, state: 'failed', problem: problemOf(error) });
    } finally {
      activity.end();
    }
  };

  const start = async ({ text: statement, source }: RunnableStatement, analyze: boolean): Promise<void> => {
    if (controller.current !== undefined) return;
    const stopping = new AbortController();
    controller.current = stopping;
    const { signal } = stopping;
    const sessionId = sessionOf();
    place.current = { connectionId, ...(sessionId === undefined ? {} : { sessionId }) };
    setShown({ statement, source, isMeasured: analyze, state: 'running' });
    try {
      const classification = await api.console.explain.classify.mutate({ ...place.current, statement, analyze }, { signal });
      if (controller.current !== stopping) return;
      // A statement that isn't measured is refused with a reason; there is nothing to agree to.
      if (!analyze && (classification.effect !== 'read' || classification.unknown === true))
        setAsking({ statement, source, classification });
      else await explain({ text: statement, source }, analyze, 'read', stopping);
    } catch (error) {
      const state = wasAborted(error, signal) ? 'stopped' : 'failed';
      end(stopping, {
        statement,
        source,
        isMeasured: analyze,
        state,
        ...(state === 'stopped' ? {} : { problem: problemOf(error) }),
      });
    }
  };

  const answer = async (yes: boolean): Promise<void> => {
    const judged = asking;
    const stopping = controller.current;
    setAsking(undefined);
    if (judged === undefined || stopping === undefined) return;
    if (yes) await explain({ text: judged.statement, source: judged.source }, false, judged.classification.effect, stopping);
    else {
      controller.current = undefined;
      setShown(undefined);
    }
  };

  return {
    shown,
    busy: shown?.state === 'running',
    asking: asking === undefined ? undefined : [asking],
    start: (statement, analyze) => void start(statement, analyze),
    answer: (yes) => void answer(yes),
    stop: () => controller.current?.abort(),
    close: () => {
      controller.current?.abort();
      controller.current = undefined;
      setAsking(undefined);
      setShown(undefined);
    },
  };
}
