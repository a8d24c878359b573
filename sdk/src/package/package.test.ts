import { describe, expect, it } from 'vitest';
import { faultOfFiles, faultOfPath, PACKAGE_LIMITS } from './files.ts';
import { createSigningKey, fingerprintOf, keyIdOf } from './keys.ts';
import { parseDriverPackageJson } from './packageJson.ts';
import { signPackageFiles } from './sign.ts';
import { SIGNATURE_FILE } from './signature.ts';
import { verifyPackageFiles } from './verify.ts';

const publisher = { id: 'acme', name: 'Acme' };
const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

const packageJson = {
  name: '@acme/driver-x',
  version: '1.2.3',
  type: 'module',
  exports: { '.': './dist/index.js', './package.json': './package.json' },
  tabularium: {
    manifestVersion: 1,
    id: 'x',
    sdk: '^1.0',
    title: 'X',
    tagline: 'A driver for tests.',
    category: 'other',
    icon: 'M0 0h24v24H0z',
    terms: {
      table: { one: 'Table', other: 'Tables' },
      row: { one: 'Row', other: 'Rows' },
      column: { one: 'Column', other: 'Columns' },
    },
    connection: { fields: [{ id: 'name', label: 'Name', type: 'text' }] },
    permissions: {},
    reading: { maxSorts: 0 },
  },
};

function files(change: Readonly<Record<string, unknown>> = {}): Map<string, Uint8Array<ArrayBuffer>> {
  return new Map([
    ['package.json', encode(JSON.stringify({ ...packageJson, ...change }))],
    ['dist/index.js', encode('export const driver = 1;')],
  ]);
}

describe('signing a package', () => {
  it('proves every file, and gives the same signature for the same content', async () => {
    const key = await createSigningKey();
    const signature = await signPackageFiles(files(), publisher, key);
    expect(await signPackageFiles(files().set(SIGNATURE_FILE, signature), publisher, key)).toEqual(signature);
    const verified = await verifyPackageFiles(files().set(SIGNATURE_FILE, signature));
    expect(verified).toMatchObject({
      ok: true,
      signature: {
        formatVersion: 1,
        publisher,
        keyId: await keyIdOf(key.publicKey),
        package: { name: '@acme/driver-x', version: '1.2.3' },
      },
    });
  });

  it.each([
    ['no package.json', (f: Map<string, Uint8Array<ArrayBuffer>>) => f.delete('package.json'), /no package\.json/],
    ['no entry', (f: Map<string, Uint8Array<ArrayBuffer>>) => f.delete('dist/index.js'), /dist\/index\.js.*Build the driver/],
    ['a hidden file', (f: Map<string, Uint8Array<ArrayBuffer>>) => f.set('.env', encode('SECRET=1')), /"\.env"/],
  ])('refuses a package with %s', async (_what, change, message) => {
    const changed = files();
    change(changed);
    await expect(signPackageFiles(changed, publisher, await createSigningKey())).rejects.toThrow(message);
  });

  it('names a key by the hash of its bytes, in groups that people can compare', async () => {
    // SHA-256 of 32 zero bytes.
    const keyId = await keyIdOf(btoa('\0'.repeat(32)));
    expect(keyId).toBe('66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925');
    expect(fingerprintOf(keyId)).toMatch(/^6668 7aad f862 bd77 /);
    await expect(keyIdOf('AAAA')).rejects.toThrow(TypeError);
  });
});

describe('verifying a package', () => {
  it('fails for each part of the signature that is changed', async () => {
    const signed = await signPackageFiles(files(), publisher, await createSigningKey());
    const signature = JSON.parse(new TextDecoder().decode(signed)) as Record<string, unknown>;
    const changes: readonly Record<string, unknown>[] = [
      { publisher: { id: 'acme', name: 'Another' } },
      { publisher: { id: 'other', name: 'Acme' } },
      { package: { name: '@acme/driver-x', version: '9.9.9' } },
      { package: { name: '@acme/driver-y', version: '1.2.3' } },
      { files: {} },
      { keyId: 'f'.repeat(64) },
      { publicKey: (await createSigningKey()).publicKey },
      { signature: btoa('\0'.repeat(64)) },
      { unknownField: 1 },
    ];
    for (const change of changes) {
      const result = await verifyPackageFiles(files().set(SIGNATURE_FILE, encode(JSON.stringify({ ...signature, ...change }))));
      expect({ change, result }).toMatchObject({ change, result: { ok: false, fault: 'invalid' } });
    }
  });

  it.each([
    ['nothing', undefined, 'unsigned'],
    ['no JSON', encode('{'), 'invalid'],
    ['no text', new Uint8Array([0xff, 0xfe]), 'invalid'],
    ['far too much', encode(' '.repeat(70_000)), 'invalid'],
    ['a newer form', encode('{"formatVersion":2,"anything":true}'), 'newer'],
  ])('says what is wrong when the signature is %s', async (_what, signature, fault) => {
    const signed = files();
    if (signature !== undefined) signed.set(SIGNATURE_FILE, signature);
    expect(await verifyPackageFiles(signed)).toMatchObject({ ok: false, fault });
  });
});

describe('the paths of a package', () => {
  it.each(['package.json', 'dist/index.js', 'README.md', 'a/b/c/d/e/f.js', '@scope/x+y-1_2.js'])('may be %s', (path) => {
    expect(faultOfPath(path)).toBeUndefined();
  });

  it.each([
    '',
    '.',
    '..',
    '../x',
    'a/../x',
    '/x',
    'a//b',
    'a/',
    '.env',
    'a/.git/config',
    'C:\\x',
    'a\\b',
    'c:x',
    'nul',
    'dist/COM1.js',
    'x.',
    'x ',
    'ü.js',
    'x\0.js',
    'x\n.js',
    'a*b',
    'a/b/c/d/e/f/g.js',
    'x'.repeat(201),
  ])('may not be %j', (path) => {
    expect(faultOfPath(path)).toBeDefined();
  });

  it('have limits in number and size', () => {
    const many = new Map(Array.from({ length: PACKAGE_LIMITS.files + 1 }, (_, index) => [`${index}.js`, 1] as const));
    expect(faultOfFiles(many)).toMatch(/more than 32 files/);
    expect(faultOfFiles(new Map([['a.js', PACKAGE_LIMITS.fileBytes + 1]]))).toMatch(/a\.js.*larger/);
    const large = new Map([
      ['a.js', PACKAGE_LIMITS.fileBytes],
      ['b.js', PACKAGE_LIMITS.fileBytes],
    ]);
    expect(faultOfFiles(large)).toMatch(/together/);
    expect(
      faultOfFiles(
        new Map([
          ['A.js', 1],
          ['a.js', 1],
        ]),
      ),
    ).toMatch(/letter case/);
  });
});

describe("a driver's package.json", () => {
  it.each([
    [{ exports: './dist/index.js' }, 'dist/index.js'],
    [{ exports: { import: './dist/a.js', default: './dist/b.js' } }, 'dist/a.js'],
    [{ exports: { '.': { node: { import: './dist/c.js' } } } }, 'dist/c.js'],
    [{ exports: undefined, main: 'dist/d.js' }, 'dist/d.js'],
  ])('names its entry: %j', (change, entry) => {
    expect(parseDriverPackageJson({ ...packageJson, ...change })).toMatchObject({ ok: true, packageJson: { entry } });
  });

  it.each([
    [{ exports: undefined }, /names no entry/],
    [{ exports: { './other': './x.js' }, main: 'x.js' }, /names no entry/],
    [{ exports: '../x.js' }, /isn't a file of the package/],
    [{ dependencies: { a: '1' } }, /"dependencies"/],
    [{ bundledDependencies: ['a'] }, /"bundledDependencies"/],
    [{ scripts: { postinstall: 'x' } }, /lifecycle script "postinstall"/],
    [{ gypfile: true }, /gypfile/],
    [{ version: '1.0' }, /exact version/],
    [{ name: '../x' }, /name/],
    [{ tabularium: undefined }, /no "tabularium" field/],
    [{ tabularium: { manifestVersion: 1 } }, /id/],
  ])('is refused with %j', (change, message) => {
    const result = parseDriverPackageJson({ ...packageJson, ...change });
    expect(result.ok ? '' : result.problems.join(' ')).toMatch(message);
  });

  it('may have scripts and development dependencies that nothing runs or installs', () => {
    const change = {
      $schema: './node_modules/x.json',
      scripts: { build: 'tsc', test: 'vitest' },
      devDependencies: { typescript: '7.0.2' },
      dependencies: {},
    };
    expect(parseDriverPackageJson({ ...packageJson, ...change }).ok).toBe(true);
  });

  it('of a newer manifest asks for an update', () => {
    expect(parseDriverPackageJson({ ...packageJson, tabularium: { manifestVersion: 2 } })).toMatchObject({
      ok: false,
      newer: true,
    });
  });
});
