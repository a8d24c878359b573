import { DriverError } from '@tabularium/sdk';
import ssh2 from 'ssh2';
import type { ParsedKey } from 'ssh2';
import { hostSentence } from '../../../common/hostSentences.ts';
import type { TunnelFieldId } from '../../../common/tunnelFields.ts';
import { TUNNEL } from '../../../common/tunnelFields.ts';
import type { TunnelSettings } from '../../../common/tunnelOf.ts';
import { hostDriverError } from '../../errors/hostDriverError.ts';
import { unreadableFile } from '../../storage/unreadableFile.ts';
import { demand } from './demand.ts';
import { openRegularFile } from '../../storage/regularFile.ts';
import { typedWord } from '../../../common/typedWord.ts';

/** How a person signs in, with what the secure store and the key's file gave. */
export type SshCredential =
  | { readonly kind: 'password'; readonly password: string }
  | { readonly kind: 'key'; readonly key: ParsedKey }
  | { readonly kind: 'agent'; readonly socket: string };

/** Bytes of a private key's file. */
const LARGEST_KEY = 64 * 1024;
const OTHERS = 0o077;
/** Of OpenSSH, of RFC 4716 and of PEM. */
const PUBLIC_KEY =
  /^(?:ssh-|ecdsa-sha2-|sk-ssh-|sk-ecdsa-)\S+ AAAA|^---- BEGIN SSH2 PUBLIC KEY|^-----BEGIN (?:RSA )?PUBLIC KEY-----/;
const PRIVATE_KEY = /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----|^PuTTY-User-Key-File-/;
/** OpenSSH makes 24 rounds. Each takes time in which the host does nothing else. */
const MOST_ROUNDS = 64;

/** @throws DriverError with the field */
export async function sshCredential(
  { signIn, keyFile }: Extract<TunnelSettings, { readonly kind: 'ssh' }>,
  secret: (field: TunnelFieldId) => string,
  environment: NodeJS.ProcessEnv,
): Promise<SshCredential> {
  switch (signIn) {
    case 'password': {
      const password = secret(TUNNEL.sshPassword);
      demand(password, TUNNEL.sshPassword, 'sshPasswordMissing');
      return { kind: 'password', password };
    }
    case 'key':
      return { kind: 'key', key: parsed(await keyText(keyFile), keyFile, secret(TUNNEL.sshPassphrase)) };
    case 'agent': {
      const named = environment['SSH_AUTH_SOCK'] ?? '';
      // The agent of OpenSSH on Windows is always at one place.
      const socket = named === '' && process.platform === 'win32' ? String.raw`\\.\pipe\openssh-ssh-agent` : named;
      demand(socket, TUNNEL.sshSignIn, 'sshAgentMissing');
      return { kind: 'agent', socket };
    }
  }
}

async function keyText(path: string): Promise<string> {
  const details = { field: TUNNEL.sshKey };
  try {
    const file = await openRegularFile(path);
    try {
      const { size, mode, uid } = await file.stat();
      const text = size > LARGEST_KEY ? '' : await file.readFile('utf8');
      // Another file than a private key may be open to others, and has to be replaced all the same.
      if (PUBLIC_KEY.test(text)) throw hostDriverError('INVALID_INPUT', hostSentence('sshKeyPublic', { path }), { details });
      if (!PRIVATE_KEY.test(text)) throw unusable(path);
      // As OpenSSH does: a file of another user, such as root, is that user's to open.
      if (uid === process.getuid?.() && (mode & OTHERS) !== 0)
        throw hostDriverError('INVALID_INPUT', hostSentence('sshKeyOpen', { path, command: `chmod 600 ${typedWord(path)}` }), {
          details,
        });
      return text;
    } finally {
      await file.close();
    }
  } catch (cause) {
    if (cause instanceof DriverError) throw cause;
    throw hostDriverError('INVALID_INPUT', unreadableFile(path, cause), { details, cause });
  }
}

function parsed(text: string, path: string, passphrase: string): ParsedKey {
  if ((roundsOf(text) ?? 0) > MOST_ROUNDS)
    throw hostDriverError('INVALID_INPUT', hostSentence('sshKeyRounds', { path, limit: MOST_ROUNDS }), {
      details: { field: TUNNEL.sshKey },
    });
  const result = ssh2.utils.parseKey(text, passphrase === '' ? undefined : passphrase);
  // A file of several keys gives a list, which the types of the library leave out.
  const keys: readonly (ParsedKey | Error)[] = Array.isArray(result) ? (result as readonly ParsedKey[]) : [result];
  const [key] = keys;
  if (key === undefined || key instanceof Error) {
    const why = key?.message ?? '';
    if (/no passphrase/i.test(why))
      throw hostDriverError('CREDENTIALS_MISSING', hostSentence('sshPassphraseMissing', { path }), {
        details: { field: TUNNEL.sshPassphrase },
      });
    if (/bad passphrase|integrity check failed/i.test(why))
      throw hostDriverError('ACCESS_REFUSED', hostSentence('sshPassphraseWrong', { path }), {
        details: { field: TUNNEL.sshPassphrase },
      });
    throw unusable(path);
  }
  if (!key.isPrivateKey()) throw unusable(path);
  return key;
}

function unusable(path: string): DriverError {
  return hostDriverError('INVALID_INPUT', hostSentence('sshKeyUnusable', { path }), { details: { field: TUNNEL.sshKey } });
}

/** The rounds of bcrypt that an encrypted key of OpenSSH's form asks for. */
function roundsOf(text: string): number | undefined {
  const [, body] = /-----BEGIN OPENSSH PRIVATE KEY-----([A-Za-z0-9+/=\s]*)-----END/.exec(text) ?? [];
  if (body === undefined) return undefined;
  const bytes = Buffer.from(body, 'base64');
  let at = 'openssh-key-v1\0'.length;
  const next = (): Buffer => {
    const length = at + 4 <= bytes.length ? bytes.readUInt32BE(at) : 0;
    const value = bytes.subarray(at + 4, at + 4 + length);
    at += 4 + length;
    return value;
  };
  next();
  if (next().toString('latin1') !== 'bcrypt') return undefined;
  const options = next();
  const salt = options.length < 4 ? 0 : options.readUInt32BE(0);
  return options.length >= 8 + salt ? options.readUInt32BE(4 + salt) : undefined;
}
