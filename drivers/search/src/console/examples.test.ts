import { describe, expect, it } from 'vitest';
import { exampleRequests } from './examples.ts';
import type { Names } from './names.ts';

function named(collections: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>): Names {
  return {
    collections: async () => Object.keys(collections),
    aliases: async () => [],
    fields: async (name) => collections[name] ?? [],
  };
}

describe('the examples of an empty console', () => {
  it('search in the first collection that has text, with names as an address has them', async () => {
    const names = named({
      numbers: [{ name: 'n', type: 'int32' }],
      'odd names': [
        { name: 'id', type: 'string' },
        { name: 'a.*', type: 'string' },
        { name: 'größe', type: 'string[]' },
      ],
    });
    expect(await exampleRequests(names)).toEqual([
      'GET /collections/odd%20names/documents/search?q=*&query_by=gr%C3%B6%C3%9Fe&per_page=10',
      'GET /collections/numbers',
      'GET /collections',
    ]);
  });

  it('need no collection', async () => {
    expect(await exampleRequests(named({}))).toEqual(['GET /health']);
  });
});
