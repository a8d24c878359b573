import { WRONG_WORDS, readSynonym, showSynonym } from '../synonyms/synonym.ts';
import type { Synonym } from '../synonyms/synonym.ts';
import { byId } from '../engine.ts';
import { notFound } from '../errors.ts';
import { json } from '../http.ts';
import type { Answer, Call } from '../http.ts';
import { print } from '../json/print.ts';
import { objectOf } from '../json/value.ts';
import type { Route } from '../router.ts';
import { requireCollection } from './collections.ts';
import { objectBody, pageOf } from './requestBody.ts';

const LIST = '/collections/:collection/synonyms';
const ONE = `${LIST}/:id`;

const synonymsOf = (call: Call): Map<string, Synonym> => call.engine.curation(requireCollection(call)).synonyms;

const idOf = (call: Call): string => call.captured['id'] ?? '';

/** Answers with what was sent, not with what was made of it. */
const put = (call: Call): Answer => {
  const synonyms = synonymsOf(call);
  const source = objectBody(call);
  synonyms.set(idOf(call), readSynonym(idOf(call), source, WRONG_WORDS));
  return json(200, print(objectOf([...Object.entries(source), ['id', idOf(call)]])));
};

const get = (call: Call): Answer => {
  const synonym = synonymsOf(call).get(idOf(call));
  if (synonym === undefined) throw notFound('Not Found');
  return json(200, print(showSynonym(synonym)));
};

const remove = (call: Call): Answer => {
  if (!synonymsOf(call).delete(idOf(call))) throw notFound('Could not find that `id`.');
  return json(200, print(objectOf([['id', idOf(call)]])));
};

/** Up to version 29 a collection has its own synonyms. */
export const synonymRoutes: Route[] = [
  {
    method: 'GET',
    path: LIST,
    action: 'synonyms:list',
    handler: (call) => json(200, print(objectOf([['synonyms', pageOf(call, byId(synonymsOf(call))).map(showSynonym)]]))),
  },
  { method: 'GET', path: ONE, action: 'synonyms:get', handler: get },
  { method: 'PUT', path: ONE, action: 'synonyms:upsert', handler: put },
  { method: 'DELETE', path: ONE, action: 'synonyms:delete', handler: remove },
];
