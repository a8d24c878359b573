import type { Cell, ExportEvent, ExportFacet } from '@tabularium/sdk';
import { DriverError } from '@tabularium/sdk';
import { toCell } from '../cells.ts';
import { faultTexts, noColumn } from '../fault.ts';
import { rollBack } from '../pgDatabase.ts';
import type { PgDatabase } from '../pgDatabase.ts';
import type { PgStep } from '../wire/batch.ts';
import { filterCondition } from './filters.ts';
import { judgedRead } from './lockedRead.ts';
import { checkRawText } from './rawCondition.ts';
import { Values } from './values.ts';

const BEGIN: PgStep = { text: 'BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY' };

/** Whole tables, in one statement and one snapshot. */
export function createExport(database: PgDatabase): ExportFacet {
  return {
    async splice({ table }, { signal }) {
      // Rows come by the protocol, which isn't JSON lines.
      await database.table(table, signal);
      return undefined;
    },
    judge() {
      throw new DriverError('UNSUPPORTED', 'Nothing is spliced here.', { details: { texts: faultTexts('export.noStream') } });
    },
    async *rows({ table: ref, filter, columns: wanted }, { signal }): AsyncGenerator<ExportEvent, void, undefined> {
      const table = await database.freshTable(ref, signal);
      checkRawText(filter);
      const columns =
        wanted === undefined
          ? table.columns
          : wanted.map((name) => {
              const column = table.byName.get(name);
              if (column === undefined) throw noColumn(name);
              return column;
            });
      const values = new Values();
      const condition = filterCondition(filter, table, values);
      const list = columns.map(({ sql }) => sql).join(', ');
      const text = `SELECT ${list} FROM ${table.sql}${condition === undefined ? '' : ` WHERE ${condition}`}`;
      const link = await database.links.take(signal);
      try {
        const read = { table, raw: filter.raw, steps: [{ text, values: values.list }] };
        const run = link.stream(await judgedRead(link, database, read, [BEGIN], signal), 0);
        yield { type: 'begin', columns: columns.map(({ name, kind }) => ({ name, kind })) };
        for await (const { rows } of run.pieces(signal))
          yield {
            type: 'rows',
            rows: rows.map((row) => columns.map(({ kind }, index): Cell => toCell(row[index] ?? null, kind))),
          };
      } finally {
        await rollBack(link);
        database.links.give(link);
      }
    },
  };
}
