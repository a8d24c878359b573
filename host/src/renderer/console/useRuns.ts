import type { StatementClassification, StatementEffect } from '@tabularium/sdk';
import { useEffect, useRef, useState } from 'react';
import { api } from '../api/client.ts';
import { problemOf, wasAborted } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { strings } from '../i18n/index.ts';
import { beginActivity } from '../state/notify.ts';
import { AnswerBuilder } from './runs.ts';
import type { Run } from './runs.ts';
import { runConsoleStatement } from './runConsoleStatement.ts';

/** A statement, and what the driver says that it would do. */
export interface JudgedStatements {
  readonly statement: string;
  readonly classification: StatementClassification;
}

/** The connection that a run is for. */
export interface RunTarget {
  readonly connectionId: string;
  readonly name: string;
}

export interface Runs {
  readonly runs: readonly Run[];
  /** Where the last run went, or the present one goes. */
  readonly target: RunTarget;
  readonly busy: boolean;
  /** The problem of a run that was rejected before it began. */
  readonly problem: Problem | undefined;
  /** Waiting for a yes: every statement of the run, with at least one that does more than read, or may do so. */
  readonly asking: readonly JudgedStatements[] | undefined;
  /** @param target - another connection than the console's own */
  readonly start: (statements: readonly string[], maxRows: number, target?: RunTarget) => void;
  readonly answer: (yes: boolean) => void;
  readonly stop: () => void;
}

/** Rows that stream in are shown this often; more often would only slow their coming. */
const SHOW_MILLISECONDS = 120;
const LABEL_LENGTH = 60;

const effectOf = ({ classification }: JudgedStatements): StatementEffect => classification.effect;
const firstLine = (text: string): string => text.split('\n', 1)[0]?.slice(0, LABEL_LENGTH) ?? '';

/** Runs statements in order, after asking once for all of them that do more than read. The first that does not end well ends the run. */
export function useRuns(own: RunTarget): Runs {
  const [target, setTarget] = useState(own);
  const wanted = useRef(own);
  const [runs, setRuns] = useState<readonly Run[]>([]);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const [asking, setAsking] = useState<readonly JudgedStatements[]>();
  const controller = useRef<AbortController>(undefined);
  const rowsWanted = useRef(0);
  const lastId = useRef(0);

  useEffect(() => () => controller.current?.abort(), []);

  const change = (id: number, part: Partial<Run>): void =>
    setRuns((before) => before.map((run) => (run.id === id ? { ...run, ...part } : run)));

  const runOne = async (run: Run, agreedTo: StatementEffect, signal: AbortSignal): Promise<boolean> => {
    const builder = new AnswerBuilder();
    let shownAt = performance.now();
    change(run.id, { state: 'running' });
    try {
      const input = {
        connectionId: wanted.current.connectionId,
        statement: run.statement,
        maxRows: rowsWanted.current,
        agreedTo,
      };
      for await (const line of runConsoleStatement(input, signal)) {
        builder.add(line);
        if (performance.now() - shownAt < SHOW_MILLISECONDS) continue;
        shownAt = performance.now();
        change(run.id, { answers: builder.answers() });
      }
      change(run.id, { state: 'ok', answers: builder.answers() });
      return true;
    } catch (error) {
      const stopped = wasAborted(error, signal);
      change(run.id, {
        state: stopped ? 'stopped' : 'failed',
        answers: builder.answers(),
        ...(stopped ? {} : { problem: problemOf(error) }),
      });
      return false;
    }
  };

  const execute = async (judged: readonly JudgedStatements[], signal: AbortSignal): Promise<void> => {
    const queue = judged.map((each) => {
      lastId.current += 1;
      return {
        run: { id: lastId.current, statement: each.statement, state: 'waiting', answers: [] } satisfies Run,
        judged: each,
      };
    });
    setRuns(queue.map(({ run }) => run));
    let goOn = true;
    for (const { run, judged: each } of queue) {
      if (!goOn) {
        change(run.id, { state: 'skipped' });
        continue;
      }
      const activity = beginActivity(strings.console.running(firstLine(run.statement)), () => controller.current?.abort());
      try {
        goOn = await runOne(run, effectOf(each), signal);
      } finally {
        activity.end();
      }
    }
  };

  const finish = (): void => {
    controller.current = undefined;
    setBusy(false);
  };

  const start = async (statements: readonly string[], maxRows: number, to: RunTarget): Promise<void> => {
    if (controller.current !== undefined) return;
    const stopping = new AbortController();
    controller.current = stopping;
    wanted.current = to;
    setTarget(to);
    rowsWanted.current = maxRows;
    setBusy(true);
    setProblem(undefined);
    try {
      const judged: JudgedStatements[] = [];
      for (const statement of statements) {
        const classification = await api.console.classify.mutate(
          { connectionId: to.connectionId, statement },
          { signal: stopping.signal },
        );
        judged.push({ statement, classification });
      }
      if (judged.some((each) => effectOf(each) !== 'read' || each.classification.unknown === true)) {
        setAsking(judged);
        return;
      }
      await execute(judged, stopping.signal);
      finish();
    } catch (error) {
      if (!wasAborted(error, stopping.signal)) setProblem(problemOf(error));
      finish();
    }
  };

  const answer = async (yes: boolean): Promise<void> => {
    const judged = asking;
    const stopping = controller.current;
    setAsking(undefined);
    if (yes && judged !== undefined && stopping !== undefined) await execute(judged, stopping.signal);
    finish();
  };

  return {
    runs,
    target,
    busy,
    problem,
    asking,
    start: (statements, maxRows, to = own) => void start(statements, maxRows, to),
    answer: (yes) => void answer(yes),
    stop: () => controller.current?.abort(),
  };
}
