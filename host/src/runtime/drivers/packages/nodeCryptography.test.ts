import { createHash } from 'node:crypto';
import {
  createSigningKey,
  packPackageFiles,
  SIGNATURE_FILE,
  signPackageFiles,
  verifyPackageFiles,
} from '@tabularium/sdk/package';
import { describe, expect, it } from 'vitest';
import { HostError } from '../../../common/errors.ts';
import { nodeCryptography } from './nodeCryptography.ts';
import { readTarball } from './readTarball.ts';

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const key = await createSigningKey();
const rawKey = new Uint8Array(Buffer.from(key.publicKey, 'base64'));

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

async function signedPackage(): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const contents = new Map([
    ['package.json', bytesOf(JSON.stringify(packageJson))],
    ['dist/index.js', bytesOf('export const driver = 1;')],
  ]);
  return contents.set(SIGNATURE_FILE, await signPackageFiles(contents, { id: 'acme', name: 'Acme' }, key));
}

describe('hashes', () => {
  it.each([0, 1, 1024 * 1024, 1024 * 1024 + 1])('of %i bytes are those of the algorithm', async (length) => {
    const bytes = new Uint8Array(length).fill(7);
    expect(Buffer.from(await nodeCryptography.sha512(bytes))).toEqual(createHash('sha512').update(bytes).digest());
    expect(Buffer.from(await nodeCryptography.sha256(bytes))).toEqual(createHash('sha256').update(bytes).digest());
  });
});

describe('a verification gives the verdict of the default algorithms', () => {
  const changes: [string, (files: Map<string, Uint8Array<ArrayBuffer>>) => void][] = [
    ['for an unchanged package', () => undefined],
    ['for a changed file', (files) => void files.set('dist/index.js', bytesOf('export const driver = 2;'))],
    ['for an added file', (files) => void files.set('dist/more.js', bytesOf(''))],
    ...['signature', 'publicKey', 'keyId'].flatMap((field) =>
      ['', 'AAAA', Buffer.alloc(32, 0xff).toString('base64'), Buffer.alloc(64, 1).toString('base64')].map(
        (value): [string, (files: Map<string, Uint8Array<ArrayBuffer>>) => void] => [
          `with ${field} ${JSON.stringify(value)}`,
          (files) => {
            const signature: unknown = JSON.parse(new TextDecoder().decode(files.get(SIGNATURE_FILE)));
            files.set(SIGNATURE_FILE, bytesOf(JSON.stringify({ ...(signature as object), [field]: value })));
          },
        ],
      ),
    ),
  ];

  it.each(changes)('%s', async (_what, change) => {
    const files = await signedPackage();
    change(files);
    expect(await verifyPackageFiles(files, nodeCryptography)).toEqual(await verifyPackageFiles(files));
  });

  it('which accepts what was signed and nothing else', async () => {
    expect(await verifyPackageFiles(await signedPackage(), nodeCryptography)).toMatchObject({ ok: true });
    const verdicts = await Promise.all(
      changes.slice(1).map(async ([, change]) => {
        const files = await signedPackage();
        change(files);
        return (await verifyPackageFiles(files, nodeCryptography)).ok;
      }),
    );
    expect(verdicts).not.toContain(true);
  });

  it('for a key of all zeros, whose signatures anybody could make, as the default does', async () => {
    const zeros = new Uint8Array(32);
    const signature = new Uint8Array(64);
    const verdict = async (): Promise<unknown> => nodeCryptography.verifyEd25519(zeros, signature, rawKey);
    await expect(verdict().catch(() => false)).resolves.toBe(false);
  });
});

describe('an archive', () => {
  it('of any size is unpacked to what was packed', async () => {
    for (const size of [10, 1024 * 1024 + 5]) {
      const files = new Map([['dist/index.js', new Uint8Array(size).fill(120)]]);
      const archive = await packPackageFiles(files);
      const unpacked = await readTarball(archive, 'acme 1.0.0', new AbortController().signal);
      expect(unpacked.get('dist/index.js')?.length).toBe(size);
    }
  });

  it('that claims to be small is unpacked as far as its content goes, or found damaged', async () => {
    const archive = new Uint8Array(
      await packPackageFiles(new Map([['dist/index.js', new Uint8Array(3 * 1024 * 1024).fill(120)]])),
    );
    new DataView(archive.buffer).setUint32(archive.length - 4, 100, true);
    await expect(readTarball(archive, 'acme 1.0.0', new AbortController().signal)).rejects.toMatchObject({
      code: 'PACKAGE_INVALID',
    });
  });

  it.each([0, 1, 3, 20])('of %i bytes is not readable', async (length) => {
    await expect(readTarball(new Uint8Array(length), 'acme 1.0.0', new AbortController().signal)).rejects.toThrow(HostError);
  });
});
