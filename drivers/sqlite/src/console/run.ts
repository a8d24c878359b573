import { wholeStart } from '@tabularium/sdk';
import type { BatchColumn, Cell, ResultEvent, RunOptions } from '@tabularium/sdk';
import { toPageCell } from '../cells.ts';
import { kindOf } from '../columns.ts';
import type { SqliteDatabase, Prepared, ResultColumn, SqlRow } from '../database.ts';
import { inPieces } from '../export.ts';
import { stopIfCancelled, turn } from '../fault.ts';
import { judge } from '../sql/classify.ts';

/** Runs one statement, which is a transaction of its own. */
export async function* runStatement(
  text: string,
  database: SqliteDatabase,
  { maxRows, signal }: RunOptions,
): AsyncGenerator<ResultEvent, void, undefined> {
  stopIfCancelled(signal);
  const { text: statement, effect, explains } = judge(text);
  // The answer has begun before SQLite works: from here on a person decides how long.
  await turn();
  stopIfCancelled(signal);
  const began = performance.now();
  const milliseconds = (): number => Math.max(0, Math.round((performance.now() - began) * 10) / 10);
  const prepared = database.prepare(statement, explains ? 'explain' : effect === 'read' ? 'read' : 'write');
  const columns = prepared.columns();
  if (columns.length === 0) {
    const affectedRows = prepared.run();
    yield { type: 'done', truncated: false, milliseconds: milliseconds(), ...(changesRows(statement) ? { affectedRows } : {}) };
    return;
  }
  const read = yield* rowsOf(prepared, columns, maxRows, signal);
  yield {
    type: 'done',
    truncated: read.truncated,
    milliseconds: milliseconds(),
    ...(effect === 'read' ? {} : { affectedRows: read.rows }),
  };
}

/** SQLite says of every statement how many rows the last change had; only of these it is the statement's own. */
function changesRows(statement: string): boolean {
  return !/^\s*(?:CREATE|ALTER|DROP|REINDEX|ANALYZE|VACUUM|PRAGMA)\b/i.test(statement);
}

async function* rowsOf(
  prepared: Prepared,
  columns: readonly ResultColumn[],
  maxRows: number,
  signal: AbortSignal,
): AsyncGenerator<ResultEvent, { readonly rows: number; readonly truncated: boolean }, undefined> {
  const rows = prepared.rows();
  try {
    const first = rows.next();
    const batch = batchColumns(columns, first.done === true ? undefined : first.value);
    yield { type: 'rowsBegin', columns: batch };
    let count = 0;
    let truncated = false;
    const limited = function* (): Generator<SqlRow, void, undefined> {
      for (let next = first; next.done !== true; next = rows.next()) {
        if (count >= maxRows) {
          truncated = true;
          return;
        }
        count += 1;
        yield next.value;
      }
    };
    const cellsOf = (row: SqlRow): Cell[] => batch.map(({ kind }, index) => toPageCell(row[index] ?? null, kind));
    for await (const piece of inPieces(limited(), cellsOf, signal)) yield { type: 'rows', rows: piece };
    return { rows: count, truncated };
  } finally {
    rows.return();
  }
}

/** Of a name of a column; SQLite names an expression after its whole text. The contract takes 1,000, and a number has room behind them. */
const LONGEST_COLUMN_NAME = 980;

function fitting(name: string): string {
  return name.length <= LONGEST_COLUMN_NAME ? name : `${wholeStart(name, LONGEST_COLUMN_NAME - 1)}…`;
}

/** Unique names, kinds by the declared type or, for expressions, by the first row. */
function batchColumns(columns: readonly ResultColumn[], first: SqlRow | undefined): BatchColumn[] {
  const taken = new Set<string>();
  return columns.map(({ name: whole, declared }, index) => {
    const name = fitting(whole);
    let own = name;
    for (let number = 2; taken.has(own); number += 1) own = `${name} (${number})`;
    taken.add(own);
    return { name: own, kind: kindOf(declared ?? '', [first?.[index] ?? null]) };
  });
}
