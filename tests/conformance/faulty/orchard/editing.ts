import { DriverError, isDriverError } from '@tabularium/sdk';
import type { Assignment, Cell, ChangeOutcome, EditsFacet, PreparedChange, RowChange, RowKey } from '@tabularium/sdk';
import type { Row, Table, World } from './world.ts';

const FORMS: Readonly<Record<string, RegExp>> = {
  integer: /^-?\d+$/,
  decimal: /^-?\d+\.\d\d$/,
  boolean: /^(?:true|false)$/,
  date: /^\d{4}-\d\d-\d\d$/,
};

function wrong(code: 'INVALID_INPUT' | 'CONFLICT' | 'NOT_FOUND', message: string, field?: string): DriverError {
  return new DriverError(code, message, field === undefined ? {} : { details: { field } });
}

function valueOf({ column: name, value }: Assignment, table: Table): Cell {
  const column = table.columns.find((one) => one.name === name);
  if (column === undefined) throw wrong('INVALID_INPUT', `There is no column “${name}”.`, name);
  if (value === null || Array.isArray(value)) return value;
  const form = FORMS[column.kind];
  if (form !== undefined && !form.test(String(value)))
    throw wrong('INVALID_INPUT', `“${String(value)}” is no value of “${name}”.`, name);
  const { range, values } = column;
  if (values?.includes(String(value)) === false) throw wrong('INVALID_INPUT', `“${name}” holds ${values.join(', ')}.`, name);
  if (range !== undefined && (BigInt(String(value)) < BigInt(range.least) || BigInt(String(value)) > BigInt(range.greatest)))
    throw wrong('INVALID_INPUT', `“${name}” holds numbers from ${range.least} to ${range.greatest}.`, name);
  return value;
}

function keyTexts(row: Row, table: Table): Cell[] {
  return table.key.map((name) => row[table.columns.findIndex((column) => column.name === name)] ?? null);
}

function placeOf(rows: readonly Row[], key: RowKey, table: Table): number {
  const wanted = JSON.stringify(key.map(String));
  return rows.findIndex((row) => JSON.stringify(keyTexts(row, table).map(String)) === wanted);
}

/** The rows after a change, and the key of the row that was changed. */
function made(table: Table, change: RowChange): { rows: readonly Row[]; key?: RowKey } {
  const { rows } = table;
  if (change.kind === 'insert') {
    const values = new Map(change.values.map((assignment) => [assignment.column, valueOf(assignment, table)]));
    const row = table.columns.map(
      ({ name, kind }): Cell => values.get(name) ?? (kind === 'json' && !values.has(name) ? ['absent'] : null),
    );
    const key = keyTexts(row, table);
    if (placeOf(rows, key, table) !== -1) throw wrong('CONFLICT', 'A row with this key is there already.', table.key[0]);
    return { rows: [...rows, row], key };
  }
  const at = placeOf(rows, change.key, table);
  const before = rows[at];
  if (change.kind === 'update') {
    for (const assignment of change.assignments) {
      const column = table.columns.find(({ name }) => name === assignment.column);
      if (column !== undefined && !column.editable.allowed) throw wrong('INVALID_INPUT', column.editable.reason, column.name);
    }
  }
  if (before === undefined) throw wrong('NOT_FOUND', 'There is no row with this key.');
  if (change.kind === 'delete') return { rows: rows.toSpliced(at, 1) };
  for (const { column, value } of change.expected ?? []) {
    const cell = before[table.columns.findIndex(({ name }) => name === column)] ?? null;
    if (String(cell) !== String(value)) throw wrong('CONFLICT', `“${column}” was changed by somebody else.`, column);
  }
  const after = [...before];
  for (const assignment of change.assignments) {
    after[table.columns.findIndex(({ name }) => name === assignment.column)] = valueOf(assignment, table);
  }
  return { rows: rows.with(at, after), key: change.key };
}

export function createEdits(world: World): EditsFacet {
  return {
    atomicity: 'each',
    async prepare(ref, changes, options) {
      await world.ready(options);
      const table = world.table(ref);
      return changes.map((change): PreparedChange => {
        try {
          // A row that an earlier change of the same call makes is not there yet.
          made(table, change);
        } catch (error) {
          if (!isDriverError(error)) throw error;
          const { field } = error.details;
          return { ready: false, message: error.message, ...(field === undefined ? {} : { column: field }) };
        }
        return { ready: true, text: JSON.stringify(change), language: 'json' };
      });
    },
    async *apply(ref, changes, options): AsyncGenerator<ChangeOutcome> {
      for (const [index, change] of changes.entries()) {
        await world.ready(options);
        const table = world.table(ref);
        try {
          const { rows, key } = made(table, change);
          table.rows = rows;
          yield { index, outcome: 'saved', ...(key === undefined ? {} : { key }) };
        } catch (error) {
          if (!isDriverError(error)) throw error;
          const { code, message, details } = error;
          yield {
            index,
            outcome: 'failed',
            code,
            message,
            details,
            ...(details.field === undefined ? {} : { column: details.field }),
          };
        }
      }
    },
  };
}
