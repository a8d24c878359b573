import type { StatementClassification, StatementEffect, StatementParameter } from '@tabularium/sdk';
import { useEffect, useRef, useState } from 'react';
import type { OpenedConsoleSession } from '../../common/console.ts';
import { ownValue } from '../../common/ownValue.ts';
import { api } from '../api/client.ts';
import { useReloadTables } from '../api/queries.ts';
import { problemOf, wasAborted } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { strings } from '../i18n/index.ts';
import { beginActivity } from '../state/notify.ts';
import { isAnswerLost } from './answerLost.ts';
import { controlsTransaction } from '../../common/controlsTransaction.ts';
import { mayChangeTables } from './mayChangeTables.ts';
import { AnswerBuilder } from './runs.ts';
import type { Run, RunState, TransactionEndWay } from './runs.ts';
import { runConsoleStatement } from './runConsoleStatement.ts';
import type { RunnableStatement, StatementSource } from './statementSource.ts';
import { statementLabel } from './statementLabel.ts';
import { stopOutcome } from '../../common/stopOutcome.ts';
import type { StopOutcome } from '../../common/stopOutcome.ts';
import type { SessionOfRuns } from './useConsoleSession.ts';

/** A statement, and what the driver says that it would do. */
export interface JudgedStatements {
  readonly statement: string;
  readonly source?: StatementSource | undefined;
  readonly classification: StatementClassification;
}

/** A run of one statement that was rejected before it began. */
export interface RejectedRun {
  readonly statement: RunnableStatement;
  readonly problem: Problem;
}

/** The connection that a run is for. */
export interface RunTarget {
  readonly connectionId: string;
  readonly name: string;
}

/** How a run goes about its statements. */
export interface RunChoices {
  readonly maxRows: number;
  /** Whether a statement that fails ends the run. One that a person stops always does. */
  readonly stopsAtError: boolean;
}

/** The values of a statement's parameters by their names. */
export type ParameterValues = Readonly<Record<string, string | null>>;

/** A statement that is about to run, and waits for the values of its parameters. */
export interface NeededParameters {
  readonly statement: string;
  readonly parameters: readonly StatementParameter[];
  /** Those of the last time that this statement ran. */
  readonly before: ParameterValues;
}

export interface Runs {
  readonly runs: readonly Run[];
  /** Where the last run went, or the present one goes. */
  readonly target: RunTarget;
  readonly busy: boolean;
  readonly rejected: RejectedRun | undefined;
  /** Waiting for a yes: every statement of the run, with at least one that does more than read, or may do so. */
  readonly asking: readonly JudgedStatements[] | undefined;
  /** @param target - another connection than the console's own */
  readonly start: (statements: readonly RunnableStatement[], options: RunChoices, target?: RunTarget) => void;
  readonly answer: (yes: boolean) => void;
  /** Ends the session's transaction, as a run of its own that can be stopped. Resolves when it is over. */
  readonly endTransaction: (way: TransactionEndWay) => Promise<void>;
  readonly needed: NeededParameters | undefined;
  /** Continues with values, or stops. */
  readonly giveParameters: (values: ParameterValues | undefined) => void;
  readonly stop: () => void;
}

/** Rows that stream in are shown this often; more often would only slow their coming. */
const SHOW_MILLISECONDS = 120;
const LABEL_LENGTH = 60;
/** Statements whose values are remembered. */
const MOST_REMEMBERED = 100;

type RunningSession = Pick<OpenedConsoleSession, 'sessionId' | 'takesParameters'>;

const effectOf = ({ classification }: JudgedStatements): StatementEffect => classification.effect;

/**
 * Runs statements in order, after asking once for all of them that do more than read.
 *
 * @param session - the one that they run in on the console's own connection; undefined where its driver has none
 * @param isSql - whether statements are SQL
 */
export function useRuns(own: RunTarget, session: SessionOfRuns | undefined, isSql: boolean): Runs {
  const [target, setTarget] = useState(own);
  const wanted = useRef(own);
  const [runs, setRuns] = useState<readonly Run[]>([]);
  const [busy, setBusy] = useState(false);
  const [rejected, setRejected] = useState<RejectedRun>();
  const [asking, setAsking] = useState<readonly JudgedStatements[]>();
  const controller = useRef<AbortController>(undefined);
  const options = useRef<RunChoices>({ maxRows: 1, stopsAtError: true });
  const lastId = useRef(0);
  const [needed, setNeeded] = useState<NeededParameters>();
  const give = useRef<(values: ParameterValues | undefined) => void>(undefined);
  /** By the text of the statement: `$1` of another one is another value. */
  const givenBefore = useRef(new Map<string, ParameterValues>());
  const inSession = useRef<RunningSession>(undefined);
  const lastProblem = useRef<Problem>(undefined);
  /** The results on the screen when the last run began, and where they came from. */
  const former = useRef<{ readonly runs: readonly Run[]; readonly target: RunTarget }>(undefined);

  const reloadTables = useReloadTables();

  useEffect(() => () => controller.current?.abort(), []);

  const change = (id: number, part: Partial<Run>): void =>
    setRuns((before) => before.map((run) => (run.id === id ? { ...run, ...part } : run)));

  const giveParameters = (values: ParameterValues | undefined): void => {
    setNeeded(undefined);
    give.current?.(values);
    give.current = undefined;
  };

  /** @returns undefined when the person gave none */
  const valuesFor = async (
    statement: string,
    { sessionId, takesParameters }: RunningSession,
    signal: AbortSignal,
  ): Promise<readonly (string | null)[] | undefined> => {
    if (!takesParameters) return [];
    const parameters = await api.console.sessions.parameters.mutate({ sessionId, statement }, { signal });
    if (parameters.length === 0) return [];
    const values = await new Promise<ParameterValues | undefined>((resolve) => {
      give.current = resolve;
      setNeeded({ statement, parameters, before: givenBefore.current.get(statement) ?? {} });
      signal.addEventListener('abort', () => giveParameters(undefined), { once: true });
    });
    if (values === undefined) return undefined;
    // The newest last.
    givenBefore.current.delete(statement);
    givenBefore.current.set(statement, values);
    const [oldest] = givenBefore.current.keys();
    if (givenBefore.current.size > MOST_REMEMBERED && oldest !== undefined) givenBefore.current.delete(oldest);
    return parameters.map(({ name }) => ownValue(values, name) ?? null);
  };

  const runOne = async (run: Run, judged: JudgedStatements, signal: AbortSignal): Promise<RunState> => {
    const builder = new AnswerBuilder();
    let shownAt = performance.now();
    const agreedTo = effectOf(judged);
    const before = inSession.current === undefined ? undefined : session?.transaction();
    let isSent = false;
    let noteEnd: ((isAnswered: boolean) => void) | undefined;
    const outcome = (): StopOutcome => stopOutcome({ ...judged, isSent, isSql, transaction: before });
    const mayStay = (): boolean => ['uncertain', 'transactionControl'].includes(outcome());
    const stopped = (): Pick<Run, 'state' | 'stopped'> => ({ state: 'stopped', stopped: outcome() });
    let activity: ReturnType<typeof beginActivity> | undefined;
    try {
      const running = inSession.current;
      const parameters = running === undefined ? [] : await valuesFor(run.statement, running, signal);
      if (parameters === undefined) {
        change(run.id, stopped());
        return 'stopped';
      }
      // Nothing runs while a person is asked for values.
      change(run.id, { state: 'running' });
      activity = beginActivity(
        strings.console.running(statementLabel(run.statement).slice(0, LABEL_LENGTH)),
        () => controller.current?.abort(),
        wanted.current.connectionId,
      );
      const input = {
        connectionId: wanted.current.connectionId,
        statement: run.statement,
        maxRows: options.current.maxRows,
        agreedTo,
        whole: true,
        ...(running === undefined ? {} : { sessionId: running.sessionId }),
        ...(parameters.length === 0 ? {} : { parameters: [...parameters] }),
      };
      isSent = true;
      if (running !== undefined && mayStay()) noteEnd = session?.noteSent();
      for await (const line of runConsoleStatement(input, signal)) {
        builder.add(line);
        if (line.type === 'context') session?.noteContext(line.context, line.beginsNext);
        if (performance.now() - shownAt < SHOW_MILLISECONDS) continue;
        shownAt = performance.now();
        change(run.id, { answers: builder.answers(), ...builder.beside() });
      }
      noteEnd?.(true);
      change(run.id, { state: 'ok', answers: builder.answers(), ...builder.beside() });
      if (running !== undefined) session?.noteRan(run.statement, agreedTo);
      return 'ok';
    } catch (error) {
      const state = wasAborted(error, signal) ? 'stopped' : 'failed';
      const reported = problemOf(error);
      // A session that has ended says itself what became of its changes.
      const isSaid = inSession.current !== undefined && reported.code === 'CONNECTION_LOST';
      const isUnknown = state === 'failed' && isAnswerLost(reported) && mayStay() && !isSaid;
      const failure = isUnknown ? { ...reported, advice: strings.console.answerLostAdvice } : reported;
      noteEnd?.(state === 'failed' && !isAnswerLost(reported));
      lastProblem.current = failure;
      change(run.id, {
        answers: builder.answers(),
        ...builder.beside(),
        ...(state === 'stopped' ? stopped() : { state, problem: failure }),
      });
      return state;
    } finally {
      activity?.end();
    }
  };

  /**
   * Whether what follows a failed statement would run in another transaction than it was written for, or in none, or after one of which it isn't known
   * whether it was carried out.
   */
  const leavesTransaction = (statement: string, before: ReturnType<SessionOfRuns['transaction']>): boolean => {
    if (isSql && controlsTransaction(statement)) return true;
    if (lastProblem.current !== undefined && isAnswerLost(lastProblem.current)) return true;
    if (inSession.current === undefined) return false;
    const now = session?.transaction();
    return now === undefined || (before !== 'none' && now === 'none');
  };

  const newRun = ({ text, source }: RunnableStatement, state: RunState): Run => {
    lastId.current += 1;
    return { id: lastId.current, statement: text, source, state, answers: [] };
  };

  const execute = async (judged: readonly JudgedStatements[], signal: AbortSignal): Promise<void> => {
    const queue = judged.map((each) => ({ run: newRun({ text: each.statement, source: each.source }, 'waiting'), judged: each }));
    setRuns(queue.map(({ run }) => run));
    let goOn = true;
    let hasChangedTables = false;
    for (const { run, judged: each } of queue) {
      if (!goOn) {
        change(run.id, { state: 'skipped' });
        continue;
      }
      const before = inSession.current === undefined ? undefined : session?.transaction();
      const state = await runOne(run, each, signal);
      if (state === 'ok' && mayChangeTables(each, isSql)) hasChangedTables = true;
      goOn = state === 'ok' || (state === 'failed' && !options.current.stopsAtError && !leavesTransaction(run.statement, before));
    }
    if (hasChangedTables) reloadTables(wanted.current.connectionId);
  };

  /** Nothing of a run is begun when one of its statements is not valid: which one is said, and that no other ran. */
  const reject = (statements: readonly RunnableStatement[], place: number, why: Problem): void => {
    const [first, ...more] = statements;
    if (first !== undefined && more.length === 0) setRejected({ statement: first, problem: why });
    else
      setRuns(
        statements.map((statement, at) =>
          at === place ? { ...newRun(statement, 'failed'), problem: why } : newRun(statement, 'skipped'),
        ),
      );
  };

  const finish = (): void => {
    controller.current = undefined;
    setBusy(false);
  };

  const start = async (statements: readonly RunnableStatement[], wantedChoices: RunChoices, to: RunTarget): Promise<void> => {
    if (controller.current !== undefined) return;
    const stopping = new AbortController();
    controller.current = stopping;
    wanted.current = to;
    former.current = { runs, target };
    setTarget(to);
    options.current = wantedChoices;
    setBusy(true);
    setRejected(undefined);
    inSession.current = undefined;
    const ownSession = to.connectionId === own.connectionId ? session : undefined;
    // The results of the run before would be taken for those of a run that is rejected.
    setRuns([]);
    const judged: JudgedStatements[] = [];
    try {
      const refusal = ownSession?.refusal();
      if (refusal !== undefined) {
        reject(statements, 0, refusal);
        finish();
        return;
      }
      inSession.current = await ownSession?.begin(stopping.signal);
      const inWhich = inSession.current === undefined ? {} : { sessionId: inSession.current.sessionId };
      for (const { text: statement, source } of statements) {
        const classification = await api.console.classify.mutate(
          { connectionId: to.connectionId, statement, ...inWhich },
          { signal: stopping.signal },
        );
        judged.push({ statement, source, classification });
      }
      if (judged.some((each) => effectOf(each) !== 'read' || each.classification.unknown === true)) {
        setAsking(judged);
        return;
      }
      await execute(judged, stopping.signal);
      finish();
    } catch (error) {
      if (!wasAborted(error, stopping.signal)) reject(statements, judged.length, problemOf(error));
      finish();
    }
  };

  const answer = async (yes: boolean): Promise<void> => {
    const judged = asking;
    const stopping = controller.current;
    setAsking(undefined);
    if (yes && judged !== undefined && stopping !== undefined) await execute(judged, stopping.signal);
    else if (former.current !== undefined) {
      // Nothing ran, so nothing took the place of what a person was reading.
      setRuns(former.current.runs);
      setTarget(former.current.target);
    }
    finish();
  };

  const endTransaction = async (way: TransactionEndWay): Promise<void> => {
    if (controller.current !== undefined || session === undefined) return;
    const stopping = new AbortController();
    controller.current = stopping;
    wanted.current = own;
    setTarget(own);
    setBusy(true);
    setRejected(undefined);
    const run: Run = { ...newRun({ text: way === 'commit' ? 'COMMIT' : 'ROLLBACK' }, 'running'), ends: way };
    setRuns([run]);
    const activity = beginActivity(strings.console.running(run.statement), () => stopping.abort(), own.connectionId);
    const began = performance.now();
    try {
      const end = await session.endTransaction(way, stopping.signal);
      const milliseconds = Math.round(performance.now() - began);
      if (end === undefined) setRuns([]);
      else if (end.is === 'ended') change(run.id, { state: 'ok', answers: [{ is: 'nothing', truncated: false, milliseconds }] });
      else if (end.is === 'stopped') change(run.id, { state: 'stopped', stopped: 'transactionControl' });
      else change(run.id, { state: 'failed', problem: end.problem, problemTitle: end.title });
      if (way === 'commit') reloadTables(own.connectionId);
    } finally {
      activity.end();
      finish();
    }
  };

  return {
    runs,
    target,
    endTransaction,
    busy,
    rejected,
    asking,
    start: (statements, choices, to = own) => void start(statements, choices, to),
    answer: (yes) => void answer(yes),
    needed,
    giveParameters,
    stop: () => controller.current?.abort(),
  };
}
