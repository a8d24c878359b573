import { createPrivateKey, sign } from 'node:crypto';
import { manifestSchema } from '@tabularium/sdk/manifest';
import type { Manifest } from '@tabularium/sdk/manifest';
import { integrityOf, keyIdOf, SIGNATURE_FILE } from '@tabularium/sdk/package';
import type { PackageFiles, Publisher, SigningKey } from '@tabularium/sdk/package';
import { tinyManifest } from '../../registry/src/tinyDriver.test-helper.ts';

/** Signs anything, as a publisher would who has the key and no scruples. Written from the format's description, apart from the sdk's own. */
export async function signUnchecked(files: PackageFiles, publisher: Publisher, key: SigningKey): Promise<PackageFiles> {
  const { name, version } = JSON.parse(new TextDecoder().decode(files.get('package.json'))) as { name: string; version: string };
  const hashes = await Promise.all(Array.from(files, async ([path, bytes]) => [path, await integrityOf(bytes)] as const));
  hashes.sort(([a], [b]) => (a < b ? -1 : 1));
  const keyId = await keyIdOf(key.publicKey);
  const content = [1, [publisher.id, publisher.name], keyId, key.publicKey, [name, version], hashes];
  const message = `tabularium driver package signature 1\n${JSON.stringify(content)}`;
  const privateKey = createPrivateKey({ key: Buffer.from(key.privateKey, 'base64'), format: 'der', type: 'pkcs8' });
  const signature = {
    formatVersion: 1,
    publisher,
    keyId,
    publicKey: key.publicKey,
    package: { name, version },
    files: Object.fromEntries(hashes),
    signature: sign(null, Buffer.from(message), privateKey).toString('base64'),
  };
  return new Map(files).set(SIGNATURE_FILE, new TextEncoder().encode(JSON.stringify(signature)));
}

/** The manifest of a tiny driver, with every default. */
export function manifestFor(id: string): Manifest {
  return manifestSchema.parse(tinyManifest(id));
}
