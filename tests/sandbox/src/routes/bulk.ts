import { ApiError, badRequest } from '../errors.ts';
import { FilterEvaluator } from '../filter/evaluate.ts';
import type { Answer, Call } from '../http.ts';
import { print } from '../json/print.ts';
import { emptyObject, isObject, objectOf } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import type { Route } from '../router.ts';
import { flatten } from '../schema/flatten.ts';
import { readIncludes } from '../joins/include.ts';
import { Joiner } from '../joins/joiner.ts';
import { project, readProjection } from '../search/projection.ts';
import type { Collection } from '../store/collection.ts';
import { parseDocument, readAction, readDirtyValues, write } from '../store/writer.ts';
import type { Features } from '../versions.ts';
import { requireCollection } from './collections.ts';

const DEFAULT_EXPORT_BATCH = 100;

interface LineOutcome {
  readonly shown: JsonObject;
  /** The server's current document for the line; for a line that isn't JSON that is still the one before. */
  readonly document: JsonValue;
}

const importLine = (
  collection: Collection,
  line: string,
  previous: JsonValue,
  options: { call: Call; features: Features; action: ReturnType<typeof readAction>; dirty: ReturnType<typeof readDirtyValues> },
): LineOutcome => {
  const { action, call, dirty, features } = options;
  const withId = call.params.get('return_id') === 'true';
  const withDocument = call.params.get('return_doc') === 'true';
  let document = previous;
  try {
    document = parseDocument(line);
    const written = write(collection, document, { action, dirtyValues: dirty });
    const shown: [string, JsonValue][] = [['success', true]];
    if (withId) shown.push(['id', written.id]);
    if (withDocument) shown.push(['document', parseDocument(written.text)]);
    return { document, shown: objectOf(shown) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const shown: [string, JsonValue][] = [
      ['code', error.status],
      ['error', error.message],
      ['success', false],
    ];
    if (withDocument || features.importErrorsCarryDocument) shown.push(['document', line]);
    const id = isObject(document) ? document['id'] : undefined;
    if (withId && features.importErrorsCarryId && id !== undefined) shown.push(['id', id]);
    return { document, shown: objectOf(shown) };
  }
};

const importDocuments = (call: Call): Answer => {
  const batch = call.params.get('batch_size');
  if (batch !== undefined && !/^[1-9][0-9]*$/.test(batch)) throw badRequest('Parameter `batch_size` must be a positive integer.');
  const action = readAction(call.params.get('action'));
  for (const name of ['return_doc', 'return_id']) {
    const value = call.params.get(name);
    if (value !== undefined && value !== 'true' && value !== 'false')
      throw badRequest(`Parameter \`${name}\` must be a true|false.`);
  }
  const collection = requireCollection(call);
  const dirty = readDirtyValues(call.params.get('dirty_values'), collection);
  const options = { call, features: call.engine.features, action, dirty };
  const answers: string[] = [];
  let document: JsonValue = null;
  for (const line of call.body.split('\n')) {
    if (line.trim() === '') continue;
    const outcome = importLine(collection, line, document, options);
    ({ document } = outcome);
    answers.push(print(outcome.shown));
  }
  return { status: 200, type: 'text', body: answers.join('\n') };
};

/** 26.0 answers a filtered export with the flattened document it keeps for itself. */
const leaked = (collection: Collection, document: JsonObject): string => {
  const { leaves, names } = flatten(document, collection.fields.values());
  document['.flat'] = [...names];
  for (const [name, value] of leaves) document[name] = value;
  return print(document);
};

function* exportLines(call: Call, collection: Collection): Generator<string> {
  const { features } = call.engine;
  const { fields: include, joined } = readIncludes(call.params.get('include_fields') ?? '');
  const { fields: exclude, joined: excluded } = readIncludes(call.params.get('exclude_fields') ?? '');
  const projection = readProjection(collection, include, exclude, features.includeStarIsSchemaOnly);
  const filter = call.params.get('filter_by') ?? '';
  const matched = new FilterEvaluator(collection, features, 0).matches(filter);
  const joiner = new Joiner(collection, features, filter, joined, excluded);
  const batchSize = Number(call.params.get('batch_size') ?? DEFAULT_EXPORT_BATCH) || DEFAULT_EXPORT_BATCH;
  const leaks = features.exportLeaksFlattened && matched !== undefined && projection === undefined && include.length === 0;
  let batch: string[] = [];
  let isFirst = true;
  for (const sequence of matched ?? collection.documents.sequences()) {
    const text = collection.documents.text(sequence);
    if (text === undefined) continue;
    let line = text;
    if (projection !== undefined || !joiner.isIdle) {
      const document = collection.documents.parsed(sequence) ?? emptyObject();
      line = print(joiner.joined(projection === undefined ? document : project(document, projection), sequence));
    }
    if (leaks) line = leaked(collection, collection.documents.parsed(sequence) ?? emptyObject());
    batch.push(line);
    if (batch.length < batchSize) continue;
    yield (isFirst ? '' : '\n') + batch.join('\n');
    isFirst = false;
    batch = [];
  }
  if (batch.length > 0) yield (isFirst ? '' : '\n') + batch.join('\n');
}

const exportDocuments = (call: Call): Answer => {
  const collection = requireCollection(call);
  new FilterEvaluator(collection, call.engine.features, 0).matches(call.params.get('filter_by') ?? '');
  return { status: 200, type: 'text', body: exportLines(call, collection) };
};

export const bulkRoutes: Route[] = [
  { method: 'POST', path: '/collections/:collection/documents/import', action: 'documents:import', handler: importDocuments },
  { method: 'GET', path: '/collections/:collection/documents/export', action: 'documents:export', handler: exportDocuments },
];
