import { DriverError, isDriverError } from '@tabularium/sdk';
import type { Filter, Page, PageRequest, RowCount, TableRef, UnreadCell } from '@tabularium/sdk';
import type { SearchClient } from './client.ts';
import { cutOff } from './embeddedLimits.ts';
import { filterText } from './filters.ts';
import type { JsonObject } from './guards.ts';
import { namingTokenizer } from './noWord.ts';
import { pageColumns } from './pageColumns.ts';
import type { PageColumn } from './pageColumns.ts';
import type { PageSizes } from './pageSizes.ts';
import type { CollectionSchema } from './schema.ts';
import type { Schemas } from './schemas.ts';
import { findBatch, foundOf, searchOnce } from './search.ts';
import type { FoundBatch, Question } from './search.ts';
import { sortText } from './sorts.ts';
import { collectionName } from './tables.ts';
import { faultTexts } from './faultTexts.ts';

export async function readPage(
  request: PageRequest,
  client: SearchClient,
  schemas: Schemas,
  sizes: PageSizes,
  signal: AbortSignal,
): Promise<Page> {
  const collection = collectionName(request.table);
  const offset = offsetOf(request);
  return withSchema(collection, schemas, signal, request.filter, async (schema, filter) => {
    const sort = sortText(request.sorts, schema);
    const question: Question = {
      collection,
      q: '*',
      ...(filter === undefined ? {} : { filter_by: filter }),
      ...(sort.text === undefined ? {} : { sort_by: sort.text }),
    };
    const { batch, rowCount, tally } = await findPage(request, question, { offset, schema }, { client, schemas, sizes }, signal);
    const { found, milliseconds, short } = tally;
    if (rowCount === 0 && offset < found) throw cutOff(offset, found);
    return {
      rowCount,
      atEnd: short || offset + rowCount >= found,
      total: { rows: found, exact: true },
      droppedSorts: sort.dropped,
      serverMilliseconds: milliseconds,
      batch,
    };
  });
}

interface PageSource {
  readonly client: SearchClient;
  readonly schemas: Schemas;
  readonly sizes: PageSizes;
}

/** The rows of a page: as many as were asked for, or with placeholders as many as one answer holds. */
async function findPage(
  { limit, columns, placeholders }: PageRequest,
  question: Question,
  { offset, schema }: { readonly offset: number; readonly schema: CollectionSchema | undefined },
  { client, schemas, sizes }: PageSource,
  signal: AbortSignal,
): Promise<FoundBatch> {
  const wanted = { ...(columns === undefined ? {} : { columns }), ...(placeholders === undefined ? {} : { placeholders }) };
  const plan = schema === undefined ? undefined : pageColumns(schema, wanted);
  const asked = plan?.excluded === undefined ? question : { ...question, exclude_fields: plan.excluded };
  // Where the schema is hidden, the columns are those that were described before, or those of the documents.
  const learn =
    plan === undefined ? (documents: readonly JsonObject[]) => schemas.learnFrom(question.collection, documents) : undefined;
  const known = plan?.columns ?? shortened(schemas.describedColumns(question.collection), placeholders?.over);
  const read = (rows: number): Promise<FoundBatch> => {
    return findBatch(client, asked, { offset, limit: rows }, { known, learn }, signal);
  };
  if (placeholders === undefined) return read(limit);
  return sizes.read(question.collection, limit, read, () => {
    const bare = known?.map((column): PageColumn => (column.name === 'id' ? column : { ...column, instead: UNKNOWN }));
    const byKey = { ...question, include_fields: 'id' };
    return findBatch(client, byKey, { offset, limit: 1 }, { known: bare, learn: undefined }, signal);
  });
}

/** Stands for the values of a document that is too large to be read, even alone. */
const UNKNOWN: UnreadCell = ['unread', {}];

function shortened(columns: readonly PageColumn[] | undefined, over: number | undefined): readonly PageColumn[] | undefined {
  return over === undefined ? columns : columns?.map((column) => (column.name === 'id' ? column : { ...column, over }));
}

export async function countDocuments(
  { table, filter }: { readonly table: TableRef; readonly filter: Filter },
  client: SearchClient,
  schemas: Schemas,
  signal: AbortSignal,
): Promise<RowCount> {
  const collection = collectionName(table);
  const everything = filter.conditions.length === 0 && (filter.raw ?? '').trim() === '';
  if (everything) {
    try {
      return { rows: await schemas.count(collection, signal), exact: true };
    } catch (error) {
      // A key that may search but not read collections: the search counts as well.
      if (!isDriverError(error) || error.code !== 'ACCESS_REFUSED') throw error;
    }
  }
  return withSchema(collection, schemas, signal, filter, async (_schema, text) => ({
    rows: await countFiltered(collection, text, client, signal),
    exact: true,
  }));
}

/** How many documents a `filter_by` lets pass. */
export async function countFiltered(
  collection: string,
  filter: string | undefined,
  client: SearchClient,
  signal: AbortSignal,
): Promise<number> {
  const search = { q: '*' as const, limit: 0, ...(filter === undefined ? {} : { filter_by: filter }) };
  return foundOf((await searchOnce(collection, search, client, signal)).result);
}

/**
 * The `filter_by` of a filter, and the schema that it was written by. The cached schema may be of yesterday: a filter on a field that it
 * does not know is tried once more with today's.
 */
export async function filterFor(
  collection: string,
  schemas: Schemas,
  signal: AbortSignal,
  filter: Filter,
): Promise<{ readonly schema: CollectionSchema | undefined; readonly text: string | undefined }> {
  const schema = await schemas.get(collection, signal);
  try {
    return { schema, text: filterText(filter, schema) };
  } catch (error) {
    if (!isDriverError(error) || error.code !== 'STRUCTURE_CHANGED') throw error;
    const loaded = (await schemas.load(collection, signal)).schema;
    return { schema: loaded, text: filterText(filter, loaded) };
  }
}

async function withSchema<T>(
  collection: string,
  schemas: Schemas,
  signal: AbortSignal,
  filter: Filter,
  use: (schema: CollectionSchema | undefined, filter: string | undefined) => Promise<T>,
): Promise<T> {
  const { schema, text } = await filterFor(collection, schemas, signal, filter);
  try {
    return await namingTokenizer(collection, schemas, signal, () => use(schema, text));
  } catch (error) {
    if (isDriverError(error) && (error.code === 'NOT_FOUND' || error.code === 'STRUCTURE_CHANGED')) schemas.forget(collection);
    throw error;
  }
}

function offsetOf({ position }: PageRequest): number {
  switch (position.from) {
    case 'start':
      return 0;
    case 'offset':
      return position.offset;
    case 'cursor':
      throw new DriverError('INVALID_INPUT', 'Collections are read by offset; the search server hands out no cursors.', {
        details: { texts: faultTexts('fault.noCursors') },
      });
    case 'end':
      throw new DriverError(
        'UNSUPPORTED',
        'The search server cannot count from the end. Ask for the offset: all documents less the page.',
        { details: { texts: faultTexts('fault.notFromEnd') } },
      );
  }
}
