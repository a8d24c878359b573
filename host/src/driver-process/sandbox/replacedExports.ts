import { OwnError } from './intrinsics.ts';

const { platform, arch } = process;
const SYSTEMS: Readonly<Record<string, string>> = { aix: 'AIX', darwin: 'Darwin', linux: 'Linux', win32: 'Windows_NT' };

/** A function or class that exists, so that a library can be loaded, and fails when it is used. */
function failing(module: string, name: string): () => never {
  return function unavailable() {
    throw Object.assign(
      new OwnError(`${module}.${name} is not available: a driver has no sockets. Use the context of the connection.`),
      { code: 'ERR_ACCESS_DENIED' },
    );
  };
}

const failingAll = (module: string, ...names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, failing(module, name)]));

/** Exports of Node's modules behind which Tabularium puts values of its own. */
export const REPLACED_EXPORTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  os: {
    arch: () => arch,
    endianness: () => (new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 'LE' : 'BE'),
    platform: () => platform,
    type: () => SYSTEMS[platform] ?? platform,
    hostname: () => 'localhost',
    release: () => '',
  },
  net: failingAll('net', 'Socket', 'connect', 'createConnection'),
  tls: failingAll('tls', 'TLSSocket', 'connect', 'createSecureContext', 'checkServerIdentity'),
  dns: { lookup: failing('dns', 'lookup'), promises: failingAll('dns.promises', 'lookup') },
};
