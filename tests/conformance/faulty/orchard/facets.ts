import { DriverError, encodeBatch, isAbsent, rowKeyText } from '@tabularium/sdk';
import type {
  ExpressionsFacet,
  MetricsFacet,
  NamedTablesFacet,
  Principal,
  PrincipalChanges,
  PrincipalRequest,
  PrincipalsFacet,
  RowsFacet,
  SuggestionsFacet,
  TableOperationsFacet,
} from '@tabularium/sdk';
import { passing } from './filtering.ts';
import { ordered } from './reading.ts';
import type { ReadParts } from './reading.ts';
import { keyOf } from './world.ts';
import type { World } from './world.ts';

export function createOperations(world: World): TableOperationsFacet {
  const facet: TableOperationsFacet = {
    async list(ref, options) {
      await world.ready(options);
      world.table(ref);
      return [
        { id: 'empty', label: 'Empty', effect: 'destructive', ability: { allowed: true } },
        { id: 'drop', label: 'Delete', effect: 'destructive', ability: { allowed: true } },
      ];
    },
    async plan(ref, operation, options) {
      await world.ready(options);
      const { rows } = world.table(ref);
      if (operation !== 'empty' && operation !== 'drop')
        throw new DriverError('UNSUPPORTED', `There is no operation “${operation}”.`);
      return {
        consequence: `All ${rows.length} rows of “${ref.name}” are lost.`,
        target: ref,
        count: { rows: rows.length, exact: true },
        text: `${operation} "${ref.name.replaceAll('"', '""')}"`,
      };
    },
    async run(ref, operation, confirmed, options) {
      await facet.plan(ref, operation, options);
      if (keyOf(ref) !== keyOf(confirmed)) throw new DriverError('CONFLICT', `“${ref.name}” is not what was confirmed.`);
      const table = world.table(ref);
      const affectedRows = table.rows.length;
      if (operation === 'drop') world.tables.delete(keyOf(ref));
      else table.rows = [];
      return { message: `${affectedRows} rows of ${ref.name} are gone.`, affectedRows };
    },
  };
  return facet;
}

export function createPrincipals(world: World): PrincipalsFacet & { readonly changes: PrincipalChanges } {
  const all = (): Principal[] =>
    Array.from(world.principals, ([id, reach]) => ({
      id,
      label: id,
      reach,
      serverWide: true,
      actions: ['read'],
      attributes: [{ label: 'Prefix', value: 'key-' }],
      removable: { allowed: true },
    }));
  const statementsFor = (request: PrincipalRequest): readonly string[] => {
    if (request.is === 'add') return [`HIRE ${request.input['name']?.[0] ?? ''}`];
    if (!world.principals.has(request.id)) throw new DriverError('NOT_FOUND', `There is no keeper “${request.id}”.`);
    return [`${request.is === 'remove' ? 'DISMISS' : 'TEACH'} ${request.id}`];
  };
  const facet: PrincipalsFacet & { readonly changes: PrincipalChanges } = {
    changes: {
      addable: { allowed: true },
      async details(id, options) {
        await world.ready(options);
        if (!world.principals.has(id)) throw new DriverError('NOT_FOUND', `There is no keeper “${id}”.`);
        return [{ title: 'Trees', columns: [{ label: 'Tree' }], rows: [['Apple']] }];
      },
      form: (_action, options) => facet.form(options),
      async plan(request, options) {
        await world.ready(options);
        return { statements: statementsFor(request), notes: [] };
      },
      async run(request, confirmed, options) {
        await world.ready(options);
        if (statementsFor(request).join('\n') !== confirmed.join('\n')) throw new DriverError('CONFLICT', 'Look at it again.');
        if (request.is === 'add') return [(await facet.create(request.input, options)).principal];
        if (request.is === 'remove') await facet.remove(request.id, options);
        return all().filter(({ id }) => request.is === 'change' && id === request.id);
      },
    },
    term: { one: 'Keeper', other: 'Keepers' },
    editable: { allowed: false, reason: 'Keepers are hired anew.' },
    generator: {
      term: { one: 'Guest', other: 'Guests' },
      help: 'A guest comes along with a keeper.',
      form: async (options) => {
        await world.ready(options);
        return [{ id: 'keeper', label: 'Keeper', required: true, type: 'secret' }];
      },
      generate: async ({ owner }, options) => {
        await world.ready(options);
        const [key] = owner ?? [];
        if (key === undefined) throw new DriverError('INVALID_INPUT', 'Enter a keeper.', { details: { field: 'keeper' } });
        return { secret: { label: 'Guest', value: 'guest-1' }, notes: ['A guest leaves with the keeper.'] };
      },
    },
    async list(options) {
      await world.ready(options);
      return all();
    },
    async form(options) {
      await world.ready(options);
      return [{ id: 'name', label: 'Name', required: true, type: 'text' }];
    },
    async create({ name }, options) {
      await world.ready(options);
      const [id] = name ?? [];
      if (id === undefined) throw new DriverError('INVALID_INPUT', 'Enter a name.', { details: { field: 'name' } });
      if (world.principals.has(id)) throw new DriverError('CONFLICT', `“${id}” is there already.`);
      world.principals.set(id, 'Everything');
      const principal = all().find((one) => one.id === id) ?? all()[0];
      if (principal === undefined) throw new DriverError('DRIVER_FAULT');
      return { principal, secret: { label: 'Key', value: `key-${id}-9f31` } };
    },
    async remove(id, options) {
      await world.ready(options);
      if (!world.principals.delete(id)) throw new DriverError('NOT_FOUND', `There is no keeper “${id}”.`);
    },
  };
  return facet;
}

export function createNamedTables(world: World): NamedTablesFacet {
  return {
    reason: 'Some trees stand behind the wall.',
    async find(name, options) {
      await world.ready(options);
      const found = [...world.tables.values()].find(({ ref }) => [...ref.namespace, ref.name].join('.') === name);
      if (found === undefined) throw new DriverError('NOT_FOUND', `There is no tree “${name}”.`);
      return { ref: found.ref, kind: 'table', count: { rows: found.rows.length, exact: true } };
    },
  };
}

export function createMetrics(world: World): MetricsFacet {
  return {
    missingPanels: [{ id: 'sessions', label: 'Sessions', reason: 'An orchard has none.' }],
    async read(options) {
      await world.ready(options);
      return {
        metrics: [
          {
            id: 'rows',
            label: 'Rows',
            unit: 'count',
            value: [...world.tables.values()].reduce((sum, { rows }) => sum + rows.length, 0),
          },
          { id: 'shade', label: 'Shade', unit: 'ratio', value: 0.25, total: 1 },
        ],
        problems: [],
      };
    },
  };
}

export function createSuggestions(world: World): SuggestionsFacet {
  return {
    async values({ table: ref, column, typed, limit }, options) {
      await world.ready(options);
      const table = world.table(ref);
      const index = table.columns.findIndex(({ name }) => name === column);
      if (index === -1) throw new DriverError('STRUCTURE_CHANGED', `There is no column “${column}”.`);
      const rows = new Map<string, number>();
      for (const row of table.rows) {
        const cell = row[index] ?? null;
        if (cell === null || isAbsent(cell) || cell === '') continue;
        rows.set(String(cell), (rows.get(String(cell)) ?? 0) + 1);
      }
      const values = Array.from(rows, ([value, count]) => ({ value, rows: count }));
      const fitting = values.filter(({ value }) => value.toLowerCase().includes(typed.toLowerCase()));
      return { values: fitting.slice(0, limit), from: fitting.length > limit ? 'some' : 'all' };
    },
  };
}

export function createExpressions(world: World, parts: ReadParts): ExpressionsFacet {
  return {
    async ofRead({ table: ref, filter, sorts }, options) {
      await world.ready(options);
      const table = world.table(ref);
      passing(table, filter, parts);
      const { dropped } = ordered(table, [], sorts, parts);
      const sent = sorts.filter(({ column }) => !dropped.some((one) => one.column === column));
      return {
        parts: [
          ...(filter.conditions.length === 0 ? [] : [{ label: 'where', text: JSON.stringify(filter.conditions) }]),
          ...(sent.length === 0 ? [] : [{ label: 'by', text: JSON.stringify(sent) }]),
        ],
        droppedSorts: dropped,
      };
    },
  };
}

export function createRows(world: World, parts: ReadParts): RowsFacet {
  return {
    async read({ table: ref, keys }, options) {
      await world.ready(options);
      const { columns, key, rows } = world.table(ref);
      const wanted = new Set(keys.map(rowKeyText));
      const places = key.map((name) => columns.findIndex((column) => column.name === name));
      const cells = rows.map((row) => columns.map((column, place) => parts.cell(row[place] ?? null, column)));
      const found = cells.filter((row) => wanted.has(rowKeyText(places.map((place) => row[place] ?? null))));
      return {
        rowCount: found.length,
        batch: encodeBatch({ columns: columns.map(({ name, kind }) => ({ name, kind })), rows: found }),
      };
    },
  };
}
