import { fingerprintOf } from '@tabularium/sdk/package';
import type { PackageSignature, Publisher } from '@tabularium/sdk/package';
import type { PublisherInfo } from '../../../common/drivers.ts';
import { HostError } from '../../../common/errors.ts';
import { knownPublisher, publisherInfo } from './knownPublisher.ts';
import type { KnownPublisher } from './knownPublisher.ts';
import type { LocalRegistry } from './localRegistry.ts';
import type { TrustedPublisher, TrustStore } from './trustStore.ts';

/** A package is signed by a key that nobody has trusted yet. Carries what {@link PublisherTrust.trust} needs after a person agreed. */
export class UnknownPublisherError extends HostError {
  readonly publisher: KnownPublisher;

  constructor(publisher: KnownPublisher, packageText: string) {
    super(
      'PACKAGE_KEY_UNKNOWN',
      `${packageText} is signed by "${publisher.name}" (${publisher.id}), whom you have not trusted. The fingerprint of the key is ${fingerprintOf(publisher.keyId)}.`,
    );
    this.publisher = publisher;
  }
}

export interface PublisherTrustOptions {
  readonly builtIn: () => Promise<readonly KnownPublisher[]>;
  readonly localRegistry: () => Promise<LocalRegistry | undefined>;
  readonly store: TrustStore;
}

/** Decides whose signature counts: first-party keys everywhere, the local registry's for what comes from it, third parties' once trusted. */
export class PublisherTrust {
  readonly #options: PublisherTrustOptions;

  constructor(options: PublisherTrustOptions) {
    this.#options = options;
  }

  /**
   * Who signed a package, if that key counts for where the package came from. Name and id are those that the key was trusted under,
   * never those that the package claims.
   *
   * @param signature - already verified
   * @param registryUrl - where the package was downloaded from; undefined for a file
   * @throws HostError `PACKAGE_KEY_REVOKED`, `PACKAGE_KEY_UNKNOWN`
   */
  async decide(signature: PackageSignature, registryUrl: string | undefined): Promise<PublisherInfo> {
    const { keyId } = signature;
    this.assertNotRevoked(keyId);
    const builtIn = (await this.#options.builtIn()).find((publisher) => publisher.keyId === keyId);
    if (builtIn !== undefined) return publisherInfo(builtIn, 'firstParty');
    const local = await this.#options.localRegistry();
    if (local !== undefined && local.publisher.keyId === keyId && local.url === registryUrl) {
      return publisherInfo(local.publisher, 'localRegistry');
    }
    const trusted = this.#options.store.find(keyId);
    if (trusted !== undefined) return publisherInfo(trusted, 'thirdParty');
    const { name, version } = signature.package;
    throw new UnknownPublisherError(
      { id: signature.publisher.id, name: signature.publisher.name, publicKey: signature.publicKey, keyId },
      `${name} ${version}`,
    );
  }

  /** @throws HostError `PACKAGE_KEY_REVOKED` */
  assertNotRevoked(keyId: string): void {
    const revokedAt = this.#options.store.revokedAt(keyId);
    if (revokedAt === undefined) return;
    throw new HostError('PACKAGE_KEY_REVOKED', `The key ${fingerprintOf(keyId)} was revoked on ${revokedAt.slice(0, 10)}.`);
  }

  /** Trusts a third party's key from now on. @throws HostError `INVALID_REQUEST` */
  async trust(publisher: Publisher & { readonly publicKey: string }): Promise<PublisherInfo> {
    const known = await knownPublisher(publisher).catch((cause: unknown) => {
      throw new HostError('INVALID_REQUEST', 'That is no Ed25519 public key.', { cause });
    });
    this.#options.store.trust(known);
    return publisherInfo(known, 'thirdParty');
  }

  /** From now on nothing signed by this key is installed or loaded. */
  revoke(keyId: string): void {
    this.#options.store.revoke(keyId);
  }

  /** The third parties that somebody trusted, revoked ones included. */
  list(): readonly TrustedPublisher[] {
    return this.#options.store.list();
  }
}
