import { describe, expect, it } from 'vitest';
import { readRegistryDocument } from './registryDocument.ts';

const version = { version: '1.0.0', tabularium: {}, dist: { tarball: 'https://registry.example/x.tgz' } };

describe('the document of a registry', () => {
  it.each<[string, object, string | undefined]>([
    ['names the repository', { repository: 'ada/shelf' }, 'https://github.com/ada/shelf/blob/HEAD/'],
    ['names an address of its own', { source: 'https://example.com/login/' }, undefined],
    ['says nothing', {}, undefined],
  ])('that %s gives the address of the sources', (_name, more, source) => {
    const read = readRegistryDocument({ name: 'shelf', versions: { '1.0.0': { ...version, ...more } } }, 'shelf');
    expect(read?.versions.map((one) => one.source)).toEqual([source]);
  });
});
