import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, mkdtemp, open, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { HostError } from '../../common/errors.ts';
import { writeDurably } from '../storage/durableFile.ts';
import { storageFailure } from '../errors/storageFailure.ts';
import type { Home } from '../storage/home.ts';

/**
 * `host.json`: where the host that owns a home listens for commands. Only the home's owner can read it.
 */
const endpointSchema = z.object({
  version: z.literal(1),
  pid: z.number().int(),
  /** A Unix socket's path, or the name of a Windows pipe. */
  socket: z.string().min(1),
  /** Host and commands prove to each other that they know it: a socket outlives its host, and somebody else may take its place. */
  key: z.string().regex(/^[0-9a-f]{64}$/),
  /** `host`: stays; `command`: a single command that runs the runtime itself, and ends with it. */
  lifetime: z.enum(['host', 'command']),
  /** The home's real path. A copy of a home has the `host.json` of the original, whose host must not take the commands for the copy. */
  home: z.string().optional(),
});
export type Endpoint = z.output<typeof endpointSchema>;

/** `sun_path` has 104 bytes on macOS and 108 on Linux, the final zero included. */
const LONGEST_SOCKET_PATH = 103;
const FALLBACK_PREFIX = 'tabularium-';
/** More than a file with the longest paths of any system has. What is longer is damaged. */
const LARGEST_BYTES = 64 * 1024;

function fileOf(home: Home): string {
  return join(home.folder, 'host.json');
}

/**
 * The endpoint that was announced last. Undefined when none was, when it is damaged, or when it was announced for another home. The host
 * behind it may be gone.
 */
export async function readEndpoint(home: Home): Promise<Endpoint | undefined> {
  let text: string;
  try {
    text = await readStart(fileOf(home), LARGEST_BYTES);
  } catch {
    return undefined;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const newer = z.object({ version: z.number().gt(1) }).safeParse(value);
  if (newer.success) {
    throw new HostError(
      'HOME_IN_USE',
      'The host that owns this home is a newer version of Tabularium, and this one cannot talk to it.',
      {
        details: { advice: 'Update Tabularium, or stop that host first.' },
      },
    );
  }
  const result = endpointSchema.safeParse(value);
  return result.success && isOf(home, result.data) ? result.data : undefined;
}

async function readStart(path: string, most: number): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(most), 0, most, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** An earlier version wrote no `home`. */
function isOf(home: Home, endpoint: Endpoint): boolean {
  return (endpoint.home ?? dirname(endpoint.socket)) === home.folder;
}

/** Chooses where to listen. Windows has no socket files that Node could serve, so a pipe with a name that can't be guessed. */
export async function chooseEndpoint(home: Home, lifetime: Endpoint['lifetime'], platform = process.platform): Promise<Endpoint> {
  const key = randomBytes(32).toString('hex');
  return { version: 1, pid: process.pid, socket: await chooseSocket(home, platform), key, lifetime, home: home.folder };
}

async function chooseSocket(home: Home, platform: NodeJS.Platform): Promise<string> {
  if (platform === 'win32') return `\\\\.\\pipe\\${FALLBACK_PREFIX}${randomBytes(16).toString('hex')}`;
  const inHome = join(home.folder, 'host.sock');
  if (Buffer.byteLength(inHome) <= LONGEST_SOCKET_PATH) return inHome;
  for (const parent of [process.env['XDG_RUNTIME_DIR'], tmpdir()]) {
    if (parent === undefined || parent === '') continue;
    const folder = await mkdtemp(join(parent, FALLBACK_PREFIX)).catch(() => undefined);
    if (folder === undefined) continue;
    await chmod(folder, 0o700);
    const socket = join(folder, 'host.sock');
    if (Buffer.byteLength(socket) <= LONGEST_SOCKET_PATH) return socket;
    await rmdir(folder);
  }
  throw new HostError(
    'HOME_UNUSABLE',
    `The path ${home.folder} is too long for a local socket, and there is no other folder for it.`,
  );
}

/** Publishes where the host listens, in one step: a reader sees the old file or the new one. */
export async function announceEndpoint(home: Home, endpoint: Endpoint): Promise<void> {
  try {
    await writeDurably(fileOf(home), `${JSON.stringify(endpoint)}\n`);
  } catch (cause) {
    throw (
      storageFailure(cause, `The file ${fileOf(home)} cannot be written.`, home.folder) ??
      new HostError('HOME_UNUSABLE', `The file ${fileOf(home)} cannot be written.`, { cause })
    );
  }
}

/** Removes what an endpoint left on disk. Only the owner of the home's lock may call this. */
export async function removeEndpoint(home: Home, endpoint: Endpoint): Promise<void> {
  await rm(fileOf(home), { force: true });
  if (endpoint.socket.startsWith('\\\\')) return;
  const folder = dirname(endpoint.socket);
  if (folder === home.folder) await rm(endpoint.socket, { force: true });
  else if (basename(folder).startsWith(FALLBACK_PREFIX) && (await isOwnSocket(endpoint))) {
    await rm(endpoint.socket, { force: true });
    // Not recursively: nothing but the socket is ours to remove.
    await rmdir(folder).catch(() => undefined);
  }
}

/** Whether there is still a socket at the endpoint's path. The folder of one outside the home is made again where it went too. */
export async function socketExists(endpoint: Endpoint): Promise<boolean> {
  if (endpoint.socket.startsWith('\\\\')) return true;
  await mkdir(dirname(endpoint.socket), { recursive: true, mode: 0o700 });
  return lstat(endpoint.socket).then(
    (entry) => entry.isSocket(),
    () => false,
  );
}

/** Whether the folder of a socket is ours alone. After a restart of the machine anybody may have created it under /tmp. */
export async function isOwnSocket(endpoint: Endpoint): Promise<boolean> {
  if (process.getuid === undefined) return true;
  try {
    const folder = await lstat(dirname(endpoint.socket));
    return folder.isDirectory() && folder.uid === process.getuid() && (folder.mode & 0o077) === 0;
  } catch {
    return false;
  }
}
