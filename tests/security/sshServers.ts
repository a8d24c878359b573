import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { findSshd } from '../../scripts/testing/sshd.ts';

/** The account that a server runs as: its own user cannot be root, so that nothing of the machine is in its reach. */
const NOBODY = { user: 'nobody', uid: 65_534, gid: 65_534 };

/** A folder with keys, made by ssh-keygen. */
export class SshKeys implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'tabularium-ssh-'));

  constructor() {
    chmodSync(this.folder, 0o755);
  }

  /** @returns the path of the private key */
  make(name: string, options: { readonly type?: string; readonly passphrase?: string; readonly rounds?: number } = {}): string {
    const path = join(this.folder, name);
    const { type = 'ed25519', passphrase = '', rounds = 1 } = options;
    const more = passphrase === '' ? [] : ['-a', String(rounds)];
    execFileSync('ssh-keygen', ['-q', '-t', type, '-f', path, '-N', passphrase, '-C', 'test', ...more]);
    return path;
  }

  /** `ssh-ed25519 AAAA…`. */
  publicKey(path: string): string {
    return readFileSync(`${path}.pub`, 'utf8').split(' ').slice(0, 2).join(' ');
  }

  fingerprint(path: string): string {
    return execFileSync('ssh-keygen', ['-lf', `${path}.pub`], { encoding: 'utf8' }).split(' ')[1] ?? '';
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Debian's sshd on a free port of 127.0.0.1, for one person with one key. */
export class Sshd implements AsyncDisposable {
  readonly port: number;
  readonly user: string;
  readonly #process: ChildProcess;
  readonly #folder: string;

  static async start(
    keys: SshKeys,
    options: {
      readonly hostKeys: readonly string[];
      readonly authorized: string;
      readonly port?: number;
      readonly settings?: readonly string[];
    },
  ): Promise<Sshd> {
    const isRoot = process.getuid?.() === 0;
    const port = options.port ?? (await freePort());
    const folder = mkdtempSync(join(keys.folder, 'sshd-'));
    const own = (name: string): string => join(folder, name);
    const files = options.hostKeys.map((path, index) => {
      copyFileSync(path, own(`host${index}`));
      chmodSync(own(`host${index}`), 0o600);
      return own(`host${index}`);
    });
    writeFileSync(own('authorized'), `${keys.publicKey(options.authorized)}\n`);
    writeFileSync(
      own('config'),
      [
        'ListenAddress 127.0.0.1',
        `Port ${port}`,
        ...files.map((file) => `HostKey ${file}`),
        `AuthorizedKeysFile ${own('authorized')}`,
        'PidFile none',
        'StrictModes no',
        'UsePAM yes',
        'PasswordAuthentication no',
        'AllowTcpForwarding yes',
        ...(options.settings ?? []),
        'LogLevel ERROR',
        '',
      ].join('\n'),
    );
    chmodSync(folder, 0o755);
    if (isRoot) for (const path of [folder, ...files, own('authorized'), own('config')]) chownSync(path, NOBODY.uid, NOBODY.gid);
    const child = spawn(findSshd() ?? 'sshd', ['-D', '-e', '-f', own('config')], {
      stdio: ['ignore', 'ignore', 'inherit'],
      ...(isRoot ? { uid: NOBODY.uid, gid: NOBODY.gid } : {}),
    });
    await listening(port, child);
    return new Sshd(port, isRoot ? NOBODY.user : userInfo().username, child, folder);
  }

  private constructor(port: number, user: string, child: ChildProcess, folder: string) {
    this.port = port;
    this.user = user;
    this.#process = child;
    this.#folder = folder;
  }

  /** Ends the listener and, as its group, the sessions that it has. */
  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = once(this.#process, 'exit');
    for (const pid of childrenOf(this.#process.pid)) kill(pid);
    this.#process.kill('SIGKILL');
    await ended;
  }

  /** Ends the sessions alone: every tunnel through it breaks. */
  breakSessions(): void {
    for (const pid of childrenOf(this.#process.pid)) kill(pid);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** One that has ended meanwhile is as good as killed. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

function childrenOf(pid: number | undefined): readonly number[] {
  if (pid === undefined) return [];
  const file = `/proc/${pid}/task/${pid}/children`;
  let found: readonly number[];
  try {
    found = readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    // It ended just now.
    found = [];
  }
  return found.flatMap((child) => [...childrenOf(child), child]);
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function listening(port: number, child: ChildProcess): Promise<void> {
  const until = performance.now() + 20_000;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`sshd ended with ${child.exitCode}.`);
    const socket = connect(port, '127.0.0.1');
    const isUp = await Promise.race([once(socket, 'connect').then(() => true), once(socket, 'close').then(() => false)]).catch(
      () => false,
    );
    socket.destroy();
    if (isUp) return;
    if (performance.now() > until) throw new Error('sshd did not start.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A server that does one thing to each socket. */
export class RawServer implements AsyncDisposable {
  readonly port: number;
  readonly sockets = new Set<Socket>();
  readonly #server: Server;

  static async start(serve: (socket: Socket) => void, port = 0): Promise<RawServer> {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      socket.on('error', () => undefined);
      serve(socket);
      // The end of a socket that no one reads is not seen.
      if (socket.listenerCount('data') === 0) socket.resume();
    }).listen(port, '127.0.0.1');
    await once(server, 'listening');
    return new RawServer(server, sockets);
  }

  private constructor(server: Server, sockets: Set<Socket>) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
    this.sockets = sockets;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
