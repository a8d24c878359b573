import { readFile } from 'node:fs/promises';
import { getCACertificates } from 'node:tls';
import { EnvHttpProxyAgent, request } from 'undici';
import type { Dispatcher } from 'undici';
import type { DriverNetwork } from '../../../common/drivers.ts';
import { HostError } from '../../../common/errors.ts';
import { DriverPolicy } from '../policy/driverPolicy.ts';
import { noProxy } from './noProxy.ts';
import type { RegistrySource } from './registrySource.ts';

/** An archive may lie behind this many redirects. */
const MOST_REDIRECTS = 4;
/** How long a registry may take to connect. */
const CONNECT_MILLISECONDS = 10_000;

export interface RegistryNetworkOptions {
  readonly policy?: DriverPolicy;
  readonly settings?: () => DriverNetwork;
  /** The token for a registry, from the secure store. */
  readonly token?: (url: string) => Promise<string | undefined>;
  readonly env?: NodeJS.ProcessEnv;
}

const PLAIN: DriverNetwork = { offline: false, proxy: '', certificateAuthorityFile: '' };

/** What pacote is told of the way to a registry. */
export interface DownloadNetwork {
  readonly proxy?: string;
  readonly httpsProxy?: string;
  readonly noProxy: string;
  readonly ca?: string[];
  /** `//host/path/:_authToken`: sent to addresses below that one alone. */
  readonly [authToken: `//${string}`]: string;
}

/**
 * The way to registries: whether they may be asked at all, through which proxy, by which certificate authorities, with which token. The
 * settings come before the environment (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`, `NODE_EXTRA_CA_CERTS`, `SSL_CERT_FILE`); the authorities
 * of the operating system count beside Node's own.
 */
export class RegistryNetwork implements AsyncDisposable {
  readonly #policy: DriverPolicy;
  readonly #settings: () => DriverNetwork;
  readonly #token: (url: string) => Promise<string | undefined>;
  readonly #env: NodeJS.ProcessEnv;
  #made: { readonly key: string; readonly dispatcher: Dispatcher } | undefined;
  readonly #old: Promise<void>[] = [];

  constructor(options: RegistryNetworkOptions = {}) {
    this.#policy = options.policy ?? new DriverPolicy();
    this.#settings = options.settings ?? (() => PLAIN);
    this.#token = options.token ?? (async () => undefined);
    this.#env = options.env ?? process.env;
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

  /** What requests go through. */
  async dispatcher(registry: RegistrySource): Promise<Dispatcher> {
    const { proxy, certificateAuthorityFile } = this.#settings();
    const secure = registry.url.startsWith('https:');
    const key = JSON.stringify([proxy, certificateAuthorityFile, secure]);
    if (this.#made?.key === key) return this.#made.dispatcher;
    const ca = secure ? await this.#authorities() : undefined;
    if (this.#made !== undefined) this.#old.push(this.#made.dispatcher.close());
    const tls = ca === undefined ? {} : { ca };
    const dispatcher = new EnvHttpProxyAgent({
      noProxy: noProxy(),
      ...(proxy === '' ? {} : { httpProxy: proxy, httpsProxy: proxy }),
      connect: { timeout: CONNECT_MILLISECONDS, ...tls },
      requestTls: tls,
      proxyTls: tls,
    });
    this.#made = { key, dispatcher };
    return dispatcher;
  }

  async headers(registry: RegistrySource): Promise<Readonly<Record<string, string>>> {
    const token = await this.#token(registry.url);
    return token === undefined ? {} : { authorization: `Bearer ${token}` };
  }

  async download(registry: RegistrySource): Promise<DownloadNetwork> {
    const { proxy } = this.#settings();
    const ca = registry.url.startsWith('https:') ? await this.#authorities() : undefined;
    const token = await this.#token(registry.url);
    return {
      noProxy: noProxy(),
      ...(proxy === '' ? {} : { proxy, httpsProxy: proxy }),
      ...(ca === undefined ? {} : { ca }),
      ...(token === undefined ? {} : { [`${registry.url.replace(/^https?:/, '')}:_authToken` as `//${string}`]: token }),
    };
  }

  /**
   * Where an archive really is. Redirects are followed here and not by the downloader: that would take a token along to another port, or
   * without TLS, as long as the host's name stays the same.
   *
   * @throws HostError `PACKAGE_INVALID` for a way that leaves TLS or does not end, and what the request throws
   */
  async archiveUrl(registry: RegistrySource, url: string, signal: AbortSignal): Promise<string> {
    const token = await this.#token(registry.url);
    const isSecure = registry.url.startsWith('https:');
    if (token === undefined && !isSecure) return url;
    const dispatcher = await this.dispatcher(registry);
    let at = new URL(url);
    for (let hops = 0; hops <= MOST_REDIRECTS; hops += 1) {
      if (isSecure && at.protocol !== 'https:')
        throw new HostError('PACKAGE_INVALID', `The registry leads to ${at.host} without TLS.`);
      const headers: Record<string, string> =
        token !== undefined && at.href.startsWith(registry.url) ? { authorization: `Bearer ${token}` } : {};
      const {
        statusCode,
        headers: answered,
        body,
      } = await request(at, {
        dispatcher,
        signal,
        headers,
        headersTimeout: CONNECT_MILLISECONDS,
      });
      // Only the head was wanted.
      body.on('error', () => undefined).destroy();
      const location = answered['location'];
      if (statusCode < 300 || statusCode >= 400 || typeof location !== 'string') return at.href;
      at = new URL(location, at);
    }
    throw new HostError('PACKAGE_INVALID', `The registry redirects more than ${MOST_REDIRECTS} times.`);
  }

  /** The proxy that a registry is reached through, for messages; without the credentials that its address may hold. */
  proxyOf(registry: RegistrySource): string | undefined {
    const local = ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(registry.url).hostname);
    const fromEnvironment = registry.url.startsWith('https:')
      ? (this.#env['https_proxy'] ?? this.#env['HTTPS_PROXY'] ?? this.#env['http_proxy'] ?? this.#env['HTTP_PROXY'])
      : (this.#env['http_proxy'] ?? this.#env['HTTP_PROXY']);
    const proxy = this.#settings().proxy || fromEnvironment;
    if (local || proxy === undefined || proxy === '') return undefined;
    return URL.canParse(proxy) ? new URL(proxy).host : 'the configured proxy';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#made?.dispatcher.destroy();
    await Promise.allSettled(this.#old);
  }

  /** @throws HostError `INVALID_REQUEST` for a file that cannot be read */
  async #authorities(): Promise<string[]> {
    const files = [this.#env['SSL_CERT_FILE'] ?? '', this.#settings().certificateAuthorityFile].filter((file) => file !== '');
    const read = await Promise.all(
      files.map((file) =>
        readFile(file, 'utf8').catch((cause: unknown) => {
          throw new HostError('INVALID_REQUEST', `The file of certificate authorities ${file} cannot be read.`, { cause });
        }),
      ),
    );
    return [...getCACertificates('default'), ...getCACertificates('extra'), ...getCACertificates('system'), ...read];
  }
}
