import { DriverError } from '@tabularium/sdk';
import type { Cell, ExportFacet } from '@tabularium/sdk';
import { toCell } from './cells.ts';
import { SqliteDatabase } from './database.ts';
import type { SqlRow } from './database.ts';
import { faultTexts, noColumn, stopIfCancelled, turn } from './fault.ts';
import { filterCondition } from './filters.ts';
import { whereOf } from './pages.ts';
import { weightOfRow } from './rowBytes.ts';
import type { SqlTable } from './schema.ts';
import type { TableRef } from '@tabularium/sdk';

const MOST_ROWS = 500;
/** Of values, as far as they are known without encoding them. */
const MOST_BYTES = 256 * 1024;

/** One event is at most 16 MB as JSON, and a text can double when it is escaped. */
const LARGEST_ROW = 7 * 1024 * 1024;

/** How many characters a row has, about. */
function weightOf(row: readonly Cell[]): number {
  let weight = 0;
  for (const cell of row) weight += typeof cell === 'string' ? cell.length : Array.isArray(cell) ? String(cell[1]).length : 10;
  return weight;
}

function largeRow(bytes: number): DriverError {
  const size = Math.round(bytes / 1_048_576);
  return new DriverError('TOO_LARGE', `A row has ${size.toLocaleString('en')} MB, more than can be handed over in one piece.`, {
    details: {
      advice: 'Leave out the column with the large values, or use the shell of SQLite.',
      texts: faultTexts('export.largeRow', { size }, 'export.largeRow.advice'),
    },
  });
}

/** Rows in pieces that are small enough for one event each. */
export async function* inPieces(
  rows: Iterable<SqlRow>,
  cellsOf: (row: SqlRow) => Cell[],
  signal: AbortSignal,
): AsyncGenerator<Cell[][], void, undefined> {
  let piece: Cell[][] = [];
  let weight = 0;
  for (const row of rows) {
    const read = weightOfRow(row);
    if (read > LARGEST_ROW) throw largeRow(read);
    const cells = cellsOf(row);
    const own = weightOf(cells);
    if (own > LARGEST_ROW) throw largeRow(own);
    if (piece.length > 0 && weight + own > LARGEST_ROW) {
      yield piece;
      piece = [];
      weight = 0;
    }
    weight += own;
    piece.push(cells);
    if (piece.length < MOST_ROWS && weight < MOST_BYTES) continue;
    yield piece;
    piece = [];
    weight = 0;
    await turn();
    stopIfCancelled(signal);
  }
  if (piece.length > 0) yield piece;
}

/** Rows only, in the order in which they are kept, as they were when the export began. */
export function createExport(database: SqliteDatabase, tableOf: (ref: TableRef) => SqlTable): ExportFacet {
  return {
    async splice({ table, filter }, { signal }) {
      stopIfCancelled(signal);
      filterCondition(filter, tableOf(table));
      return undefined;
    },
    judge() {
      throw new DriverError('UNSUPPORTED', 'SQLite has no stream of its own that could be judged.', {
        details: { texts: faultTexts('export.noStream') },
      });
    },
    async *rows({ table: ref, filter, columns }, { signal }) {
      stopIfCancelled(signal);
      const table = tableOf(ref);
      const condition = filterCondition(filter, table);
      const chosen = (columns ?? table.columns.map(({ name }) => name)).map((name) => {
        const column = table.byName.get(name);
        if (column === undefined) throw noColumn(name);
        return column;
      });
      yield { type: 'begin', columns: chosen.map(({ name, kind }) => ({ name, kind })) };
      await turn();
      stopIfCancelled(signal);
      const rows = database.rowsUpTo(
        LARGEST_ROW,
        largeRow,
        `SELECT ${chosen.map(({ sql }) => SqliteDatabase.limited(sql)).join(', ') || 'NULL'} FROM ${table.sql}${whereOf(condition)}`,
        condition?.parameters,
      );
      const cellsOf = (row: SqlRow): Cell[] => chosen.map(({ kind }, index) => toCell(row[index] ?? null, kind));
      for await (const piece of inPieces(rows, cellsOf, signal)) yield { type: 'rows', rows: piece };
    },
  };
}
