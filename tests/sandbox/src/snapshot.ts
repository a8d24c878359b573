import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Engine } from './engine.ts';
import { parse } from './json/parse.ts';
import { print } from './json/print.ts';
import { isObject, objectOf } from './json/value.ts';
import type { JsonObject, JsonValue } from './json/value.ts';
import { readField } from './schema/field.ts';

/**
 * One JSON line for the keys and aliases, then for each collection one line with its schema and one for each document. Fields are written as the 29.0
 * form of the schema, which holds everything that the sandbox has about one.
 */
const showSchemaField = (field: object): JsonObject => {
  const known: Record<string, string> = {
    stemDictionary: 'stem_dictionary',
    rangeIndex: 'range_index',
    asyncReference: 'async_reference',
    numDim: 'num_dim',
    vecDist: 'vec_dist',
  };
  const shown: [string, JsonValue][] = [];
  for (const [name, value] of Object.entries(field) as [string, JsonValue | undefined][]) {
    if (value === undefined || (name === 'numDim' && value === 0) || name === 'nested') continue;
    shown.push([known[name] ?? name, value]);
  }
  return objectOf(shown);
};

export const saveSnapshot = (engine: Engine, file: string): void => {
  const lines: string[] = [];
  const keys = engine.keys.records.map((record) => objectOf(Object.entries({ ...record }) as [string, JsonValue][]));
  lines.push(
    print(
      objectOf([
        ['keys', keys],
        ['aliases', objectOf(engine.aliases)],
      ]),
    ),
  );
  for (const collection of [...engine.collections].reverse()) {
    const definition = objectOf([
      ['name', collection.name],
      ['created_at', collection.createdAt],
      ['default_sorting_field', collection.defaultSortingField],
      ['enable_nested_fields', collection.enableNestedFields],
      ['token_separators', [...collection.tokenSeparators]],
      ['symbols_to_index', [...collection.symbolsToIndex]],
      ['metadata', collection.metadata ?? null],
      ['fields', collection.schema.listed.map(showSchemaField)],
      ['documents', collection.documents.count],
    ]);
    lines.push(print(definition));
    for (const sequence of collection.documents.sequences()) lines.push(collection.documents.text(sequence) ?? '{}');
  }
  writeFileSync(`${file}.new`, lines.join('\n'), { mode: 0o600 });
  renameSync(`${file}.new`, file);
};

const texts = (value: JsonValue | undefined): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

const loadState = (engine: Engine, state: JsonObject): void => {
  const { aliases, keys } = state;
  if (isObject(aliases)) for (const name of Object.keys(aliases)) engine.aliases.set(name, text(aliases[name]));
  for (const key of Array.isArray(keys) ? keys : []) {
    if (!isObject(key)) continue;
    engine.keys.add({
      id: Number(key['id']),
      value: text(key['value']),
      description: text(key['description']),
      actions: texts(key['actions']),
      collections: texts(key['collections']),
      expiresAt: Number(key['expiresAt']),
      autodelete: key['autodelete'] === true,
    });
  }
};

/** False where there is no snapshot yet. */
export const loadSnapshot = (engine: Engine, file: string): boolean => {
  if (!existsSync(file)) return false;
  const lines = readFileSync(file, 'utf8').split('\n');
  const state = parse(lines[0] ?? '{}');
  if (isObject(state)) loadState(engine, state);
  let at = 1;
  while (at < lines.length) {
    const definition = parse(lines[at] ?? '{}');
    at += 1;
    if (!isObject(definition)) continue;
    const nested = definition['enable_nested_fields'] === true;
    const fields = definition['fields'];
    const collection = engine.create({
      name: text(definition['name']),
      createdAt: Number(definition['created_at']),
      defaultSortingField: text(definition['default_sorting_field']),
      enableNestedFields: nested,
      tokenSeparators: texts(definition['token_separators']),
      symbolsToIndex: texts(definition['symbols_to_index']),
      metadata: definition['metadata'] ?? undefined,
      fields: (Array.isArray(fields) ? fields : []).flatMap((field) => readField(field, nested) ?? []),
    });
    for (let left = Number(definition['documents']); left > 0; left -= 1) {
      const line = lines[at] ?? '{}';
      at += 1;
      const document = parse(line);
      if (isObject(document)) collection.load(text(document['id']), line, document);
    }
  }
  return true;
};
