import type { Engine } from '../engine.ts';
import { badRequest, notFound } from '../errors.ts';
import { isObject } from '../json/value.ts';
import type { JsonValue } from '../json/value.ts';

export interface CollectionSets {
  readonly synonymSets?: readonly string[];
  readonly curationSets?: readonly string[];
}

const KINDS = {
  synonym_sets: { title: 'Synonym set', plural: 'synonym sets', known: (engine: Engine) => engine.synonymSets },
  curation_sets: { title: 'Curation set', plural: 'curation sets', known: (engine: Engine) => engine.curationSets },
} as const;

type SetsName = keyof typeof KINDS;

const readNames = (engine: Engine, source: JsonValue, name: SetsName, creating: boolean): string[] | undefined => {
  const value = isObject(source) ? source[name] : undefined;
  if (value === undefined) return undefined;
  const { known, plural, title } = KINDS[name];
  if (!Array.isArray(value)) {
    throw badRequest(creating ? `\`${name}\` should be an array of ${plural}.` : `The \`${name}\` value should be an array.`);
  }
  const names = value.map((item) => {
    if (typeof item === 'string' && (item !== '' || !creating)) return item;
    throw badRequest(creating ? `\`${name}\` should be an array of non-empty strings.` : 'Bad request.');
  });
  const unknown = names.find((item) => !known(engine).has(item));
  if (unknown !== undefined) throw notFound(`${title} \`${unknown}\` not found.`);
  return names;
};

/** The sets that a request to create or to change a collection names; every one has to be there. */
export const readCollectionSets = (engine: Engine, source: JsonValue, creating: boolean): CollectionSets => {
  if (!engine.features.sets) return {};
  const synonymSets = readNames(engine, source, 'synonym_sets', creating);
  const curationSets = readNames(engine, source, 'curation_sets', creating);
  return {
    ...(synonymSets === undefined ? {} : { synonymSets }),
    ...(curationSets === undefined ? {} : { curationSets }),
  };
};
