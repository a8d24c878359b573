import { HostError } from '../../../common/errors.ts';

interface Exception {
  /** `*` for every host. */
  readonly host: string;
  readonly port: string;
  /** `*.example.com`: the hosts below, and not that one. */
  readonly belowOnly: boolean;
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };
/** Never reached through a proxy, whatever the environment says: a local registry is on this machine. */
const THIS_MACHINE = ['127.0.0.1', 'localhost', '::1'];

/**
 * Which proxy an address is reached through: the one of the settings, else what the environment says (`HTTPS_PROXY`, `HTTP_PROXY`,
 * lower-case before upper-case). `NO_PROXY` counts for both, as curl reads it: hosts and what is below them, `*`, with a port or without.
 */
export class Proxies {
  readonly #http: string;
  readonly #https: string;
  readonly #exceptions: readonly Exception[];

  constructor(setting: string, env: NodeJS.ProcessEnv) {
    const fromEnvironment = (name: string): string => env[name.toLowerCase()] ?? env[name] ?? '';
    this.#http = setting === '' ? fromEnvironment('HTTP_PROXY') : setting;
    this.#https = setting === '' ? fromEnvironment('HTTPS_PROXY') || this.#http : setting;
    this.#exceptions = [...THIS_MACHINE, ...fromEnvironment('NO_PROXY').split(/[,\s]+/)].filter(Boolean).map(exceptionOf);
  }

  /** @returns undefined for an address that is reached directly. @throws HostError `REGISTRY_UNREACHABLE` for a proxy that isn't an address */
  for(url: URL): URL | undefined {
    const configured = url.protocol === 'https:' ? this.#https : this.#http;
    if (configured === '' || this.#exceptions.some((exception) => covers(exception, url))) return undefined;
    // Many write `proxy.example:3128`, which other programs take.
    const text = configured.includes('://') ? configured : `http://${configured}`;
    const proxy = URL.canParse(text) ? new URL(text) : undefined;
    if (proxy === undefined || !['http:', 'https:'].includes(proxy.protocol) || proxy.hostname === '') {
      throw new HostError('REGISTRY_UNREACHABLE', 'The proxy for driver registries has no address that can be used.', {
        details: { advice: 'Use one such as http://proxy.example:3128, in the settings under Drivers or in HTTPS_PROXY.' },
      });
    }
    return proxy;
  }
}

function exceptionOf(text: string): Exception {
  // One colon parts host and port; more are an IPv6 address.
  const [, host = '', port = ''] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(text) ?? [undefined, text];
  return {
    host: host
      .replaceAll(/[[\]]/g, '')
      .replace(/^\*?\./, '')
      .replace(/\.$/, '')
      .toLowerCase(),
    port,
    belowOnly: host.startsWith('*.'),
  };
}

function covers({ host, port, belowOnly }: Exception, url: URL): boolean {
  if (port !== '' && port !== (url.port || DEFAULT_PORTS[url.protocol])) return false;
  const asked = url.hostname.replaceAll(/[[\]]/g, '').replace(/\.$/, '').toLowerCase();
  return host === '*' || (!belowOnly && asked === host) || asked.endsWith(`.${host}`);
}
