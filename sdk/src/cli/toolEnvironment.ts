/**
 * Variables that programs of the author's machine need: to find other programs, a home, the language, certificates and a way out of the network.
 * Everything else stays behind, because anything may hold a secret: tokens of CI, keys of clouds, passphrases.
 */
const PASSED = [
  ...['PATH', 'HOME', 'USERPROFILE', 'TMPDIR', 'TEMP', 'TMP', 'LANG', 'LC_ALL', 'TZ', 'CI'],
  ...['SYSTEMROOT', 'WINDIR', 'COMSPEC', 'PATHEXT', 'APPDATA', 'LOCALAPPDATA', 'PROGRAMFILES'],
  ...['XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME', 'XDG_RUNTIME_DIR'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'],
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'DOCKER_HOST'],
] as const;
const NAMES: ReadonlySet<string> = new Set(PASSED);
const PROXIES: ReadonlySet<string> = new Set(['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']);

/**
 * The environment for a program that works on the sources of a driver. Names are compared without regard to letter case, as proxies are written
 * both ways; the name and password in the address of a proxy stay behind.
 */
export function toolEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => {
      const upper = name.toUpperCase();
      if (value === undefined || !NAMES.has(upper)) return [];
      return [[name, PROXIES.has(upper) ? withoutUser(value) : value]];
    }),
  );
}

/** The address of a proxy without what signs in there. */
function withoutUser(address: string): string {
  // Without a scheme the part before the first colon would be taken for one.
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(address) || !URL.canParse(address)) return address.includes('@') ? '' : address;
  const url = new URL(address);
  if (url.username === '' && url.password === '') return address;
  url.username = '';
  url.password = '';
  return url.href;
}
