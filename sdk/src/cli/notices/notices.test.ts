import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { billOfMaterials, packageUrl } from './billOfMaterials.ts';
import { bundledPackages } from './bundledPackage.ts';
import { thirdPartyNotices } from './thirdPartyNotices.ts';

let folder: string;

function put(path: string, content: unknown): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'tabularium-notices-')));
  put('package.json', { name: 'own', version: '1.0.0' });
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('bundledPackages', () => {
  it('finds the package of each module and passes over the own package and virtual modules', async () => {
    put('node_modules/a/package.json', { name: 'a', version: '1.2.3', license: 'MIT', author: { name: 'Ada' } });
    put('node_modules/a/LICENSE', 'The licence of a.\r\nSecond line.\r\n');
    put('node_modules/@s/b/package.json', { name: '@s/b', version: '2.0.0', license: { type: 'ISC' } });
    const modules = [
      put('src/index.js', ''),
      put('node_modules/a/lib/x.js', ''),
      `${put('node_modules/a/lib/y.js', '')}?commonjs`,
      put('node_modules/@s/b/index.js', ''),
      '\0rolldown/runtime.js',
      'node:fs',
    ];
    expect(await bundledPackages(modules, folder)).toEqual([
      { name: '@s/b', version: '2.0.0', license: 'ISC', author: undefined, texts: [] },
      {
        name: 'a',
        version: '1.2.3',
        license: 'MIT',
        author: 'Ada',
        texts: [{ file: 'LICENSE', text: 'The licence of a.\nSecond line.' }],
      },
    ]);
  });

  it('takes two versions of one package for two packages, and a nameless inner package.json for none', async () => {
    put('node_modules/a/package.json', { name: 'a', version: '1.0.0' });
    put('node_modules/a/esm/package.json', { type: 'module' });
    put('node_modules/b/node_modules/a/package.json', { name: 'a', version: '2.0.0' });
    const modules = [put('node_modules/a/esm/x.js', ''), put('node_modules/b/node_modules/a/x.js', '')];
    expect((await bundledPackages(modules, folder)).map(({ name, version }) => `${name} ${version}`)).toEqual([
      'a 1.0.0',
      'a 2.0.0',
    ]);
  });
});

describe('billOfMaterials', () => {
  it('has the same bytes for the same packages, and licenses in the form that CycloneDX requires', () => {
    const parts = [
      { name: 'a', version: '1.0.0', license: 'MIT' },
      { name: '@s/b', version: '1.0.0+x', license: '(MIT OR Apache-2.0)' },
      { name: 'c', version: '3.0.0', license: 'SEE LICENSE IN c.txt' },
      { name: 'd', version: '4.0.0' },
    ];
    const made = billOfMaterials({ name: 'own', version: '1.0.0', license: 'MIT' }, 'library', parts);
    expect(billOfMaterials({ name: 'own', version: '1.0.0', license: 'MIT' }, 'library', parts)).toBe(made);
    const { components } = JSON.parse(made) as { components: { purl: string; licenses?: unknown }[] };
    expect(components.map(({ purl, licenses }) => [purl, licenses])).toEqual([
      ['pkg:npm/a@1.0.0', [{ license: { id: 'MIT' } }]],
      ['pkg:npm/%40s/b@1.0.0%2Bx', [{ expression: '(MIT OR Apache-2.0)' }]],
      ['pkg:npm/c@3.0.0', [{ license: { name: 'SEE LICENSE IN c.txt' } }]],
      ['pkg:npm/d@4.0.0', undefined],
    ]);
  });

  it('names a scoped package as the package URL specification does', () => {
    expect(packageUrl({ name: '@scope/name', version: '1.0.0' })).toBe('pkg:npm/%40scope/name@1.0.0');
  });
});

describe('thirdPartyNotices', () => {
  it('says so when nothing of third parties is inside', () => {
    expect(thirdPartyNotices('own', [])).toBe('own contains no software of third parties.\n');
  });

  it('gives name, version, licence and each licence text', () => {
    const text = thirdPartyNotices('own', [
      { name: 'a', version: '1.0.0', license: 'MIT', author: 'Ada', texts: [{ file: 'LICENSE', text: 'Do as you like.' }] },
      { name: 'b', version: '2.0.0', license: undefined, author: undefined, texts: [] },
    ]);
    expect(text).toContain('a 1.0.0\nLicence: MIT\nAuthor: Ada\n\n[LICENSE]\n\nDo as you like.\n');
    expect(text).toContain('b 2.0.0\nLicence: not stated\n');
  });
});
