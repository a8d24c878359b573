import { DriverError } from '@tabularium/sdk';
import type { Cell, ImportFacet, ImportMode, RowOutcome, ImportTarget, RowChange, TableRef } from '@tabularium/sdk';
import { createEdits } from './editing.ts';
import { keyOf } from './world.ts';
import type { Table, World } from './world.ts';

const MODES: readonly ImportMode[] = [
  { id: 'plant', label: 'Plant', help: 'Adds rows.', effect: 'write', repeated: 'reported', text: 'plant' },
  { id: 'replant', label: 'Replant', help: 'Replaces rows.', effect: 'destructive', repeated: 'same', text: 'replant' },
];
const WRITTEN = 'planted';

const valuesOf = (row: string): ReadonlyMap<string, Cell> | undefined => {
  try {
    const value: unknown = JSON.parse(row);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? new Map(Object.entries(value as Record<string, Cell>))
      : undefined;
  } catch {
    return undefined;
  }
};

export function createImport(world: World): ImportFacet {
  const edits = createEdits(world);
  const checkMode = ({ mode }: ImportTarget): void => {
    if (!MODES.some(({ id }) => id === mode)) throw new DriverError('INVALID_INPUT', `An orchard has no mode “${mode}”.`);
  };
  const change = (row: string, { key, columns }: Table): RowChange | string => {
    const values = valuesOf(row);
    if (values === undefined) return 'The row is not an object.';
    const missing = key.find((name) => !values.has(name));
    if (missing !== undefined) return `The row has no ${missing}.`;
    const known = columns.filter(({ name }) => values.has(name));
    return { kind: 'insert', values: known.map(({ name }) => ({ column: name, value: values.get(name) ?? null })) };
  };
  const writeOne = async (target: ImportTarget, row: string, signal: AbortSignal): Promise<RowOutcome> => {
    const table = world.table(target.table);
    const inserted = change(row, table);
    if (typeof inserted === 'string') return { outcome: 'rejected', message: inserted };
    for await (const outcome of edits.apply(target.table, [inserted], { signal })) {
      if (outcome.outcome === 'saved') return { outcome: 'written' };
      const isThere = outcome.outcome === 'failed' && outcome.code === 'CONFLICT';
      if (!isThere) return { outcome: 'rejected', message: outcome.message };
      if (target.mode !== 'replant') return { outcome: 'rejected', message: outcome.message, present: true };
    }
    return { outcome: 'written' };
  };
  const definitionOf = (ref: TableRef, rows: readonly string[]): string =>
    JSON.stringify({ name: ref.name, columns: [...new Set(rows.flatMap((row) => [...(valuesOf(row)?.keys() ?? [])]))] });
  const columnsIn = (ref: TableRef, definition: string): readonly string[] => {
    const values = valuesOf(definition);
    if (values === undefined || values.get('name') !== ref.name)
      throw new DriverError('INVALID_INPUT', 'The definition is of no such table.', { details: { field: 'definition' } });
    if (world.tables.has(keyOf(ref))) throw new DriverError('CONFLICT', `There is a table “${ref.name}” already.`);
    return JSON.parse(JSON.stringify(values.get('columns'))) as string[];
  };
  return {
    async form(ref, options) {
      await world.ready(options);
      return { modes: MODES, language: 'text', key: world.table(ref).key };
    },
    async check(target, rows, options) {
      await world.ready(options);
      checkMode(target);
      const table = world.table(target.table);
      return rows.flatMap((row, index) => {
        const inserted = change(row, table);
        return typeof inserted === 'string' ? [{ index, message: inserted }] : [];
      });
    },
    async splice(target, options) {
      await world.ready(options);
      checkMode(target);
      world.table(target.table);
      return { request: { method: 'POST', path: `/plant/${target.mode}` }, written: WRITTEN };
    },
    judge(_splice, { status, lines }) {
      if (status !== 200) throw new DriverError('SERVER_ERROR', 'The orchard is shut.');
      return lines.map((line): RowOutcome => {
        if (line === WRITTEN) return { outcome: 'written' };
        if (line.startsWith('no: ')) return { outcome: 'rejected', message: line.slice(4) };
        throw new DriverError('SERVER_ERROR', 'The orchard broke off.');
      });
    },
    async *write(target, rows, options) {
      await world.ready(options);
      checkMode(target);
      for (const row of rows) yield await writeOne(target, row, options.signal);
    },
    tables: {
      async namespaces(options) {
        await world.ready(options);
        return [['orchard']];
      },
      async propose(ref, rows, options) {
        await world.ready(options);
        return definitionOf(ref, rows);
      },
      async plan(ref, definition, options) {
        await world.ready(options);
        columnsIn(ref, definition);
        return {
          effect: 'write',
          consequence: `The table “${ref.name}” is laid out.`,
          requests: [{ method: 'POST', path: '/tables', body: definition }],
        };
      },
      async create(ref, definition, options) {
        await world.ready(options);
        const [key = 'id', ...columns] = columnsIn(ref, definition);
        const YES = { allowed: true } as const;
        world.tables.set(keyOf(ref), {
          ref,
          paging: 'offset',
          key: [key],
          columns: [key, ...columns].map((name) => ({
            name,
            kind: 'text',
            type: 'TEXT',
            nullable: name !== key,
            editable: YES,
            sortable: YES,
            filterClass: 'text',
          })),
          rows: [],
        });
      },
    },
  };
}
