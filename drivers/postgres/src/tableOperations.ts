import { DriverError, NO_FILTER, driverText } from '@tabularium/sdk';
import type { Ability, OperationResult, PlannedOperation, TableOperation, TableOperationsFacet } from '@tabularium/sdk';
import type { PgTable } from './catalogue/pgTable.ts';
import { STANDBY, SYSTEM_CATALOGUE, no, unchangeable } from './catalogue/reasons.ts';
import { faultTexts } from './fault.ts';
import type { PgDatabase } from './pgDatabase.ts';
import { shown } from './names.ts';
import { countPassing } from './rows/counts.ts';

const LABELS = { empty: 'Empty', drop: 'Drop', refresh: 'Refresh' } as const;
type Operation = keyof typeof LABELS;

const KINDS: Readonly<Record<string, string>> = { v: 'VIEW', m: 'MATERIALIZED VIEW', f: 'FOREIGN TABLE' };

function isOperation(operation: string): operation is Operation {
  return Object.hasOwn(LABELS, operation);
}

function operationsOf({ relkind }: PgTable): readonly Operation[] {
  if (relkind === 'm') return ['refresh', 'drop'];
  return relkind === 'v' || relkind === 'f' ? ['drop'] : ['empty', 'drop'];
}

/** Without CASCADE: whatever depends on the table makes the server refuse, and it says what that is. */
function statementFor(operation: Operation, { sql, relkind }: PgTable): string {
  if (operation === 'refresh') return `REFRESH MATERIALIZED VIEW ${sql}`;
  return operation === 'empty' ? `TRUNCATE TABLE ${sql}` : `DROP ${KINDS[relkind] ?? 'TABLE'} ${sql}`;
}

function abilityOf({ facts }: PgDatabase, { fixed }: PgTable): Ability {
  if (fixed === SYSTEM_CATALOGUE) return no(SYSTEM_CATALOGUE);
  return facts.isStandby ? no(STANDBY) : { allowed: true };
}

/** Emptying, dropping and refreshing. */
export function createTableOperations(database: PgDatabase, changed: () => void): TableOperationsFacet {
  const known = (operation: string, table: PgTable): Operation => {
    if (!isOperation(operation) || !operationsOf(table).includes(operation))
      throw new DriverError('UNSUPPORTED', `The operation “${operation.slice(0, 60)}” isn't supported for this table.`, {
        details: { texts: faultTexts('operation.none', { operation }) },
      });
    if (table.fixed === SYSTEM_CATALOGUE) throw unchangeable(SYSTEM_CATALOGUE);
    return operation;
  };
  const planned = async (table: PgTable, operation: Operation, signal: AbortSignal): Promise<PlannedOperation> => {
    const target = table.description.ref;
    const text = statementFor(operation, table);
    const name = shown(target);
    if (operation === 'refresh')
      return {
        consequence: `“${name}” is filled by its query again. Reading it waits until that is done.`,
        texts: { consequence: driverText('operation.refresh.plan', { name }) },
        target,
        text,
      };
    if (table.relkind === 'v')
      return {
        consequence: `The view “${name}” is dropped. The tables that it shows stay.`,
        texts: { consequence: driverText('operation.dropView', { name }) },
        target,
        text,
      };
    // To count its rows would run its program.
    if (table.relkind === 'f')
      return {
        consequence: `The foreign table “${name}” is dropped. Its rows are stored elsewhere, and stay.`,
        texts: { consequence: driverText('operation.dropForeign', { name }) },
        target,
        text,
      };
    const count = await countPassing(database, { table: target, filter: NO_FILTER }, signal);
    const rows = `${count.exact ? '' : 'about '}${count.rows.toLocaleString('en')} ${count.rows === 1 ? 'row' : 'rows'}`;
    const consequence =
      operation === 'empty'
        ? `“${name}” loses all its rows (${rows}), with those of its partitions. Its structure stays; this cannot be undone.`
        : `“${name}” is dropped with ${rows}, its indexes and its triggers; this cannot be undone.`;
    const values = { name, count: count.rows, exact: count.exact ? 'yes' : 'no' };
    const texts = { consequence: driverText(`operation.${operation}.plan`, values) };
    return { consequence, texts, target, count, text };
  };
  return {
    async list(ref, { signal }) {
      const table = await database.table(ref, signal);
      return operationsOf(table).map((id): TableOperation => ({
        id,
        label: LABELS[id],
        texts: { label: driverText(`operation.${id}`) },
        effect: id === 'refresh' ? 'write' : 'destructive',
        ability: abilityOf(database, table),
      }));
    },
    async plan(ref, operation, { signal }) {
      const table = await database.freshTable(ref, signal);
      return await planned(table, known(operation, table), signal);
    },
    async run(ref, operation, confirmed, { signal }): Promise<OperationResult> {
      const table = await database.freshTable(ref, signal);
      const own = known(operation, table);
      const { name } = table;
      if (confirmed.name !== ref.name || confirmed.namespace.join('\0') !== ref.namespace.join('\0'))
        throw new DriverError(
          'CONFLICT',
          `Nothing was changed: “${name}” isn't the table that you confirmed (“${confirmed.name}”).`,
          { details: { texts: faultTexts('operation.otherTable', { name, confirmed: confirmed.name }) } },
        );
      const { count } = await planned(table, own, signal);
      try {
        await database.links.useToWrite(signal, (link) => link.run(statementFor(own, table), [], signal));
      } finally {
        changed();
      }
      const message = { empty: `Emptied “${name}”.`, drop: `Dropped “${name}”.`, refresh: `Refreshed “${name}”.` }[own];
      const texts = { message: driverText(`operation.${own}.done`, { name }) };
      return { message, texts, ...(count?.exact === true ? { affectedRows: count.rows } : {}) };
    },
  };
}
