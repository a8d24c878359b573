import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { ApiError, badRequest, notFound } from './errors.ts';
import { tryParse } from './json/parse.ts';
import { isInteger, isObject, objectOf } from './json/value.ts';
import type { JsonObject, JsonValue } from './json/value.ts';

export const SEARCH_ACTION = 'documents:search';
const NEVER = 64723363199;
const GENERATED_LENGTH = 32;
const PREFIX_LENGTH = 4;
const DIGEST_LENGTH = 44;
const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

export interface KeyRecord {
  readonly id: number;
  readonly value: string;
  readonly description: string;
  readonly actions: readonly string[];
  readonly collections: readonly string[];
  readonly expiresAt: number;
  readonly autodelete: boolean;
}

export interface Access {
  /** Parameters a scoped key adds to the search. */
  readonly embedded: JsonObject;
}

const randomValue = (): string =>
  Array.from({ length: GENERATED_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)] ?? '0').join('');

const strings = (source: JsonObject, name: string): string[] => {
  const value = source[name];
  const wrong = badRequest(`Wrong format for \`${name}\`. It should be an array of string.`);
  if (!Array.isArray(value) || value.length === 0) throw wrong;
  return value.map((item) => {
    if (typeof item !== 'string') throw wrong;
    return item;
  });
};

const now = (): number => Math.floor(Date.now() / 1000);

const same = (left: string, right: string): boolean => {
  const leftBytes = Buffer.from(left);
  const rightBytes = Buffer.from(right);
  return leftBytes.length === rightBytes.length && timingSafeEqual(leftBytes, rightBytes);
};

const allowsAction = (key: KeyRecord, action: string): boolean => {
  const [resource] = action.split(':');
  return key.actions.some((allowed) => allowed === '*' || allowed === action || allowed === `${resource}:*`);
};

const matchesPattern = (pattern: string, name: string): boolean => {
  try {
    return new RegExp(`^(?:${pattern})$`).test(name);
  } catch {
    return false;
  }
};

export const allowsCollection = (patterns: readonly string[], name: string): boolean =>
  name === '' || patterns.some((pattern) => pattern === '*' || pattern === name || matchesPattern(pattern, name));

const show = (key: KeyRecord, extra: readonly (readonly [string, JsonValue])[]): JsonObject =>
  objectOf([
    ['actions', [...key.actions]],
    ['autodelete', key.autodelete],
    ['collections', [...key.collections]],
    ['description', key.description],
    ['expires_at', key.expiresAt],
    ['id', key.id],
    ...extra,
  ]);

export class Keys {
  readonly #bootstrap: string;
  readonly #records = new Map<number, KeyRecord>();
  #nextId = 0;

  constructor(bootstrap: string) {
    this.#bootstrap = bootstrap;
  }

  /** The scope of a key; undefined if the key doesn't permit this at all. */
  access(value: string, action: string, collections: readonly string[]): Access | undefined {
    if (value === '') return undefined;
    if (same(value, this.#bootstrap)) return { embedded: {} };
    const record = this.#byValue(value);
    if (record !== undefined) {
      return this.#isGood(record, collections) && allowsAction(record, action) ? { embedded: {} } : undefined;
    }
    return value.length > GENERATED_LENGTH && action === SEARCH_ACTION ? this.#scoped(value, collections) : undefined;
  }

  /** The collection patterns a listing is cut down to. */
  visibleCollections(value: string): readonly string[] {
    return this.#byValue(value)?.collections ?? ['*'];
  }

  create(source: JsonValue): JsonObject {
    if (!isObject(source)) throw badRequest('Bad JSON.');
    for (const name of ['description', 'actions', 'collections']) {
      if (source[name] === undefined) throw badRequest(`Could not find a \`${name}\` key.`);
    }
    const actions = strings(source, 'actions');
    const collections = strings(source, 'collections');
    const { autodelete, description, expires_at: expiresAt, value } = source;
    if (expiresAt !== undefined && (!isInteger(expiresAt) || expiresAt < 0)) {
      throw badRequest('Wrong format for `expires_at`. It should be an unsigned integer.');
    }
    if (autodelete !== undefined && typeof autodelete !== 'boolean') throw badRequest('Bad request.');
    const record: KeyRecord = {
      id: this.#nextId,
      value: typeof value === 'string' && value !== '' ? value : randomValue(),
      description: typeof description === 'string' ? description : '',
      actions,
      collections,
      expiresAt: expiresAt === undefined ? NEVER : Number(expiresAt),
      autodelete: autodelete === true,
    };
    if (this.#byValue(record.value) !== undefined) throw new ApiError(409, 'API key generation conflict.');
    this.add(record);
    return show(record, [['value', record.value]]);
  }

  add(record: KeyRecord): void {
    this.#records.set(record.id, record);
    this.#nextId = Math.max(this.#nextId, record.id + 1);
  }

  get records(): readonly KeyRecord[] {
    return [...this.#records.values()];
  }

  /** In the order of the ids as text, which is how the server stores them. */
  list(): JsonObject {
    const sorted = [...this.#records.values()].sort((left, right) => (String(left.id) < String(right.id) ? -1 : 1));
    return objectOf([['keys', sorted.map((key) => show(key, [['value_prefix', key.value.slice(0, PREFIX_LENGTH)]]))]]);
  }

  get(id: number): JsonObject {
    const key = this.#records.get(id);
    if (key === undefined) throw notFound('Not found.');
    return show(key, [['value_prefix', key.value.slice(0, PREFIX_LENGTH)]]);
  }

  remove(id: number): JsonObject {
    if (!this.#records.delete(id)) throw notFound('Not found.');
    return objectOf([['id', id]]);
  }

  #byValue(value: string): KeyRecord | undefined {
    for (const record of this.#records.values()) if (record.value === value) return record;
    return undefined;
  }

  /** The server does this once an hour, so an expired key is listed for a while. */
  sweep(): void {
    for (const record of this.records) if (record.autodelete && record.expiresAt < now()) this.#records.delete(record.id);
  }

  #isGood(record: KeyRecord, collections: readonly string[]): boolean {
    return now() <= record.expiresAt && collections.every((name) => allowsCollection(record.collections, name));
  }

  /** `<digest><first four characters of the parent key><parameters>` in base64, signed with a key that may only search. */
  #scoped(value: string, collections: readonly string[]): Access | undefined {
    const payload = Buffer.from(value, 'base64').toString('utf8');
    const digest = payload.slice(0, DIGEST_LENGTH);
    const prefix = payload.slice(DIGEST_LENGTH, DIGEST_LENGTH + PREFIX_LENGTH);
    const params = payload.slice(DIGEST_LENGTH + PREFIX_LENGTH);
    for (const parent of this.#records.values()) {
      if (parent.value.slice(0, PREFIX_LENGTH) !== prefix) continue;
      const searchesOnly = parent.actions.length === 1 && parent.actions[0] === SEARCH_ACTION;
      if (!searchesOnly || !this.#isGood(parent, collections)) continue;
      if (!same(createHmac('sha256', parent.value).update(params).digest('base64'), digest)) continue;
      const embedded = tryParse(params);
      if (embedded === undefined || !isObject(embedded)) return undefined;
      const expiry = embedded['expires_at'];
      if (expiry !== undefined && (!isInteger(expiry) || Number(expiry) < now())) return undefined;
      return { embedded };
    }
    return undefined;
  }
}
