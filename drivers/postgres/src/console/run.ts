import type { PermittedStatement, ResultEvent, RunOptions } from '@tabularium/sdk';
import { cutText } from '../cutText.ts';
import { readOn, rollBack } from '../pgDatabase.ts';
import type { PgDatabase } from '../pgDatabase.ts';
import { postgresError, rolledBack, stopIfCancelled } from '../fault.ts';
import { PIN_PATH } from '../catalogue/pinnedPath.ts';
import { HolderWatch } from '../locks/holderWatch.ts';
import { reachByWords, staysLocked } from '../locks/lockedReader.ts';
import { PlannedStatements } from '../locks/plannedStatements.ts';
import { judgeVerdict } from '../sql/judge.ts';
import type { Judged } from '../sql/judge.ts';
import { verdictOf } from '../sql/verdict.ts';
import type { Verdict } from '../sql/verdict.ts';
import type { PgStep } from '../wire/batch.ts';
import { requirePermitted } from './requirePermitted.ts';
import type { Link } from '../wire/link.ts';
import type { ServerNotice } from '../wire/notice.ts';
import { leftOutMessage } from '../wire/noticeBuffer.ts';
import { withSchemaAdvice } from './withSchemaAdvice.ts';
import { affected, streamedRows, withPlace } from './result.ts';

/**
 * Runs one statement. What only reads runs in a transaction that the server keeps from writing; anything else is a transaction of its own. It is judged in the transaction in which it runs, where it can run in one.
 */
export async function* runStatement(
  text: string,
  database: PgDatabase,
  changed: () => void,
  { maxRows, permitted, timeLimit, signal: caller }: RunOptions,
): AsyncGenerator<ResultEvent, void, undefined> {
  stopIfCancelled(caller);
  const verdict = verdictOf(text);
  const isInside = staysLocked(verdict);
  const began = performance.now();
  const link = await database.links.take(caller);
  // A statement that runs outside of a transaction may have done a part.
  const watch = new HolderWatch(link, database, isInside ? timeLimit : undefined, caller);
  const { signal } = watch;
  let isDone = false;
  let hasRows = false;
  let reads = true;
  try {
    const planning = isInside ? planningOf(link, database, verdict, text, permitted, signal) : undefined;
    const judged = planning === undefined ? await judgedOn(link, database, verdict, text, signal) : await planning.judged(signal);
    requirePermitted(judged, permitted);
    const { text: statement, effect } = judged;
    reads = effect === 'read';
    link.notices.begin();
    const sent = { text: statement, start: verdict.start, encoding: database.facts.encoding };
    const steps =
      planning === undefined
        ? [...(reads ? [BEGIN_READ_ONLY] : []), { text: statement }]
        : await withPlace(planning.plan([{ text: statement }], reads ? [READ_ONLY] : [], signal), statement, sent, signal);
    const run = link.stream(steps, maxRows, !reads);
    const rows = yield* noting(streamedRows(run, statement, sent, signal), () => {
      hasRows = true;
    });
    if (reads) await rollBack(link);
    else if (isInside) {
      // Of a COMMIT it would not be certain that nothing was changed.
      watch.end();
      await commit(link, signal);
    }
    const { tag, isCut } = run.state;
    const affectedRows = reads ? undefined : affected(tag);
    yield {
      type: 'done',
      truncated: isCut,
      milliseconds: Math.max(0, Math.round((performance.now() - began) * 10) / 10),
      ...(affectedRows === undefined ? {} : { affectedRows }),
      ...(tag === '' || rows ? {} : { status: cutText(tag, 100) }),
    };
    yield* noticesOf(link);
    isDone = true;
  } catch (error) {
    // They often say where the statement was when it failed.
    if (!signal.aborted) yield* noticesOf(link, hasRows);
    throw await withSchemaAdvice(postgresError(watch.errorOr(error), caller, verdict.text), database);
  } finally {
    watch.end();
    await link.settled();
    if (link.transaction !== 'none' || (reads && !isDone)) await rollBack(link);
    if (!reads) {
      changed();
      await link.reset();
    }
    database.links.give(link);
  }
}

/** Judges a statement that can't run in a transaction, on the connection that will run it. */
async function judgedOn(link: Link, database: PgDatabase, verdict: Verdict, text: string, signal: AbortSignal): Promise<Judged> {
  const { prefix, path } = database;
  const reader = { prefix, path, read: (steps: readonly PgStep[], own: AbortSignal) => readOn(link, steps, own, []) };
  return await judgeVerdict(reader, verdict, text, signal);
}

function planningOf(
  link: Link,
  database: PgDatabase,
  verdict: Verdict,
  text: string,
  permitted: PermittedStatement | undefined,
  signal: AbortSignal,
): PlannedStatements<Judged> {
  return new PlannedStatements(link, database, {
    reach: { ...reachByWords(verdict), hasNoChanges: !verdict.isQuery && database.links.idleSince !== undefined },
    judge: (reader) => judgeVerdict(reader, verdict, text, signal),
    check: (judged, first) => requirePermitted(judged, permitted, first),
    beginning: [{ text: 'BEGIN' }, PIN_PATH],
  });
}

const READ_ONLY: PgStep = { text: 'SET TRANSACTION READ ONLY' };
const BEGIN_READ_ONLY: PgStep = { text: 'BEGIN TRANSACTION READ ONLY' };

/** Triggers and checks that are deferred until the end of the transaction act now. */
async function commit(link: Link, signal: AbortSignal): Promise<void> {
  const { tag } = await link.run('COMMIT', [], signal);
  if (tag !== 'COMMIT') throw rolledBack();
}

/** Passes events on, and says when rows begin. */
async function* noting(
  events: AsyncGenerator<ResultEvent, boolean, undefined>,
  onRows: () => void,
): AsyncGenerator<ResultEvent, boolean, undefined> {
  try {
    for (;;) {
      const next = await events.next();
      if (next.done === true) return next.value;
      if (next.value.type === 'rowsBegin') onRows();
      yield next.value;
    }
  } finally {
    // Ending this one early ends that one.
    await events.return(false);
  }
}

/**
 * Messages of functions and of the server beside the result.
 *
 * @param isInRows - the rows before them have not ended: they are cut off here
 */
async function* noticesOf(link: Link, isInRows = false): AsyncGenerator<ResultEvent, void, undefined> {
  const first = link.notices.take();
  const { leftOut, last } = link.notices.takeLast();
  if (first.length === 0) return;
  if (isInRows) yield { type: 'done', truncated: true, milliseconds: 0 };
  const lineOf = ({ label, message }: ServerNotice): string => `${label}: ${message}`;
  const lines = [...first.map(lineOf), ...(leftOut === 0 ? [] : [leftOutMessage(leftOut)]), ...last.map(lineOf)];
  yield { type: 'text', mediaType: 'text/plain', text: lines.join('\n') };
  yield { type: 'done', truncated: false, milliseconds: 0, label: 'Messages' };
}
