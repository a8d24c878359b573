import type { Engine } from '../engine.ts';
import { objectOf } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { learnedField } from '../schema/field.ts';
import type { Field } from '../schema/field.ts';
import type { Collection } from '../store/collection.ts';
import { write } from '../store/writer.ts';
import { makeArticles } from './articles.ts';
import { ODD_COLLECTION, makeOddDocuments } from './oddNames.ts';
import { makeProducts, productFields } from './products.ts';
import { loadTuning } from './tuning.ts';

export interface SampleOptions {
  /** How many products; 200,000 by default. */
  readonly products?: number;
}

const DEFAULT_PRODUCTS = 200_000;
/** The most likely first filter of a visitor. */
const FILTERED_FIELDS = ['name', 'brand', 'category', 'tags', 'seller.name', 'seller.city'];
const COUNTED_FIELDS = ['brand', 'category', 'in_stock', 'tags'];
const ALIAS = 'shop';
/** The same every time, like everything else in the sample. */
const CREATED_AT = 1_750_000_000;

const define = (engine: Engine, name: string, fields: readonly Field[]): Collection =>
  engine.create({
    name,
    fields,
    defaultSortingField: '',
    enableNestedFields: true,
    tokenSeparators: [],
    symbolsToIndex: [],
    metadata: undefined,
    createdAt: CREATED_AT,
  });

const fallback = (): Field => ({ ...learnedField('.*', 'auto'), sort: false });

const writeAll = (collection: Collection, documents: Iterable<JsonObject>): void => {
  for (const document of documents) {
    const nulls = Object.entries(document).filter(([, value]) => value === null);
    const { id } = write(collection, document, { action: 'create', dirtyValues: 'coerce_or_reject' });
    storeNulls(collection, id, nulls);
  }
};

/** The sample shows what a null looks like, which a server that learns every field takes out of what it is sent. */
const storeNulls = (collection: Collection, id: string, nulls: readonly (readonly [string, JsonValue])[]): void => {
  const sequence = collection.documents.sequenceOf(id);
  const stored = sequence === undefined ? undefined : collection.documents.parsed(sequence);
  if (nulls.length === 0 || sequence === undefined || stored === undefined) return;
  collection.put(sequence, id, objectOf([...Object.entries(stored), ...nulls]));
};

/**
 * Three collections and an alias; articles with a synonym and a curation rule. Products are not validated one by one: the generator writes them as the server would
 * store them, which is what makes 200,000 of them ready within seconds.
 */
export const loadSampleData = (engine: Engine, options: SampleOptions): void => {
  writeAll(define(engine, ODD_COLLECTION, [fallback()]), makeOddDocuments());
  const articles = define(engine, 'articles', [fallback()]);
  writeAll(articles, makeArticles());
  loadTuning(engine, articles);
  const products = define(engine, 'products', productFields());
  products.indices.prepare(FILTERED_FIELDS, COUNTED_FIELDS);
  for (const { document, id, text } of makeProducts(options.products ?? DEFAULT_PRODUCTS)) products.load(id, text, document);
  engine.aliases.set(ALIAS, 'products');
};
