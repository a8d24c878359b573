import { isDriverError } from '@tabularium/sdk';
import type { ImportFacet, ImportProblem, TableRef } from '@tabularium/sdk';
import type { SqliteDatabase } from '../database.ts';
import { invalid, messageTexts, stopIfCancelled, turn } from '../fault.ts';
import type { SqlTable } from '../schema.ts';
import { writeImported, mustTakeRows, valuesOf } from './writeImported.ts';
import { importModes, modeIdOf } from './modes.ts';
import type { ImportModeId } from './modes.ts';
import { createTables } from './newTable.ts';

/** Rows of an import, those of a call in one transaction. */
export function createImport(database: SqliteDatabase, tableOf: (ref: TableRef) => SqlTable): ImportFacet {
  const targetOf = (ref: TableRef, mode: string): { readonly table: SqlTable; readonly mode: ImportModeId } => {
    const table = tableOf(ref);
    mustTakeRows(table);
    return { table, mode: modeIdOf(mode) };
  };
  return {
    async form(ref, { signal }) {
      stopIfCancelled(signal);
      const table = tableOf(ref);
      mustTakeRows(table);
      return { modes: importModes(database, table), language: 'sql', key: table.key.map(({ name }) => name) };
    },
    async check({ table: ref, mode }, rows, { signal }) {
      stopIfCancelled(signal);
      const { table } = targetOf(ref, mode);
      return rows.flatMap((row, index) => {
        const problem = problemOf(row, table);
        return problem === undefined ? [] : [{ index, ...problem }];
      });
    },
    async splice({ table, mode }, { signal }) {
      stopIfCancelled(signal);
      targetOf(table, mode);
      return undefined;
    },
    judge() {
      throw invalid('SQLite has no answer of its own that could be judged.', undefined, { id: 'import.noAnswer' });
    },
    async *write({ table: ref, mode: id }, rows, { signal }) {
      stopIfCancelled(signal);
      const { table, mode } = targetOf(ref, id);
      // The answer has begun before a lock is waited for.
      await turn();
      stopIfCancelled(signal);
      yield* writeImported(database, table, mode, rows);
    },
    tables: createTables(database),
  };
}

/** Why the table would reject a row; undefined where nothing speaks against it. */
function problemOf(row: string, table: SqlTable): Omit<ImportProblem, 'index'> | undefined {
  try {
    const { columns, values } = valuesOf(row, table);
    for (const column of table.columns) {
      const at = columns.indexOf(column);
      const isEmpty = at < 0 ? column.required === true : values[at] === null && !column.nullable && !table.key.includes(column);
      if (isEmpty) throw invalid(`“${column.name}” must have a value.`, column.name, { id: 'edit.required' });
    }
    return undefined;
  } catch (error) {
    if (!isDriverError(error)) throw error;
    const { field } = error.details;
    return { message: error.message, ...messageTexts(error), ...(field === undefined ? {} : { column: field.slice(0, 1_000) }) };
  }
}
