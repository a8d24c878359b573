import { DriverError, isDriverError } from '@tabularium/sdk';
import type { ChangeOutcome, EditsFacet, PreparedChange, RowChange, RowKey } from '@tabularium/sdk';
import { cutText } from '../cutText.ts';
import { toCell } from '../cells.ts';
import { forms } from '../catalogue/readSettings.ts';
import type { PgTable } from '../catalogue/pgTable.ts';
import { refuseUnreadable } from '../catalogue/refuseUnreadable.ts';
import { rollBack } from '../pgDatabase.ts';
import type { PgDatabase } from '../pgDatabase.ts';
import { faultTexts, messageTexts, rolledBack, stopIfCancelled } from '../fault.ts';
import { pgCellText } from '../names.ts';
import { Values } from '../rows/values.ts';
import { asTheTableIs } from '../locks/changedTable.ts';
import { Agreements } from '../locks/agreements.ts';
import { judgedWrites, mostOf } from '../locks/judgedWrites.ts';
import type { Writes } from '../locks/judgedWrites.ts';
import { judgeChanges } from '../sql/judge.ts';
import type { Link } from '../wire/link.ts';
import { prevented } from './prevented.ts';
import { statementOf, whereKey } from './statements.ts';

/** Where these are thrown, a caller takes the fate of the changes for unknown. */
const ENDS_CONNECTION: ReadonlySet<string> = new Set(['CONNECTION_LOST', 'TIMEOUT']);

/** Changes by the rows' keys, all of a call in one transaction. */
export function createEdits(database: PgDatabase, changed: () => void): EditsFacet {
  const agreements = new Agreements();
  return {
    atomicity: 'all',
    async prepare(ref, changes, { signal }) {
      const table = await database.freshTable(ref, signal);
      refuseUnreadable(table);
      const losing = new Set<RowChange['kind']>();
      for (const { kind, texts, assigned } of kindsOf(changes, table)) {
        const does = mostOf(await judgeChanges(database, texts, assigned, signal));
        if (does.unknown === true) losing.add(kind);
        for (const text of texts) agreements.say(text, does);
      }
      return changes.map((change) => prepared(change, table, losing));
    },
    async *apply(ref, changes, { signal }) {
      stopIfCancelled(signal);
      let outcomes: readonly ChangeOutcome[];
      try {
        const table = await database.freshTable(ref, signal);
        refuseUnreadable(table);
        outcomes = await database.links.useToWrite(signal, (link) => applied(link, database, table, changes, agreements, signal));
      } catch (error) {
        if (!isDriverError(error)) throw error;
        // Nothing is thrown once COMMIT was sent: changes without an outcome weren't made.
        if (error.code === 'CANCELLED' && signal.aborted) return;
        if (!ENDS_CONNECTION.has(error.code)) throw error;
        outcomes = [failure(error, 0)];
      } finally {
        changed();
      }
      yield* outcomes;
    },
  };
}

async function applied(
  link: Link,
  database: PgDatabase,
  table: PgTable,
  changes: readonly RowChange[],
  agreements: Agreements,
  signal: AbortSignal,
): Promise<readonly ChangeOutcome[]> {
  const outcomes: ChangeOutcome[] = [];
  let index = 0;
  try {
    const kinds = kindsOf(changes, table);
    await judgedWrites(
      link,
      database,
      { table, kinds, agreements, replaces: changes.some(({ kind }) => kind !== 'insert') },
      signal,
    );
    await link.batch([forms(database.facts.path)], signal);
    for (const change of changes) {
      outcomes.push(await made(link, table, change, index, signal));
      index += 1;
    }
  } catch (error) {
    await rollBack(link);
    if (!isDriverError(error) || error.code === 'CANCELLED' || error.code === 'DRIVER_FAULT') throw error;
    const said = await asTheTableIs(database, table, error, signal);
    // The server undoes what a connection that is gone had begun.
    return [failure(isDriverError(said) ? said : error, index)];
  }
  return await committed(link, outcomes, signal);
}

/** Constraints that are deferred until the end of the transaction are checked now, and may still fail. */
async function committed(link: Link, outcomes: readonly ChangeOutcome[], signal: AbortSignal): Promise<readonly ChangeOutcome[]> {
  const last = Math.max(0, outcomes.length - 1);
  try {
    if (signal.aborted) throw new DriverError('CANCELLED');
    // Not to be cancelled from here on: its outcome would not be known.
    const { tag } = await link.run('COMMIT', [], new AbortController().signal);
    if (tag === 'COMMIT') return outcomes;
    return [failure(rolledBack(), last)];
  } catch (error) {
    await rollBack(link);
    if (!isDriverError(error)) throw error;
    if (error.code !== 'CONNECTION_LOST') {
      if (error.code === 'CANCELLED') throw error;
      return [failure(error, last)];
    }
    const message = 'The connection was lost while the server committed: all changes were made, or none.';
    const texts = faultTexts('edit.unknown');
    return outcomes.map((_, index) => ({ index, outcome: 'unknown' as const, message, texts }));
  }
}

/** Changes of one kind as statements. */
interface KindOfChange extends Writes {
  readonly kind: RowChange['kind'];
}

/** The kinds of changes that are judged. A deletion is destructive anyway. */
function kindsOf(changes: readonly RowChange[], table: PgTable): readonly KindOfChange[] {
  return (['insert', 'update'] as const).flatMap((kind) => {
    const texts: string[] = [];
    const assigned = new Set<string>();
    for (const change of changes) {
      if (change.kind !== kind) continue;
      const sql = sqlOf(change, table);
      if (sql === undefined) continue;
      texts.push(sql);
      if (change.kind === 'update') for (const { column } of change.assignments) assigned.add(column);
    }
    return texts.length === 0 ? [] : [{ kind, texts, assigned: [...assigned] }];
  });
}

/** The statement of a change; undefined where it can't be made. */
function sqlOf(change: RowChange, table: PgTable): string | undefined {
  try {
    return statementOf(change, table).sql;
  } catch (error) {
    if (isDriverError(error)) return undefined;
    throw error;
  }
}

function prepared(change: RowChange, table: PgTable, losing: ReadonlySet<RowChange['kind']>): PreparedChange {
  try {
    const { sql, values } = statementOf(change, table);
    return {
      ready: true,
      text: values.readable(sql),
      language: 'sql',
      ...(losing.has(change.kind) ? { effect: 'destructive' } : {}),
    };
  } catch (error) {
    if (!isDriverError(error)) throw error;
    const { field } = error.details;
    return {
      ready: false,
      message: error.message,
      ...messageTexts(error),
      ...(field === undefined ? {} : { column: field }),
    };
  }
}

async function made(link: Link, table: PgTable, change: RowChange, index: number, signal: AbortSignal): Promise<ChangeOutcome> {
  const { sql, values } = statementOf(change, table);
  const { rows } = await link.run(sql, values.list, signal);
  if (rows.length > 1)
    throw new DriverError('CONFLICT', `The change would affect ${rows.length.toLocaleString('en')} rows, so it wasn't made.`, {
      details: { texts: faultTexts('edit.several', { count: rows.length }) },
    });
  const [row] = rows;
  if (row === undefined)
    throw change.kind === 'insert' ? prevented('insert') : await gone(link, table, change.key, change, signal);
  if (change.kind === 'delete') return { index, outcome: 'saved' };
  return { index, outcome: 'saved', key: table.key.map(({ kind }, place) => toCell(row[place] ?? null, kind)) };
}

/** Why a change found no row: it is not there, or it is not as the person saw it. */
async function gone(
  link: Link,
  table: PgTable,
  key: RowKey,
  change: Exclude<RowChange, { kind: 'insert' }>,
  signal: AbortSignal,
): Promise<DriverError> {
  const values = new Values();
  const where = whereKey(key, table, values);
  const seen = (change.expected ?? []).filter(({ column }) => table.byName.has(column));
  const columns = seen.flatMap(({ column }) => table.byName.get(column) ?? []);
  const text = `SELECT ${['1', ...columns.map(({ sql }) => sql)].join(', ')} FROM ${table.sql} WHERE ${where}`;
  const { rows } = await link.run(text, values.list, signal);
  const [row] = rows;
  const shown = key.map(pgCellText).join(', ');
  if (row === undefined)
    return new DriverError('NOT_FOUND', `There is no row with the key ${shown} any more.`, {
      details: {
        advice: 'Reload the table.',
        texts: faultTexts('edit.gone', { key: shown }, 'edit.gone.advice'),
      },
    });
  const at = columns.findIndex(
    ({ kind }, place) => JSON.stringify(toCell(row[place + 1] ?? null, kind)) !== JSON.stringify(seen[place]?.value ?? null),
  );
  const column = columns[at];
  if (column === undefined) return prevented(change.kind);
  const value = cutText(row[at + 1] ?? 'NULL', 200);
  const now = `“${column.name}” is ${value} now.`;
  return new DriverError('CONFLICT', `The row with the key ${shown} was changed since you read it. ${now}`, {
    details: {
      advice: 'To overwrite the current value, discard this change, reload the table and make it again.',
      field: column.name,
      texts: faultTexts('edit.changed', { key: shown, column: column.name, value }, 'edit.changed.advice'),
    },
  });
}

function failure(reason: DriverError, index: number): ChangeOutcome {
  const { field } = reason.details;
  return {
    index,
    outcome: 'failed',
    code: reason.code,
    message: reason.message,
    details: reason.details,
    ...(field === undefined ? {} : { column: field }),
  };
}
