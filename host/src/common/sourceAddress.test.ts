import { describe, expect, it } from 'vitest';
import { sourceAddress } from './sourceAddress.ts';

const github = 'https://github.com/ada/shelf/blob/HEAD/';

describe('the address of the files of a package', () => {
  it.each<[unknown, string | undefined]>([
    ['ada/shelf', github],
    ['github:ada/shelf', github],
    ['gitlab:ada/shelf', 'https://gitlab.com/ada/shelf/-/blob/HEAD/'],
    ['git+https://github.com/ada/shelf.git', github],
    ['git@github.com:ada/shelf.git', github],
    [{ type: 'git', url: 'git+ssh://git@github.com/ada/shelf.git' }, github],
    [{ url: 'https://github.com/ada/shelf', directory: './drivers/one/' }, `${github}drivers/one/`],
    [{ url: 'https://github.com/ada/shelf', directory: '../../other/evil' }, github],
    [undefined, undefined],
    [7, undefined],
    ['https://example.com/ada/shelf', undefined],
    ['https://github.com.example.com/ada/shelf', undefined],
    ['https://github.com/ada', undefined],
    ['https://github.com/ada/shelf/tree/main', undefined],
    ['https://github.com/../..', undefined],
    ['javascript:alert(1)', undefined],
    [`github:${'a'.repeat(2_000)}/b`, undefined],
  ])('%j is at %s', (repository, address) => {
    expect(sourceAddress(repository)).toBe(address);
  });
});
