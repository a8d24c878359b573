import { fingerprintOf } from '@tabularium/sdk/package';
import type { PackageSignature, Publisher } from '@tabularium/sdk/package';
import type { Manifest } from '@tabularium/sdk/manifest';
import type { PublisherInfo, PublisherKey, ResembledDriver, TrustQuestion } from '../../../common/drivers.ts';
import type { ErrorQuestions } from '../../../common/errorQuestions.ts';
import { HostError } from '../../../common/errors.ts';
import { knownPublisher, publisherInfo } from './knownPublisher.ts';
import type { KnownPublisher } from './knownPublisher.ts';
import type { LocalRegistry } from './localRegistry.ts';
import { resembledName } from './resemblance.ts';
import type { KnownName } from './resemblance.ts';
import type { TrustedPublisher } from './trustStore.ts';
import { join } from 'node:path';
import { HOST_PACKAGE } from '../../program/hostPackage.ts';
import { LOCAL_REGISTRY } from './localRegistry.ts';
import { TrustStore } from './trustStore.ts';
import { from } from '../../container/inject.ts';
import { readBuiltInPublishers } from './builtInPublishers.ts';
import { whileUnchanged } from './whileUnchanged.ts';
import type { Inject } from '../../container/inject.ts';
import { typedWord } from '../../../common/typedWord.ts';

/** The facts that a package states, for the question whether its publisher is to be trusted. */
export interface AskingPackage {
  readonly manifest: Manifest;
  /** The signer of the installed version. */
  readonly before?: PublisherInfo | undefined;
  /** A known publisher of another key, whose name this one has or looks like. */
  readonly resembles?: string | undefined;
  /** A better known driver of another package, whose title or package name this one has or looks like. */
  readonly resemblesDriver?: ResembledDriver | undefined;
}

/** The same before it is known whether anybody must be asked: only then is the package compared with every known driver. */
export interface UndecidedPackage extends Pick<AskingPackage, 'manifest' | 'before'> {
  readonly resembledDriver: () => Promise<ResembledDriver | undefined>;
}

/** The permissions that a driver asks for, in words. */
function requests({ permissions }: Manifest): string {
  const wanted = [
    ...(permissions.http === undefined ? [] : ['to send requests to the one server that a connection names']),
    ...(permissions.socket === undefined ? [] : ['to open connections to the one server that a connection names']),
    ...(permissions.secrets === undefined
      ? []
      : [`to see credentials of its connections: ${permissions.secrets.fields.join(', ')} (${permissions.secrets.reason})`]),
    ...permissions.files.map(({ access }) =>
      access === 'read' ? 'to read the file chosen in a connection' : 'to read and write the file chosen in a connection',
    ),
    ...(permissions.unconfined === undefined
      ? []
      : [`to leave the sandbox for ${permissions.unconfined.grants.join(', ')} (${permissions.unconfined.reason})`]),
  ];
  return wanted.length === 0 ? 'It asks for nothing.' : `It asks ${wanted.join('; ')}.`;
}

/** A package is signed by a key that isn't trusted yet. Carries the question for a person. */
export class UnknownPublisherError extends HostError {
  readonly publisher: KnownPublisher;
  readonly question: TrustQuestion;

  constructor(publisher: KnownPublisher, asking: AskingPackage, packageName: string, version: string) {
    const fingerprint = fingerprintOf(publisher.keyId);
    const { manifest, before, resembles, resemblesDriver } = asking;
    const changed =
      before === undefined ? '' : ` The version that is installed was signed by another key, that of "${before.name}".`;
    const alike =
      resembles === undefined
        ? ''
        : ` This name can be taken for "${resembles}", whose key is another one: it is not the same publisher.`;
    const alikeDriver =
      resemblesDriver === undefined
        ? ''
        : ` This driver can be taken for "${resemblesDriver.title}" (${resemblesDriver.packageName}): it is not the same driver.`;
    super(
      'PACKAGE_KEY_UNKNOWN',
      `${packageName} ${version} is signed by "${publisher.name}" (${publisher.id}), whom you have not trusted. The fingerprint of the key is ${fingerprint}.${alike}${alikeDriver}${changed} ${requests(manifest)}`,
      {
        details: {
          advice: `Compare the fingerprint with the publisher's, then trust it in the settings or with "tabularium drivers trust ${typedWord(fingerprint)}".`,
        },
      },
    );
    this.publisher = publisher;
    this.question = {
      keyId: publisher.keyId,
      fingerprint,
      publisher: { id: publisher.id, name: publisher.name },
      driver: { id: manifest.id, title: manifest.title, packageName, version },
      permissions: manifest.permissions,
      ...(manifest.translations === undefined ? {} : { translations: manifest.translations }),
      ...(before === undefined ? {} : { before }),
      ...(resembles === undefined ? {} : { resembles }),
      ...(resemblesDriver === undefined ? {} : { resemblesDriver }),
    };
  }

  override get questions(): ErrorQuestions {
    return { question: this.question };
  }
}

export interface PublisherTrustOptions {
  readonly builtIn: () => Promise<readonly KnownPublisher[]>;
  readonly localRegistry: () => Promise<LocalRegistry | undefined>;
  readonly store: TrustStore;
}

/** Decides whose signature counts: first-party keys everywhere, the local registry's for what comes from it, third parties' once trusted. */
export class PublisherTrust {
  static readonly inject: Inject<typeof PublisherTrust> = {
    builtIn: from([HOST_PACKAGE], ({ folder }) => {
      const file = join(folder, 'catalogue', 'publishers.json');
      return whileUnchanged(file, () => readBuiltInPublishers(file));
    }),
    localRegistry: LOCAL_REGISTRY,
    store: TrustStore,
  };

  readonly #options: PublisherTrustOptions;

  constructor(options: PublisherTrustOptions) {
    this.#options = options;
  }

  /**
   * The signer of a package, if that key counts for the origin of the package. Name and id are those that the key was trusted under,
   * never those that the package claims.
   *
   * @param signature - already verified
   * @param registryUrl - where the package was downloaded from; undefined for a file
   * @param package_ - for the question that is asked about an unknown key
   * @throws HostError `PACKAGE_KEY_REVOKED`, `PACKAGE_KEY_UNKNOWN`
   */
  async decide(signature: PackageSignature, registryUrl: string | undefined, package_: UndecidedPackage): Promise<PublisherInfo> {
    const { keyId } = signature;
    const { name, version } = signature.package;
    this.assertNotRevoked(keyId, `${name} ${version}`);
    const [firstParty, local] = await Promise.all([this.#options.builtIn(), this.#options.localRegistry()]);
    const builtIn = firstParty.find((publisher) => publisher.keyId === keyId);
    if (builtIn !== undefined) return publisherInfo(builtIn, 'firstParty');
    if (local !== undefined && local.publisher.keyId === keyId && local.url === registryUrl) {
      return publisherInfo(local.publisher, 'localRegistry');
    }
    const trusted = this.#options.store.find(keyId);
    if (trusted !== undefined) return publisherInfo(trusted, 'thirdParty');
    const { id, name: publisherName } = signature.publisher;
    const publisher = { id, name: publisherName, publicKey: signature.publicKey, keyId };
    this.#options.store.ask(publisher);
    const { manifest, before } = package_;
    const changed = before === undefined || before.fingerprint === fingerprintOf(keyId) ? undefined : before;
    const resembles = resembledName(publisher, await this.#known());
    const resemblesDriver = await package_.resembledDriver();
    throw new UnknownPublisherError(publisher, { manifest, before: changed, resembles, resemblesDriver }, name, version);
  }

  /**
   * The signer of a package that is on disk already, if that key is trusted. An unknown key is an error, without a question.
   *
   * @param signature - already verified
   * @throws HostError `PACKAGE_KEY_REVOKED`, `PACKAGE_KEY_UNKNOWN`
   */
  async trusted(signature: PackageSignature): Promise<PublisherInfo> {
    const { keyId } = signature;
    this.assertNotRevoked(keyId, `${signature.package.name} ${signature.package.version}`);
    const [firstParty, local] = await Promise.all([this.#options.builtIn(), this.#options.localRegistry()]);
    const builtIn = firstParty.find((publisher) => publisher.keyId === keyId);
    if (builtIn !== undefined) return publisherInfo(builtIn, 'firstParty');
    // Where it came from is not known any more; the key is the one that this machine's own registry uses now.
    if (local?.publisher.keyId === keyId) return publisherInfo(local.publisher, 'localRegistry');
    const trusted = this.#options.store.find(keyId);
    if (trusted !== undefined) return publisherInfo(trusted, 'thirdParty');
    throw new HostError('PACKAGE_KEY_UNKNOWN');
  }

  /** @param signed - what the key signed, for the message. @throws HostError `PACKAGE_KEY_REVOKED` */
  assertNotRevoked(keyId: string, signed: string): void {
    const revokedAt = this.#options.store.revokedAt(keyId);
    if (revokedAt === undefined) return;
    throw new HostError(
      'PACKAGE_KEY_REVOKED',
      `${signed} is signed by the key ${fingerprintOf(keyId)}, which was revoked on ${revokedAt.slice(0, 10)}.`,
    );
  }

  /** Trusts a third party's key from now on. @throws HostError `INVALID_REQUEST` */
  async trust(publisher: Publisher & { readonly publicKey: string }): Promise<PublisherInfo> {
    const known = await knownPublisher(publisher).catch((cause: unknown) => {
      throw new HostError('INVALID_REQUEST', "The key isn't an Ed25519 public key.", { cause });
    });
    this.#options.store.trust(known);
    return publisherInfo(known, 'thirdParty');
  }

  /**
   * Trusts a key that a person was asked about, or trusted once.
   *
   * @param shown - the publisher as the person saw it; another package of the same key may have given it another name since
   * @throws HostError `INVALID_REQUEST`
   */
  trustKey(keyId: string, shown?: Publisher): PublisherInfo {
    const known = this.#options.store.known(keyId);
    if (known === undefined) {
      throw new HostError('INVALID_REQUEST', `The key ${fingerprintOf(keyId)} hasn't been shown for confirmation.`, {
        details: { advice: 'Install the driver first, then confirm its key.' },
      });
    }
    if (shown !== undefined && (shown.name !== known.name || shown.id !== known.id)) {
      throw new HostError(
        'INVALID_REQUEST',
        `The publisher of the key ${fingerprintOf(keyId)} has another name than you were shown.`,
        {
          details: { advice: 'Install the driver again, and compare the name and fingerprint.' },
        },
      );
    }
    this.#options.store.trust(known);
    return publisherInfo(known, 'thirdParty');
  }

  /** Whether a person was asked about this key. */
  wasAsked(keyId: string): boolean {
    return this.#options.store.known(keyId) !== undefined;
  }

  /** A key that is built in, or the local registry's, counts again. */
  restore(keyId: string): void {
    this.#options.store.restore(keyId);
  }

  /** From now on nothing signed by this key is installed or loaded. */
  revoke(keyId: string): void {
    this.#options.store.revoke(keyId);
  }

  /** The third parties that somebody trusted, revoked ones included. */
  list(): readonly TrustedPublisher[] {
    return this.#options.store.list();
  }

  /** Every key that counts or was revoked. */
  async keys(): Promise<readonly PublisherKey[]> {
    const { store, builtIn, localRegistry } = this.#options;
    const local = await localRegistry();
    const keys = [
      ...(await builtIn()).map((publisher) => ({ publisher, origin: 'firstParty' as const })),
      ...(local === undefined ? [] : [{ publisher: local.publisher, origin: 'localRegistry' as const }]),
    ].map(({ publisher, origin }): PublisherKey => {
      const revokedAt = store.revokedAt(publisher.keyId);
      return {
        ...publisherInfo(publisher, origin),
        keyId: publisher.keyId,
        ...(revokedAt === undefined ? {} : { revokedAt }),
      };
    });
    const listed = new Set(keys.map(({ keyId }) => keyId));
    for (const publisher of store.list()) {
      if (listed.has(publisher.keyId)) continue;
      listed.add(publisher.keyId);
      const { keyId, addedAt, revokedAt } = publisher;
      keys.push({
        ...publisherInfo(publisher, 'thirdParty'),
        keyId,
        addedAt,
        ...(revokedAt === undefined ? {} : { revokedAt }),
      });
    }
    for (const { keyId, revokedAt } of store.revokedKeys()) {
      if (listed.has(keyId)) continue;
      const { id, name } = store.known(keyId) ?? { id: '', name: '' };
      keys.push({ ...publisherInfo({ id, name, keyId }, 'thirdParty'), keyId, revokedAt });
    }
    // The earlier one of two like names is the known one: built in, local, then in the order of trust.
    return keys.map((key, place) => {
      const resembles = resembledName(key, key.origin === 'thirdParty' ? keys.slice(0, place) : []);
      return resembles === undefined || key.origin !== 'thirdParty' ? key : { ...key, resembles };
    });
  }

  async #known(): Promise<readonly KnownName[]> {
    const { store, builtIn, localRegistry } = this.#options;
    const local = await localRegistry();
    return [...(await builtIn()), ...(local === undefined ? [] : [local.publisher]), ...store.list()];
  }
}
