import { ABSENT, DriverError, encodeBatch, isAbsent } from '@tabularium/sdk';
import type { Cell, Column, Filter, FilterCondition, PageRequest, TableDescription, TableRef } from '@tabularium/sdk';
import type { FakeContext } from './fakeContext.test-helper.ts';

const yes = { allowed: true } as const;

const column = (name: string, kind: Column['kind'], type: string, more: Partial<Column> = {}): Column => ({
  name,
  kind,
  type,
  nullable: true,
  editable: yes,
  sortable: yes,
  ...more,
});

const COLUMNS: readonly Column[] = [
  column('id', 'integer', 'int', {
    nullable: false,
    editable: { allowed: false, reason: 'The id names the row.' },
    filterClass: 'number',
  }),
  column('name', 'text', 'text', { nullable: false, required: true, filterClass: 'text' }),
  column('brand', 'text', 'text', { filterClass: 'text' }),
  column('price', 'decimal', 'numeric', { filterClass: 'number' }),
  column('barcode', 'integer', 'int64', {
    filterClass: 'number',
    range: { least: '-9223372036854775808', greatest: '9223372036854775807' },
  }),
  column('available', 'boolean', 'bool'),
  column('added', 'timestamp', 'timestamp'),
  column('tags', 'json', 'json', { sortable: { allowed: false, reason: 'Lists have no order.' } }),
  column('note', 'text', 'text', { sortable: { allowed: false, reason: 'Notes cannot be sorted by.' } }),
];

const NAMES = ['Lamp', 'Chair', 'Kettle', 'Bottle', 'Jacket'];
export const BRANDS = ['Aalto', 'Kinto', 'Lumen'];

/** 2^53 + 1: the first whole number that a double cannot hold. */
const EXACT_BARCODE = '9007199254740993';
const ROW_COUNT = 1_000;

/** The row with a number, always the same: a name, a null in every fourth note, an absent price in every tenth row. */
function exampleRow(index: number): readonly Cell[] {
  return [
    index + 1,
    `${NAMES[index % NAMES.length] ?? ''} ${index + 1}`,
    BRANDS[index % BRANDS.length] ?? '',
    index % 10 === 4 ? ABSENT : ((index * 37) % 500) + 0.5,
    index === 0 ? EXACT_BARCODE : 4_000_000 + index,
    index % 2 === 0,
    `2026-03-${String((index % 28) + 1).padStart(2, '0')}T08:30:00Z`,
    '["red","green"]',
    index % 4 === 3 ? null : `Note of ${index + 1}`,
  ];
}

export const PRODUCTS: TableRef = { namespace: [], name: 'products' };

export const PRODUCTS_DESCRIPTION: TableDescription = {
  ref: PRODUCTS,
  kind: 'table',
  columns: COLUMNS,
  key: ['id'],
  paging: 'offset',
  readsFromEnd: false,
  notes: [],
};

const place = (name: string): number => COLUMNS.findIndex((one) => one.name === name);

function textOf(cell: Cell): string {
  return cell === null || isAbsent(cell) ? '' : String(cell);
}

function holds(row: readonly Cell[], { column: name, operator, values }: FilterCondition): boolean {
  const cell = row[place(name)] ?? null;
  const [first = '', second = ''] = values;
  const text = textOf(cell);
  switch (operator) {
    case 'equals':
      return text === first;
    case 'contains':
      return text.toLowerCase().includes(first.toLowerCase());
    case 'greaterThan':
      return Number(text) > Number(first);
    case 'lessThan':
      return text !== '' && Number(text) < Number(first);
    case 'between':
      return Number(text) >= Number(first) && Number(text) <= Number(second);
    case 'in':
      return values.includes(text);
    case 'isNull':
      return cell === null;
    default:
      throw new DriverError('UNSUPPORTED', `The example does not know “${operator}”.`);
  }
}

function passes(row: readonly Cell[], filter: Filter): boolean {
  if (filter.raw !== undefined && filter.raw.trim() !== '') {
    if (!filter.raw.startsWith('price >')) throw new DriverError('INVALID_INPUT', `Unknown word “${filter.raw}”.`);
    return Number(textOf(row[place('price')] ?? null)) > Number(filter.raw.slice('price >'.length));
  }
  if (filter.conditions.length === 0) return true;
  const check = (condition: FilterCondition): boolean => holds(row, condition);
  return filter.match === 'any' ? filter.conditions.some(check) : filter.conditions.every(check);
}

/** Numbers by their size, everything else by its text; equal ones in their present order. */
function compare(one: Cell, other: Cell): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return textOf(one).localeCompare(textOf(other));
}

/** Somebody else who writes into the example's table. */
export class OtherWriter {
  readonly #changed = new Map<number, ReadonlyMap<string, Cell>>();
  readonly #deleted = new Set<number>();
  readonly #added: (readonly Cell[])[] = [];
  #hasTable = true;

  get hasTable(): boolean {
    return this.#hasTable;
  }

  dropTable(): void {
    this.#hasTable = false;
  }

  change(id: number, values: Readonly<Record<string, Cell>>): void {
    this.#changed.set(id, new Map([...(this.#changed.get(id) ?? []), ...Object.entries(values)]));
  }

  delete(id: number): void {
    this.#deleted.add(id);
  }

  /** Rows that come first. */
  add(count: number): void {
    for (let added = 0; added < count; added += 1) {
      this.#added.unshift(
        exampleRow(ROW_COUNT + this.#added.length).map((cell, at) => (at === 1 ? `New ${this.#added.length + 1}` : cell)),
      );
    }
  }

  /** A row with a key that the table gives it, behind those that come first. @returns the key */
  insert(values: Readonly<Record<string, Cell>>): number {
    const id = 2 * ROW_COUNT + this.#added.length;
    this.#added.push(COLUMNS.map(({ name }) => (name === 'id' ? id : (values[name] ?? null))));
    return id;
  }

  rows(): readonly (readonly Cell[])[] {
    const own = Array.from({ length: ROW_COUNT }, (_, index) => exampleRow(index)).filter(
      (_, index) => !this.#deleted.has(index + 1),
    );
    return [...this.#added, ...own].map((row) => {
      const changed = this.#changed.get(Number(row[0]));
      if (changed === undefined) return row;
      return row.map((cell, at) => {
        const name = COLUMNS[at]?.name ?? '';
        return changed.has(name) ? (changed.get(name) ?? null) : cell;
      });
    });
  }

  row(id: Cell): readonly Cell[] | undefined {
    return this.rows().find(([key]) => key === id);
  }
}

/** Rows as a database would give them. */
function readRows(others: OtherWriter, filter: Filter, sorts: PageRequest['sorts']): readonly (readonly Cell[])[] {
  const rows = others.rows().filter((row) => passes(row, filter));
  return rows.toSorted((one, other) => {
    for (const { column: name, direction } of sorts) {
      const order = compare(one[place(name)] ?? null, other[place(name)] ?? null);
      if (order !== 0) return direction === 'descending' ? -order : order;
    }
    return 0;
  });
}

/** One table of a thousand products that can be filtered and sorted. */
export function exampleTables(others = new OtherWriter()): NonNullable<FakeContext['tables']> {
  return {
    list: async () =>
      others.hasTable ? [{ ref: PRODUCTS, kind: 'table', count: { rows: others.rows().length, exact: true } }] : [],
    describe: async () => {
      if (!others.hasTable) throw new DriverError('NOT_FOUND', 'There is no table “products”.');
      return PRODUCTS_DESCRIPTION;
    },
    count: async (_connectionId, _table, filter) => ({ rows: readRows(others, filter, []).length, exact: true }),
    readPage: async (_connectionId, { position, limit, filter, sorts }) => {
      const all = readRows(others, filter, sorts);
      const offset = position.from === 'offset' ? position.offset : position.from === 'end' ? Math.max(0, all.length - limit) : 0;
      const rows = all.slice(offset, offset + limit);
      return {
        head: { rowCount: rows.length, atEnd: offset + limit >= all.length, droppedSorts: [], milliseconds: 1 },
        batch: encodeBatch({ columns: COLUMNS.map(({ name, kind }) => ({ name, kind })), rows }),
      };
    },
  };
}
