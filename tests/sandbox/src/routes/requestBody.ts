import { badRequest } from '../errors.ts';
import type { Call } from '../http.ts';
import { tryParse } from '../json/parse.ts';
import { isObject } from '../json/value.ts';
import type { JsonObject } from '../json/value.ts';

/** The body as an object, or 400 `Bad JSON.` */
export const objectBody = (call: Call): JsonObject => {
  const source = tryParse(call.body);
  if (source === undefined || !isObject(source)) throw badRequest('Bad JSON.');
  return source;
};

const readCount = (call: Call, name: 'limit' | 'offset'): number | undefined => {
  const text = call.params.get(name);
  if (text === undefined) return undefined;
  if (!/^[0-9]+$/.test(text)) throw badRequest(`${name === 'limit' ? 'Limit' : 'Offset'} param should be unsigned integer.`);
  return Number(text);
};

/** The part of a list that `limit` and `offset` ask for. */
export const pageOf = <T>(call: Call, all: readonly T[]): T[] => {
  const limit = readCount(call, 'limit');
  const offset = readCount(call, 'offset') ?? 0;
  if (offset > 0 && offset >= all.length) throw badRequest('Invalid offset param.');
  return all.slice(offset, limit === undefined ? undefined : offset + limit);
};
