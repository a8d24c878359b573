import { isAbsent } from '@tabularium/sdk';
import type { Assignment, RowChange, RowKey } from '@tabularium/sdk';
import { newValue, toValue } from '../cells.ts';
import type { PgColumn, PgTable } from '../catalogue/pgTable.ts';
import { notEditable, unchangeable } from '../catalogue/reasons.ts';
import { OID } from '../catalogue/types.ts';
import { invalid, noColumn } from '../fault.ts';
import { Values } from '../rows/values.ts';

/** A statement that makes one change. */
export interface ChangeStatement {
  readonly sql: string;
  readonly values: Values;
}

/**
 * The statement that makes a change.
 *
 * @throws DriverError `UNSUPPORTED`, `INVALID_INPUT`, `STRUCTURE_CHANGED` for a change that cannot be made, with its column
 */
export function statementOf(change: RowChange, table: PgTable): ChangeStatement {
  if (table.fixed !== undefined) throw unchangeable(table.fixed);
  switch (change.kind) {
    case 'insert':
      return insert(change.values, table);
    case 'delete': {
      const values = new Values();
      return { sql: `DELETE FROM ${table.sql} WHERE ${whereRow(change, table, values)}${returning(table)}`, values };
    }
    case 'update':
      return update(change, table);
  }
}

function columnOf(name: string, { byName, description }: PgTable): PgColumn {
  const column = byName.get(name);
  if (column === undefined) throw noColumn(name, description.ref);
  return column;
}

function returning({ key }: PgTable): string {
  return ` RETURNING ${key.map(({ sql }) => sql).join(', ')}`;
}

function insert(assignments: readonly Assignment[], table: PgTable): ChangeStatement {
  const values = new Values();
  const given = assignments
    .filter(({ value }) => !isAbsent(value))
    .map(({ column: name, value }) => {
      const column = columnOf(name, table);
      if (column.fixed !== undefined) throw invalid(`“${name}”: ${column.fixed}`, name, { id: 'edit.computed' });
      const written = newValue(value, column);
      if (written === null && !column.nullable) throw invalid(`“${name}” must have a value.`, name, { id: 'edit.required' });
      return { column, place: values.add(written, column.type.cast) };
    });
  if (given.length === 0) return { sql: `INSERT INTO ${table.sql} DEFAULT VALUES${returning(table)}`, values };
  const columns = given.map(({ column }) => column.sql).join(', ');
  return {
    sql: `INSERT INTO ${table.sql} (${columns}) VALUES (${given.map(({ place }) => place).join(', ')})${returning(table)}`,
    values,
  };
}

function update(change: Extract<RowChange, { kind: 'update' }>, table: PgTable): ChangeStatement {
  const { assignments } = change;
  if (assignments.length === 0) throw invalid('Nothing is changed.', undefined, { id: 'edit.nothing' });
  const values = new Values();
  const set = assignments.map(({ column: name, value }) => {
    const column = columnOf(name, table);
    if (!column.editable.allowed) throw notEditable(name, column.editable);
    const written = newValue(value, column);
    if (written === null && !column.nullable) throw invalid(`“${name}” must have a value.`, name, { id: 'edit.required' });
    return `${column.sql} = ${values.add(written, column.type.cast)}`;
  });
  return { sql: `UPDATE ${table.sql} SET ${set.join(', ')} WHERE ${whereRow(change, table, values)}${returning(table)}`, values };
}

/** The row as the person saw it, in the same statement: no other write can come between the comparison and the change. */
function whereRow({ key, expected = [] }: Exclude<RowChange, { kind: 'insert' }>, table: PgTable, values: Values): string {
  const seen = expected.flatMap(({ column: name, value }) => {
    // Absent was decided about: the person saw that the table has the column no more.
    if (isAbsent(value) && !table.byName.has(name)) return [];
    // The key is in the condition already.
    if (table.key.some((column) => column.name === name)) return [];
    return [isStill(columnOf(name, table), value, values)];
  });
  return [whereKey(key, table, values), ...seen].join(' AND ');
}

/**
 * Whether a column still holds a value, to the letter: both are compared as the server writes them. As values, different ones would be equal, such as 30 days
 * and a month. Blanks at the end of "char(5)" count for neither.
 */
function isStill(column: PgColumn, value: Assignment['value'], values: Values): string {
  const { type, sql } = column;
  const written = toValue(value, column);
  // A composite of nulls IS NULL, and is a value.
  if (written === null) return `pg_catalog.num_nulls(${sql}) = 1`;
  const place = values.add(written, type.cast);
  if (type.oid === OID.bpchar) return `${sql} IS NOT DISTINCT FROM ${place}`;
  // Not a cast to text: XML has then its declaration, which it is read without. And of NULL this is the empty text.
  return `(pg_catalog.num_nulls(${sql}) = 0 AND pg_catalog.concat(${sql}) COLLATE pg_catalog."C" = pg_catalog.concat(${place}))`;
}

/** The condition that names one row. @throws DriverError `INVALID_INPUT` for a key that is none */
export function whereKey(key: RowKey, table: PgTable, values: Values): string {
  if (key.length !== table.key.length || key.length === 0)
    throw invalid("The key doesn't identify a row of this table.", undefined, { id: 'edit.noKey' });
  return table.key
    .map((column, index) => {
      const value = toValue(key[index] ?? null, column);
      if (value === null) throw invalid("A key without a value doesn't identify a row.", undefined, { id: 'edit.emptyKey' });
      return `${column.sql} = ${values.add(value, column.type.cast)}`;
    })
    .join(' AND ');
}
