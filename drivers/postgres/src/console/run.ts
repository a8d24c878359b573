import type { ResultEvent, RunOptions } from '@tabularium/sdk';
import { rollBack } from '../pgDatabase.ts';
import type { PgDatabase } from '../pgDatabase.ts';
import { postgresError, stopIfCancelled } from '../fault.ts';
import { judgeVerdict } from '../sql/judge.ts';
import { verdictOf } from '../sql/verdict.ts';
import type { PgStep } from '../wire/batch.ts';
import { requirePermitted } from './requirePermitted.ts';
import type { Link } from '../wire/link.ts';
import type { ServerNotice } from '../wire/notice.ts';
import { leftOutMessage } from '../wire/noticeBuffer.ts';
import { withSchemaAdvice } from './withSchemaAdvice.ts';
import { affected, streamedRows } from './result.ts';

/** Runs one statement. What only reads runs in a transaction that the server keeps from writing; anything else is a transaction of its own. */
export async function* runStatement(
  text: string,
  database: PgDatabase,
  changed: () => void,
  { maxRows, permitted, signal }: RunOptions,
): AsyncGenerator<ResultEvent, void, undefined> {
  stopIfCancelled(signal);
  const verdict = verdictOf(text);
  const judged = await judgeVerdict(database, verdict, text, signal);
  requirePermitted(judged, permitted);
  const { text: statement, effect } = judged;
  const reads = effect === 'read';
  const began = performance.now();
  const link = await database.links.take(signal);
  let isDone = false;
  let hasRows = false;
  try {
    link.notices.begin();
    const steps: PgStep[] = [...(reads ? [{ text: 'BEGIN TRANSACTION READ ONLY' }] : []), { text: statement }];
    const run = link.stream(steps, maxRows, !reads);
    const sent = { text: statement, start: verdict.start, encoding: database.facts.encoding };
    const rows = yield* noting(streamedRows(run, statement, sent, signal), () => {
      hasRows = true;
    });
    if (reads) await rollBack(link);
    const { tag, isCut } = run.state;
    const affectedRows = reads ? undefined : affected(tag);
    yield {
      type: 'done',
      truncated: isCut,
      milliseconds: Math.max(0, Math.round((performance.now() - began) * 10) / 10),
      ...(affectedRows === undefined ? {} : { affectedRows }),
      ...(tag === '' || rows ? {} : { status: tag.slice(0, 100) }),
    };
    yield* noticesOf(link);
    isDone = true;
  } catch (error) {
    // They often say where the statement was when it failed.
    if (!signal.aborted) yield* noticesOf(link, hasRows);
    throw await withSchemaAdvice(postgresError(error, signal, statement), database);
  } finally {
    if (reads) {
      if (!isDone) await rollBack(link);
    } else {
      changed();
      await link.reset();
    }
    database.links.give(link);
  }
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
