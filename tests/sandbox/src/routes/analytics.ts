import { changedRule, readNewRule, readOldRule } from '../analytics/analyticsRule.ts';
import type { AnalyticsRule } from '../analytics/analyticsRule.ts';
import { ApiError, badRequest, notFound } from '../errors.ts';
import { json } from '../http.ts';
import type { Answer, Call } from '../http.ts';
import { print } from '../json/print.ts';
import { tryParse } from '../json/parse.ts';
import { isObject, objectOf } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import type { Route } from '../router.ts';
import { objectBody } from './requestBody.ts';

const RULES = '/analytics/rules';
const ONE = `${RULES}/:name`;
const EVENTS = '/analytics/events';
const MAX_EVENTS = 1000;
const EVENT_PARAMS = ['user_id', 'name', 'n'] as const;

const nameOf = (call: Call): string => call.captured['name'] ?? '';
const rulesOf = (call: Call): Map<string, AnalyticsRule> => call.engine.analytics.rules;
const newestFirst = (call: Call): AnalyticsRule[] => [...rulesOf(call).values()].reverse();

const parsed = (call: Call): JsonValue => {
  const body = tryParse(call.body);
  if (body === undefined) throw badRequest('Bad JSON.');
  return body;
};

const requiredOr = (call: Call, missing: Error): AnalyticsRule => {
  const rule = rulesOf(call).get(nameOf(call));
  if (rule === undefined) throw missing;
  return rule;
};

const checkCount = (call: Call): void => {
  if (Number(call.params.get('n') ?? 0) > MAX_EVENTS) throw badRequest(`N cannot be greater than ${MAX_EVENTS}`);
};

const events = (): Answer => json(200, '{"events":[]}');

const oldMissing = (): Error => notFound('Rule not found.');

const createOld = (call: Call): Answer => {
  const body = parsed(call);
  const rule = readOldRule(isObject(body) ? body['name'] : undefined, body, (name) => rulesOf(call).has(name));
  const taken = [...rulesOf(call).values()].some(
    ({ destination, type }) => destination === rule.destination && type === rule.type,
  );
  if (taken) throw badRequest("There's already another configuration for this destination collection.");
  rulesOf(call).set(rule.name, rule);
  return json(201, print(rule.source));
};

const putOld = (call: Call): Answer => {
  const rule = readOldRule(nameOf(call), parsed(call));
  call.engine.analytics.remove(rule.name);
  rulesOf(call).set(rule.name, rule);
  return json(200, print(rule.source));
};

const deleteOld = (call: Call): Answer => {
  const { name } = requiredOr(call, oldMissing());
  call.engine.analytics.remove(name);
  return json(200, print(objectOf([['name', name]])));
};

const createOldEvent = (call: Call): Answer => {
  const body = objectBody(call);
  for (const member of ['type', 'name', 'data']) {
    if (body[member] === undefined) throw badRequest(`key \`${member}\` not found.`);
  }
  return json(201, '{"ok": true}');
};

/** Up to version 29. Events are taken and forgotten; rules of type `counter` and `log` are kept and shown. */
export const oldAnalyticsRoutes: Route[] = [
  {
    method: 'GET',
    path: RULES,
    action: 'analytics/rules:list',
    handler: (call) => json(200, print(objectOf([['rules', newestFirst(call).map(({ shown }) => shown)]]))),
  },
  { method: 'POST', path: RULES, action: 'analytics/rules:create', handler: createOld },
  {
    method: 'GET',
    path: ONE,
    action: 'analytics/rules:get',
    handler: (call) => json(200, print(requiredOr(call, oldMissing()).shown)),
  },
  { method: 'PUT', path: ONE, action: 'analytics/rules:upsert', handler: putOld },
  { method: 'DELETE', path: ONE, action: 'analytics/rules:delete', handler: deleteOld },
  { method: 'POST', path: EVENTS, action: 'analytics/events:create', handler: createOldEvent },
  {
    method: 'GET',
    path: EVENTS,
    action: 'analytics/events:list',
    handler: (call) => {
      checkCount(call);
      return events();
    },
  },
];

const newMissing = (): Error => badRequest('Rule not found');

const exists = (call: Call) => (name: string) => call.engine.collection(name) !== undefined;

const createNew = (call: Call, body: JsonValue): JsonObject => {
  const name = isObject(body) ? body['name'] : undefined;
  if (!isObject(body) || typeof name !== 'string') throw badRequest('Name is required when creating an analytics rule');
  if (rulesOf(call).has(name)) throw badRequest('Rule already exists');
  const rule = readNewRule(name, body, exists(call));
  rulesOf(call).set(name, rule);
  return rule.source;
};

/** Of several rules each is answered for itself, inside a 200. */
const postNew = (call: Call): Answer => {
  const body = parsed(call);
  if (!Array.isArray(body)) return json(200, print(createNew(call, body)));
  const answers = body.map((item) => {
    try {
      return createNew(call, item);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return objectOf([['error', error.message]]);
    }
  });
  return json(200, print(answers));
};

const putNew = (call: Call): Answer => {
  const body = objectBody(call);
  const existing = rulesOf(call).get(nameOf(call));
  const rule = existing === undefined ? readNewRule(nameOf(call), body, exists(call)) : changedRule(existing, body, exists(call));
  rulesOf(call).set(rule.name, rule);
  return json(200, print(rule.source));
};

const deleteNew = (call: Call): Answer => {
  const { name, source } = requiredOr(call, newMissing());
  call.engine.analytics.remove(name);
  return json(200, print(source));
};

const listNew = (call: Call): Answer => {
  const tag = call.params.get('rule_tag');
  const shown = newestFirst(call).filter((rule) => tag === undefined || rule.tag === tag);
  return json(200, print(shown.map((rule) => rule.shown)));
};

const createNewEvent = (call: Call): Answer => {
  const { name } = objectBody(call);
  if (name === undefined) throw badRequest('name is required');
  if (typeof name !== 'string' || !rulesOf(call).has(name)) throw newMissing();
  return json(200, '{"ok":true}');
};

const listNewEvents = (call: Call): Answer => {
  for (const param of EVENT_PARAMS) {
    if (!call.params.has(param)) throw badRequest(`Missing required parameter '${param}'.`);
  }
  checkCount(call);
  if (!rulesOf(call).has(call.params.get('name') ?? '')) throw newMissing();
  return events();
};

const status = (call: Call): Answer => {
  const { analytics } = call.engine;
  const shown: [string, JsonValue][] = [
    ['doc_counter_events', 0],
    ['doc_log_events', 0],
    ['log_prefix_queries', 0],
    ['nohits_prefix_queries', analytics.waiting('nohits_queries')],
    ['popular_prefix_queries', analytics.waiting('popular_queries')],
    ['query_counter_events', 0],
    ['query_log_events', 0],
  ];
  return json(200, print(objectOf(shown)));
};

/** From version 30. */
export const newAnalyticsRoutes: Route[] = [
  { method: 'GET', path: RULES, action: 'analytics/rules:list', handler: listNew },
  { method: 'POST', path: RULES, action: 'analytics/rules:create', handler: postNew },
  {
    method: 'GET',
    path: ONE,
    action: 'analytics/rules:get',
    handler: (call) => json(200, print(requiredOr(call, newMissing()).shown)),
  },
  { method: 'PUT', path: ONE, action: 'analytics/rules:upsert', handler: putNew },
  { method: 'DELETE', path: ONE, action: 'analytics/rules:delete', handler: deleteNew },
  { method: 'POST', path: EVENTS, action: 'analytics/events:create', handler: createNewEvent },
  { method: 'GET', path: EVENTS, action: 'analytics/events:list', handler: listNewEvents },
  { method: 'GET', path: '/analytics/status', action: 'analytics/status:list', handler: status },
  {
    method: 'POST',
    path: '/analytics/flush',
    action: 'analytics/flush:create',
    handler: (call) => {
      call.engine.analytics.flush();
      return json(200, '{"ok": true}');
    },
  },
];
