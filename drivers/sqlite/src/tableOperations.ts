import { DriverError, driverText } from '@tabularium/sdk';
import type { PlannedOperation, TableOperation, TableOperationsFacet, TableRef } from '@tabularium/sdk';
import type { SqliteDatabase } from './database.ts';
import { faultTexts, stopIfCancelled } from './fault.ts';
import { counted } from './names.ts';
import { countTableRows } from './pages.ts';
import { READ_ONLY, no, unchangeable } from './schema.ts';
import type { Fixed, SqlTable } from './schema.ts';
import { NO_FILTER } from '@tabularium/sdk';

type Operation = 'empty' | 'drop';

const LABELS: Readonly<Record<Operation, string>> = { empty: 'Empty', drop: 'Drop' };

/** Emptying and dropping. */
export function createTableOperations(
  database: SqliteDatabase,
  tableOf: (ref: TableRef) => SqlTable,
  fileBytes: () => number,
): TableOperationsFacet {
  const reasonAgainst = (table: SqlTable, operation: Operation): Fixed | undefined => {
    if (database.readOnly) return READ_ONLY;
    if (operation !== 'empty' || table.kind !== 'view') return undefined;
    return { reason: 'A view has no rows of its own.', id: 'operation.viewRows' };
  };
  const planned = (table: SqlTable, operation: Operation): PlannedOperation => {
    const { name } = table.ref;
    const isView = table.kind === 'view';
    const text = operation === 'empty' ? `DELETE FROM ${table.sql}` : `DROP ${isView ? 'VIEW' : 'TABLE'} ${table.sql}`;
    if (isView) {
      return {
        consequence: `The view “${name}” is dropped. The tables that it shows stay; this cannot be undone.`,
        texts: { consequence: driverText('operation.dropView', { name }) },
        target: table.ref,
        text,
      };
    }
    const count = countTableRows(database, table, NO_FILTER, fileBytes());
    const lost =
      operation === 'empty'
        ? `loses all its rows (${count.rows.toLocaleString('en')}). Its structure, indexes and triggers stay`
        : `is dropped with ${counted(count.rows, 'row', 'rows')}, its indexes and its triggers`;
    return {
      consequence: `The table “${name}” ${lost}; this cannot be undone.`,
      texts: { consequence: driverText(`operation.${operation}.plan`, { name, count: count.rows }) },
      target: table.ref,
      count,
      text,
    };
  };
  return {
    async list(ref, { signal }) {
      stopIfCancelled(signal);
      const table = tableOf(ref);
      return (['empty', 'drop'] as const).map((id): TableOperation => {
        const reason = reasonAgainst(table, id);
        return {
          id,
          label: LABELS[id],
          texts: { label: driverText(`operation.${id}`) },
          effect: 'destructive',
          ability: reason === undefined ? { allowed: true } : no(reason),
        };
      });
    },
    async plan(ref, operation, { signal }) {
      stopIfCancelled(signal);
      if (!isOperation(operation)) throw unsupported(operation);
      return planned(tableOf(ref), operation);
    },
    async run(ref, operation, confirmed, { signal }) {
      stopIfCancelled(signal);
      if (!isOperation(operation)) throw unsupported(operation);
      const table = tableOf(ref);
      const { name } = table.ref;
      if (confirmed.namespace.length > 0 || confirmed.name !== name)
        throw new DriverError(
          'CONFLICT',
          `Nothing was changed: “${name}” isn't the table that you confirmed (“${confirmed.name}”).`,
          { details: { texts: faultTexts('operation.otherTable', { name, confirmed: confirmed.name }) } },
        );
      const reason = reasonAgainst(table, operation);
      if (reason !== undefined) throw unchangeable(reason);
      const { count, text } = planned(table, operation);
      const { changes } = database.transaction(() => database.write(text));
      if (operation === 'empty')
        return {
          message: `Emptied “${name}”: ${counted(changes, 'row', 'rows')} deleted.`,
          texts: { message: driverText('operation.empty.done', { name, count: changes }) },
          affectedRows: changes,
        };
      const had = count === undefined ? '' : ` with ${counted(count.rows, 'row', 'rows')}`;
      const values = { name, known: count === undefined ? 'no' : 'yes', count: count?.rows ?? 0 };
      return {
        message: `Dropped “${name}”${had}.`,
        texts: { message: driverText('operation.drop.done', values) },
        ...(count?.exact === true ? { affectedRows: count.rows } : {}),
      };
    },
  };
}

function unsupported(operation: string): DriverError {
  return new DriverError('UNSUPPORTED', `The operation “${operation}” isn't supported for a table.`, {
    details: { texts: faultTexts('operation.none', { operation }) },
  });
}

function isOperation(operation: string): operation is Operation {
  return Object.hasOwn(LABELS, operation);
}
