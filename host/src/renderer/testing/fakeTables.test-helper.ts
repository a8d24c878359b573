import type { Cell, Column, PageRequest, TableRef } from '@tabularium/sdk';

/** A table of the example, and how it behaves. */
export interface FakeTable {
  readonly ref: TableRef;
  readonly rows: number;
  readonly estimate?: boolean;
  readonly uncounted?: boolean;
  readonly paging?: 'cursor';
  readonly kind?: 'view';
  readonly aliasOf?: TableRef;
  /** The pages that fail, by number of their first row. */
  readonly failsAt?: (offset: number) => boolean;
  readonly milliseconds?: number;
  /** Until its structure is known. */
  readonly describeMilliseconds?: number;
}

const table = (name: string, rows: number, more: Omit<FakeTable, 'ref' | 'rows'> = {}): FakeTable => ({
  ref: { namespace: [], name },
  rows,
  ...more,
});

/** The tables of the example; the name of each says what is special about it. */
export const TABLES: readonly FakeTable[] = [
  table('articles', 1_204),
  table('a/b', 12),
  table('big', 2_000_000),
  table('broken at once', 500, { failsAt: () => true }),
  table('cursor', 3_500, { paging: 'cursor', uncounted: true }),
  table('empty', 0),
  table('estimated', 81_234, { estimate: true }),
  table('million', 1_000_000),
  table("odd names “ü” \\ ' ", 12),
  table('page 3 fails', 20_000, { failsAt: (offset) => offset === 2_000 }),
  table('products', 200_000),
  table('products_live', 200_000, { aliasOf: { namespace: [], name: 'products' } }),
  table('slow', 50_000, { milliseconds: 2_500 }),
  table('structure slow', 500, { describeMilliseconds: 30_000 }),
  table('vast', 9_000_000),
  table('view of products', 1_000, { kind: 'view' }),
];

const yes = { allowed: true } as const;
const no = (reason: string) => ({ allowed: false, reason }) as const;
const column = (name: string, kind: Column['kind'], type: string, more: Partial<Column> = {}): Column => ({
  name,
  kind,
  type,
  nullable: true,
  editable: yes,
  sortable:
    kind === 'integer' || kind === 'decimal' || kind === 'boolean'
      ? yes
      : no('Text can only be sorted where its field was created for it.'),
  ...more,
});

/** The columns of every table of the example: one of each kind. */
export const COLUMNS: readonly Column[] = [
  column('id', 'text', 'string', {
    nullable: false,
    editable: no('The id names the row.'),
    sortable: no('The id is never sorted by.'),
  }),
  column('available', 'boolean', 'bool'),
  column('big_number', 'integer', 'int64'),
  column('brand', 'text', 'string', { note: 'facet' }),
  column('description', 'text', 'string'),
  column('dimensions.depth', 'decimal', 'float'),
  column('dimensions.width', 'decimal', 'float'),
  column('location', 'geo', 'geopoint'),
  column('name', 'text', 'string', { sortable: yes }),
  column('price', 'decimal', 'float'),
  column('rating', 'decimal', 'float'),
  column('reviews', 'integer', 'int32'),
  column('seller.name', 'text', 'string'),
  column('seller.since', 'integer', 'int32'),
  column('tags', 'json', 'string[]'),
  column('variants.colour', 'json', 'string[]'),
  column('variants.stock', 'json', 'int32[]'),
];

const NOUNS = ['lamp', 'chair', 'notebook', 'kettle', 'backpack', 'speaker', 'queue', 'bottle', 'jacket', 'bicycle'];
const WORDS = ['Oak', 'Copper', 'Quiet', 'Nordic', 'Folding', 'Light', 'Solid', 'Paper', 'Field', 'Harbour'];
const BRANDS = ['Lumen & Co', 'Aalto', 'Field Notes', 'Kinto', 'Ørsted', '東京製作所'];

/** One of the items, always the same for the same number. */
export function pick<T>(items: readonly T[], index: number): T {
  const item = items[Math.abs(index) % items.length];
  if (item === undefined) throw new RangeError('Nothing to pick from.');
  return item;
}

/** The same row for the same number, always. */
export function fakeRow(index: number): readonly Cell[] {
  const noise = (index * 2_654_435_761) % 4_294_967_296;
  const word = pick(WORDS, noise % 97);
  const noun = pick(NOUNS, noise % 89);
  const price = ((noise % 90_000) + 500) / 100;
  return [
    String(index),
    noise % 5 !== 0,
    index % 4 === 0 ? '9007199254740993' : index * 7_919,
    pick(BRANDS, noise % 83),
    index % 7 === 3
      ? ''
      : `${word} ${noun} for everyday use.${index % 3 === 0 ? ' Second line\nwith a break, and a good deal more text than fits.'.repeat(5) : ''}`,
    index % 6 === 0 ? ['absent'] : (noise % 700) / 10,
    index % 6 === 0 ? ['absent'] : (noise % 900) / 10,
    `${(48 + (noise % 1_000) / 500).toFixed(4)}, ${(2 + (noise % 700) / 500).toFixed(4)}`,
    `${word} ${noun} No. ${index}`,
    price,
    index % 11 === 5 ? null : (noise % 50) / 10,
    noise % 5_000,
    index % 9 === 4 ? null : `${pick(BRANDS, noise % 71)} Store`,
    1990 + (noise % 35),
    JSON.stringify([word.toLowerCase(), noun, ...(index % 2 === 0 ? ['sale'] : [])]),
    index % 5 === 0 ? '["red",null,"blue"]' : '["red","green"]',
    '[12,9007199254740993,0]',
  ];
}

/** The number of the row at a place, in the order that a request asks for. */
export function sortedIndex(index: number, rows: number, request: PageRequest): number {
  return request.sorts[0]?.direction === 'descending' ? rows - 1 - index : index;
}
