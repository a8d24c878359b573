import type { StatementClassification, StatementEffect } from '@tabularium/sdk';
import { isObject, textOfField } from '../guards.ts';
import type { ConsoleRequest } from './request.ts';
import { findRoute } from './routeEffects.ts';

/** The effect of a request, as far as the request alone shows it. */
export interface RequestEffect extends Pick<StatementClassification, 'unknown' | 'newSecret'> {
  readonly effect: StatementEffect;
  /** Set where nothing is lost if what the path names does not exist yet. */
  readonly unlessNew?: true;
  /** The name of a new collection: where an alias has it, everything that uses the alias reads and writes the new collection. */
  readonly creates?: string;
}

const READ: RequestEffect = { effect: 'read' };
const WRITE: RequestEffect = { effect: 'write' };
const DESTRUCTIVE: RequestEffect = { effect: 'destructive' };
const UNKNOWN: RequestEffect = { effect: 'write', unknown: true };

/** The effect of a request, judged by what is lost, handed out or changed for the whole server, and by the route as the server reads it. */
export function effectOf(request: ConsoleRequest): RequestEffect {
  const { method, path, body } = request;
  if (method === 'DELETE') return DESTRUCTIVE;
  if (method !== 'GET' && path.raw.some(isStep)) return UNKNOWN;
  switch (findRoute(method, path.raw)?.effect) {
    case undefined:
      return UNKNOWN;
    case 'read':
      return READ;
    case 'write':
      return WRITE;
    case 'search':
      return hasConversation(path.query, body) ? WRITE : READ;
    case 'document':
      return documentEffect(path.query.getAll('action'));
    case 'schema':
      return addsOnly(body) ? WRITE : DESTRUCTIVE;
    case 'create':
      return creationEffect(body);
    case 'replace':
      return { effect: 'destructive', unlessNew: true };
    case 'key':
      return { effect: 'destructive', newSecret: namesItsValue(body) ? 'inStatement' : 'inAnswer' };
    case 'destructive':
      return DESTRUCTIVE;
  }
}

/** Servers take `..` for a name, but proxies before them may take it, or an encoded slash beside it, for a step to another route. */
function isStep(segment: string): boolean {
  let decoded = segment;
  for (let round = 0; round < 3; round += 1) {
    if (decoded.split(/[/\\]/).some((part) => part === '.' || part === '..')) return true;
    decoded = decodedOnce(decoded);
  }
  return false;
}

function decodedOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** An upsert replaces a document that has the id: fields that the new one lacks are lost. The server takes the last of several actions. */
function documentEffect(actions: readonly string[]): RequestEffect {
  if (actions.includes('upsert')) return DESTRUCTIVE;
  return actions.every((action) => ['create', 'update', 'emplace'].includes(action)) ? WRITE : UNKNOWN;
}

function creationEffect(body: string): RequestEffect {
  const value = parsedOrUndefined(body);
  // A body that this parser cannot read may be one that the server can.
  if (value === undefined) return UNKNOWN;
  const name = isObject(value) ? textOfField(value, 'name') : undefined;
  return name === undefined || name === '' ? WRITE : { effect: 'write', creates: name };
}

/** Whether a body only adds fields or sets metadata. A body that this parser cannot read may be one that the server can. */
function addsOnly(body: string): boolean {
  const value = parsedOrUndefined(body);
  if (!isObject(value) || !Object.keys(value).every((member) => member === 'fields' || member === 'metadata')) return false;
  const fields = Object.hasOwn(value, 'fields') ? value['fields'] : [];
  return (
    Array.isArray(fields) &&
    fields.every((field: unknown) => isObject(field) && !Object.hasOwn(field, 'drop')) &&
    !HIDDEN_DROP.test(body)
  );
}

/** A member that occurs twice counts once to a parser, and which one counts is not the same for all of them. */
const HIDDEN_DROP = /"(?:d|\\u0064)(?:r|\\u0072)(?:o|\\u006f)(?:p|\\u0070)"\s*:/i;
const HIDDEN_VALUE = /"(?:v|\\u0076)(?:a|\\u0061)(?:l|\\u006c)(?:u|\\u0075)(?:e|\\u0065)"\s*:/i;

/** Whether the one who asks for a key chooses its value, and so has it. */
function namesItsValue(body: string): boolean {
  const value = parsedOrUndefined(body);
  return !isObject(value) || Object.hasOwn(value, 'value') || HIDDEN_VALUE.test(body);
}

/** A search with a conversation writes what was asked and answered into a collection. */
function hasConversation(query: URLSearchParams, body: string): boolean {
  if ([...query].some(([name, value]) => name.startsWith('conversation') && value !== 'false')) return true;
  const value = parsedOrUndefined(body);
  if (value === undefined) return /conversation|\\u/.test(body);
  const written = writtenOrUndefined(value);
  return written === undefined || /"conversation(?:_model_id|_id|_stream)?"\s*:\s*(?!false\b)/.test(written);
}

/** Undefined for a value that is nested too deep to be written. */
function writtenOrUndefined(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** Undefined for a text that is not JSON. */
export function parsedOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
