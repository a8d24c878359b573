/** A registry that drivers come from. */
export interface RegistrySource {
  /** Names its cached documents. The local registry keeps its own although its port changes; others are named by their address. */
  readonly id: string;
  /** Ends with a slash. */
  readonly url: string;
  readonly name: string;
  /** Packages to look for where the registry has no search. */
  readonly packages?: readonly string[];
  /** Asked for packages of these scopes alone, and they are asked for nowhere else. */
  readonly scopes?: readonly string[];
  /** Origins beside its own that archives may be downloaded from, such as `https://cdn.example`. A person added them. */
  readonly downloadOrigins?: readonly string[];
}

/** The id of the registry that runs on this machine. */
export const LOCAL_REGISTRY_ID = 'local';

/** One form for an address: absolute, http or https, no credentials, query or fragment, ends with a slash. @throws TypeError */
export function normaliseRegistryUrl(text: string): string {
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new TypeError(`${url.protocol} isn't a supported protocol for a registry.`);
  if (url.username !== '' || url.password !== '') throw new TypeError("The address of a registry can't contain credentials.");
  // Often a token, which would be dropped silently.
  if (url.search !== '' || url.hash !== '') throw new TypeError('The address of a registry has no query and no fragment.');
  return url.href.endsWith('/') ? url.href : `${url.href}/`;
}

/** One form for a download origin: scheme, host and port. @throws TypeError for anything that has a path, query, fragment or credentials */
export function normaliseDownloadOrigin(text: string): string {
  const url = new URL(normaliseRegistryUrl(text));
  if (url.pathname !== '/' || /[?#]/.test(text))
    throw new TypeError('An origin has a scheme, a host and a port, and nothing after them.');
  return url.origin;
}

/** A registry by its address. @throws TypeError */
export function registrySource(
  url: string,
  options: Partial<Pick<RegistrySource, 'name' | 'packages' | 'scopes' | 'downloadOrigins'>> = {},
): RegistrySource {
  const normalised = normaliseRegistryUrl(url);
  const name = options.name ?? new URL(normalised).host;
  const { packages, scopes, downloadOrigins } = options;
  return {
    id: normalised,
    url: normalised,
    name,
    ...(packages === undefined ? {} : { packages }),
    ...(scopes === undefined || scopes.length === 0 ? {} : { scopes }),
    ...(downloadOrigins === undefined || downloadOrigins.length === 0 ? {} : { downloadOrigins }),
  };
}

/** Whether a registry is the one to ask for a package, among all that there are: a scope belongs to the registry that claims it. */
export function isAskedFor(registry: RegistrySource, packageName: string, all: readonly RegistrySource[]): boolean {
  const scope = packageName.startsWith('@') ? packageName.slice(0, packageName.indexOf('/')) : undefined;
  const claims = (source: RegistrySource): boolean => scope !== undefined && source.scopes?.includes(scope) === true;
  if (registry.scopes !== undefined) return claims(registry);
  // The local registry runs on this machine and is asked for everything: a developer tries a driver there before it is published.
  return registry.id === LOCAL_REGISTRY_ID || !all.some(claims);
}
