import type { BatchColumn, Cell, ResultEvent } from '@tabularium/sdk';
import { shortenedText } from '../cutText.ts';
import { kindOf } from '../catalogue/types.ts';
import { toCell } from '../cells.ts';
import { postgresError } from '../fault.ts';
import { withOffset } from '../faultPlace.ts';
import type { SentText } from '../faultPlace.ts';
import type { Field } from '../wire/batch.ts';
import type { LinkStream } from '../wire/link.ts';

/**
 * The rows of a running statement.
 *
 * @param sent - the statement as it was sent, for the place of a fault
 * @param between - other events that are there by now, asked for before each event of the result
 * @returns whether there were rows to show
 */
export async function* streamedRows<Other = never>(
  run: LinkStream,
  statement: string,
  sent: SentText,
  signal: AbortSignal,
  between: () => Iterable<Other> = () => [],
): AsyncGenerator<ResultEvent | Other, boolean, undefined> {
  let columns: readonly BatchColumn[] | undefined;
  try {
    for await (const { fields, rows } of run.pieces(signal)) {
      yield* between();
      if (rows.length === 0) continue;
      if (columns === undefined) {
        columns = columnsOf(fields);
        yield { type: 'rowsBegin', columns };
      }
      const kinds = columns.map(({ kind }) => kind);
      yield { type: 'rows', rows: rows.map((row) => kinds.map((kind, index): Cell => toCell(row[index] ?? null, kind))) };
    }
  } catch (error) {
    throw placedFault(error, statement, sent, signal);
  }
  if (columns !== undefined) return true;
  const { fields } = run.state;
  if (fields.length === 0) return false;
  yield { type: 'rowsBegin', columns: columnsOf(fields) };
  return true;
}

/** Work on a statement as it was sent, with the place of a fault in the text that was given. */
export async function withPlace<T>(work: Promise<T>, statement: string, sent: SentText, signal: AbortSignal): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw placedFault(error, statement, sent, signal);
  }
}

function placedFault(error: unknown, statement: string, sent: SentText, signal: AbortSignal): unknown {
  return withOffset(postgresError(error, signal, statement), sent);
}

/** How many rows a statement has changed, by its tag. */
export function affected(tag: string): number | undefined {
  const count = /^(?:INSERT \d+|UPDATE|DELETE|MERGE|COPY) (\d+)$/.exec(tag)?.[1];
  return count === undefined ? undefined : Number(count);
}

/** Of a name of a column; the contract takes 1,000, and a number has room behind them. */
const LONGEST_COLUMN_NAME = 980;

/** Unique names, kinds by the types of the server, which names the type below a domain. Nothing is asked here: all connections may be held by results. */
function columnsOf(fields: readonly Field[]): readonly BatchColumn[] {
  const taken = new Set<string>();
  return fields.map(({ name: whole, dataTypeID }) => {
    const name = shortenedText(whole, LONGEST_COLUMN_NAME);
    let unique = name;
    for (let number = 2; taken.has(unique); number += 1) unique = `${name} (${number})`;
    taken.add(unique);
    return { name: unique, kind: kindOf(dataTypeID) };
  });
}
