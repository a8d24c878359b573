import type { Cell, ExportEvent, ExportFacet } from '@tabularium/sdk';
import { DriverError } from '@tabularium/sdk';
import { toCell } from '../cells.ts';
import { faultTexts, noColumn } from '../fault.ts';
import { rollBack } from '../pgDatabase.ts';
import type { PgDatabase } from '../pgDatabase.ts';
import { asTheTableIs, requireSameTypes } from '../locks/changedTable.ts';
import { NO_LOCK_LIMIT } from '../locks/lockPatience.ts';
import type { PgStep } from '../wire/batch.ts';
import type { Link } from '../wire/link.ts';
import { filterCondition } from './filters.ts';
import { judgedRead } from './lockedRead.ts';
import type { TableRead } from './lockedRead.ts';
import { checkRawText } from './rawCondition.ts';
import { Values } from './values.ts';

const BEGIN: PgStep = { text: 'BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY' };

/** A connection in a transaction that has the locks of a read, and the steps that read. */
async function lockedLink(
  database: PgDatabase,
  read: Pick<TableRead, 'table' | 'raw' | 'steps'>,
  signal: AbortSignal,
): Promise<{ readonly link: Link; readonly steps: readonly PgStep[] }> {
  const { table } = read;
  try {
    return await database.patiently(table.description.ref, signal, async (limit) => {
      const link = await database.links.take(signal);
      try {
        return { link, steps: await judgedRead(link, database, read, [BEGIN, limit], signal) };
      } catch (error) {
        await rollBack(link);
        database.links.give(link);
        throw error;
      }
    });
  } catch (error) {
    throw await asTheTableIs(database, table, error, signal);
  }
}

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
              if (column === undefined) throw noColumn(name, ref);
              return column;
            });
      const values = new Values();
      const condition = filterCondition(filter, table, values);
      const list = columns.map(({ sql }) => sql).join(', ');
      const text = `SELECT ${list} FROM ${table.sql}${condition === undefined ? '' : ` WHERE ${condition}`}`;
      const { link, steps } = await lockedLink(
        database,
        { table, raw: filter.raw, steps: [{ text, values: values.list }] },
        signal,
      );
      try {
        const run = link.stream([NO_LOCK_LIMIT, ...steps], 0);
        yield { type: 'begin', columns: columns.map(({ name, kind }) => ({ name, kind })) };
        let isChecked = false;
        for await (const { fields, rows } of run.pieces(signal)) {
          if (!isChecked && fields.length > 0) {
            await requireSameTypes(database, table, { fields }, columns, signal);
            isChecked = true;
          }
          yield {
            type: 'rows',
            rows: rows.map((row) => columns.map(({ kind }, index): Cell => toCell(row[index] ?? null, kind))),
          };
        }
      } catch (error) {
        throw await asTheTableIs(database, table, error, signal);
      } finally {
        await rollBack(link);
        database.links.give(link);
      }
    },
  };
}
