import type { BatchColumn, PageRequest, UnreadCell } from '@tabularium/sdk';
import { columnsOf, isPlainName } from './columns.ts';
import type { CollectionSchema } from './schema.ts';

/** A column of a page, and what of its values the page holds. */
export interface PageColumn extends BatchColumn {
  /** Longer values, in bytes, are placeholders; absent: every value is whole. */
  readonly over?: number;
  /** The cell of every row in place of a value: the field is not read at all. */
  readonly instead?: UnreadCell;
}

/** The fields of each document that a page reads. */
export interface PageColumns {
  readonly columns: readonly PageColumn[];
  /** The fields that the server is to leave out, as `exclude_fields`. */
  readonly excluded?: string;
}

/** Every document is named by it: it is always whole. */
const KEY = 'id';

/**
 * The columns of a page. Vectors are left out at the server where the request allows placeholders, and so are columns that it does not want.
 *
 * @param wanted - undefined: every column, every value whole
 */
export function pageColumns(schema: CollectionSchema, wanted?: Pick<PageRequest, 'columns' | 'placeholders'>): PageColumns {
  const all = columnsOf(schema).map(({ name, kind }): BatchColumn => ({ name, kind }));
  const { columns: names, placeholders } = wanted ?? {};
  const wantedNames = new Set(names);
  const columns = names === undefined ? all : all.filter(({ name }) => name === KEY || wantedNames.has(name));
  if (placeholders === undefined) return { columns, ...excluding(all, columns) };
  const dimensions = new Map(schema.fields.map((field) => [field.name, field.dimensions]));
  const marked = columns.map((column): PageColumn => {
    const vector = dimensions.get(column.name) ?? 0;
    if (vector > 0) return { ...column, instead: ['unread', { dimensions: vector }] };
    return column.name === KEY ? column : { ...column, over: placeholders.over };
  });
  return {
    columns: marked,
    ...excluding(
      all,
      marked.filter(({ instead }) => instead === undefined),
    ),
  };
}

/** Names the columns that are not read. A name that means several fields to the server, or none, is left to be read in vain. */
function excluding(all: readonly BatchColumn[], read: readonly BatchColumn[]): Pick<PageColumns, 'excluded'> {
  const names = new Set(read.map(({ name }) => name));
  const left = all.flatMap(({ name }) => {
    const isParent = read.some((column) => column.name.startsWith(`${name}.`));
    return names.has(name) || isParent || name.includes('*') || !isPlainName(name) ? [] : [name];
  });
  return left.length === 0 ? {} : { excluded: left.join(',') };
}
