import type { Engine } from '../engine.ts';
import { readRule } from '../curation/rule.ts';
import { parse } from '../json/parse.ts';
import { isObject } from '../json/value.ts';
import type { JsonObject } from '../json/value.ts';
import type { Collection } from '../store/collection.ts';
import { readSynonym } from '../synonyms/synonym.ts';

const SYNONYM_SET = 'article-words';
const CURATION_SET = 'article-rules';

const SYNONYM = { id: 'typing-machines', document: '{"synonyms":["typing machine","typewriters"]}' };
/** Of the articles about harbour cranes one comes first and another one is hidden. */
const RULE = {
  id: 'harbour-first',
  document:
    '{"rule":{"query":"harbour","match":"contains"},"includes":[{"id":"article-0140","position":1}],"excludes":[{"id":"article-0002"}]}',
};

const objectFrom = (text: string): JsonObject => {
  const value = parse(text);
  if (!isObject(value)) throw new TypeError(`This is no JSON object: ${text}`);
  return value;
};

/** One synonym and one curation rule for a collection: its own, or from version 30 in sets that it is linked to. */
export const loadTuning = (engine: Engine, collection: Collection): void => {
  const synonym = readSynonym(SYNONYM.id, objectFrom(SYNONYM.document));
  const rule = readRule(RULE.id, objectFrom(RULE.document));
  if (!engine.features.sets) {
    const { overrides, synonyms } = engine.curation(collection);
    synonyms.set(synonym.id, synonym);
    overrides.set(rule.id, rule);
    return;
  }
  engine.synonymSets.set(SYNONYM_SET, new Map([[synonym.id, synonym]]));
  engine.curationSets.set(CURATION_SET, new Map([[rule.id, rule]]));
  collection.synonymSets = [SYNONYM_SET];
  collection.curationSets = [CURATION_SET];
};
