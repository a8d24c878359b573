import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** A key of an SSH server. */
export interface HostKey {
  /** Such as `ssh-ed25519`. */
  readonly type: string;
  /** As the server sends it, in base64. */
  readonly key: string;
}

/** A line of a known_hosts file that is about a server. */
export interface KnownHost extends HostKey {
  readonly marker: 'none' | 'revoked' | 'authority';
  /** The file with its line, as a person finds it. */
  readonly where: string;
}

/** Bytes of a known_hosts file that are read; a person makes no longer list. */
export const LARGEST_KNOWN_HOSTS = 4 * 1024 * 1024;
/** OpenSSH takes lines of this length. */
const LONGEST_LINE = 64 * 1024;
const TYPE = /^[a-z0-9][a-z0-9@.-]{1,80}$/;
const BASE64 = /^[A-Za-z0-9+/]{16,16384}={0,2}$/;

/** The lines of a known_hosts file that are about a server, as OpenSSH reads them: hashed names, ports, patterns and negations, markers. */
export function knownHostsIn(text: string, file: string, host: string, port: number): readonly KnownHost[] {
  const name = port === 22 ? host.toLowerCase() : `[${host.toLowerCase()}]:${port}`;
  const found: KnownHost[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.length > LONGEST_LINE) continue;
    const words = line.trim().split(/[ \t]+/);
    const marked = words[0]?.startsWith('@') === true ? words.shift() : undefined;
    const [names = '', type = '', key = ''] = words;
    if (names === '' || names.startsWith('#') || !TYPE.test(type) || !BASE64.test(key)) continue;
    const marker = marked === undefined ? 'none' : marked === '@revoked' ? 'revoked' : 'authority';
    // A marker that is not known here makes the line count for nothing, as in OpenSSH.
    if (marker === 'authority' && marked !== '@cert-authority') continue;
    if (!isAbout(names, name)) continue;
    found.push({ marker, type, key, where: `${file}:${index + 1}` });
  }
  return found;
}

/** `SHA256:…`, as OpenSSH shows it. */
export function hostKeyFingerprint({ key }: HostKey): string {
  const digest = createHash('sha256').update(Buffer.from(key, 'base64')).digest('base64');
  return `SHA256:${digest.replaceAll('=', '')}`;
}

/** The name of a key's algorithm as people write it. */
export function keyTypeName(type: string): string {
  if (type === 'ssh-ed25519') return 'ED25519';
  return type.startsWith('ecdsa-') ? 'ECDSA' : type.startsWith('ssh-rsa') ? 'RSA' : type;
}

function isAbout(names: string, name: string): boolean {
  if (names.startsWith('|')) return isHashOf(names, name);
  let isListed = false;
  for (const pattern of names.toLowerCase().split(',')) {
    const isNegated = pattern.startsWith('!');
    if (!matches(isNegated ? pattern.slice(1) : pattern, name)) continue;
    if (isNegated) return false;
    isListed = true;
  }
  return isListed;
}

/** `|1|salt|hash`: HMAC-SHA1 of the name. */
function isHashOf(entry: string, name: string): boolean {
  const [, version, salt = '', hash = ''] = entry.split('|');
  if (version !== '1') return false;
  const expected = Buffer.from(hash, 'base64');
  const computed = createHmac('sha1', Buffer.from(salt, 'base64')).update(name).digest();
  return expected.length === computed.length && timingSafeEqual(expected, computed);
}

/** A pattern with `*` and `?`. Two pointers: an expression of many stars would take for ever. */
function matches(pattern: string, name: string): boolean {
  let at = 0;
  let star = -1;
  let resumeAt = 0;
  let index = 0;
  while (index < name.length) {
    const sign = pattern[at];
    if (sign === '*') {
      star = at;
      resumeAt = index;
      at += 1;
    } else if (sign !== undefined && (sign === '?' || sign === name[index])) {
      at += 1;
      index += 1;
    } else if (star >= 0) {
      at = star + 1;
      resumeAt += 1;
      index = resumeAt;
    } else return false;
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}
