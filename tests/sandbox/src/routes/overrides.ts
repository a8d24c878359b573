import { readRule, showRule } from '../curation/rule.ts';
import type { CurationRule } from '../curation/rule.ts';
import { byId } from '../engine.ts';
import { notFound } from '../errors.ts';
import { json } from '../http.ts';
import type { Answer, Call } from '../http.ts';
import { print } from '../json/print.ts';
import { objectOf } from '../json/value.ts';
import type { Route } from '../router.ts';
import { requireCollection } from './collections.ts';
import { objectBody, pageOf } from './requestBody.ts';

const LIST = '/collections/:collection/overrides';
const ONE = `${LIST}/:id`;

const rulesOf = (call: Call): Map<string, CurationRule> => call.engine.curation(requireCollection(call)).overrides;

const idOf = (call: Call): string => call.captured['id'] ?? '';

/** Answers with what was sent, not with what was made of it. */
const put = (call: Call): Answer => {
  const rules = rulesOf(call);
  const source = objectBody(call);
  rules.set(idOf(call), readRule(idOf(call), source));
  return json(200, print(objectOf([...Object.entries(source), ['id', idOf(call)]])));
};

const get = (call: Call): Answer => {
  const rule = rulesOf(call).get(idOf(call));
  if (rule === undefined) throw notFound(`override ${idOf(call)} not found.`);
  return json(200, print(showRule(rule)));
};

const remove = (call: Call): Answer => {
  if (!rulesOf(call).delete(idOf(call))) throw notFound('Could not find that `id`.');
  return json(200, print(objectOf([['id', idOf(call)]])));
};

/** Up to version 29 a collection has its own rules. */
export const overrideRoutes: Route[] = [
  {
    method: 'GET',
    path: LIST,
    action: 'overrides:list',
    handler: (call) => json(200, print(objectOf([['overrides', pageOf(call, byId(rulesOf(call))).map(showRule)]]))),
  },
  { method: 'GET', path: ONE, action: 'overrides:get', handler: get },
  { method: 'PUT', path: ONE, action: 'overrides:upsert', handler: put },
  { method: 'DELETE', path: ONE, action: 'overrides:delete', handler: remove },
];
