import type { LookupFunction } from 'node:net';
import { createSecureContext, getCACertificates } from 'node:tls';
import { Agent, ProxyAgent, request } from 'undici';
import type { Dispatcher } from 'undici';
import type { DriverNetwork } from '../../../common/driversApi.ts';
import { HostError } from '../../../common/errors.ts';
import { DriverPolicy } from '../policy/driverPolicy.ts';
import { Proxies } from './proxies.ts';
import { assertAllowedOrigin, assertStatedPlace, guardedConnector, placesInMemory } from './registryReach.ts';
import type { KnownPlaces } from './registryReach.ts';
import type { RegistrySource } from '../trust/registrySource.ts';
import { ENVIRONMENT } from '../../program/environment.ts';
import { RegistrySettings } from './registrySettings.ts';
import { from } from '../../container/inject.ts';
import type { Inject } from '../../container/inject.ts';
import { readRegularText } from '../../storage/regularFile.ts';

/** An archive may lie behind this many redirects. */
const MOST_REDIRECTS = 4;

/** How long registries may take. Milliseconds. */
export interface RegistryTimes {
  readonly connect: number;
  /** From a request to the head of its answer. */
  readonly answer: number;
  /** Between two pieces of an answer. */
  readonly pause: number;
  /** A whole document, however it trickles. */
  readonly document: number;
  /** Between two pieces of an archive. */
  readonly archivePause: number;
}

/** A connection that ended before an answer. */
const BROKEN = new Set(['ECONNRESET', 'UND_ERR_SOCKET']);

const REGISTRY_TIMES: RegistryTimes = {
  connect: 10_000,
  answer: 10_000,
  pause: 10_000,
  document: 60_000,
  archivePause: 30_000,
};

export interface RegistryNetworkOptions {
  readonly policy?: DriverPolicy;
  readonly settings?: () => DriverNetwork;
  /** The token for a registry, from the secure store. */
  readonly token?: (url: string) => Promise<string | undefined>;
  readonly env?: NodeJS.ProcessEnv;
  readonly times?: Partial<RegistryTimes>;
  /** Default: forgotten with the process. */
  readonly places?: KnownPlaces;
  /** Default: the operating system's. */
  readonly lookup?: LookupFunction;
}

const PLAIN: DriverNetwork = { offline: false, proxy: '', certificateAuthorityFile: '' };

/**
 * The way to registries, for documents and archives alike: whether they may be asked at all, through which proxy, by which certificate
 * authorities, with which token, for how long. The settings come before the environment (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`,
 * `NODE_EXTRA_CA_CERTS`, `SSL_CERT_FILE`); the authorities of the operating system count beside Node's own.
 */
export class RegistryNetwork implements AsyncDisposable {
  static readonly inject: Inject<typeof RegistryNetwork> = {
    policy: DriverPolicy,
    settings: from([RegistrySettings], (settings) => () => settings.network()),
    token: from([RegistrySettings], (settings) => (url: string) => settings.token(url)),
    places: from([RegistrySettings], ({ places }) => places),
    env: ENVIRONMENT,
  };

  readonly times: RegistryTimes;
  readonly #policy: DriverPolicy;
  readonly #settings: () => DriverNetwork;
  readonly #token: (url: string) => Promise<string | undefined>;
  readonly #env: NodeJS.ProcessEnv;
  readonly #places: KnownPlaces;
  readonly #lookup: LookupFunction | undefined;
  /** One for each registry and each way that was ever gone to it. Never closed while another request may be about to take it; idle sockets close automatically. */
  readonly #dispatchers = new Map<string, Promise<Dispatcher>>();
  #isClosed = false;

  constructor(options: RegistryNetworkOptions = {}) {
    this.times = { ...REGISTRY_TIMES, ...options.times };
    this.#policy = options.policy ?? new DriverPolicy();
    this.#settings = options.settings ?? (() => PLAIN);
    this.#token = options.token ?? (async () => undefined);
    this.#env = options.env ?? process.env;
    this.#places = options.places ?? placesInMemory();
    this.#lookup = options.lookup;
  }

  /** @throws HostError `OFFLINE`, `POLICY_FORBIDS` */
  async assertAllowed(registry: RegistrySource): Promise<void> {
    const policy = await this.#policy.current();
    if (policy.offline) throw new HostError('OFFLINE', 'The administrator of this computer has switched on offline mode.');
    if (this.#settings().offline) throw new HostError('OFFLINE');
    await this.#policy.assertRegistry(registry.url);
  }

  async isOffline(): Promise<boolean> {
    return this.#settings().offline || (await this.#policy.current()).offline;
  }

  /**
   * Asks a registry, or an origin that it keeps archives at. Redirects are not followed.
   *
   * @throws HostError `ADDRESS_NOT_ALLOWED` for an address that the registry may not lead to, `CANCELLED` when the host stops, as
   *   {@link assertAllowed}, and what the request throws
   */
  async ask(
    registry: RegistrySource,
    url: URL,
    options: { readonly signal: AbortSignal; readonly headers: Readonly<Record<string, string>>; readonly pause?: number },
  ): Promise<Dispatcher.ResponseData> {
    await this.assertAllowed(registry);
    assertAllowedOrigin(registry, url);
    assertStatedPlace(registry, url, this.#places);
    const token = await this.#token(registry.url);
    const dispatcher = await this.#dispatcher(registry, url);
    if (this.#isClosed) throw new HostError('CANCELLED');
    // Token and authorities take a while to read; offline mode may have been switched on in it.
    if (this.#settings().offline) throw new HostError('OFFLINE');
    const send = (): Promise<Dispatcher.ResponseData> =>
      request(url, {
        dispatcher,
        signal: options.signal,
        headersTimeout: this.times.answer,
        bodyTimeout: options.pause ?? this.times.pause,
        // A token goes to addresses below its registry's alone, and to no other port, host or scheme.
        headers: {
          ...options.headers,
          ...(token !== undefined && isBelow(url, registry.url) ? { authorization: `Bearer ${token}` } : {}),
        },
      });
    try {
      return await send();
    } catch (error) {
      // Its connections were ended under it.
      if (this.#isClosed) throw new HostError('CANCELLED', undefined, { cause: error });
      // A registry may close a connection that it kept in the very moment in which it is used again. Reading twice does no harm.
      if (options.signal.aborted || !BROKEN.has(String((error as { readonly code?: unknown }).code))) throw error;
      return await send();
    }
  }

  /**
   * Asks for an archive, which may be at another origin that a person added to the registry. What comes from there is accepted by its hash
   * alone, and every redirect on the way has to stay on those origins.
   *
   * @throws HostError `PACKAGE_INVALID` for a way that leaves TLS or does not end, and as {@link ask}
   */
  async askForArchive(registry: RegistrySource, url: string, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    let at = new URL(url);
    let isSecure = registry.url.startsWith('https:');
    for (let hops = 0; hops <= MOST_REDIRECTS; hops += 1) {
      if (isSecure && at.protocol !== 'https:') {
        throw new HostError('PACKAGE_INVALID', `The registry leads to ${at.host} without TLS.`, {
          details: { advice: 'Report this to the operator of the registry. Nothing was downloaded.' },
        });
      }
      const answer = await this.ask(registry, at, { signal, headers: { accept: '*/*' }, pause: this.times.archivePause });
      const { location } = answer.headers;
      if (answer.statusCode < 300 || answer.statusCode >= 400 || typeof location !== 'string') return answer;
      // Only the head was wanted.
      answer.body.on('error', () => undefined).destroy();
      isSecure ||= at.protocol === 'https:';
      if (!URL.canParse(location, at)) throw new HostError('PACKAGE_INVALID', 'The registry redirects to an invalid address.');
      at = new URL(location, at);
      if (at.protocol !== 'http:' && at.protocol !== 'https:')
        throw new HostError('PACKAGE_INVALID', `The registry redirects to ${at.protocol}, which isn't an HTTP address.`);
    }
    throw new HostError('PACKAGE_INVALID', `The registry redirects more than ${MOST_REDIRECTS} times.`);
  }

  /** The proxy of an address. @throws HostError `REGISTRY_UNREACHABLE` */
  proxyFor(url: URL): URL | undefined {
    return new Proxies(this.#settings().proxy, this.#env).for(url);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled([...this.#dispatchers.values()].map(async (made) => (await made).destroy()));
  }

  #dispatcher(registry: RegistrySource, url: URL): Promise<Dispatcher> {
    const proxy = this.proxyFor(url);
    // Reading a computer's authorities takes a while, and a registry on this machine needs none.
    const files =
      url.protocol === 'https:' || proxy?.protocol === 'https:'
        ? [this.#env['SSL_CERT_FILE'] ?? '', this.#settings().certificateAuthorityFile].filter((file) => file !== '')
        : undefined;
    const key = JSON.stringify([registry.url, proxy?.href, files]);
    const found = this.#dispatchers.get(key);
    if (found !== undefined) return found;
    const made = this.#newDispatcher(registry, proxy, files);
    this.#dispatchers.set(key, made);
    // A file that could not be read may be there next time.
    made.catch(() => this.#dispatchers.delete(key));
    return made;
  }

  async #newDispatcher(
    registry: RegistrySource,
    proxy: URL | undefined,
    files: readonly string[] | undefined,
  ): Promise<Dispatcher> {
    // Made once: reading several hundred authorities for each connection would take longer than the connection.
    const tls = files === undefined ? {} : { secureContext: createSecureContext({ ca: await authorities(files) }) };
    const { connect: timeout } = this.times;
    if (proxy === undefined) {
      const reach = { registry, known: this.#places, lookup: this.#lookup };
      return new Agent({ connect: guardedConnector(reach, { timeout, ...tls }) });
    }
    // Behind a proxy the proxy looks names up; what a URL states was checked before.
    return new ProxyAgent({
      uri: proxy.href,
      connect: { timeout, ...tls },
      requestTls: { timeout, ...tls },
      proxyTls: { timeout, ...tls },
    });
  }
}

/** Whether an address lies below a registry's, also for a server that decodes `%2f` and `%2e` before it resolves `..`. */
function isBelow(url: URL, registryUrl: string): boolean {
  return url.href.startsWith(registryUrl) && !/(?:^|[/\\]|%2f|%5c)(?:\.|%2e|%252e){2}(?:$|[/\\]|%2f|%5c|;)/i.test(url.pathname);
}

/** @throws HostError `REGISTRY_UNREACHABLE` for a file that cannot be read */
async function authorities(files: readonly string[]): Promise<string[]> {
  const read = await Promise.all(
    files.map((file) =>
      readRegularText(file).catch((cause: unknown) => {
        throw new HostError('REGISTRY_UNREACHABLE', `The file of certificate authorities ${file} cannot be read.`, {
          cause,
          details: { advice: 'Name another file in the settings under Drivers, or in SSL_CERT_FILE.' },
        });
      }),
    ),
  );
  return [...getCACertificates('default'), ...getCACertificates('extra'), ...getCACertificates('system'), ...read];
}
