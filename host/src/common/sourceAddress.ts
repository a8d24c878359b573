/** Sites whose addresses of files have a known form, by host: the part between the repository and the path of a file. */
const SITES: ReadonlyMap<string, string> = new Map([
  ['github.com', 'blob/HEAD'],
  ['gitlab.com', '-/blob/HEAD'],
  ['codeberg.org', 'src/branch/HEAD'],
  ['bitbucket.org', 'src/HEAD'],
]);
/** The short forms of npm: `github:ada/driver`, and without a site as well. */
const SHORT = /^(?:(?<site>github|gitlab|bitbucket):)?(?<owner>[\w.-]{1,100})\/(?<name>[\w.-]{1,100})$/;
const SHORT_HOSTS: Readonly<Record<string, string>> = { github: 'github.com', gitlab: 'gitlab.com', bitbucket: 'bitbucket.org' };
const NAME = /^[\w.-]{1,100}$/;
/** A package in a part of the repository. */
const DIRECTORY = /^[\w@.+-]{1,100}(?:\/[\w@.+-]{1,100}){0,9}$/;

/**
 * Where the files of a package can be read on the web, for the relative links of its readme.
 *
 * @param repository - the member of package.json
 * @returns an address that ends in a slash; undefined where the member is absent, or of a site whose addresses aren't known
 */
export function sourceAddress(repository: unknown): string | undefined {
  const { url, directory } = partsOf(repository);
  const place = url === undefined ? undefined : placeOf(url);
  const between = place === undefined ? undefined : SITES.get(place.host);
  if (place === undefined || between === undefined || !NAME.test(place.owner) || !NAME.test(place.name)) return undefined;
  if ([place.owner, place.name].some((name) => /^\.+$/.test(name))) return undefined;
  const isWithin =
    directory !== undefined && DIRECTORY.test(directory) && !directory.split('/').some((part) => /^\.+$/.test(part));
  return `https://${place.host}/${place.owner}/${place.name}/${between}/${isWithin ? `${directory}/` : ''}`;
}

function partsOf(repository: unknown): { readonly url?: string; readonly directory?: string } {
  if (typeof repository === 'string') return { url: repository };
  if (typeof repository !== 'object' || repository === null) return {};
  const url = 'url' in repository && typeof repository.url === 'string' ? { url: repository.url } : {};
  const directory =
    'directory' in repository && typeof repository.directory === 'string'
      ? { directory: repository.directory.replace(/^\.\//, '').replace(/\/$/, '') }
      : {};
  return { ...url, ...directory };
}

function placeOf(text: string): { readonly host: string; readonly owner: string; readonly name: string } | undefined {
  if (text.length > 1_000) return undefined;
  const { site = 'github', owner, name } = SHORT.exec(text)?.groups ?? {};
  if (owner !== undefined && name !== undefined) return { host: SHORT_HOSTS[site] ?? '', owner, name: withoutEnding(name) };
  const url = URL.parse(text.replace(/^git\+/, '').replace(/^git@([^:/]+):/, 'ssh://git@$1/'));
  if (url === null || !['https:', 'http:', 'git:', 'ssh:'].includes(url.protocol)) return undefined;
  const [first, second, ...rest] = url.pathname.split('/').filter((part) => part !== '');
  if (first === undefined || second === undefined || rest.length > 0) return undefined;
  return { host: url.hostname, owner: first, name: withoutEnding(second) };
}

function withoutEnding(name: string): string {
  return name.replace(/\.git$/, '');
}
