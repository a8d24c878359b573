import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { HostError } from '../../common/errors.ts';
import { hostSentence } from '../../common/hostSentences.ts';
import type { HostSentence } from '../../common/hostSentences.ts';
import { isGuessable } from './isGuessable.ts';
import type { SecretKeySource } from './secretPlace.ts';

/** Fewer are guessed, however slow each guess is. Bytes. */
const SHORTEST_KEY_BYTES = 16;
const LONGEST_KEY_BYTES = 4_096;
const CLOSED_TO_OTHERS = 0o077;
/** systemd lets the user of a service read its credentials by an access list, which shows as a permission of the group. */
const CLOSED_TO_STRANGERS = 0o027;

export interface SecretKeyOptions {
  readonly source: SecretKeySource;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The data directory: a key beside what it opens protects nothing. */
  readonly homeFolder: string;
  /** For a new file: a key that is easy to guess is refused. One that a file was made with still opens it, so that its secrets can be moved. */
  readonly isNew?: boolean;
}

/**
 * Reads the passphrase or key of the encrypted file; a line break at its end isn't part of it.
 *
 * @throws HostError `SECURE_STORE_UNAVAILABLE` for a file that is missing, open to other users, of another user, in the data directory or too short,
 *   and for a new key that is easy to guess
 */
export async function readSecretKey(options: SecretKeyOptions): Promise<Buffer> {
  const { source, homeFolder, isNew = false } = options;
  const file = fileOf(options);
  let handle: FileHandle;
  try {
    // Opening a named pipe would wait for its writer.
    handle = await open(file, constants.O_RDONLY | (process.platform === 'win32' ? 0 : constants.O_NONBLOCK));
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    throw unusable(options, hostSentence('secretsKeyUnreadable', { file, reason }));
  }
  try {
    // Of what was opened, and not of what has its name now.
    const entry = await handle.stat();
    if (!entry.isFile()) throw unusable(options, hostSentence('secretsKeyNoFile', { file }));
    const own = process.getuid?.();
    if (own !== undefined) {
      if (entry.uid !== own && entry.uid !== 0) throw unusable(options, hostSentence('secretsKeyForeign', { file }));
      const closed = source.from === 'credential' ? CLOSED_TO_STRANGERS : CLOSED_TO_OTHERS;
      if ((entry.mode & closed) !== 0) throw unusable(options, hostSentence('secretsKeyOpen', { file }));
    }
    if (await isInside(homeFolder, file)) throw unusable(options, hostSentence('secretsKeyInHome', { file }));
    const read = Buffer.alloc(LONGEST_KEY_BYTES + 2);
    const { bytesRead } = await handle.read(read, 0, read.length, 0);
    const key = withoutLineEnd(read.subarray(0, bytesRead));
    if (key.length < SHORTEST_KEY_BYTES || key.length > LONGEST_KEY_BYTES)
      throw unusable(options, hostSentence('secretsKeyLength', { file, least: SHORTEST_KEY_BYTES, most: LONGEST_KEY_BYTES }));
    if (isNew && isGuessable(key)) throw unusable(options, hostSentence('secretsKeyWeak', { file }));
    return key;
  } finally {
    await handle.close();
  }
}

function fileOf(options: SecretKeyOptions): string {
  const { source, env } = options;
  if (source.from === 'keyFile') return source.path;
  const folder = env['CREDENTIALS_DIRECTORY'] ?? '';
  if (!isAbsolute(folder)) throw unusable(options, hostSentence('secretsNoCredential', { name: source.name }));
  return join(folder, source.name);
}

async function isInside(homeFolder: string, file: string): Promise<boolean> {
  const way = relative(await realpath(homeFolder), await realpath(file));
  return way !== '' && !way.startsWith('..') && !isAbsolute(way);
}

function withoutLineEnd(bytes: Buffer): Buffer {
  let end = bytes.length;
  if (end > 0 && bytes[end - 1] === 0x0a) end -= 1;
  if (end > 0 && bytes[end - 1] === 0x0d) end -= 1;
  return bytes.subarray(0, end);
}

/** Names the option by which the key was given, because the choice is long ago. */
function adviceFor({ source, isNew = false }: Pick<SecretKeyOptions, 'source' | 'isNew'>): string {
  if (source.from === 'credential')
    return `The credential is the one that “secrets use file” was given with --credential. Give it to the host in its systemd unit: LoadCredential=${source.name}:FILE, which sets CREDENTIALS_DIRECTORY. The encrypted file was not changed.`;
  if (isNew) return 'Correct the file that --key-file names, and try again. Nothing was changed.';
  return `It is the file that “secrets use file” was given with --key-file. Correct it there and try again: a host that runs needs no restart for that. If it was moved: stop the host, run "tabularium secrets use environment --leave" and then "tabularium secrets use file --key-file FILE" with its new place, and start the host again. The encrypted file was not changed.`;
}

function unusable(options: Pick<SecretKeyOptions, 'source' | 'isNew'>, sentence: HostSentence): HostError {
  return new HostError('SECURE_STORE_UNAVAILABLE', sentence, { details: { advice: adviceFor(options) } });
}
