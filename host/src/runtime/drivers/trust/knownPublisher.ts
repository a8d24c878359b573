import { fingerprintOf, keyIdOf } from '@tabularium/sdk/package';
import type { Publisher } from '@tabularium/sdk/package';
import type { PublisherInfo } from '../../../common/drivers.ts';

/** A publisher with the key by which its packages are known. */
export interface KnownPublisher extends Publisher {
  /** The raw Ed25519 key, base64. */
  readonly publicKey: string;
  /** SHA-256 of the raw key, hexadecimal. */
  readonly keyId: string;
}

/** @throws TypeError when the key is none */
export async function knownPublisher(publisher: Publisher & { readonly publicKey: string }): Promise<KnownPublisher> {
  const { id, name, publicKey } = publisher;
  return { id, name, publicKey, keyId: await keyIdOf(publicKey) };
}

/** A publisher as it is shown. */
export function publisherInfo(publisher: Publisher & { readonly keyId: string }, origin: PublisherInfo['origin']): PublisherInfo {
  return { id: publisher.id, name: publisher.name, fingerprint: fingerprintOf(publisher.keyId), origin };
}
