import { badRequest } from '../errors.ts';
import { isObject, objectOf } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import type { Collection } from '../store/collection.ts';
import type { Features } from '../versions.ts';
import { isDynamic, readField, showAlteredField } from './field.ts';
import type { Field } from './field.ts';
import { valuesAt } from './flatten.ts';
import { learnFrom } from '../store/writer.ts';
import { validate } from './validate.ts';

const FIELDS_FORMAT = 'The `fields` value should be an array of objects containing the field `name` and other properties.';

interface Change {
  readonly name: string;
  readonly source: JsonObject;
  /** Undefined for a field that is dropped. */
  readonly added: Field | undefined;
}

const checkPayload = (source: JsonValue, features: Features): JsonObject => {
  if (!features.collectionMetadata) {
    if (!isObject(source) || Object.keys(source).length === 0) throw badRequest('Only `fields` can be updated at the moment.');
    if (!Array.isArray(source['fields']) || source['fields'].length === 0) throw badRequest(FIELDS_FORMAT);
    return source;
  }
  if (!isObject(source) || Object.keys(source).length === 0) throw badRequest('Alter payload is empty.');
  const known = features.sets ? ['fields', 'metadata', 'synonym_sets', 'curation_sets'] : ['fields', 'metadata'];
  if (Object.keys(source).some((key) => !known.includes(key))) {
    const named = features.sets ? '`fields`, `metadata` and `synonym_sets`' : '`fields` and `metadata`';
    throw badRequest(`Only ${named} can be updated at the moment.`);
  }
  const { fields, metadata } = source;
  if (fields !== undefined && (!Array.isArray(fields) || fields.length === 0)) throw badRequest(FIELDS_FORMAT);
  if (metadata !== undefined && !isObject(metadata)) throw badRequest('The `metadata` value should be an object.');
  return source;
};

const readChanges = (collection: Collection, items: readonly JsonValue[]): Change[] => {
  const dropped = new Set<string>();
  return items.map((item) => {
    if (!isObject(item) || typeof item['name'] !== 'string') throw badRequest(FIELDS_FORMAT);
    const { name } = item;
    if (name === 'id') throw badRequest('Field `id` cannot be altered.');
    const { drop } = item;
    if (drop !== undefined) {
      if (drop !== true) throw badRequest(`Field \`${name}\` must have a drop value of \`true\`.`);
      if (!collection.schema.has(name)) throw badRequest(`Field \`${name}\` is not part of collection schema.`);
      dropped.add(name);
      return { name, source: item, added: undefined };
    }
    if (collection.schema.has(name) && !dropped.has(name)) {
      throw badRequest(
        `Field \`${name}\` is already part of the schema: To change this field, drop it first before adding it back to the schema.`,
      );
    }
    return { name, source: item, added: readField(item, collection.enableNestedFields) };
  });
};

/** Every stored document has to fit the fields that are to be added. */
const checkDocuments = (collection: Collection, added: readonly Field[]): void => {
  for (const sequence of collection.documents.sequences()) {
    const document = collection.documents.parsed(sequence);
    if (document === undefined) continue;
    for (const field of added) {
      const isAbsent = valuesAt(document, field.name.split('.')).length === 0;
      if (isAbsent) {
        if (field.optional) continue;
        throw badRequest(
          `Field \`${field.name}\` has been declared in the schema, but is not found in the documents already present in the ` +
            'collection. If you still want to add this field, set it as `optional: true`.',
        );
      }
      try {
        const fields = new Map([[field.name, field]]);
        validate(document, new Map(), { fields, defaultSortingField: '', mode: 'coerce_or_reject', partial: true });
      } catch {
        throw badRequest(
          'Schema change is incompatible with the type of documents already stored in this collection. ' +
            `Existing data for field \`${field.name}\` cannot be coerced into ${field.type.startsWith('int') ? 'an' : 'a'} ${field.type}.`,
        );
      }
    }
  }
};

/** A declaration that says how to learn looks at what is stored already. */
const learnFromStored = (collection: Collection): void => {
  for (const sequence of collection.documents.sequences()) {
    const document = collection.documents.parsed(sequence);
    if (document !== undefined) learnFrom(collection, document);
  }
};

const apply = (collection: Collection, changes: readonly Change[]): void => {
  for (const { added, name } of changes) {
    if (added === undefined) {
      for (const gone of collection.schema.drop(name)) collection.indices.forget(gone);
    } else {
      collection.indices.forget(name);
      collection.schema.add(added);
    }
  }
  // A field that is dropped sorts nothing any more.
  if (!collection.schema.has(collection.defaultSortingField)) collection.defaultSortingField = '';
  if (changes.some(({ added }) => added !== undefined && isDynamic(added))) learnFromStored(collection);
  collection.forgetResults();
};

/** Changes a schema; answers with what the server echoes, which is the request with the properties it worked out. */
export const alter = (
  collection: Collection,
  source: JsonValue,
  features: Features,
  sets: { readonly synonymSets?: readonly string[]; readonly curationSets?: readonly string[] } = {},
): JsonObject => {
  const payload = checkPayload(source, features);
  const { fields, metadata } = payload;
  const shown: [string, JsonValue][] = [];
  if (sets.synonymSets !== undefined) {
    collection.synonymSets = sets.synonymSets;
    shown.push(['synonym_sets', [...sets.synonymSets]]);
  }
  if (sets.curationSets !== undefined) {
    collection.curationSets = sets.curationSets;
    shown.push(['curation_sets', [...sets.curationSets]]);
  }
  const changes = readChanges(collection, Array.isArray(fields) ? fields : []);
  checkDocuments(
    collection,
    changes.flatMap(({ added }) => added ?? []),
  );
  apply(collection, changes);
  if (fields !== undefined) {
    shown.push([
      'fields',
      changes.map(({ added, name, source: item }) => {
        if (added !== undefined) return showAlteredField(added, item, features);
        return features.alterEcho === 'request'
          ? item
          : objectOf([
              ['drop', true],
              ['embed', null],
              ['name', name],
            ]);
      }),
    ]);
  }
  if (metadata !== undefined) {
    collection.metadata = metadata;
    shown.push(['metadata', metadata]);
  }
  return objectOf(shown);
};
