import { DriverError } from '@tabularium/sdk';
import type { ImportMode } from '@tabularium/sdk';
import type { SqliteDatabase } from '../database.ts';
import { faultTexts } from '../fault.ts';
import type { SqlColumn, SqlTable } from '../schema.ts';
import { mayLose } from '../sql/mayLose.ts';

/** How rows are written. */
export type ImportModeId = 'create' | 'upsert';

/** The statement that writes a row with these columns. */
export function importStatement(mode: ImportModeId, columns: readonly SqlColumn[], table: SqlTable): string {
  // A row never replaces another one by what the table says of conflicts: it is rejected.
  const verb = `INSERT${table.hasConflictClause ? ' OR ABORT' : ''} INTO ${table.sql}`;
  if (columns.length === 0) return `${verb} DEFAULT VALUES`;
  const insert = `${verb} (${columns.map(({ sql }) => sql).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
  const key = new Set(table.key);
  if (mode === 'create' || !table.key.every((column) => columns.includes(column)) || key.size === 0) return insert;
  const others = columns.filter((column) => !key.has(column));
  const change =
    others.length === 0 ? 'DO NOTHING' : `DO UPDATE SET ${others.map(({ sql }) => `${sql} = excluded.${sql}`).join(', ')}`;
  return `${insert} ON CONFLICT (${table.key.map(({ sql }) => sql).join(', ')}) ${change}`;
}

/** The modes of a table, each with its statement for a row that has every column. */
export function importModes(database: SqliteDatabase, table: SqlTable): readonly ImportMode[] {
  const columns = table.columns.filter(({ generated }) => !generated);
  const modeOf = (id: ImportModeId, facts: Pick<ImportMode, 'label' | 'help' | 'repeated'>): ImportMode => {
    const text = importStatement(id, columns, table);
    return {
      id,
      ...facts,
      effect: mayLose(database, text) ? 'destructive' : 'write',
      text,
      texts: { label: { id: `import.${id}.label` }, help: { id: `import.${id}.help` } },
    };
  };
  return [
    modeOf('create', {
      label: 'Create',
      help: 'Adds new rows. A row whose key is there already is rejected, and stays as it is.',
      repeated: 'reported',
    }),
    ...(table.key.length === 0
      ? []
      : [
          modeOf('upsert', {
            label: 'Upsert',
            help: 'Adds new rows, and changes the given columns of those whose key is there already. Their other columns stay.',
            repeated: 'same',
          }),
        ]),
  ];
}

/** @throws DriverError `INVALID_INPUT` for a mode that there is not */
export function modeIdOf(mode: string): ImportModeId {
  if (mode === 'create' || mode === 'upsert') return mode;
  throw new DriverError('INVALID_INPUT', `There is no import mode “${mode}”. There are create, upsert.`, {
    details: { field: 'mode', texts: faultTexts('import.noMode', { mode }) },
  });
}
