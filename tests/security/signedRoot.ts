import { createPrivateKey, sign } from 'node:crypto';
import type { CatalogueKeys } from '@tabularium/registry';
import { keyIdOf } from '@tabularium/sdk/package';
import type { SigningKey } from '@tabularium/sdk/package';
import { Key, Metadata, Root, Signature } from '@tufjs/models';

export interface SignedRootOptions {
  readonly version: number;
  /** The keys of the other roles. */
  readonly keys: CatalogueKeys;
  /** The keys of the root role. */
  readonly rootKeys: readonly SigningKey[];
  readonly threshold: number;
  /** The signer: the private key of `by` under the id of `as` (default: its own). */
  readonly signatures: readonly { readonly by: SigningKey; readonly as?: SigningKey }[];
}

/** The text of an `N.root.json` with any number of root keys, which the registry's own command does not make: an operator's TUF tools do. */
export async function signedRoot({ version, keys, rootKeys, threshold, signatures }: SignedRootOptions): Promise<string> {
  const expires = new Date(Date.now() + 24 * 60 * 60_000).toISOString().replace(/\.\d+Z$/, 'Z');
  const root = new Root({ specVersion: '1.0.31', version, expires, consistentSnapshot: true });
  for (const key of rootKeys) root.addKey(await tufKey(key), 'root');
  for (const role of ['targets', 'snapshot', 'timestamp'] as const) root.addKey(await tufKey(keys[role]), role);
  const { root: role } = root.roles;
  if (role === undefined) throw new Error('A root names its own role.');
  Object.assign(role, { threshold });
  const metadata = new Metadata(root);
  for (const { by, as = by } of signatures) {
    const keyID = await keyIdOf(as.publicKey);
    const privateKey = createPrivateKey({ key: Buffer.from(by.privateKey, 'base64'), format: 'der', type: 'pkcs8' });
    metadata.sign((bytes) => new Signature({ keyID, sig: sign(null, bytes, privateKey).toString('hex') }));
  }
  return JSON.stringify(metadata.toJSON());
}

async function tufKey(key: SigningKey): Promise<Key> {
  const keyVal = { public: Buffer.from(key.publicKey, 'base64').toString('hex') };
  return new Key({ keyID: await keyIdOf(key.publicKey), keyType: 'ed25519', scheme: 'ed25519', keyVal });
}
