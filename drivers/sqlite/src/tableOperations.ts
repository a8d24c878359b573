import { DriverError } from '@tabularium/sdk';
import type { PlannedOperation, TableOperation, TableOperationsFacet, TableRef } from '@tabularium/sdk';
import type { SqliteDatabase } from './database.ts';
import { stopIfCancelled } from './fault.ts';
import { countTableRows } from './pages.ts';
import type { SqlTable } from './schema.ts';
import { NO_FILTER } from '@tabularium/sdk';

type Operation = 'empty' | 'drop';

const LABELS: Readonly<Record<Operation, string>> = { empty: 'Empty', drop: 'Drop' };

function rows(count: number): string {
  return count === 1 ? '1 row' : `${count.toLocaleString('en')} rows`;
}

/** Emptying and dropping. */
export function createTableOperations(
  database: SqliteDatabase,
  tableOf: (ref: TableRef) => SqlTable,
  fileBytes: () => number,
): TableOperationsFacet {
  const reasonAgainst = (table: SqlTable, operation: Operation): string | undefined => {
    if (database.readOnly) return 'The connection opens the file read-only.';
    return operation === 'empty' && table.kind === 'view' ? 'A view has no rows of its own.' : undefined;
  };
  const planned = (table: SqlTable, operation: Operation): PlannedOperation => {
    const { name } = table.ref;
    const isView = table.kind === 'view';
    const text = operation === 'empty' ? `DELETE FROM ${table.sql}` : `DROP ${isView ? 'VIEW' : 'TABLE'} ${table.sql}`;
    if (isView) {
      return {
        consequence: `The view “${name}” is dropped. The tables that it shows stay; this cannot be undone.`,
        target: table.ref,
        text,
      };
    }
    const count = countTableRows(database, table, NO_FILTER, fileBytes());
    const lost =
      operation === 'empty'
        ? `loses all its rows (${count.rows.toLocaleString('en')}). Its structure, indexes and triggers stay`
        : `is dropped with ${rows(count.rows)}, its indexes and its triggers`;
    return { consequence: `The table “${name}” ${lost}; this cannot be undone.`, target: table.ref, count, text };
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
          effect: 'destructive',
          ability: reason === undefined ? { allowed: true } : { allowed: false, reason },
        };
      });
    },
    async plan(ref, operation, { signal }) {
      stopIfCancelled(signal);
      if (!isOperation(operation))
        throw new DriverError('UNSUPPORTED', `The operation “${operation}” isn't supported for a table.`);
      return planned(tableOf(ref), operation);
    },
    async run(ref, operation, confirmed, { signal }) {
      stopIfCancelled(signal);
      if (!isOperation(operation))
        throw new DriverError('UNSUPPORTED', `The operation “${operation}” isn't supported for a table.`);
      const table = tableOf(ref);
      const { name } = table.ref;
      if (confirmed.namespace.length > 0 || confirmed.name !== name)
        throw new DriverError(
          'CONFLICT',
          `Nothing was changed: “${name}” isn't the table that you confirmed (“${confirmed.name}”).`,
        );
      const reason = reasonAgainst(table, operation);
      if (reason !== undefined) throw new DriverError('UNSUPPORTED', reason);
      const { count, text } = planned(table, operation);
      const { changes } = database.transaction(() => database.write(text));
      if (operation === 'empty') return { message: `Emptied “${name}”: ${rows(changes)} deleted.`, affectedRows: changes };
      const had = count === undefined ? '' : ` with ${rows(count.rows)}`;
      return { message: `Dropped “${name}”${had}.`, ...(count?.exact === true ? { affectedRows: count.rows } : {}) };
    },
  };
}

function isOperation(operation: string): operation is Operation {
  return Object.hasOwn(LABELS, operation);
}
