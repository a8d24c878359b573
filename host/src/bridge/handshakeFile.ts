import { constants } from 'node:fs';
import { lstat, open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { pathWord } from './pathWord.ts';
import { applicationTooOld, bridgeTooOld, NEEDED_VERSION } from './failure.ts';

export const HANDSHAKE_NAME = 'mcp-handshake.json';
/** The content of the handshake file while the application runs with its MCP server turned off. */
export const OFF_NAME = 'mcp-off.json';

/** Where the host listens for commands. */
const HOST_NAME = 'host.json';

/** The version of the file's form. */
const FORM_VERSION = 1;
/** A handshake has 600 bytes. */
const LARGEST_BYTES = 65_536;

/** The application's own entry. */
export interface HandshakeRead {
  readonly port: number;
  readonly token: string;
  readonly proofSecret: string;
  readonly pid: number;
  readonly instanceId: string;
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Why there is no file that may be trusted. */
export interface RefusedFile {
  readonly ok: false;
  /** There is one, and it was refused. */
  readonly found: boolean;
  readonly cause: string;
  /** The next step of a person; absent where the application doesn't run, or may not. */
  readonly remedy?: string;
  /** Only a person can mend it: a start of the application doesn't. */
  readonly final?: true;
}

/** A file that may be trusted as far as files can, or why there is none. */
export type Reading<T> = { readonly ok: true; readonly value: T } | RefusedFile;

/**
 * Reads the handshake, if this user alone owns it and its application is alive.
 *
 * @throws BridgeFailure when the application, or this bridge, is too old
 */
export async function readHandshake(folder: string, now = Date.now()): Promise<Reading<HandshakeRead>> {
  const file = await readOwnFile(folder, HANDSHAKE_NAME);
  if (!file.ok) return file;
  const refuse = (cause: string, remedy?: string): Reading<HandshakeRead> => ({
    ...{ ok: false, found: true, cause: `${HANDSHAKE_NAME} ${cause}` },
    ...(remedy === undefined ? {} : { remedy }),
  });
  const { version, port, token, proofSecret, pid, instanceId, protocolVersion, expiresAt } = file.value;
  if (typeof version === 'number' && version > FORM_VERSION) throw bridgeTooOld(version);
  const remedy = writtenAgain(join(folder, HANDSHAKE_NAME));
  if (version !== FORM_VERSION) return refuse('has an unknown version.', remedy);
  const expiry = typeof expiresAt === 'string' ? Date.parse(expiresAt) : Number.NaN;
  if (
    !(typeof port === 'number' && Number.isInteger(port) && port >= 1 && port <= 65_535) ||
    !(typeof token === 'string' && /^[\x21-\x7e]{1,512}$/.test(token)) ||
    !(typeof proofSecret === 'string' && /^[0-9a-f]{64}$/.test(proofSecret)) ||
    !(typeof pid === 'number' && Number.isInteger(pid) && pid > 0) ||
    !(typeof instanceId === 'string' && /^[\w-]{1,64}$/.test(instanceId)) ||
    typeof protocolVersion !== 'string' ||
    Number.isNaN(expiry)
  ) {
    return refuse('is damaged.', remedy);
  }
  if (!isAlive(pid)) return refuse(`was left behind: its process ${pid} is gone.`);
  if (expiry <= now) return refuse('has expired.', remedy);
  // Versions are dates.
  if (protocolVersion < NEEDED_VERSION) throw applicationTooOld();
  return { ok: true, value: { port, token, proofSecret, pid, instanceId, expiresAt: expiry } };
}

/** Whether an application runs here whose MCP server is turned off. */
export async function isTurnedOff(folder: string): Promise<boolean> {
  const file = await readOwnFile(folder, OFF_NAME);
  return file.ok && typeof file.value['pid'] === 'number' && isAlive(file.value['pid']);
}

/** The process of a host that runs here, whether its MCP server does or not. */
export async function runningHost(folder: string): Promise<number | undefined> {
  const file = await readOwnFile(folder, HOST_NAME);
  if (!file.ok) return undefined;
  const { pid, lifetime } = file.value;
  return typeof pid === 'number' && pid > 0 && lifetime === 'host' && isAlive(pid) ? pid : undefined;
}

/** About a file that the application writes again whenever it isn't as it wrote it. */
function writtenAgain(file: string): string {
  return `Delete ${file}: Tabularium writes it again within 10 seconds where it runs. Open it where it doesn't. Then relaunch this client.`;
}

/** A process of this user that is there. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    // EPERM: it is somebody else's, and so not the application.
    return false;
  }
}

async function readOwnFile(folder: string, name: string): Promise<Reading<Readonly<Record<string, unknown>>>> {
  const none = (cause: string): RefusedFile => ({ ok: false, found: true, cause, remedy: writtenAgain(join(folder, name)) });
  const closed = (cause: string, remedy: string): RefusedFile => ({ ok: false, found: true, cause, remedy, final: true });
  const uid = process.getuid?.();
  try {
    // The home may be reached through a link; what lies in it may not.
    const real = await realpath(folder);
    if (uid !== undefined) {
      const entry = await lstat(real);
      if (entry.uid !== uid)
        return closed(
          `${folder} belongs to another user.`,
          'Relaunch this client as that user, or with TABULARIUM_HOME set to a folder of your own.',
        );
      if ((entry.mode & 0o077) !== 0)
        return closed(
          `${folder} is open to other users.`,
          `Close it to them, and relaunch this client: chmod 700 ${pathWord(folder)}`,
        );
    }
    // Checked before it is opened: opening a pipe would wait for its writer. NONBLOCK covers a change in between.
    const before = await lstat(join(real, name));
    if (before.isSymbolicLink()) return none(`${name} is a symbolic link.`);
    if (!before.isFile()) return none(`${name} isn't a file.`);
    const flags =
      process.platform === 'win32' ? constants.O_RDONLY : constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const handle = await open(join(real, name), flags);
    try {
      const entry = await handle.stat();
      if (!entry.isFile()) return none(`${name} isn't a file.`);
      if (uid !== undefined) {
        if (entry.uid !== uid) return none(`${name} belongs to another user.`);
        if ((entry.mode & 0o077) !== 0) return none(`${name} is open to other users.`);
        if (entry.nlink > 1) return none(`${name} has a second name.`);
      }
      if (entry.size > LARGEST_BYTES) return none(`${name} is damaged.`);
      const value: unknown = JSON.parse(await handle.readFile('utf8'));
      if (typeof value !== 'object' || value === null) return none(`${name} is damaged.`);
      // In a copy of a data directory the file is that of the original, and its application works on other data.
      if ('home' in value && value.home !== real) return none(`${name} belongs to another data directory.`);
      return { ok: true, value: value as Readonly<Record<string, unknown>> };
    } finally {
      await handle.close();
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { ok: false, found: false, cause: `There is no ${name} in ${folder}.` };
    if (code === 'ELOOP') return none(`${name} is a symbolic link.`);
    return none(`${name} ${code === undefined ? 'is damaged' : `cannot be read (${code})`}.`);
  }
}
