import { isAbsent } from '@tabularium/sdk';
import type { Assignment, RowChange, RowKey } from '@tabularium/sdk';
import { toValue } from '../cells.ts';
import { invalid, noColumn } from '../fault.ts';
import type { SqlValue } from '../names.ts';
import { notEditable, unchangeable } from '../schema.ts';
import type { SqlColumn, SqlTable } from '../schema.ts';

/** A statement that makes one change. */
export interface ChangeStatement {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
}

/**
 * The statement that makes a change.
 *
 * @throws DriverError `UNSUPPORTED`, `INVALID_INPUT`, `STRUCTURE_CHANGED` for a change that cannot be made, with its column
 */
export function statementOf(change: RowChange, table: SqlTable): ChangeStatement {
  if (table.fixed !== undefined) throw unchangeable(table.fixed);
  switch (change.kind) {
    case 'insert':
      return insert(change.values, table);
    case 'delete': {
      const where = whereRow(change, table);
      return { sql: `DELETE FROM ${table.sql} WHERE ${where.sql}`, parameters: where.parameters };
    }
    case 'update':
      return update(change, table);
  }
}

function columnOf(name: string, { byName }: SqlTable): SqlColumn {
  const column = byName.get(name);
  if (column === undefined) throw noColumn(name);
  return column;
}

/** A change of one row never replaces another, whatever the table says of conflicts: it fails. */
function orAbort({ hasConflictClause }: SqlTable): string {
  return hasConflictClause ? ' OR ABORT' : '';
}

function insert(values: readonly Assignment[], table: SqlTable): ChangeStatement {
  const given = values
    .filter(({ value }) => !isAbsent(value))
    .map(({ column: name, value }) => {
      const column = columnOf(name, table);
      if (column.computed) throw invalid(`SQLite computes “${name}”.`, name, { id: 'edit.computed' });
      return { column, value: toValue(value, column.kind, name) };
    });
  const returning = ` RETURNING ${table.key.map(({ sql }) => sql).join(', ')}`;
  const verb = `INSERT${orAbort(table)}`;
  if (given.length === 0) return { sql: `${verb} INTO ${table.sql} DEFAULT VALUES${returning}`, parameters: [] };
  const columns = given.map(({ column }) => column.sql).join(', ');
  return {
    sql: `${verb} INTO ${table.sql} (${columns}) VALUES (${given.map(() => '?').join(', ')})${returning}`,
    parameters: given.map(({ value }) => value),
  };
}

function update(change: Extract<RowChange, { kind: 'update' }>, table: SqlTable): ChangeStatement {
  const { assignments } = change;
  if (assignments.length === 0) throw invalid('Nothing is changed.', undefined, { id: 'edit.nothing' });
  const set = assignments.map(({ column: name, value }) => {
    const column = columnOf(name, table);
    if (!column.editable.allowed) throw notEditable(name, column.editable);
    const written = toValue(value, column.kind, name);
    if (written === null && !column.nullable) throw invalid(`“${name}” must have a value.`, name, { id: 'edit.required' });
    return { column, value: written };
  });
  const where = whereRow(change, table);
  return {
    sql: `UPDATE${orAbort(table)} ${table.sql} SET ${set.map(({ column }) => `${column.sql} = ?`).join(', ')} WHERE ${where.sql}`,
    parameters: [...set.map(({ value }) => value), ...where.parameters],
  };
}

/** The row as the person saw it, in the same statement: no other write can come between the comparison and the change. */
function whereRow({ key, expected = [] }: Exclude<RowChange, { kind: 'insert' }>, table: SqlTable): ChangeStatement {
  const where = whereKey(key, table);
  const seen = expected.flatMap(({ column: name, value }) => {
    // Absent was decided about: the person saw that the table has the column no more.
    if (isAbsent(value) && !table.byName.has(name)) return [];
    // The key is in the condition already.
    if (table.key.some((column) => column.name === name)) return [];
    const column = columnOf(name, table);
    return isComparable(value) ? [{ column, value: toValue(value, column.kind, name) }] : [];
  });
  return {
    sql: [where.sql, ...seen.map(({ column }) => `${column.sql} IS ?`)].join(' AND '),
    parameters: [...where.parameters, ...seen.map(({ value }) => value)],
  };
}

/** The placeholder of a large blob in a page isn't the value of the row, and an infinite number has no form in which it could be sent. */
function isComparable(value: Assignment['value']): boolean {
  if (!Array.isArray(value) || value[0] !== 'text') return true;
  return !/^(?:BLOB of [\d,]+ bytes|-?Infinity$)/.test(String((value as readonly string[])[1]));
}

/** The condition that names one row. @throws DriverError `INVALID_INPUT` for a key that is none */
export function whereKey(key: RowKey, table: SqlTable): ChangeStatement {
  if (key.length !== table.key.length || key.length === 0)
    throw invalid("The key doesn't identify a row of this table.", undefined, { id: 'edit.noKey' });
  const parameters = table.key.map((column, index) => toValue(key[index] ?? null, column.kind, column.name));
  if (parameters.includes(null))
    throw invalid("A key without a value doesn't identify a row.", undefined, { id: 'edit.emptyKey' });
  return { sql: table.key.map(({ sql }) => `${sql} = ?`).join(' AND '), parameters };
}
