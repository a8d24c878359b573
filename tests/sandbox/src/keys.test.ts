import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Keys } from './keys.ts';

const scoped = (parent: string, params: object): string => {
  const text = JSON.stringify(params);
  const digest = createHmac('sha256', parent).update(text).digest('base64');
  return Buffer.from(`${digest}${parent.slice(0, 4)}${text}`).toString('base64');
};

const PARENT = 'search-parent-key';

const keysWith = (
  actions: string[],
  collections: string[],
  value: string,
  extra: Record<string, number | boolean> = {},
): Keys => {
  const keys = new Keys('bootstrap');
  keys.create({ description: 'd', actions, collections, value, ...extra });
  return keys;
};

describe('what a key may do', () => {
  test.for([
    ['documents:search', 'documents:search', 'books', true],
    ['documents:*', 'documents:search', 'books', true],
    ['*', 'keys:create', '', true],
    ['documents:get', 'documents:search', 'books', false],
    ['documents:*', 'collections:list', '', false],
  ] as const)('%s allows %s on %j: %s', ([granted, action, collection, allowed]) => {
    const keys = keysWith([granted], ['books.*'], 'narrow');
    expect(keys.access('narrow', action, [collection]) !== undefined).toBe(allowed);
  });

  test('a pattern has to match the whole name, and every collection has to match', () => {
    const keys = keysWith(['documents:search'], ['books.*', 'exact'], 'narrow');
    expect(keys.access('narrow', 'documents:search', ['books_2', 'exact'])).toBeDefined();
    expect(keys.access('narrow', 'documents:search', ['my_books'])).toBeUndefined();
    expect(keys.access('narrow', 'documents:search', ['books_2', 'other'])).toBeUndefined();
  });

  test('an expired key is refused at once and swept away only if it asks for that', () => {
    const keys = keysWith(['*'], ['*'], 'gone', { expires_at: 1000, autodelete: true });
    keys.create({ description: 'kept', actions: ['*'], collections: ['*'], value: 'kept', expires_at: 1000 });
    expect(keys.access('gone', 'keys:list', [''])).toBeUndefined();
    expect(keys.records).toHaveLength(2);
    keys.sweep();
    expect(keys.records.map(({ description }) => description)).toEqual(['kept']);
  });
});

describe('scoped search keys', () => {
  test('carry parameters, for searches only', () => {
    const keys = keysWith(['documents:search'], ['books'], PARENT);
    const key = scoped(PARENT, { filter_by: 'public:true' });
    expect(keys.access(key, 'documents:search', ['books'])?.embedded).toEqual({ filter_by: 'public:true' });
    expect(keys.access(key, 'documents:export', ['books'])).toBeUndefined();
    expect(keys.access(key, 'documents:search', ['other'])).toBeUndefined();
  });

  test('need a parent that may only search', () => {
    const keys = keysWith(['*'], ['*'], PARENT);
    expect(keys.access(scoped(PARENT, {}), 'documents:search', ['books'])).toBeUndefined();
  });

  test('end when they say, and with their parent', () => {
    const keys = keysWith(['documents:search'], ['*'], PARENT);
    expect(keys.access(scoped(PARENT, { expires_at: 1000 }), 'documents:search', ['books'])).toBeUndefined();
    expect(keys.access(scoped(PARENT, {}), 'documents:search', ['books'])).toBeDefined();
    keys.remove(0);
    expect(keys.access(scoped(PARENT, {}), 'documents:search', ['books'])).toBeUndefined();
  });
});
